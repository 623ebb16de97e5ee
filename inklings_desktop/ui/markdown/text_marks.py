"""Marks over the letters of a field, in layers that need not know of each other."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_MARKED = 500
"""So many of one layer are drawn: each is looked at with every repaint."""


class Layer(IntEnum):
    """What marks are about, from below."""

    SOUGHT = 0
    FOUND = 1
    MISSPELT = 2


class TextMarks:
    """The marks of one field; they move with the text that is typed around them."""

    def __init__(self, edit: QTextEdit) -> None:
        self._edit = edit
        self._layers: dict[Layer, list[QTextEdit.ExtraSelection]] = {}

    def show(
        self, layer: Layer, spans: Iterable[tuple[int, int]], look: QTextCharFormat | None = None
    ) -> None:
        """Mark these places of a layer and no others.

        Args:
            layer: The others stay as they are.
            spans: Start and end of each, as Qt counts them, from the left.
            look: How they are drawn; not needed for none.
        """
        marks = []
        for (start, stop), _ in zip(spans, range(MOST_MARKED), strict=False):
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self._edit.document())
            cursor.setPosition(start)
            cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
            # The stubs lack these attributes.
            mark.cursor, mark.format = cursor, look or QTextCharFormat()
            marks.append(mark)
        if marks or self._layers.get(layer):
            self._layers[layer] = marks
            every = (one for _, kept in sorted(self._layers.items()) for one in kept)
            self._edit.setExtraSelections(list(every))

    def cursors(self, layer: Layer) -> list[QTextCursor]:
        """Where the marks of a layer stand now, those that were deleted left out."""
        marks = self._layers.get(layer, [])
        return [one.cursor for one in marks if one.cursor.hasSelection()]

    def step(self, layer: Layer, way: int) -> bool:
        """Select the mark after the caret, or the one before; around the ends.

        Args:
            layer: Whose marks.
            way: 1 or -1.

        Returns:
            Whether there is any.
        """
        marks = self.cursors(layer)
        if not marks:
            return False
        caret = self._edit.textCursor()
        if way > 0:
            beyond = (one for one in marks if one.selectionStart() >= caret.selectionEnd())
            chosen = next(beyond, marks[0])
        else:
            before = [one for one in marks if one.selectionEnd() <= caret.selectionStart()]
            chosen = (before or marks)[-1]
        self._edit.setTextCursor(chosen)
        self._edit.ensureCursorVisible()
        return True
