"""The list of named entries keeps up with what happens to them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.entries.dialogs import DeletedEntriesDialog, NewEntryDialog
from inklings_desktop.ui.entries.rows import EntriesContent, EntryHeading, EntryRow
from inklings_desktop.ui.kit.ops.page_spec import INBOX_PAGE
from inklings_desktop.ui.kit.page.destinations import ToEntry
from tests.support.scenes import scene
from tests.ui.entries_bench import EntriesBench, drive, proposed, stored, typed, written
from tests.ui.presenter_bench import Bench, Heard

pytestmark = pytest.mark.usefixtures("qapp")


def nothing(_bench: Bench) -> None:
    """Both built-in entries as they were shipped."""


def outline(bench: EntriesBench) -> list[str]:
    """The list as one would read it aloud, headings in brackets."""
    return [
        f"[{row.text}]" if isinstance(row, EntryHeading) else row.name
        for row in bench.view.list.rows
    ]


@scene(drive, nothing)
async def test_both_tiers_are_listed_from_the_first_moment(bench: EntriesBench, /) -> None:
    assert outline(bench) == [
        "[This workspace]",
        "VOICE",
        "[Your account, every workspace]",
        "SOUL",
    ]
    assert [share.n_characters for share in bench.page.content.shares] == [0, 0]


@scene(drive, nothing)
async def test_a_new_companion_stands_after_the_built_in_one(bench: EntriesBench, /) -> None:
    bench.view.list.new.click()
    dialog = await bench.dialog(NewEntryDialog)
    QTest.keyClicks(dialog.field, "cast")
    dialog.confirm.click()
    await bench.until(lambda: bench.name == "CAST")
    assert outline(bench)[:3] == ["[This workspace]", "VOICE", "CAST"]


def test_a_name_that_was_taken_meanwhile_is_said_in_words(tmp_path: Path) -> None:
    async def refused(bench: EntriesBench, taken: str, name: str) -> None:
        inklings, n_said = bench.bench.inklings, len(bench.said.messages)
        bench.page.new_entry()
        dialog = await bench.dialog(NewEntryDialog)
        QTest.keyClicks(dialog.field, name)
        inklings.entries.create(Tier.WORKSPACE, bench.bench.workspace.id, taken)
        dialog.confirm.click()
        await bench.until(lambda: len(bench.said.messages) > n_said)

    async def make(bench: EntriesBench) -> None:
        await refused(bench, "CAST", "cast")
        await refused(bench, "RULES", "ru1es")
        assert [one.title for one in bench.said.messages] == [
            "There is already a CAST in this tier.",
            "This name could be taken for another entry\u2019s.",
        ]

    drive(tmp_path, nothing, make)


@scene(drive, nothing)
async def test_an_entry_tells_what_is_proposed_for_it(bench: EntriesBench, /) -> None:
    proposed(bench.bench, "VOICE", "Another text.", "Because it reads better.")
    await bench.until(lambda: bool(bench.page.content.proposals))
    voice = bench.page.content.rows[1]
    assert isinstance(voice, EntryRow)
    assert voice.n_proposals == 1
    assert bench.counts == (2, "")
    bench.view.list.proposals_requested.emit()
    assert bench.said.ways == [INBOX_PAGE]


@scene(drive, nothing)
async def test_a_proposed_text_is_edited_in_the_editor_and_accepted_by_saving(
    bench: EntriesBench, /
) -> None:
    asked = proposed(bench.bench, "VOICE", "Close third, past tense.")
    bench.page.arrive(ToEntry(asked.target_id, asked))
    await bench.until(lambda: bench.view.editor.text() == "Close third, past tense.")
    assert bench.view.footer.save.text() == "Accept and save"
    typed(bench, "Mine: ")
    bench.view.footer.save.click()
    await bench.until(lambda: stored(bench, "VOICE").startswith("Mine: "))
    await bench.until(lambda: not bench.page.content.proposals)
    await bench.until(lambda: bench.view.footer.save.text() == "Save revision")


@scene(drive, nothing)
async def test_leaving_a_proposed_text_alone_keeps_it_open(bench: EntriesBench, /) -> None:
    before = stored(bench, "VOICE")
    asked = proposed(bench.bench, "VOICE", "Close third, past tense.")
    bench.page.arrive(ToEntry(asked.target_id, asked))
    await bench.until(lambda: bench.view.editor.text() == "Close third, past tense.")
    bench.view.footer.revert.click()
    await bench.until(lambda: bench.view.editor.text() == before)
    await bench.until(lambda: len(bench.page.content.proposals) == 1)


@scene(drive, nothing)
async def test_what_happens_in_another_workspace_asks_for_nothing(bench: EntriesBench, /) -> None:
    page = bench.page
    heard = Heard().to(page.content_changed)
    page.on_changes(MemoryChanges("elsewhere", entries=frozenset({"one"})))
    page.on_changes(MemoryChanges(page.workspace_id, rooms=True))
    await page.settled()
    assert heard.payloads == []
    page.on_changes(MemoryChanges(None, entries=frozenset({"one"})))
    await page.settled()
    assert len(heard.payloads) == 1


@scene(drive, nothing)
async def test_a_deleted_companion_can_be_found_and_brought_back(bench: EntriesBench, /) -> None:
    inklings = bench.bench.inklings
    made = inklings.entries.create(Tier.ACCOUNT, None, "RESEARCH_STYLE")
    inklings.entries.delete(made.ref, expected_version=made.version)
    for is_there in (True, False):
        bench.view.actions_of.restore_deleted.trigger()
        dialog = await bench.dialog(DeletedEntriesDialog)
        assert dialog.list.isVisible() is is_there
        if is_there:
            assert "RESEARCH_STYLE" in dialog.list.item(0).text()
            dialog.confirm.click()
            await bench.until(lambda: bench.name == "RESEARCH_STYLE")
        else:
            dialog.reject()


def test_the_total_counts_what_agents_read_and_the_text_at_hand(tmp_path: Path) -> None:
    def a_soul(bench: Bench) -> None:
        written(bench, "SOUL", "x" * 40)

    async def count(bench: EntriesBench) -> None:
        content: EntriesContent = bench.page.content
        assert content.total_with(bench.entry("VOICE").id, "y" * 5) == 45
        assert content.total_with(bench.entry("SOUL").id, "y" * 5) == 5

    drive(tmp_path, a_soul, count)
