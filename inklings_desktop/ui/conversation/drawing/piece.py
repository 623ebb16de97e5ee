"""A piece of a turn, what can be pressed on it, and how it is drawn just now.

A piece measures from its own upper left corner. What can be pressed on it is a ``Part``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter

    from inklings_desktop.ui.conversation.drawing.ink import Ink

Act = tuple[Any, ...]
"""What a part does: a word, and what it is about."""

MEMORY, FOLD, READ_LIST, UNDO, SHOW_ALL, GONE = (
    "memory",
    "fold",
    "read_list",
    "undo",
    "show_all",
    "gone",
)
TIP = "tip"
"""Nothing to be pressed: the pointer is told more."""
EDIT_QUEUED, DROP_QUEUED = "edit_queued", "drop_queued"


@dataclass(frozen=True, slots=True)
class Part:
    """Something in a turn that the keyboard goes to and that can be pressed.

    Attributes:
        key: Names it within its turn.
        rect: Where it stands.
        name: What a screen reader says.
        act: What pressing it does.
        tip: What the pointer is told; empty for nothing.
    """

    key: str
    rect: QRectF
    name: str
    act: Act
    tip: str = ""


@dataclass(slots=True)
class Look:
    """How a turn is drawn just now.

    Attributes:
        hovered: Key of the part under the pointer.
        focused: Key of the part that the keyboard is on.
        opened: ``tier/id`` of the memory that is open beside the thread.
        selection: Number of the piece whose text is chosen, and from where to where.
        angle: How far what turns has turned, in degrees.
    """

    hovered: str = ""
    focused: str = ""
    opened: str = ""
    selection: tuple[int, int, int] | None = None
    angle: float = 0.0


class Piece:
    """Something of a turn, painted from its own upper left corner.

    Attributes:
        gap: Room above it, in pixels at text scale 1.
        height: In pixels; known once it is laid out.
        turns: Where something turns, while it is at work.
    """

    gap: int = 8

    def __init__(self, ink: Ink) -> None:
        self.ink, self.theme = ink, ink.theme
        self.number = 0
        self.width = self.height = 0.0
        self.turns: list[QRectF] = []

    def lay(self, width: float) -> None:
        """Take the height that it needs at a width, in pixels."""
        raise NotImplementedError

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draw it."""
        raise NotImplementedError

    def parts(self) -> Sequence[Part]:
        """What can be pressed on it."""
        return ()

    def spoken(self) -> str:
        """What a screen reader says of it; empty for nothing."""
        return ""

    def _key(self, name: object) -> str:
        return f"{self.number}|{name}"
