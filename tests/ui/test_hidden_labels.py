"""Characters that do not show are spelled out in every short word of a memory too."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget

from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memories.saved_filters import FilterWords
from inklings_desktop.ui.kit.controls.tag_editor import TagChip
from inklings_desktop.ui.kit.lists.memory_row_layout import MemoryRow
from inklings_desktop.ui.window.palette.rows import PaletteItem
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

OVERRIDE, TAG_LETTER = "\u202e", "\U000e0041"
TAG, SOURCE = f"ga{OVERRIDE}te", f"scri{TAG_LETTER}be"
SHOWN_TAG, SHOWN_SOURCE = "ga\u2039U+202E\u203ate", "scri\u2039U+E0041\u203abe"


def two_gates(bench: Bench) -> None:
    inklings = bench.inklings
    for text in (f"Keep the {OVERRIDE}gate shut.", "The gate has two keys."):
        bench.put(text, tags=(TAG,), source=SOURCE)
    words = FilterWords(MemoryFilter(tags=frozenset({TAG})), "")
    name = f"Ga{OVERRIDE}tes"
    inklings.search.save_filter(bench.workspace.id, bench.scope.tier, name, words, room=None)


def words_on_show(root: QWidget) -> str:
    """Everything that stands in labels, chips and fields, as it is painted."""
    found = [one.text() for one in root.findChildren(QLabel) if one.isVisible()]
    found += [one.text() for one in root.findChildren(QAbstractButton) if one.isVisible()]
    found += [one.shown for one in root.findChildren(TagChip) if one.isVisible()]
    found += [one.accessibleName() for one in root.findChildren(QWidget) if one.isVisible()]
    found += [one.accessibleDescription() for one in root.findChildren(QWidget) if one.isVisible()]
    return "\n".join(found)


def without_fields(text: str) -> bool:
    return OVERRIDE not in text and TAG_LETTER not in text


@scene(drive, two_gates)
async def test_tags_and_sources_are_spelled_out_wherever_they_stand(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    page, window = bench.window.page, bench.window
    row = next(one for one in page.rows if isinstance(one, MemoryRow))
    assert (row.tags, row.source) == ((SHOWN_TAG,), SHOWN_SOURCE)
    assert SHOWN_TAG in row.accessible_description
    assert without_fields(row.accessible_description)
    QTest.keyClick(page.table, Qt.Key.Key_Home)
    await bench.until(lambda: SHOWN_TAG in words_on_show(window.inspector))
    assert SHOWN_SOURCE in words_on_show(window.inspector)
    assert without_fields(words_on_show(window.inspector))
    QTest.keyClick(page.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    await bench.until(lambda: f"{SHOWN_TAG} 2" in words_on_show(window.inspector))
    assert without_fields(words_on_show(window.inspector))
    QTest.keyClick(page.table, Qt.Key.Key_Escape)
    page.filters.tags.popover_requested.emit()
    await bench.until(lambda: f"#{SHOWN_TAG}" in words_on_show(window))
    assert without_fields(words_on_show(page.filters))


@scene(drive, two_gates)
async def test_the_palette_spells_them_out(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    bench.window.menus["palette"].trigger()
    assert bench.window.finding.palette is not None
    palette = bench.window.finding.palette
    await palette.presenter.settled()
    assert palette.dialog is not None
    field = palette.dialog.findChild(QLineEdit)
    assert field is not None
    for typed, wanted in (
        ("tagged", f"Everything tagged {SHOWN_TAG}"),
        ("Gates", "Ga\u2039U+202E\u203ates"),
        ("shut", "Keep the \u2039U+202E\u203agate shut."),
        (f"x{OVERRIDE}", "Search memories for \u201cx\u2039U+202E\u203a\u201d"),
    ):
        field.setText(typed)
        await palette.presenter.settled()
        rows = palette.dialog.model.rows
        texts = [one.text for one in rows if isinstance(one, PaletteItem)]
        assert any(one.startswith(wanted) for one in texts), texts
        assert all(map(without_fields, texts))
    palette.dialog.reject()
