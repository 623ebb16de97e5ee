"""Markdown block by block: numbers, marks, the current one, and what no block may do to others."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.markdown.block_preview import (
    GUTTER,
    MEASURE,
    BlockPreview,
    Piece,
    PieceMark,
    parts_of,
)
from tests.ui.presenter_bench import Heard

TEXTS = ("# Nerys", "She has *no* left.", "> What you owe.", "- one\n- two", "| a |\n|---|\n| 1 |")
CHANGED = (PieceMark("link-simple", "inkFaint", "2"), PieceMark("warning", "ochre", "changed"))


def pieces(*texts: str) -> tuple[Piece, ...]:
    return tuple(
        Piece(str(n), text, str(n), spoken=f"Block {n}") for n, text in enumerate(texts, start=1)
    )


@pytest.fixture
def preview(theme: Theme) -> BlockPreview:
    shown = BlockPreview(theme, "M")
    shown.resize(900, 700)
    shown.show()
    return shown


def test_blocks_stand_in_order_and_nothing_else_is_written(preview: BlockPreview) -> None:
    preview.show_pieces(("a", pieces(*TEXTS), "1"))
    lines = [one for one in preview.toPlainText().splitlines() if one.strip()]
    assert lines == ["Nerys", "She has no left.", "What you owe.", "one", "two", "a", "1"]


@pytest.mark.parametrize("text", ["```\nnever closed", "<!-- never closed", "[a]: http://b", ""])
def test_a_block_takes_no_other_into_itself(preview: BlockPreview, text: str) -> None:
    preview.show_pieces(("a", pieces("First.", text, "Last *one*."), "3"))
    chosen = Heard().to(preview.chosen)
    QTest.keyClick(preview, Qt.Key.Key_K)
    QTest.keyClick(preview, Qt.Key.Key_K)
    assert chosen.payloads == ["2", "1"]
    assert preview.toPlainText().rstrip().endswith(("Last one.", "Last *one*."))


def test_signs_of_a_plain_block_stay(preview: BlockPreview) -> None:
    text = "# no *heading* [a](b)\n```` and &amp; <b>"
    plain = replace(pieces(text)[0], is_plain=True)
    preview.show_pieces(("a", (plain,), "1"))
    assert preview.toPlainText().strip() == text


def test_marks_stand_below_their_block(preview: BlockPreview) -> None:
    first, second = pieces("First.", "Second.")
    preview.show_pieces(("a", (replace(first, marks=CHANGED, edge="ochre"), second), "2"))
    lines = preview.toPlainText().splitlines()
    assert lines[0] == "First."
    assert lines[1].endswith("changed")
    assert "2" in lines[1]


def test_the_current_block_is_marked_to_its_edge(preview: BlockPreview, theme: Theme) -> None:
    first, second = pieces("First.", "Second.")
    preview.show_pieces(("a", (replace(first, edge="ochre"), second), "2"))
    picture = preview.viewport().grab().toImage()
    edges = {picture.pixelColor(1, y).name() for y in range(picture.height())}
    assert {theme.color("ochre").name(), theme.color("accent").name()} <= edges
    beside = {picture.pixelColor(6, y).name() for y in range(picture.height())}
    assert theme.color("selected").name() in beside
    assert theme.color("accent").name() not in beside


def test_lines_are_as_long_as_reads_well(preview: BlockPreview, theme: Theme) -> None:
    preview.show_pieces(("a", pieces("word " * 400), "1"))
    layout = preview.document().firstBlock().layout()
    widest = max(layout.lineAt(n).naturalTextWidth() for n in range(layout.lineCount()))
    assert theme.scaled(MEASURE) * 0.9 <= widest <= theme.scaled(MEASURE)
    rect = preview.document().documentLayout().blockBoundingRect(preview.document().firstBlock())
    assert rect.left() == theme.scaled(GUTTER)


def test_keys_go_by_block_and_tell_of_enter_letters_and_ends(preview: BlockPreview) -> None:
    preview.show_pieces(("a", pieces(*TEXTS), "1"))
    signals = (preview.chosen, preview.beyond, preview.letter_pressed)
    chosen, beyond, letters = (Heard().to(one) for one in signals)
    entered: list[bool] = []
    preview.entered.connect(lambda: entered.append(True))
    for key in (Qt.Key.Key_J, Qt.Key.Key_End, Qt.Key.Key_J, Qt.Key.Key_Home, Qt.Key.Key_K):
        QTest.keyClick(preview, key)
    assert chosen.payloads == ["2", "5", "1"]
    assert beyond.payloads == [1, -1]
    QTest.keyClick(preview, Qt.Key.Key_M)
    QTest.keyClick(preview, Qt.Key.Key_Return)
    QTest.keyClick(preview, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert (letters.payloads, entered) == (["M"], [True])


def test_a_press_chooses_the_block_below_it(preview: BlockPreview) -> None:
    preview.show_pieces(("a", pieces("First.", "Second.", "Third."), "1"))
    chosen = Heard().to(preview.chosen)
    layout, block = preview.document().documentLayout(), preview.document().lastBlock()
    while block.text() != "Third.":
        block = block.previous()
    y = round(layout.blockBoundingRect(block).center().y())
    QTest.mouseClick(preview.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, y))
    assert chosen.payloads == ["3"]


def test_another_text_begins_above_and_the_same_one_stays_where_it_is(
    preview: BlockPreview,
) -> None:
    many = pieces(*(f"Block {n}. " * 40 for n in range(60)))
    preview.show_pieces(("a", many, "40"))
    there = preview.verticalScrollBar().value()
    assert there > 0
    preview.show_pieces(("a", (replace(many[0], marks=CHANGED), *many[1:]), "40"))
    assert preview.verticalScrollBar().value() > 0
    preview.show_pieces(("b", pieces(*TEXTS), "1"))
    assert preview.verticalScrollBar().value() == 0


def test_the_look_may_change(preview: BlockPreview, theme: Theme) -> None:
    preview.show_pieces(("a", pieces(*TEXTS), "2"))
    before = preview.document().firstBlock().layout().boundingRect().height()
    theme.set_text_scale(1.5)
    assert preview.document().firstBlock().layout().boundingRect().height() > before
    assert preview.toPlainText().startswith("Nerys")


def test_a_long_text_is_parted_where_its_rendering_costs_too_much() -> None:
    assert parts_of(()) == (0,)
    assert parts_of(TEXTS) == (0,)
    starts = parts_of([f"Block *{n}*." for n in range(3_000)])
    assert starts[0] == 0
    assert len(starts) > 2
    assert list(starts) == sorted(set(starts))
    assert parts_of(["*a* " * 20_000, "b"]) == (0, 1)
