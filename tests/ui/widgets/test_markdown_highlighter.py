from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QTextBlock, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QApplication

from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.markdown.highlighter import MarkdownHighlighter


@pytest.fixture
def document(qapp: QApplication) -> QTextDocument:
    document = QTextDocument()
    # Without a layout a document does not say what changed.
    document.documentLayout()
    return document


@pytest.fixture(autouse=True)
def highlighter(theme: Theme, document: QTextDocument) -> MarkdownHighlighter:
    return MarkdownHighlighter(theme, document)


def styled(block: QTextBlock) -> dict[str, QTextCharFormat]:
    """The formats of a line by the text that they cover."""
    text = block.text().encode("utf-16-le")
    return {
        text[2 * one.start : 2 * (one.start + one.length)].decode("utf-16-le"): QTextCharFormat(
            one.format
        )
        for one in block.layout().formats()
    }


def line(document: QTextDocument, text: str) -> dict[str, QTextCharFormat]:
    document.setPlainText(text)
    return styled(document.begin())


def test_a_heading_is_bold_and_its_mark_faint(document: QTextDocument, theme: Theme) -> None:
    formats = line(document, "## Keep")
    assert formats["Keep"].fontWeight() == QFont.Weight.DemiBold
    assert formats["## "].foreground().color() == theme.color("inkFaint")


def test_emphasis_is_styled_between_faint_marks(document: QTextDocument, theme: Theme) -> None:
    formats = line(document, "- a **strong** and *soft* ~~gone~~ \U0001f600 ***both***")
    assert formats["strong"].fontWeight() == QFont.Weight.DemiBold
    assert formats["soft"].fontItalic()
    assert formats["gone"].fontStrikeOut()
    assert formats["both"].fontItalic()
    assert formats["both"].fontWeight() == QFont.Weight.DemiBold
    assert formats["**"].foreground().color() == theme.color("inkFaint")
    assert formats["- "].foreground().color() == theme.color("inkFaint")


@pytest.mark.parametrize(
    "text", ["snake_case_name", "2 * 3 * 4", "\\*not\\*", "a ** b **", "un*closed"]
)
def test_what_only_looks_like_emphasis_is_left_alone(text: str, document: QTextDocument) -> None:
    assert line(document, text) == {}


def test_nothing_inside_code_is_styled(document: QTextDocument, theme: Theme) -> None:
    formats = line(document, "use `a*b*c` now")
    assert formats["a*b*c"].background().color() == theme.color("sunken")
    assert not any(one.fontItalic() for one in formats.values())


def test_links_have_their_ink_and_quoted_words_are_not_faded(
    document: QTextDocument, theme: Theme
) -> None:
    formats = line(document, "> as [noted](https://a.example)")
    assert formats["noted"].foreground().color() == theme.color("lapis")
    assert "as " not in formats, "only the sign before it is faint"
    assert formats["](https://a.example)"].foreground().color() == theme.color("inkFaint")


def test_a_fence_reaches_to_the_one_that_closes_it(document: QTextDocument) -> None:
    document.setPlainText("~~~\n**a**\n```\n~~~\n**b**")
    inside = document.findBlockByNumber(1)
    assert list(styled(inside)) == ["**a**"]
    assert "b" in styled(document.findBlockByNumber(4))


def test_closing_a_fence_styles_what_follows_anew(document: QTextDocument, theme: Theme) -> None:
    document.setPlainText("```\ncode\n\n**b**")
    assert list(styled(document.findBlockByNumber(3))) == ["**b**"]
    cursor = document.find("code")
    cursor.insertText("```")
    assert "b" in styled(document.findBlockByNumber(3))


def test_another_scheme_brings_other_inks(
    document: QTextDocument, highlighter: MarkdownHighlighter, theme: Theme
) -> None:
    document.setPlainText("# Title")
    theme.set_choice(SchemeChoice.DARK)
    highlighter.restyle()
    mark = styled(document.begin())["# "]
    assert mark.foreground().color() == theme.color("inkFaint")


@pytest.mark.parametrize("text", ["*a " * 20_000, "`x" * 30_000, "[a](b)" * 10_000, "_" * 60_000])
def test_a_line_of_nothing_but_marks_is_not_read_with_every_key(
    text: str, document: QTextDocument
) -> None:
    assert line(document, text) == {}
