"""The family of a merged memory in the inspector of the real window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from inklings_desktop.domain.errors import CapReachedError
from inklings_desktop.domain.memory import MemoryDraft
from inklings_desktop.ui.memory.inspector.sections import SourceCard
from inklings_desktop.usecases.memories.memories import Memories
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.review_bench import SMELL, a_tidy_bench, tidy_world
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def merged_world(bench: Bench) -> None:
    tidy_world(bench)
    bench.inklings.consolidation.run(bench.scope)


async def opened(bench: WindowBench) -> list[SourceCard]:
    """The merged memory in the inspector; the cards of its sources."""
    await bench.until(lambda: bool(bench.window.page.rows))
    row = next(
        one
        for one in bench.window.page.rows
        if hasattr(one, "excerpt") and one.excerpt.startswith("Every harbour")
    )
    bench.window.page.list_cursor.select(row.id)
    section = bench.window.inspector.body.family
    await bench.until(lambda: section.isVisible() and len(section.cards) == 3)
    return section.cards


@scene(drive, merged_world, made=a_tidy_bench)
async def test_one_source_is_brought_back_by_key(bench: WindowBench, /) -> None:
    section = bench.window.inspector.body.family
    first, second, _ = await opened(bench)
    assert second.accessibleName().startswith("Every harbour")
    assert first.accessibleDescription() == "Agent, forgotten <1 min ago"
    assert second.accessibleDescription() == (
        "Agent, forgotten <1 min ago. This wording was left out."
    )
    assert second.bring_back.accessibleName().startswith("Restore this one: Every harbour")
    second.bring_back.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(second.bring_back, Qt.Key.Key_Space)
    await bench.until(lambda: not section.cards[1].bring_back.isVisible())
    assert section.cards[1].accessibleDescription().startswith("Agent, active again")
    assert section.cards[1].open.hasFocus()
    assert section.cards[0].bring_back.isVisible()
    assert first.ref == section.cards[0].ref
    await bench.until(lambda: sum(one.startswith("Every harbour") for one in bench.texts()) == 2)
    plan = bench.bench.inklings.consolidation.preview(bench.bench.scope)
    assert plan.merge == ()
    menus, ref = bench.window.menus, section.cards[1].ref
    await bench.until(lambda: menus["undo"].text() == "Undo: Restored 1 memory")
    menus["undo"].trigger()
    await bench.until(lambda: bool(section.cards) and section.cards[1].bring_back.isVisible())
    inklings = bench.bench.inklings
    again = inklings.listing.show(ref).entry
    assert again.is_forgotten
    assert again.successor_id is not None, "it lives on in the merged memory, as before"


@scene(drive, merged_world, made=a_tidy_bench)
async def test_a_source_leads_to_the_merged_memory_and_back(bench: WindowBench, /) -> None:
    inspector = bench.window.inspector
    first, *_ = await opened(bench)
    QTest.keyClick(first.open, Qt.Key.Key_Return)
    await bench.until(lambda: inspector.editor.toPlainText() == SMELL[0])
    link = inspector.body.forgotten.successor
    await bench.until(link.isVisible)
    assert "it lives on in a merged memory" in inspector.body.forgotten.text.text()
    assert not inspector.body.family.isVisible()
    assert link.accessibleName().startswith("Merged into: Every harbour")
    QTest.keyClick(link, Qt.Key.Key_Return)
    await bench.until(inspector.body.family.isVisible)
    assert not link.isVisible()
    assert not inspector.body.forgotten.isVisible()


def test_a_memory_shows_what_it_replaced_and_leads_there_and_back(tmp_path: Path) -> None:
    def prepare(bench: Bench) -> None:
        stale = bench.put("The toll is salt.")
        draft = MemoryDraft(bench.scope, "The toll is glass.")
        bench.inklings.memories.put_outcome(draft, replaces=stale.id)

    async def scene(bench: WindowBench) -> None:
        inspector = bench.window.inspector
        await bench.until(lambda: len(bench.texts()) == 1)
        bench.window.page.list_cursor.select(bench.window.page.rows[-1].id)
        section = inspector.body.family
        await bench.until(section.isVisible)
        (card,) = section.cards
        assert card.accessibleName().startswith("The toll is salt.")
        assert "Replaces" in [label.text() for label in section.findChildren(QLabel)]
        QTest.keyClick(card.open, Qt.Key.Key_Return)
        link = inspector.body.forgotten.successor
        await bench.until(link.isVisible)
        assert link.text() == "Replaced by another one"
        assert "a newer memory took its place" in inspector.body.forgotten.text.text()
        QTest.keyClick(link, Qt.Key.Key_Return)
        await bench.until(section.isVisible)

    drive(tmp_path, prepare, scene)


@scene(drive, merged_world, made=a_tidy_bench)
async def test_a_memory_without_family_shows_none(bench: WindowBench, /) -> None:
    await opened(bench)
    row = next(
        one
        for one in bench.window.page.rows
        if hasattr(one, "excerpt") and one.excerpt.startswith("Gulls")
    )
    bench.window.page.list_cursor.select(row.id)
    await bench.until(lambda: not bench.window.inspector.body.family.isVisible())
    await bench.memory.relatives.settled()
    assert bench.memory.relatives.state.sources == ()


@scene(drive, merged_world, made=a_tidy_bench)
async def test_no_room_for_a_source_is_said_and_changes_nothing(
    bench: WindowBench, /, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = bench.messages(shown=False)
    first, *_ = await opened(bench)

    def full(*_args: object) -> None:
        raise CapReachedError("workspace", 3)

    monkeypatch.setattr(Memories, "restore", full)
    first.bring_back.click()
    await bench.until(lambda: bool(said))
    assert bench.window.inspector.body.family.cards[0].bring_back.isVisible()
