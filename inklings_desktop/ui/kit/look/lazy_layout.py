"""Documents laid out as far as they are seen; Qt lays out the rest while nothing else is up.

What looks for a place from the outside (``cursorForPosition``, a caret at the end) lays out all of
it at once: a third of a second for 64 KiB of short lines. A change while the rest is being laid
out stops that for good.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtGui import QTextBlock, QTextDocument


@contextmanager
def laid_out_when_seen(document: QTextDocument) -> Iterator[None]:
    """Put a whole text into a document without its being laid out meanwhile."""
    document.setLayoutEnabled(False)
    yield
    document.setLayoutEnabled(True)


def go_on_laying_out(document: QTextDocument) -> None:
    """Begin anew with what is not on show yet, if a change just stopped that."""
    if not document.lastBlock().layout().lineCount():
        document.setDefaultTextOption(document.defaultTextOption())


def block_at(document: QTextDocument, y: float) -> QTextBlock:
    """The line at a height of the document; the last one beyond the end.

    Lays out no more than twice of what is above it.
    """
    most = document.blockCount() - 1
    first, stop = 0, min(1, most)
    while stop < most and _bottom(document, stop) <= y:
        first, stop = stop + 1, min(2 * stop, most)
    while first < stop:
        middle = (first + stop) // 2
        if _bottom(document, middle) <= y:
            first = middle + 1
        else:
            stop = middle
    return document.findBlockByNumber(first)


def _bottom(document: QTextDocument, number: int) -> float:
    block = document.findBlockByNumber(number)
    return document.documentLayout().blockBoundingRect(block).bottom()
