"""Agents of other makers on the Conversation page: chosen, let in, recorded, asked, ended."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inklings_desktop.agent_client import rows
from inklings_desktop.cli.agents.other_agents import STATES
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.conversation.guests import GuestTalking
from inklings_desktop.ui.conversation.picker import MODE, AgentPopover, offered
from inklings_desktop.ui.conversation.thread.cards import AskCard
from inklings_desktop.ui.conversation.words import GRANT, START_AGAIN, ProblemWords, notice_words
from inklings_desktop.ui.kit.words.agent_states import state_words
from tests.support.plain_agent import WANTED, installed
from tests.support.processes import processes_on
from tests.support.scenes import scene
from tests.ui.talk_bench import TalkBench, a_conversation, silent_agent, talk

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.rooms.messages import Message
    from tests.ui.presenter_bench import Bench

pytestmark = pytest.mark.usefixtures("qapp")


def with_plain(lacks: str = "", *, is_let_in: bool = True) -> Callable[[Bench], None]:
    """A conversation in a store that knows the scripted agent, which new ones begin with."""

    def prepare(bench: Bench) -> None:
        inklings, world = bench.inklings, bench.workspace.id
        program = str(installed(inklings.data_dir.parent / "bin", lacks))
        row: dict[str, Any] = {
            "id": "plain",
            "title": "Plain",
            "command": [program],
            "client": "plain",
        }
        inklings.preferences.put_row("agent.presets", row)
        inklings.preferences.save({"agent.preset": "plain"})
        if is_let_in:
            reads = [
                Right(tier, world, Action.READ) for tier in (Tier.CONVERSATION, Tier.WORKSPACE)
            ]
            inklings.clients.grant("plain", [*reads, Right(Tier.WORKSPACE, world, Action.WRITE)])
        a_conversation(bench)

    return prepare


def kept(bench: TalkBench) -> tuple[Message, ...]:
    """What is stored of the conversation."""
    return bench.bench.inklings.messages.list(bench.bench.workspace.id, bench.page.conversation_id)[
        0
    ]


async def half_a_minute_later(bench: TalkBench) -> None:
    """The moment at which the page looks whether the agent came by the memory."""
    talking = bench.page.talking
    assert isinstance(talking, GuestTalking)
    await talking._look_for_it()


def notice(bench: TalkBench) -> ProblemWords:
    """What the card above the composer says."""
    found = bench.view._notice_words
    assert found is not None
    return found


@scene(talk, prepare=with_plain(), launch=silent_agent)
async def test_its_memory_has_its_own_name_and_what_it_says_is_kept(bench: TalkBench, /) -> None:
    assert bench.view.composer.who.text().startswith("Plain")
    assert bench.view.composer.edit.accessibleName() == "Message to Plain"
    await bench.say("remember The bell of Wend is never rung at noon.")
    await bench.answered()
    await bench.until(lambda: len(kept(bench)) == 2)
    mine, theirs = kept(bench)
    assert (mine.turn, theirs.client, theirs.state.value) == (theirs.turn, "plain", "complete")
    [bell] = bench.bench.inklings.listing.browse([bench.bench.scope]).entries
    assert (bell.content, bell.by) == ("The bell of Wend is never rung at noon.", "plain")
    await half_a_minute_later(bench)
    assert bench.view.notice is None


@scene(talk, prepare=with_plain("forgetful"), launch=silent_agent)
async def test_that_it_never_came_by_the_memory_is_said(bench: TalkBench, /) -> None:
    await bench.say("say Hello")
    await bench.answered()
    await half_a_minute_later(bench)
    assert notice(bench).title == "This agent did not connect your memory."


@scene(talk, prepare=with_plain("forgetful", is_let_in=False), launch=silent_agent)
async def test_it_is_let_in_by_a_card_that_says_what_runs(bench: TalkBench, /) -> None:
    words = notice(bench)
    program = bench.bench.inklings.settings.agent.presets[0].command[0]
    assert words.title == "Let Plain in?"
    assert program in words.text
    assert "nothing about you" in words.text
    await bench.say("say Hello")
    assert not bench.page.said.turns
    assert bench.view.notice is not None
    bench.view.notice.buttons[GRANT].click()
    await bench.until(lambda: bench.view.notice is None)
    await bench.say("say Hello")
    await bench.until(lambda: bench.last_words().startswith("Hello"))
    found = bench.bench.inklings.clients.show("plain").client
    assert {one.action for one in found.rights} == {Action.READ}
    assert {one.tier for one in found.rights} == {Tier.CONVERSATION, Tier.CHANNEL, Tier.WORKSPACE}


@scene(talk, prepare=with_plain("signed-out"), launch=silent_agent)
async def test_it_says_in_its_own_words_how_to_sign_in(bench: TalkBench, /) -> None:
    await bench.until(lambda: bench.view.notice is not None)
    words = notice(bench)
    assert words.title == "Plain wants you to sign in there first."
    assert WANTED in words.text
    assert "Log in: Run `plain login` in a terminal: plain login" in words.text
    bench.page.choosing.offer()
    popover = bench.view.findChildren(AgentPopover)[-1]
    shown = popover.list.item(popover.list.count() - 1).text()
    assert shown == "Plain \u00b7 sign in there first"
    popover.close()
    program = Path(bench.bench.inklings.settings.agent.presets[0].command[0])
    installed(program.parent, "forgetful")  # the person signs in
    assert bench.view.notice is not None
    bench.view.notice.buttons[START_AGAIN].click()
    await bench.until(lambda: len(offered(bench.page.said)) > 0)
    assert bench.view.notice is None


@scene(talk, prepare=with_plain("forgetful"), launch=silent_agent)
async def test_its_end_is_a_card_and_it_starts_again(bench: TalkBench, /) -> None:
    await bench.say("die 3")
    await bench.until(lambda: bool(bench.view.thread_view.live.cards()))
    assert bench.turns()[-1].state == rows.FAILED
    (card,) = bench.view.thread_view.live.cards()
    assert card.accessibleName() == "Plain ended unexpectedly."
    assert card.accessibleDescription().startswith("Code 3 after ")
    assert "What it wrote stays." in card.accessibleDescription()
    assert "I was about to" in bench.last_words()
    await bench.until(lambda: len(kept(bench)) == 2)
    assert kept(bench)[-1].state.value == "failed"
    card.buttons[START_AGAIN].click()
    await bench.until(lambda: bench.page.talking.is_ready)
    await bench.say("say again")
    await bench.until(lambda: bench.last_words() == "again")


@scene(talk, prepare=with_plain("forgetful"), launch=silent_agent)
async def test_killed_from_outside_it_takes_nothing_with_it(bench: TalkBench, /) -> None:
    await bench.say("wait")
    await bench.until(lambda: bench.page.talking.is_ready)
    os.kill(bench.page.talking.pid, signal.SIGKILL)
    await bench.until(lambda: bool(bench.turns()) and bench.turns()[-1].state == rows.FAILED)
    await bench.until(lambda: len(kept(bench)) == 2)
    assert [one.role.value for one in kept(bench)] == ["user", "assistant"]


@scene(talk, prepare=with_plain("forgetful"), launch=silent_agent)
async def test_what_it_started_ends_with_it(bench: TalkBench, /, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    await bench.say(f"spawn {mark}")
    await bench.until(lambda: bench.last_words() == "spawned")
    assert len(processes_on(mark)) == 1
    os.kill(bench.page.talking.pid, signal.SIGKILL)
    await bench.until(lambda: not processes_on(mark))


@scene(talk, prepare=with_plain("forgetful"), launch=silent_agent)
async def test_it_asks_in_our_words_and_the_keyboard_denies_first(bench: TalkBench, /) -> None:
    await bench.say("ask me")
    await bench.until(lambda: bool(bench.view.thread_view.live.cards()))
    (card,) = bench.view.thread_view.live.cards()
    assert isinstance(card, AskCard)
    assert card.accessibleName() == "Let the agent delete something?"
    card.focus_first()
    assert card.buttons["no"].hasFocus()
    QTest.keyClick(card.buttons["no"], Qt.Key.Key_Space)
    await bench.until(lambda: bench.last_words() == "You chose no.")


@scene(talk, prepare=with_plain("forgetful"), launch=silent_agent)
async def test_it_is_chosen_and_left_again_with_a_line(bench: TalkBench, /) -> None:
    bench.view.composer.who.click()
    popover = bench.view.findChild(AgentPopover)
    assert popover is not None
    said = [popover.list.item(row).text() for row in range(popover.list.count())]
    assert said[0] == "World Agent \u00b7 ready"
    assert said[-1] == "Plain \u00b7 ready"
    assert "Claude Code \u00b7 not found" in said or "Claude Code \u00b7 found" in said
    popover.chosen.emit("world-agent")
    await bench.until(lambda: bench.view.composer.who.text() == "No model")
    assert [one.client for one in kept(bench)] == ["world-agent"]
    [line] = bench.turns()
    assert line.role == rows.NOTICE
    popover.close()
    bench.view.composer.who.click()
    bench.view.findChildren(AgentPopover)[-1].chosen.emit("plain")
    await bench.until(lambda: bench.view.composer.who.text().startswith("Plain"))


@scene(talk, prepare=with_plain("forgetful"), launch=silent_agent)
async def test_its_modes_and_options_are_shown_and_set_as_it_offers_them(
    bench: TalkBench, /
) -> None:
    page = bench.page
    await bench.until(lambda: len(offered(page.said)) == 2)
    mode, model = offered(page.said)
    assert (mode.id, mode.now, mode.values[1].name) == (MODE, "careful", "Quick")
    assert (model.name, model.now) == ("Model", "small")
    page.choosing.offer()
    popover = bench.view.findChildren(AgentPopover)[-1]
    assert [one.text() for one in popover.options.values()] == ["Careful"]
    assert popover.models is not None
    popover.models.itemClicked.emit(popover.models.item(1))
    popover.menus[MODE].actions()[1].trigger()
    await bench.until(lambda: [one.now for one in offered(page.said)] == ["quick", "large"])
    await bench.until(lambda: bench.view.composer.who.text() == "Plain, Large")
    await bench.until(lambda: bench.turns()[-1:] != [])
    (line,) = bench.turns()[-1].blocks
    assert isinstance(line, rows.NoticeBlock)
    assert notice_words(line) == "From here: Large."


def test_the_window_and_the_terminal_say_the_same_of_an_agent(tmp_path: Path) -> None:
    assert {state: state_words(state) for state in STATES} == STATES
