"""acpx with the World Agent, as its users have it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.agent.acpx import FORGET, REMEMBER, Acpx
from tests.agent.conftest import World
from tests.agent.foreign_clients import PAGE


@pytest.fixture
def acpx(request: pytest.FixtureRequest) -> Acpx:
    if request.config.getoption("markexpr") != "endurance":
        pytest.skip("only -m endurance fetches foreign clients")
    found = Acpx.pinned()
    if not found.is_there():
        reason = f"npx cannot fetch {found.package} here"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def test_the_page_tells_of_the_pinned_version() -> None:
    assert f"\n## {Acpx.pinned().package}\n" in PAGE.read_text(encoding="utf-8")


@pytest.mark.endurance
@pytest.mark.end2end
@pytest.mark.timeout(1_200)
def test_acpx_shows_what_the_page_says(acpx: Acpx, lone_world: World, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    assert acpx.transcript(lone_world, home) in PAGE.read_text(encoding="utf-8")
    assert lone_world.memories() == []


@pytest.mark.endurance
@pytest.mark.end2end
@pytest.mark.timeout(1_200)
def test_acpx_stops_a_turn_and_comes_back_to_a_conversation(
    acpx: Acpx, lone_world: World, tmp_path: Path
) -> None:
    with acpx.at(lone_world, tmp_path) as work:
        session = work.said("sessions", "new").strip()
        work.heard(REMEMBER)
        messages = work.stopped(FORGET)
        ended = [one["result"] for one in messages if "stopReason" in one.get("result", {})]
        assert [one["stopReason"] for one in ended] == ["cancelled"]
        work.said("sessions", "close")
        work.said("sessions", "new", "--resume-session", session)
        again = work.heard("--approve-all", FORGET)
        assert any(one.get("method") == "session/request_permission" for one in again)
    assert lone_world.memories() == []
