"""Facts and house rules among the notes of a workspace: told apart, and filtered by."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox

from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memories.saved_filters import FilterWords
from inklings_desktop.domain.memory import MemoryKind, Tier
from inklings_desktop.ui.kit.controls.popover import Popover
from inklings_desktop.ui.kit.lists.memory_row_layout import MemoryRow, row_marks
from inklings_desktop.ui.kit.lists.row_list_model import RowRole
from inklings_desktop.ui.memory.list.search_words import filter_text
from inklings_desktop.usecases.knowledge.values import FactDraft, PolicyDraft
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")
FACT, RULE, NOTE = "Nerys is left-handed.", "Never show magic without its price.", "Rain all week."


def settled(bench: Bench) -> None:
    here = bench.workspace.id
    bench.put(NOTE)
    bench.inklings.domains.create(here, "Canon")
    bench.inklings.facts.put(here, FactDraft("Canon", "Nerys", FACT))
    bench.inklings.policies.put(here, PolicyDraft("Canon", RULE))


def badges(bench: WindowBench) -> dict[str, list[str]]:
    """By the text of each row, the chips of the line below it."""
    model = bench.window.page.table.model()
    rows = (model.index(n, 0).data(RowRole.ROW) for n in range(model.rowCount()))
    return {
        one.excerpt: [mark.text for mark in row_marks(one) if mark.chip and mark.icon]
        for one in rows
        if isinstance(one, MemoryRow)
    }


@scene(drive, settled)
async def test_facts_and_rules_carry_a_badge_and_are_listed_by_their_kind(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    assert badges(bench) == {NOTE: [], FACT: ["Fact"], RULE: ["House rule"]}
    await bench.until(lambda: bench.memory.subject.state.title == "House rule")
    filters = bench.window.page.filters
    await bench.until(filters.kind.isVisible)
    filters.kind.click()
    await bench.until(lambda: bool(shown_boxes()))
    box = next(one for one in shown_boxes() if one.text().startswith("Facts"))
    QTest.keyClick(box, Qt.Key.Key_Space)
    await bench.until(lambda: bench.texts() == [FACT])
    assert filters.kind.value == "Facts"
    assert bench.memory.filters.words.where.kinds == {MemoryKind.FACT}


def shown_boxes() -> list[QCheckBox]:
    popovers = [one for one in QApplication.topLevelWidgets() if isinstance(one, Popover)]
    return [box for one in popovers if one.isVisible() for box in one.findChildren(QCheckBox)]


def settled_and_saved(bench: Bench) -> None:
    settled(bench)
    words = FilterWords(MemoryFilter(kinds=frozenset({MemoryKind.POLICY})))
    bench.inklings.search.save_filter(bench.workspace.id, Tier.WORKSPACE, "Rules", words)


@scene(drive, settled_and_saved)
async def test_a_saved_filter_keeps_the_kind(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    [saved] = await bench.memory.filters.saved()
    assert filter_text(saved.words) == "House rules"
    bench.memory.filters.apply(saved)
    await bench.until(lambda: bench.texts() == [RULE])
    assert bench.window.page.filters.kind.value == "House rules"


def only_notes(bench: Bench) -> None:
    bench.put(NOTE)


@scene(drive, only_notes)
async def test_among_notes_alone_there_is_no_filter_of_kinds(bench: WindowBench, /) -> None:
    await bench.until(lambda: bench.texts() == [NOTE])
    await bench.memory.list.settled()
    assert not bench.window.page.filters.kind.isVisible()
