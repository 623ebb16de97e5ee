"""The line below an empty workspace: which built-in entries are written and which are not."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.layouts import fill, hbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import Dot, plain_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.ui.kit.look.theme import Theme


@dataclass(frozen=True, slots=True)
class StandingPart:
    """One built-in entry and how it stands.

    Attributes:
        entry_id: The entry.
        name: ``SOUL`` or ``VOICE``.
        words: How it stands.
        is_written: Whether an agent reads something of it.
    """

    entry_id: str
    name: str
    words: str
    is_written: bool


def standing_parts(entries: Iterable[NamedEntry]) -> tuple[StandingPart, ...]:
    """SOUL and VOICE, the account's first."""
    built_in = [one for one in entries if one.is_built_in]
    return tuple(
        StandingPart(one.id, one.name, _words(one), not one.is_template)
        for one in sorted(built_in, key=lambda one: one.tier is not Tier.ACCOUNT)
    )


def _words(entry: NamedEntry) -> str:
    if entry.is_template:
        return tr("is an empty outline")
    if entry.tier is Tier.ACCOUNT:
        return tr("carries over from your account")
    return tr("is written")


_ABOVE, _GAP = 26, 6


class StandingLine(QWidget):
    """Says what an agent reads before the first turn.

    Its height follows from the width alone, whatever it was before: one that depended on how the
    pieces stand made the area that scrolls it show and hide its bar without end.

    Signals:
        entry_requested: Id of the entry whose name was pressed.
    """

    entry_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("standingLine")
        self._theme = theme
        self._parts: tuple[StandingPart, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._dots: list[QWidget] = []
        self._pieces: list[QWidget] = []

    def show_parts(self, parts: Sequence[StandingPart]) -> None:
        """Show how the entries stand."""
        if tuple(parts) == self._parts:
            return
        self._parts = tuple(parts)
        for piece in self._pieces:
            piece.hide()
            piece.deleteLater()
        self._dots = []
        self._pieces = []
        self._add(plain_label(tr("Before the first turn:"), "caption", self))
        for number, part in enumerate(self._parts):
            if number:
                dot = plain_label("\u00b7", "caption", self)
                self._dots.append(dot)
                self._add(dot)
            self._add(self._group(part))
        self.updateGeometry()
        self._place()

    def _add(self, piece: QWidget) -> None:
        self._pieces.append(piece)
        piece.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Sets the entries below each other where they do not fit side by side."""
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        """Makes room when a piece becomes larger, as with larger text."""
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._place()
        return super().event(event)

    def _group(self, part: StandingPart) -> QWidget:
        group = QWidget(self)
        row = hbox(group, margins=0, spacing=6)
        role = "accent" if part.is_written else "inkFaint"
        row.addWidget(Dot(self._theme, role, filled=part.is_written, parent=group))
        name = LinkButton(part.name, group)
        name.setAccessibleDescription(part.words)
        name.clicked.connect(partial(self.entry_requested.emit, part.entry_id))
        fill(row, name, plain_label(part.words, "metaInk", group))
        return group

    def sizeHint(self) -> QSize:
        width = self._width_beside()
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def heightForWidth(self, width: int) -> int:
        """The tallest piece, or all that stand below each other, and the air above."""
        heights = [piece.sizeHint().height() for piece in self._shown(width)]
        if self._width_beside() <= width:
            return _ABOVE + max(heights, default=0)
        return _ABOVE + sum(heights) + _GAP * (len(heights) - 1)

    def _width_beside(self) -> int:
        return sum(piece.sizeHint().width() + _GAP for piece in self._pieces)

    def _shown(self, width: int) -> list[QWidget]:
        """The pieces at a width: dots stand only between what is side by side."""
        beside = self._width_beside() <= width
        return [piece for piece in self._pieces if beside or piece not in self._dots]

    def _place(self) -> None:
        beside = self._width_beside() <= self.width()
        shown = self._shown(self.width())
        for dot in self._dots:
            dot.setVisible(beside)
        hints = [piece.sizeHint() for piece in shown]
        left = (self.width() - sum(hint.width() + _GAP for hint in hints) + _GAP) // 2
        tallest = max((hint.height() for hint in hints), default=0)
        top = _ABOVE
        for piece, hint in zip(shown, hints, strict=True):
            width = min(hint.width(), self.width())
            if beside:
                at = QPoint(left, top + (tallest - hint.height()) // 2)
                left += hint.width() + _GAP
            else:
                at = QPoint((self.width() - width) // 2, top)
                top += hint.height() + _GAP
            piece.setGeometry(QRect(at, QSize(width, hint.height())))
