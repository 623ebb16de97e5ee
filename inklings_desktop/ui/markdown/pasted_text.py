"""What is pasted or dropped into an editor, as plain text, unless it is too much."""

from typing import NamedTuple

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextCursor

MOST_MARKUP = 2 * 1024 * 1024
"""Characters of HTML or RTF that are read for their text; a second's work at most."""

_RTF_NAMES = ("rtf", "rich text format")


class Pasted(NamedTuple):
    """A text on its way in.

    Attributes:
        text: What comes in; empty if it was too much to be read.
        n_bytes: How long the whole document would be with it, in UTF-8.
    """

    text: str
    n_bytes: int


def holds_text(source: QMimeData) -> bool:
    """Whether there is any text in it, plain or not."""
    return source.hasText() or source.hasHtml() or bool(_rtf_format(source))


def pasted(source: QMimeData, cursor: QTextCursor) -> Pasted:
    """The text that would stand in the place of the selection.

    That of HTML or RTF where nothing plain comes with it; nothing that they name is loaded.
    """
    # With what reads them: hardly ever needed, and not for the first paint.
    from inklings_desktop.ui.markdown.clipboard_markup import text_of_html, text_of_rtf

    text = source.text()
    if not text and source.hasHtml():
        html = source.html()
        if len(html) > MOST_MARKUP:
            return Pasted("", len(html))
        text = text_of_html(html)
    if not text and (name := _rtf_format(source)):
        rtf = bytes(source.data(name).data())
        if len(rtf) > MOST_MARKUP:
            return Pasted("", len(rtf))
        text = text_of_rtf(rtf)
    taken = cursor.selectedText() if cursor.hasSelection() else ""
    before = cursor.document().toRawText()
    return Pasted(text, _n_bytes(before) - _n_bytes(taken) + _n_bytes(text))


def _n_bytes(text: str) -> int:
    # Qt ends lines with a sign of three bytes.
    return len(text.replace("\u2029", "\n").encode("utf-8", "surrogatepass"))


def _rtf_format(source: QMimeData) -> str:
    return next(
        (one for one in source.formats() if any(name in one.lower() for name in _RTF_NAMES)), ""
    )
