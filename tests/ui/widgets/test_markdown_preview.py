from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.markdown.preview import MarkdownPreview


@pytest.fixture
def preview(theme: Theme, qtbot: QtBot) -> MarkdownPreview:
    preview = MarkdownPreview(theme)
    qtbot.addWidget(preview)
    preview.resize(460, 700)
    preview.show()
    return preview


def format_of(preview: MarkdownPreview, words: str) -> QTextCharFormat:
    return preview.document().find(words).charFormat()


def middle_of(preview: MarkdownPreview, words: str) -> QPoint:
    cursor = preview.document().find(words)
    cursor.setPosition(cursor.position() - len(words) // 2, QTextCursor.MoveMode.MoveAnchor)
    return preview.cursorRect(cursor).center()


def test_markdown_reads_as_it_is_meant(preview: MarkdownPreview, theme: Theme) -> None:
    preview.show_markdown("# Title\n\nWords, **strong** and `coded`.\n\n> said\n\n- item\n")
    assert preview.toPlainText() == "Title\nWords, strong and coded.\nsaid\nitem"
    assert format_of(preview, "Title").font().pixelSize() == 22
    assert format_of(preview, "strong").fontWeight() == QFont.Weight.DemiBold
    assert format_of(preview, "coded").background().color() == theme.color("sunken")
    assert format_of(preview, "said").fontItalic()


def test_html_is_shown_as_the_source_that_it_is(preview: MarkdownPreview) -> None:
    preview.show_markdown("a <b>tag</b>\n\n<script>alert(1)</script>")
    assert preview.toPlainText() == "a <b>tag</b>\n<script>alert(1)</script>"


def test_an_image_is_told_instead_of_shown(preview: MarkdownPreview) -> None:
    preview.show_markdown("\U0001f600 ![a map](file:///map.png) ![a coin](https://a.example/x.png)")
    assert preview.toPlainText() == "\U0001f600 [image: a map] [image: a coin]"


def test_a_link_tells_its_target_and_opens_nothing(preview: MarkdownPreview, qtbot: QtBot) -> None:
    preview.show_markdown("a [harbour](https://a.example/\u202egpj.exe) of glass")
    shown = preview.toPlainText()
    place = middle_of(preview, "harbour")
    QTest.mouseMove(preview.viewport(), place)
    qtbot.waitUntil(lambda: preview.statusTip().startswith("https://a.example/"), timeout=1000)
    assert preview.statusTip().isascii()
    QTest.mouseClick(preview.viewport(), Qt.MouseButton.LeftButton, pos=place)
    preview.setSource(QUrl("file:///etc/hostname"))
    assert preview.toPlainText() == shown
    assert preview.source().isEmpty()


def test_the_place_follows_the_source(preview: MarkdownPreview) -> None:
    text = "\n\n".join(f"Paragraph {number}" for number in range(200))
    preview.show_markdown(text)
    preview.show_block(240)
    first = preview.cursorForPosition(QPoint(20, 20)).block().text()
    assert first == "Paragraph 120"
    preview.show_markdown(text + "\n\nmore")
    assert preview.cursorForPosition(QPoint(20, 20)).block().text() == first
    preview.show_block(0)
    assert preview.verticalScrollBar().value() == 0


def test_a_text_too_long_to_render_says_where_the_preview_ends(preview: MarkdownPreview) -> None:
    preview.show_markdown("word word\n\n" * 10_000)
    assert preview.toPlainText().splitlines()[-1].startswith("The preview ends here.")


def test_bars_stand_beside_quotations_and_dots_before_items(
    preview: MarkdownPreview, theme: Theme
) -> None:
    preview.show_markdown("plain\n\n> said\n\n- item\n\n1. first")
    image = preview.viewport().grab().toImage()

    def left_of(words: str) -> set[int]:
        y = middle_of(preview, words).y()
        start = preview.document().find(words).selectionStart()
        cursor = QTextCursor(preview.document())
        cursor.setPosition(start)
        ground = image.pixel(2, y)
        stop = preview.cursorRect(cursor).left() - 3
        return {x for x in range(2, stop) if image.pixel(x, y) != ground}

    assert left_of("plain") == set()
    assert min(left_of("said")) == 10
    assert 8 <= min(left_of("item")) <= 16
    assert image.pixelColor(11, middle_of(preview, "said").y()) == theme.color("lineStrong")


def test_another_scheme_renders_anew(preview: MarkdownPreview, theme: Theme) -> None:
    preview.show_markdown("> said")
    theme.set_choice(SchemeChoice.DARK)
    assert format_of(preview, "said").foreground().color() == theme.color("inkSoft")
    assert preview.toPlainText() == "said"
