from __future__ import annotations

import sys
from datetime import date
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.agent_client.wording import MOST_A_DAY, AgentWording

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = ("one", "two")


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    return tmp_path / "calls"


def agent(calls: Path, answer: str) -> list[str]:
    """A program that notes how it is called, and answers."""
    body = (
        "import json, sys\n"
        f"with open({str(calls)!r}, 'a') as file: file.write(' '.join(sys.argv[1:]) + '\\n')\n"
        "texts = json.load(sys.stdin)['texts']\n"
        f"{answer}\n"
    )
    return [sys.executable, "-c", body]


def test_the_agent_is_asked_once_for_the_same_texts(calls: Path) -> None:
    command = agent(calls, "print(json.dumps({'text': ' and '.join(texts) + '\\n'}))")
    wording = AgentWording(lambda workspace: [*command, str(workspace)])
    assert [wording.worded("w", TEXTS), wording.worded("w", TEXTS)] == ["one and two"] * 2
    assert calls.read_text().split("\n") == ["w --complete merge", ""]


@pytest.mark.parametrize(
    "answer", ["sys.exit(1)", "print('no json')", "print('[]')", 'print(\'{"text": ""}\')']
)
def test_an_agent_that_fails_gives_no_text(calls: Path, answer: str) -> None:
    command = agent(calls, answer)
    assert AgentWording(lambda _: command).worded("w", TEXTS) is None


def test_without_an_agent_there_is_no_text(tmp_path: Path) -> None:
    assert AgentWording(lambda _: None).worded("w", TEXTS) is None
    assert AgentWording(lambda _: [str(tmp_path / "absent")]).worded("w", TEXTS) is None


def test_what_is_kept_for_every_world_is_worded_by_none(calls: Path) -> None:
    command = agent(calls, "print(json.dumps({'text': 'said'}))")
    assert AgentWording(lambda _: command).worded(None, TEXTS) is None
    assert not calls.exists()


def test_a_day_has_so_many_texts_and_the_next_one_begins_anew() -> None:
    days = [date(2026, 3, 1)]
    wording = AgentWording(lambda _: ["agent"], lambda: days[0])
    wording._asked = lambda _workspace, texts: " ".join(texts)  # type: ignore[assignment, method-assign]
    given = [wording.worded(None, [str(number)]) for number in range(MOST_A_DAY + 1)]
    assert given[-2:] == [str(MOST_A_DAY - 1), None]
    days[0] = date(2026, 3, 2)
    assert wording.worded(None, ["again"]) == "again"
