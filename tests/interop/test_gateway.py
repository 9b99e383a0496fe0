"""docs/gateway.md: examples/inventory.py behind the gateways it names, started with its own commands, driven over HTTP on loopback.

Slow, and in need of the environments that environments.py makes. A peer that is not installed skips its tests and says why.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest

from . import environments
from .driving import HERE, REPOSITORY, server_environment

pytestmark = [pytest.mark.slow, pytest.mark.interop]

PAGE = os.path.join(REPOSITORY, "docs", "gateway.md")
SDKS = {"py1": "2025-11-25", "py2": "2026-07-28"}


def documented(gateway):
    """The command line that the page gives for a gateway, as words."""
    with open(PAGE, encoding="utf-8") as file:
        found = re.findall(r"^(?:npx )?(%s --.*)$" % re.escape(gateway), file.read(), re.M)
    assert len(found) == 1, found
    return shlex.split(found[0])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(params=["supergateway", "mcp-proxy"])
def gateway(request, tmp_path):
    """(name, URL) of a gateway with the inventory server behind it; ended, with all it started, after the test."""
    name = request.param
    reason = environments.missing(name)
    if reason:
        pytest.skip(reason)
    port = free_port()
    server = [sys.executable, os.path.join(REPOSITORY, "examples", "inventory.py"), str(tmp_path / "shop.db")]
    command = [environments.program(name)]
    words = documented(name)[1:]
    for number, word in enumerate(words):
        if words[number - 1] == "--port":
            word = str(port)
        if word.startswith("python "):
            word = " ".join(map(shlex.quote, server))
        command.append(word)
        if word == "--":                                # the server's own words come last
            command += server
            break
    more = dict(server_environment())
    if name == "mcp-proxy":
        command[1:1] = [word for pair in more.items() for word in ("-e",) + pair]
    else:
        more["NODE_OPTIONS"] = "--require " + os.path.join(HERE, "loopback_only.cjs")
    log = open(str(tmp_path / "gateway.log"), "wb")
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                               env=dict(environments.quiet_environment(), **more))
    try:
        until = time.monotonic() + 30
        while not is_open(port):
            assert process.poll() is None and time.monotonic() < until, (tmp_path / "gateway.log").read_text()
            time.sleep(0.1)
        yield name, "http://127.0.0.1:%d/mcp" % port
    finally:
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, number)
            except ProcessLookupError:
                break
            time.sleep(0.5)
        process.wait(10)
        log.close()


@pytest.fixture(params=sorted(SDKS))
def report(request, gateway, tmp_path):
    """What the client of an SDK saw, and the gateway's name."""
    reason = environments.missing(request.param)
    if reason:
        pytest.skip(reason)
    shutil.copy(os.path.join(HERE, "drive_http.py"), str(tmp_path))
    done = subprocess.run([environments.program(request.param), str(tmp_path / "drive_http.py"), gateway[1]], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=90, env=environments.quiet_environment())
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")[-2000:] + (tmp_path / "gateway.log").read_text()[-1000:]
    return gateway[0], request.param, json.loads(done.stdout)


def test_the_documented_recipe(report):
    """The table of the page, "What gets through"."""
    gateway, sdk, seen = report
    whole = gateway == "supergateway"
    assert (seen["server"], seen["revision"]) == ("inventory", SDKS[sdk] if whole else "2025-11-25")
    assert seen["tools"] == ["check_inventory", "count_stock", "find_price_lists", "place_order", "return_item", "translate_name",
                             "write_report"]
    assert (seen["order"], seen["left"], seen["product"]) == (["text", "resource_link"], 3, 15)
    assert seen["prompt"] == "Which of your mice do you recommend?"
    assert seen["completion"] == ["mice", "monitors"]
    assert seen["bad"] == [True, "Unknown SKU 'none'. Known SKUs: KB-201, KB-305, MN-270, MS-110."]
    assert seen["progress"] == ([[1, 2, "Reserving 1 x KB-201"], [2, 2, "Order 1003 is placed"]] if whole else [])
    assert seen["logs"] == ([["warning", "stock"]] if whole and sdk == "py1" else [])   # 2026-07-28: on request only
    if whole:
        assert seen["asked"] == ["Why does KB-201 go back?", "Return KB-201 as 'damaged'?"]
        assert seen["returned"] == "KB-201 of order 1001 is returned: damaged."
    else:
        assert seen["asked"] == []
        assert seen["returned"] == "the client has not declared the capability elicitation, which this needs"
