"""What a person decides about the text of an entry: a band above it, and two texts compared."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from inklings_desktop.ui.entries.opened import EntryNotice, NoticeKind
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import fill, hbox, vbox
from inklings_desktop.ui.kit.look.mirror import painter_on
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconMark, wrapped_label
from inklings_desktop.ui.kit.ops.storing import storing

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme


COMPARE = "compare"
CONTINUE_DRAFT = "continueDraft"
DISCARD_DRAFT = "discardDraft"
COPY_TEXT = "copyText"
KEEP_MINE = "keepMine"
SAVE_AGAIN = "saveAgain"
TAKE_THEIRS = "takeTheirs"

_LOOKS = {
    NoticeKind.DRAFT: ("clock-counter-clockwise", "ochre"),
    NoticeKind.CHANGED: ("warning", "ochre"),
    NoticeKind.DELETED: ("warning", "ochre"),
    NoticeKind.PROPOSAL: ("planet", "lapis"),
    NoticeKind.TEMPLATE: ("info", "lapis"),
    NoticeKind.DAMAGED: ("warning", "ochre"),
    NoticeKind.SECRET: ("warning", "ochre"),
    NoticeKind.DISK_FULL: ("warning-circle", "madder"),
}
_STACKED_BELOW = 660
_BAR = 3


class EntryNoticeBand(QWidget):
    """Shows one notice; hidden while there is none.

    Signals:
        action_requested: Key of the button that was pressed.
    """

    action_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("entryNotice")
        self._theme = theme
        self._notice: EntryNotice | None = None
        self._is_compared = False
        self._icon = IconMark(theme, "", "", 18, self)
        self._title = wrapped_label("", "metaStrong", self)
        self._text = wrapped_label("", "meta", self)
        for label in (self._title, self._text):
            label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        words = vbox(None, self._title, self._text, spacing=1)
        self._buttons = hbox(None, spacing=8)
        self._made: list[PushButton] = []
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setSpacing(10)
        fill(self._body, (words, 1), self._buttons)
        row = hbox(self, margins=(28, 9, 16, 10), spacing=10)
        fill(row, (self._icon, 0, Qt.AlignmentFlag.AlignTop), (self._body, 1))
        theme.changed.connect(self.update)
        self.hide()

    def show_notice(self, notice: EntryNotice | None, *, is_compared: bool) -> bool:
        """Show a notice, or none; whether the buttons are others now.

        Args:
            notice: What it says.
            is_compared: Whether the two texts it is about are on show just now.
        """
        if notice == self._notice and is_compared == self._is_compared:
            return False
        is_news = notice is not None and notice != self._notice
        self._notice, self._is_compared = notice, is_compared
        if notice is None:
            self.hide()
            return False
        self._title.setText(notice.title)
        self._text.setText(notice.text)
        self._text.setVisible(bool(notice.text))
        self._make_buttons(notice.kind)
        self._icon.show_icon(*_LOOKS[notice.kind])
        self.update()
        self.show()
        if is_news:
            announce(self, f"{notice.title} {notice.text}")
        return True

    def buttons(self) -> list[PushButton]:
        """The ways to decide, left to right."""
        return list(self._made)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts the buttons below the words where there is no room beside them."""
        super().resizeEvent(event)
        is_narrow = self.width() < self._theme.scaled(_STACKED_BELOW)
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._body.setDirection(down if is_narrow and self._made else across)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the ground, a bar at its edge, and the hairline below."""
        if self._notice is None:
            return
        role = _LOOKS[self._notice.kind][1]
        painter = painter_on(self)
        painter.fillRect(self.rect(), self._theme.color(f"{role}Soft"))
        painter.fillRect(0, 0, _BAR, self.height(), self._theme.color(role))
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()

    def _make_buttons(self, kind: NoticeKind) -> None:
        for button in self._made:
            self._buttons.removeWidget(button)
            button.hide()
            button.deleteLater()
        while self._buttons.count():
            self._buttons.takeAt(0)
        self._made = []
        for key, text in self._choices(kind):
            button = named(PushButton(self._theme, text, small=True, parent=self), key)
            button.setProperty("action", key)
            if key != COMPARE:
                storing(button)
            button.clicked.connect(partial(self.action_requested.emit, key))
            self._buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
            self._made.append(button)
            button.show()
        self._buttons.addStretch(0)

    def _choices(self, kind: NoticeKind) -> list[tuple[str, str]]:
        compare = (
            COMPARE,
            tr("Back to the text") if self._is_compared else tr("Compare"),
        )
        return {
            NoticeKind.DRAFT: [
                compare,
                (DISCARD_DRAFT, tr("Discard it")),
                (CONTINUE_DRAFT, tr("Continue with it")),
            ],
            NoticeKind.CHANGED: [
                compare,
                (TAKE_THEIRS, tr("Take theirs")),
                (KEEP_MINE, tr("Keep mine")),
            ],
            NoticeKind.DELETED: [
                (COPY_TEXT, tr("Copy text")),
                (TAKE_THEIRS, tr("Discard mine")),
                (KEEP_MINE, tr("Restore it")),
            ],
            NoticeKind.DISK_FULL: [
                (COPY_TEXT, tr("Copy text")),
                (SAVE_AGAIN, tr("Try again")),
            ],
            NoticeKind.PROPOSAL: [compare],
            NoticeKind.TEMPLATE: [],
            NoticeKind.DAMAGED: [],
            NoticeKind.SECRET: [],
        }[kind]
