"""examples/inventory.py, driven through every feature by the official SDK clients, each step compared by exact value.

Slow, and in need of the environments that environments.py makes: `make interop` runs both. A peer that is not
installed skips its tests and says why.
"""

from __future__ import annotations

import pytest

from . import scenarios
from .driving import DRIVERS, MODERN, check, inventory, is_modern, not_found, on_the_wire, sees_last_progress

pytestmark = [pytest.mark.slow, pytest.mark.interop]


@pytest.fixture(params=sorted(DRIVERS))
def driver(request):
    """Each driver in turn."""
    return request.param


def test_connecting_tells_who_the_server_is(driver, tmp_path):
    report = check(driver, [], inventory(tmp_path), tmp_path)
    changes = {"listChanged": True}
    expected = {
        "protocolVersion": DRIVERS[driver][3],
        "serverInfo": {"name": "inventory", "title": "Shop inventory", "version": "1.0.0"},
        "instructions": "Look a product up with check_inventory before you order it with place_order.",
        "capabilities": {"tools": changes, "prompts": changes, "resources": dict(changes, subscribe=True),
                         "logging": {}, "completions": {}},
    }
    if driver == "py2-pinned":  # it asks nothing before the first real request
        expected = {"protocolVersion": MODERN, "capabilities": {}}
    assert on_the_wire(report["connect"]) == scenarios.as_in(DRIVERS[driver][3], expected)


def test_lists_calls_reads_prompts_and_completion(driver, tmp_path):
    check(driver, scenarios.lists_and_reads(is_modern(driver), not_found(driver)), inventory(tmp_path), tmp_path)


def test_logs_progress_updates_list_changes_and_cancellation(driver, tmp_path):
    check(driver, scenarios.changes(is_modern(driver), sees_last_progress(driver)), inventory(tmp_path), tmp_path)


def test_questions_to_the_client(driver, tmp_path):
    prices = tmp_path / "prices"
    prices.mkdir()
    for name in ("spring.csv", "autumn.csv", "notes.txt"):
        (prices / name).write_text("sku,price\n", encoding="utf-8")
    revision = DRIVERS[driver][3]
    if revision < "2025-06-18":
        scenario = scenarios.no_elicitation(revision, prices.as_uri())
        check(driver, scenario, inventory(tmp_path), tmp_path)
    else:
        scenario = scenarios.questions(is_modern(driver), not_found(driver), prices.as_uri())
        check(driver, scenario, inventory(tmp_path), tmp_path)
