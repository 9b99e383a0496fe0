"""A headless Chromium for tests, driven through chromedriver's plain HTTP (W3C WebDriver), with the standard library only."""
from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--disable-dev-shm-usage"]
KEYS = {"ArrowDown": "\ue015", "ArrowUp": "\ue013", "Enter": "\ue007", "Escape": "\ue00c", "Home": "\ue011",
        "End": "\ue010",
        "PageDown": "\ue00f", "Tab": "\ue004"}


def browser_is_missing():
    """Why there can be no browser test here, "" when there can."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        return "no chromium here (Debian: chromium and chromium-driver)"
    return "" if shutil.which("chromedriver") else "no chromedriver here (Debian: chromium-driver)"


class Browser:
    """One browser window. `flags` are added to the command line."""

    def __init__(self, *flags, width=1440, height=900):
        self.profile = tempfile.mkdtemp(prefix="mcplite-browser-")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.driver = subprocess.Popen([shutil.which("chromedriver"), "--port=%d" % self.port],
                                       stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        arguments = FLAGS + ["--user-data-dir=" + self.profile, "--window-size=%d,%d" % (width, height), *flags]
        options = {"args": arguments, "binary": shutil.which("chromium") or shutil.which("google-chrome")}
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options,
                                                   "goog:loggingPrefs": {"browser": "ALL"}}}}
        deadline = time.monotonic() + 30
        while True:
            try:
                self.session = self.ask("POST", "/session", wanted)["sessionId"]
                return
            except (ConnectionError, urllib.error.URLError):
                if time.monotonic() > deadline:
                    self.close()
                    raise
                time.sleep(0.1)

    def ask(self, verb, path, body=None):
        if path != "/session":
            path = "/session/" + self.session + path
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request("http://127.0.0.1:%d%s" % (self.port, path), data,
                                         {"Content-Type": "application/json"}, method=verb)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            with error:
                raise AssertionError(error.read().decode()) from None

    def open(self, path):
        self.ask("POST", "/url", {"url": path if "://" in str(path) else "file://" + os.path.abspath(str(path))})

    def run(self, script, *arguments):
        """The value that `script`, the body of a function, returns."""
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, *keys):
        actions = []
        for key in keys:
            actions += [{"type": kind, "value": KEYS.get(key, key)} for kind in ("keyDown", "keyUp")]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def wait_for(self, script, seconds=10):
        deadline = time.monotonic() + seconds
        while not self.run(script):
            assert time.monotonic() < deadline, "never true: " + script
            time.sleep(0.02)

    def log(self):
        """What the page has complained about."""
        return [line["message"] for line in self.ask("POST", "/se/log", {"type": "browser"})]

    def screenshot(self, path):
        with open(str(path), "wb") as stream:
            stream.write(base64.b64decode(self.ask("GET", "/screenshot")))

    def close(self):
        try:
            if hasattr(self, "session"):
                self.ask("DELETE", "")
        except (OSError, AssertionError):
            pass
        self.driver.terminate()
        self.driver.wait(30)
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()
