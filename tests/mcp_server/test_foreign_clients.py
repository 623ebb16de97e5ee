"""Clients of the protocol that are none of ours: each as its users have it, by its own library."""

from __future__ import annotations

import os
from pathlib import Path
from statistics import median

import pytest

from tests.mcp_server.foreign_clients import CLIENTS, PAGE, ForeignClient, ready_world
from tests.support.stopwatch import SLOWNESS

CALL_SECONDS = 0.4
"""Longest that a call by a process of its own may take while a host is there."""


def installed(client: ForeignClient, request: pytest.FixtureRequest) -> ForeignClient:
    """The client, in an environment of its own; only where the long tests are asked for."""
    if request.config.getoption("markexpr") != "endurance":
        pytest.skip("only -m endurance installs foreign clients")
    if not client.is_there():
        reason = f"pip cannot install {client.requirement} here"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return client


def test_the_page_tells_of_every_client() -> None:
    page = PAGE.read_text(encoding="utf-8")
    told = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    assert told == [one.requirement for one in CLIENTS]


@pytest.mark.endurance
@pytest.mark.end2end
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("client", CLIENTS, ids=lambda one: one.kind)
def test_a_foreign_client_hears_what_the_page_says(
    client: ForeignClient, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    foreign = installed(client, request)
    with ready_world(tmp_path / "root") as workspace:
        assert foreign.transcript(tmp_path / "root", workspace) in PAGE.read_text(encoding="utf-8")


@pytest.mark.endurance
@pytest.mark.end2end
@pytest.mark.timeout(1_200)
def test_a_process_for_each_call_is_quick_and_searches_by_meaning(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    (client,) = (one for one in CLIENTS if one.kind == "langchain")
    foreign = installed(client, request)
    with ready_world(tmp_path / "root") as workspace:
        foreign.transcript(tmp_path / "root", workspace)  # something to find
        seconds = foreign.seconds_of_searches(tmp_path / "root", workspace, 10)
    assert median(seconds) <= CALL_SECONDS * SLOWNESS
