from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QTextDocument

from inklings_desktop.ui.kit.look.hidden_marks import HiddenMarks
from inklings_desktop.ui.kit.look.theme import Theme


@pytest.fixture
def document(theme: Theme) -> QTextDocument:
    document = QTextDocument()
    document.setDefaultFont(theme.font("editor"))
    document.setPlainText("\U0001f600 gl\u200bass")
    document.documentLayout().blockBoundingRect(document.begin())
    return document


def painted(document: QTextDocument, theme: Theme) -> QImage:
    image = QImage(200, 40, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    HiddenMarks(theme).paint(painter, [(document.begin(), 0.0)])
    painter.end()
    return image


def test_a_hidden_character_gets_a_mark_where_it_stands(
    document: QTextDocument, theme: Theme
) -> None:
    image = painted(document, theme)
    marked = {
        x for x in range(200) for y in range(40) if image.pixelColor(x, y) == theme.color("ochre")
    }
    line = document.begin().layout().lineAt(0)
    # Qt counts the emoji as two.
    left = document.begin().layout().position().x() + QRectF(line.rect()).left()
    assert marked
    assert min(marked) > left + 30


def test_the_mark_tells_the_name(document: QTextDocument, theme: Theme) -> None:
    image = painted(document, theme)
    place = next(
        QPoint(x, y)
        for x in range(200)
        for y in range(40)
        if image.pixelColor(x, y) == theme.color("ochre")
    )
    marks = HiddenMarks(theme)
    assert marks.names_at(place, [(document.begin(), 0.0)]) == ("zero width space",)
    assert marks.names_at(QPoint(190, 10), [(document.begin(), 0.0)]) == ()


def test_a_text_without_hidden_characters_has_no_marks(theme: Theme) -> None:
    plain = QTextDocument()
    plain.setPlainText("glass harbour")
    image = painted(plain, theme)
    assert {image.pixel(x, y) for x in range(200) for y in range(40)} == {0xFFFFFFFF}
