"""What an agent asks, decided on the Named entries page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from inklings_desktop.domain.entries.proposals import ProposalState
from inklings_desktop.domain.errors import HeldForReviewError
from inklings_desktop.domain.memory import MemoryPatch
from inklings_desktop.ui.entries.dialogs import RejectDialog
from inklings_desktop.ui.entries.rows import ProposalRow
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from tests.ui.entries_bench import AGENT, VOICE, a_world, an_agent, drive, proposed, stored, typed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ui.entries_bench import EntriesBench
    from tests.ui.presenter_bench import Bench

pytestmark = pytest.mark.usefixtures("qapp")


def an_asked_world(bench: Bench) -> None:
    """A proposal for VOICE waits."""
    a_world(bench)
    proposed(bench, "VOICE", VOICE + "\nPast tense.\n", "You said so twice.")


async def opened_proposal(bench: EntriesBench) -> ProposalRow:
    row = next(row for row in bench.view.list.rows if isinstance(row, ProposalRow))
    bench.view.list.select(row.id)
    await bench.until(bench.view.proposal.isVisible)
    return row


def test_a_new_proposal_appears_while_one_writes(tmp_path: Path) -> None:
    async def look(bench: EntriesBench) -> None:
        typed(bench, "Still typing. ")
        proposed(bench.bench, "VOICE", "Another text.")
        await bench.until(lambda: bench.counts == (3, "1"))
        assert bench.view.list.current_id() == bench.entry("VOICE").id
        assert bench.view.editor.text().startswith("Still typing. ")
        await bench.page.entry.revert()

    drive(tmp_path, a_world, look)


def test_a_proposal_is_accepted_as_it_is(tmp_path: Path) -> None:
    async def accept(bench: EntriesBench) -> None:
        row = await opened_proposal(bench)
        assert (row.title, row.kind_label) == ("VOICE", "new text")
        assert bench.view.proposal.reason.text() == "You said so twice."
        bench.view.proposal.accept.click()
        await bench.until(lambda: stored(bench, "VOICE") == VOICE + "\nPast tense.\n")
        await bench.until(lambda: bench.name == "VOICE")
        assert bench.view.editor.text() == VOICE + "\nPast tense.\n"
        assert bench.view.toast.isVisible()
        await bench.until(lambda: not bench.page.content.proposals)

    drive(tmp_path, an_asked_world, accept)


def test_a_proposal_is_edited_and_then_accepted(tmp_path: Path) -> None:
    async def accept(bench: EntriesBench) -> None:
        await opened_proposal(bench)
        bench.view.proposal.edit.click()
        await bench.until(bench.view.editor.isVisible)
        assert bench.view.editor.text() == VOICE + "\nPast tense.\n"
        assert bench.view.footer.save.text() == "Accept and save"
        typed(bench, "Mine: ")
        bench.view.footer.save.click()
        await bench.until(lambda: stored(bench, "VOICE").startswith("Mine: "))
        await bench.until(lambda: not bench.page.content.proposals)
        assert bench.view.footer.save.text() == "Save revision"

    drive(tmp_path, an_asked_world, accept)


def test_leaving_an_edited_proposal_alone_keeps_it_open(tmp_path: Path) -> None:
    async def leave(bench: EntriesBench) -> None:
        await opened_proposal(bench)
        bench.view.proposal.edit.click()
        await bench.until(bench.view.editor.isVisible)
        bench.view.footer.revert.click()
        await bench.until(lambda: bench.view.editor.text() == VOICE)
        assert len(bench.page.content.proposals) == 1

    drive(tmp_path, an_asked_world, leave)


def test_a_proposal_is_rejected_with_a_note(tmp_path: Path) -> None:
    async def reject(bench: EntriesBench) -> None:
        await opened_proposal(bench)
        asked = bench.page.proposal.proposal
        assert asked is not None
        bench.view.proposal.reject.click()
        dialog = await bench.dialog(RejectDialog)
        QTest.keyClicks(dialog.field, "Not yet.")
        dialog.confirm.click()
        await bench.until(lambda: not bench.page.content.proposals)
        agent = an_agent(bench.bench.workspace.id)
        answer = bench.bench.inklings.as_caller(agent).proposals.show(asked.ref)
        assert (answer.state, answer.note) == (ProposalState.REJECTED, "Not yet.")
        assert stored(bench, "VOICE") == VOICE

    drive(tmp_path, an_asked_world, reject)


def a_locked_memory(bench: Bench) -> None:
    """An agent asks to change a memory that only the author may change."""
    a_world(bench)
    memory = bench.put("The toll is paid in salt.")
    with pytest.raises(HeldForReviewError):
        bench.inklings.as_caller(an_agent(bench.workspace.id)).memories.update(
            memory.ref,
            MemoryPatch(content="The toll is paid in bells."),
            expected_version=memory.version,
        )


def test_the_wording_of_a_memory_can_be_changed_before_it_is_accepted(tmp_path: Path) -> None:
    async def accept(bench: EntriesBench) -> None:
        row = await opened_proposal(bench)
        assert (row.title, row.words) == ("Workspace memory", "The toll is paid in bells.")
        pane = bench.view.proposal
        pane.edit.click()
        assert pane.wording.isVisible()
        QTest.keyClicks(pane.wording, "Since chapter 9: ")
        assert pane.is_edited
        bench.view.list.select(bench.entry("VOICE").id)
        (await bench.dialog(ConfirmDialog)).reject()
        await bench.until(lambda: bench.view.list.current_id() == row.id)
        pane.accept.click()
        await bench.until(lambda: not bench.page.content.proposals)
        inklings = bench.bench.inklings
        page = inklings.listing.browse([bench.bench.scope])
        (memory,) = page.entries
        assert memory.content == "Since chapter 9: The toll is paid in bells."

    drive(tmp_path, a_locked_memory, accept)


def test_every_button_of_a_proposal_has_a_name(tmp_path: Path) -> None:
    async def look(bench: EntriesBench) -> None:
        await opened_proposal(bench)
        assert bench.page.proposal.view.client == AGENT
        buttons = bench.view.proposal.findChildren(QAbstractButton)
        assert all(button.accessibleName() or button.text() for button in buttons)

    drive(tmp_path, an_asked_world, look)
