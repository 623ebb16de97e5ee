"""An agent made with the protocol's own library, in a process of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.agent_client.launching import Starts, clean_environment
from inklings_desktop.agent_client.plain_process import PlainProcess
from inklings_desktop.agent_client.rows import AskBlock, Block, ProblemBlock, text_of_turn
from inklings_desktop.agent_client.terminal_chat import AgentProblemError, TerminalChat
from tests.support.scripted_agent import SESSION


class Person:
    """Who sits at the terminal: what was written, and what will be answered."""

    def __init__(self) -> None:
        self.written = ""
        self.shown: list[Block] = []
        self.answer: str | tuple[str, tuple[str, ...]] | None = None
        self.asked: list[AskBlock] = []
        self.stops_at = ""

    def write(self, text: str) -> None:
        self.written += text

    def show(self, block: Block) -> None:
        self.shown.append(block)

    def ask(self, ask: AskBlock) -> str | tuple[str, tuple[str, ...]] | None:
        self.asked.append(ask)
        return self.answer

    def is_stopped(self) -> bool:
        return bool(self.stops_at) and self.stops_at in self.written


@pytest.fixture
def person() -> Person:
    return Person()


@pytest.fixture
def starts() -> Starts:
    return Starts()


@pytest.fixture
def chat(person: Person, starts: Starts, tmp_path: Path) -> Iterator[TerminalChat]:
    command = [sys.executable, "-m", "tests.support.scripted_agent", str(tmp_path / "turns.json")]

    def start() -> PlainProcess:
        return PlainProcess(command, clean_environment(os.environ))

    with closing(TerminalChat(start, person, starts)) as chat:
        yield chat


def test_what_it_says_is_told_as_it_comes(chat: TerminalChat, person: Person) -> None:
    chat.open(channel="general")
    assert chat.session == SESSION
    turn = chat.say("say The harbour hums")
    assert (turn.state, turn.ms, turn.produced_by) == ("complete", 7, "mechanical")
    assert person.written == text_of_turn(turn) == "The harbour hums "
    assert chat.thread.ref_code == "C1"


@pytest.mark.parametrize(("answer", "chosen"), [("once", "once"), ("deny", "deny"), (None, "deny")])
def test_it_asks_and_hears_the_answer(
    chat: TerminalChat, person: Person, answer: str | None, chosen: str
) -> None:
    chat.open()
    person.answer = answer
    turn = chat.say("forget it")
    (ask,) = person.asked
    assert (ask.effect, ask.before) == ("One memory is put away.", "The harbour")
    assert person.written == f"You chose {chosen}."
    assert [one.how for one in turn.touched] == (["forgotten"] if chosen == "once" else [])
    assert len(person.shown) == 2


def test_it_hears_which_of_several_are_allowed(chat: TerminalChat, person: Person) -> None:
    chat.open()
    person.answer = "once", ("bell", "tower")
    turn = chat.say("forget each Bell Harbour Tower")
    assert [one.text for one in person.asked[0].choices] == ["Bell", "Harbour", "Tower"]
    assert person.written == "You chose once of bell tower."
    [settled] = [block for block in turn.blocks if isinstance(block, AskBlock)]
    assert (settled.is_open, len(settled.choices)) == (False, 3)


def test_it_is_stopped(chat: TerminalChat, person: Person) -> None:
    chat.open()
    person.stops_at = "thinking"
    turn = chat.say("wait for ever")
    assert (turn.state, text_of_turn(turn)) == ("stopped", "thinking ")
    person.stops_at = ""
    assert text_of_turn(chat.say("say on")) == "on "


def test_its_death_is_survived_and_it_goes_on(chat: TerminalChat, person: Person) -> None:
    chat.open()
    chat.say("say First")
    turn = chat.say("die now")
    assert turn.state == "interrupted"
    assert turn.blocks[-1] == ProblemBlock("agent_gone")
    again = chat.say("/continue")
    assert (again.id, again.state) == (turn.id, "complete")
    assert person.written == "First I was about to \nagain "
    rows: list[Any] = [(one.role, one.state) for one in chat.thread.turns]
    assert rows == [("user", "complete"), ("assistant", "complete")] * 2


def test_one_that_dies_again_and_again_is_not_started_for_ever(chat: TerminalChat) -> None:
    chat.open()
    for _ in range(3):
        assert chat.say("die now").state == "interrupted"
    with pytest.raises(AgentProblemError) as failed:
        chat.say("say Hello")
    assert failed.value.problem.word == "agent_failed_to_start"
    assert failed.value.last_lines == ("something broke",)


def test_a_conversation_is_opened_by_its_id(chat: TerminalChat, person: Person) -> None:
    chat.open(SESSION)
    assert text_of_turn(chat.say("say Hello")) == "Hello "


def test_a_program_that_is_none_says_so(person: Person) -> None:
    chat = TerminalChat(lambda: PlainProcess(["/no/such/program"], {}), person)
    with pytest.raises(AgentProblemError) as failed:
        chat.open()
    assert failed.value.problem.word == "agent_failed_to_start"


def test_a_program_that_ends_at_once_says_its_last_words(person: Person) -> None:
    program = "import sys; sys.exit('no licence')"
    chat = TerminalChat(lambda: PlainProcess([sys.executable, "-c", program], {}), person)
    with closing(chat), pytest.raises(AgentProblemError) as failed:
        chat.open()
    assert failed.value.problem.word == "agent_failed_to_start"
    assert failed.value.last_lines == ("no licence",)


def test_an_agent_that_stays_is_ended(tmp_path: Path) -> None:
    program = "import time\nwhile True: time.sleep(1)"
    process = PlainProcess([sys.executable, "-c", program], {})
    process.send(b"x" * 1_000_000)
    process.leave()
    assert process.status is not None
