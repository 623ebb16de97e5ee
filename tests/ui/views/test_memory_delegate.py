from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.lists.memory_row_layout import MemoryRow, Row
from inklings_desktop.ui.kit.lists.row_table import RowTable
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.memory.list.table.delegate import MemoryDelegate
from inklings_desktop.ui.memory.list.table.table import MemoryListModel
from tests.ui.models.rows import a_heading, a_memory, a_note

LONG = "Long note kept whole. The harbour of Wend is to be felt before it is seen. " * 5


class Listing:
    """A list on show, with what it is made of."""

    def __init__(self, theme: Theme, qtbot: QtBot, rows: list[Row], width: int = 820) -> None:
        self.model = MemoryListModel()
        self.delegate = MemoryDelegate(theme)
        self.table = RowTable(self.delegate)
        self.table.setModel(self.model)
        qtbot.addWidget(self.table)
        self.model.replace_rows(rows)
        self.table.resize(width, 400)
        self.table.show()

    def picture(self) -> QImage:
        return self.table.viewport().grab().toImage()

    def middle_of(self, row_id: str) -> int:
        return self.table.visualRect(self.model.index_of(row_id)).center().y()


def colours(image: QImage, y: int, x_from: int = 0, x_to: int | None = None) -> set[str]:
    end = image.width() if x_to is None else x_to
    return {image.pixelColor(x, y).name() for x in range(x_from, end)}


def test_heights_are_those_of_the_tokens(theme: Theme, qtbot: QtBot) -> None:
    listing = Listing(theme, qtbot, [a_heading(), a_memory(1), a_note()])
    header = listing.table.verticalHeader()
    assert [header.sectionSize(row) for row in range(3)] == [28, 86, 86]
    listing.delegate.set_compact(compact=True)
    listing.table.refresh_heights()
    assert [header.sectionSize(row) for row in range(3)] == [28, 58, 58]


def test_grounds_tell_headings_selected_rows_and_rest_apart(theme: Theme, qtbot: QtBot) -> None:
    listing = Listing(theme, qtbot, [a_heading(), a_memory(1), a_memory(2)])
    listing.table.selectionModel().select(
        listing.model.index_of("m2"), QItemSelectionModel.SelectionFlag.Select
    )
    picture = listing.picture()
    grounds = [
        picture.pixelColor(2, listing.middle_of(row_id))
        for row_id in ("heading:March 2026", "m1", "m2")
    ]
    assert grounds == [theme.color(role) for role in ("canvas", "surface", "selected")]


def test_ink_of_the_stroke_fades_with_relevance(theme: Theme, qtbot: QtBot) -> None:
    rows: list[Row] = [
        replace(a_memory(1), relevance=1.4),
        replace(a_memory(2), relevance=0.4),
        replace(a_memory(3), relevance=0.0),
    ]
    listing = Listing(theme, qtbot, rows)
    picture = listing.picture()
    strokes = [picture.pixelColor(18, listing.middle_of(row.id)) for row in rows]
    assert strokes[0] == theme.color("accent")
    assert strokes[0].lightness() < strokes[1].lightness() < strokes[2].lightness()


def test_matches_have_an_ochre_ground(theme: Theme, qtbot: QtBot) -> None:
    plain = a_memory(1, excerpt="The harbour of Wend.")
    listing = Listing(theme, qtbot, [plain, replace(plain, id="m2", highlights=((4, 7),))])
    picture = listing.picture()
    ochre = theme.color("ochreSoft").name()
    assert ochre not in colours(picture, listing.middle_of("m1") - 12)
    assert ochre in colours(picture, listing.middle_of("m2") - 12)


def test_boxes_appear_while_checking(theme: Theme, qtbot: QtBot) -> None:
    listing = Listing(theme, qtbot, [a_memory(1)])
    listing.model.set_checked({"m1"})
    accent = theme.color("accent").name()
    y = listing.table.visualRect(listing.model.index_of("m1")).top() + 26
    assert accent not in colours(listing.picture(), y, 19, 31)
    listing.delegate.set_checking(checking=True)
    assert accent in colours(listing.picture(), y, 19, 31)


def test_a_forgotten_memory_has_no_ink_of_relevance(theme: Theme, qtbot: QtBot) -> None:
    row = replace(a_memory(1), relevance=1.4, forgotten=True, forgotten_label="forgotten 3 d ago")
    listing = Listing(theme, qtbot, [row])
    top = listing.table.visualRect(listing.model.index_of("m1")).top()
    picture = listing.picture()
    stroke = {picture.pixelColor(18, top + y).name() for y in range(12, 74)}
    assert stroke == {theme.color("graphite").name(), theme.color("surface").name()}
    assert theme.color("accent").name() not in colours(picture, listing.middle_of("m1"), 600)


def test_marks_of_private_pinned_and_paused_memories_are_drawn(theme: Theme, qtbot: QtBot) -> None:
    plain = replace(a_memory(1), source="")
    special = replace(plain, id="m2", agent_id="researcher", pinned=True, paused=True)
    listing = Listing(theme, qtbot, [plain, special])
    picture = listing.picture()

    def inked(row_id: str) -> int:
        y = listing.middle_of(row_id) + 12
        return sum(picture.pixelColor(x, y) != QColor("#ffffff") for x in range(160, 420))

    assert inked("m2") > inked("m1")


def test_elision_is_known_after_painting(theme: Theme, qtbot: QtBot) -> None:
    short, long = a_memory(1), a_memory(2, excerpt=LONG)
    listing = Listing(theme, qtbot, [short, long])
    listing.picture()
    assert not listing.delegate.is_elided(short)
    assert listing.delegate.is_elided(long)


def test_changed_rows_and_themes_are_painted_anew(theme: Theme, qtbot: QtBot) -> None:
    listing = Listing(theme, qtbot, [a_memory(1, excerpt="Before.")])
    before = listing.picture()
    listing.model.replace_rows([a_memory(1, excerpt="Something else entirely.", version=2)])
    after = listing.picture()
    assert before != after
    theme.set_choice(SchemeChoice.DARK)
    assert listing.picture().pixelColor(2, 40) == theme.color("surface")


def test_tricky_texts_and_narrow_lists_are_painted(theme: Theme, qtbot: QtBot) -> None:
    texts = [
        "הגאות היא",
        "翻訳方針",
        "\u26f5\U0001f30a",
        "x" * 900,
        "\u2066a\u2069",
        "a\u0300" * 40,
    ]
    rows: list[MemoryRow] = [a_memory(number, excerpt=text) for number, text in enumerate(texts)]
    listing = Listing(theme, qtbot, [*rows, a_note()], width=240)
    assert not listing.picture().isNull()


def test_the_ring_follows_the_keyboard(theme: Theme, qtbot: QtBot) -> None:
    listing = Listing(theme, qtbot, [a_memory(1), a_memory(2)])
    listing.table.activateWindow()
    listing.table.setFocus()
    qtbot.waitUntil(listing.table.hasFocus)
    focus = theme.color("focus").name()
    QTest.keyClick(listing.table, Qt.Key.Key_Down)
    current = listing.table.currentIndex().row()
    place = listing.table.visualRect(listing.model.index(current, 0))
    assert focus in colours(listing.picture(), place.center().y())
    QTest.mouseClick(
        listing.table.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        place.center(),
    )
    assert focus not in colours(listing.picture(), place.center().y())


def test_figures_stay_at_the_gutter_when_a_scroll_bar_comes(theme: Theme, qtbot: QtBot) -> None:
    def last_ink(listing: Listing) -> int:
        picture = listing.picture()
        middle = listing.middle_of("m1")
        inked = [
            x
            for x in range(picture.width())
            for y in range(middle - 24, middle + 24)
            if picture.pixelColor(x, y).lightness() < 160
        ]
        return max(inked)

    few = Listing(theme, qtbot, [a_memory(1)])
    many = Listing(theme, qtbot, [a_memory(number) for number in range(1, 30)])
    many.table.setStyleSheet("QScrollBar:vertical { width: 10px; }")
    qtbot.waitUntil(many.table.verticalScrollBar().isVisible)
    assert many.table.viewport().width() < few.table.viewport().width()
    assert last_ink(many) == last_ink(few)
