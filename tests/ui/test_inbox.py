"""What waits for the author's word, decided in the Inbox."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from inklings_desktop.domain.entries.proposals import ProposalState
from inklings_desktop.domain.errors import HeldForReviewError
from inklings_desktop.domain.memory import MemoryPatch
from inklings_desktop.ui.inbox.view import RejectDialog
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.ops.page_spec import INBOX_PAGE
from inklings_desktop.ui.kit.page.destinations import ToEntry
from inklings_desktop.ui.kit.panes.pieces import Notice
from tests.support.scenes import scene
from tests.ui.entries_bench import AGENT, VOICE, a_world, an_agent, proposed
from tests.ui.inbox_bench import InboxBench, drive
from tests.ui.presenter_bench import Bench
from tests.ui.test_silence import fall_silent

pytestmark = pytest.mark.usefixtures("qapp")


def an_asked_world(bench: Bench) -> None:
    """A proposal for VOICE waits."""
    a_world(bench)
    proposed(bench, "VOICE", VOICE + "\nPast tense.\n", "You said so twice.")


def voice(bench: InboxBench) -> str:
    inklings = bench.bench.inklings
    return inklings.entries.find(bench.bench.workspace.id, "VOICE").body


def hinted(bench: InboxBench) -> str:
    page_id, mark = bench.said.marks[-1]
    assert page_id == INBOX_PAGE
    return mark.short_hint


@scene(drive, a_world)
async def test_without_anything_it_says_so(bench: InboxBench, /) -> None:
    assert bench.named("nothingWaits").isVisible()
    assert bench.named("nothingWaits").title() == "Nothing to decide."
    assert hinted(bench) == ""


@scene(drive, an_asked_world)
async def test_what_arrives_is_listed_counted_and_said(bench: InboxBench, /) -> None:
    assert (hinted(bench), bench.said.sentences) == ("1", [])
    bench.view.hide()
    heard: list[tuple[str, str]] = []
    bench.page.arrived.connect(lambda title, text: heard.append((title, text)))
    proposed(bench.bench, "SOUL", "Another text.")
    await bench.until(lambda: hinted(bench) == "2")
    assert bench.said.sentences == [f"{AGENT} asks: new text, SOUL"]
    assert {row.text for row in bench.rows} == {"VOICE", "SOUL"}
    assert heard == [("Something to decide", bench.said.sentences[0])]


@scene(drive, an_asked_world)
async def test_a_proposal_is_accepted_as_it_is(bench: InboxBench, /) -> None:
    row = await bench.open("VOICE")
    assert row.badge == "new text"
    assert bench.named("proposalReason").text() == "You said so twice."
    bench.named("proposalAccept").click()
    await bench.until(lambda: voice(bench) == VOICE + "\nPast tense.\n")
    await bench.until(bench.named("nothingWaits").isVisible)
    await bench.until(bench.page.toast.isVisible)
    assert hinted(bench) == ""
    assert bench.page.toast.undo.isVisible()


@scene(drive, an_asked_world)
async def test_the_text_of_an_entry_is_edited_where_entries_are_written(
    bench: InboxBench, /
) -> None:
    await bench.open("VOICE")
    asked = bench.page.proposal.proposal
    assert asked is not None
    bench.named("proposalEdit").click()
    assert bench.said.ways == [ToEntry(asked.target_id, asked)]


@scene(drive, an_asked_world)
async def test_a_proposal_is_rejected_with_a_note(bench: InboxBench, /) -> None:
    await bench.open("VOICE")
    asked = bench.page.proposal.proposal
    assert asked is not None
    bench.named("proposalReject").click()
    dialog = await bench.dialog(RejectDialog)
    QTest.keyClicks(dialog.field, "Not yet.")
    dialog.confirm.click()
    await bench.until(lambda: not bench.rows)
    agent = an_agent(bench.bench.workspace.id)
    answer = bench.bench.inklings.as_caller(agent).proposals.show(asked.ref)
    assert (answer.state, answer.note) == (ProposalState.REJECTED, "Not yet.")
    assert voice(bench) == VOICE


@scene(drive, an_asked_world)
async def test_ctrl_enter_rejects_and_the_title_is_short(bench: InboxBench, /) -> None:
    await bench.open("VOICE")
    bench.named("proposalReject").click()
    dialog = await bench.dialog(RejectDialog)
    assert dialog.heading.text() == "Reject this proposal?"
    QTest.keyClicks(dialog.field, "Not yet.")
    QTest.keyClick(dialog.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await bench.until(lambda: not bench.rows)


def test_our_own_agent_has_a_name_and_ages_on_one_screen_agree(tmp_path: Path) -> None:
    def prepare(bench: Bench) -> None:
        a_world(bench)
        agent = replace(an_agent(bench.workspace.id), name="world-agent")
        bench.inklings.as_caller(agent).proposals.propose(
            bench.workspace.id, "VOICE", VOICE + "\nPast.\n", "So."
        )

    async def look(bench: InboxBench) -> None:
        row = await bench.open("VOICE")
        assert row.meta == "World Agent, <1 min ago"
        view = bench.page.proposal.view
        assert (view.client, view.asked) == ("World Agent", "less than a minute ago")
        later = bench.bench.inklings.clock() + timedelta(minutes=7, seconds=1)
        object.__setattr__(bench.bench.inklings.parts, "clock", lambda: later)
        bench.page.read_again()  # as it does each minute while somebody looks
        await bench.until(lambda: bench.rows[0].meta == "World Agent, 7 min ago")
        assert bench.named("proposalAsked").text() == "7 minutes ago"

    drive(tmp_path, prepare, look)


def a_locked_memory(bench: Bench) -> None:
    """An agent asks to change a memory that only the author may change, and to forget it."""
    a_world(bench)
    memory = bench.put("The toll is paid in salt.")
    agent = bench.inklings.as_caller(an_agent(bench.workspace.id))
    patch = MemoryPatch(content="The toll is paid in bells.")
    with pytest.raises(HeldForReviewError):
        agent.memories.update(memory.ref, patch, expected_version=memory.version)
    with pytest.raises(HeldForReviewError):
        agent.memories.forget([memory.ref])


@scene(drive, a_locked_memory)
async def test_a_memory_is_listed_by_its_words_with_who_asks(bench: InboxBench, /) -> None:
    told = {(row.badge, row.text, row.meta) for row in bench.rows}
    by = f"{AGENT}, <1 min ago"
    assert told == {
        ("forget", "The toll is paid in salt.", by),
        ("edit", "The toll is paid in bells.", by),
    }


@scene(drive, a_locked_memory)
async def test_the_wording_of_a_memory_can_be_changed_before_it_is_accepted(
    bench: InboxBench, /
) -> None:
    row = await bench.open("The toll is paid in bells.")
    edit, wording = bench.named("proposalEdit"), bench.named("proposalWording")
    await bench.until(edit.isVisible)
    edit.click()
    assert wording.isVisible()
    QTest.keyClicks(wording, "Since chapter 9: ")
    assert bench.page.has_unsaved
    other = next(one for one in bench.rows if one.id != row.id)
    bench.list.row_chosen.emit(other.id)
    (await bench.dialog(ConfirmDialog)).reject()
    await bench.until(lambda: bench.list.current_id() == row.id)
    bench.named("proposalAccept").click()
    await bench.until(lambda: len(bench.rows) == 1)
    (memory,) = bench.bench.inklings.listing.browse([bench.bench.scope]).entries
    assert memory.content == "Since chapter 9: The toll is paid in bells."
    assert "overtaken" in bench.rows[0].meta


@scene(drive, a_locked_memory)
async def test_a_wording_outlives_a_decision_that_was_made_elsewhere(bench: InboxBench, /) -> None:
    row = await bench.open("The toll is paid in bells.")
    page = bench.page
    edit, wording = bench.named("proposalEdit"), bench.named("proposalWording")
    await bench.until(edit.isVisible)
    edit.click()
    had_unsaved = page.has_unsaved
    QTest.keyClicks(wording, "Since chapter 9: ")
    assert (had_unsaved, page.has_unsaved) == (False, True)  # closing the window asks
    asked = page.proposal.proposal
    assert asked is not None
    bench.bench.inklings.proposals.reject(asked.ref)
    await bench.until(lambda: len(bench.rows) == 1)
    await bench.until(lambda: page.proposal.proposal is None)
    assert wording.isVisible()
    assert wording.text() == "Since chapter 9: The toll is paid in bells."
    assert not bench.named("proposalAccept").isEnabled()
    assert not bench.named("proposalReject").isEnabled()
    (told,) = bench.view.findChildren(Notice)
    assert "decided" in told.title.text()
    other = bench.rows[0]
    assert other.id != row.id
    bench.list.row_chosen.emit(other.id)
    (await bench.dialog(ConfirmDialog)).confirm.click()
    await bench.until(lambda: not page.has_unsaved)
    await bench.until(lambda: bench.named("proposalAccept").text() == "Forget it")


@scene(drive, a_locked_memory)
async def test_letters_decide_while_the_list_has_the_keyboard(bench: InboxBench, /) -> None:
    await bench.open("The toll is paid in salt.")
    await bench.until(lambda: bench.named("proposalAccept").text() == "Forget it")
    bench.page.focus_list()
    QTest.keyClick(bench.list, Qt.Key.Key_Y)
    await bench.until(lambda: len(bench.rows) == 1)
    assert bench.bench.inklings.listing.browse([bench.bench.scope]).entries == ()
    await bench.until(lambda: bool(bench.view.findChildren(Notice)))
    QTest.keyClick(bench.list, Qt.Key.Key_N)
    (await bench.dialog(RejectDialog)).confirm.click()
    await bench.until(lambda: not bench.rows)


@scene(drive, fall_silent)
async def test_silent_conversations_wait_there_with_what_they_hold(bench: InboxBench, /) -> None:
    inklings, here = bench.bench.inklings, bench.bench.workspace.id
    await bench.open("The toll")
    assert bench.named("questionQuotes").text() == "Said in The toll."
    bench.named("questionYes").click()
    await bench.until(lambda: len(inklings.conversations.list_silent(here)) == 1)
    await bench.until(lambda: [row.text for row in bench.rows] == ["The bell"])
    bench.named("questionNo").click()
    (await bench.dialog(ConfirmDialog)).confirm.click()
    await bench.until(lambda: not bench.rows)


@scene(drive, an_asked_world)
async def test_every_button_has_a_name(bench: InboxBench, /) -> None:
    await bench.open("VOICE")
    assert bench.page.proposal.view.client == AGENT
    buttons = bench.view.findChildren(QAbstractButton)
    shown = [button for button in buttons if button.isVisible()]
    assert shown
    assert all(button.accessibleName() or button.text() for button in shown)
