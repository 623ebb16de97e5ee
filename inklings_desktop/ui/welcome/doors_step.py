"""Three doors into the program: look around, begin, or bring along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.empty_state import RingsDrawing
from inklings_desktop.ui.kit.marks.key_hints import key_cap_height, paint_key_cap
from inklings_desktop.ui.kit.marks.labels import IconMark, plain_label, wrapped_label

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme

SAMPLE, OWN, ELSEWHERE = "sample", "own", "elsewhere"
_DOOR = QSize(322, 216)
_GAP = 16
_SIDE = 24
_TEXT_WIDTH = 620
_LOW = 640


class _KeyCap(QWidget):
    """The key that opens a door."""

    def __init__(self, theme: Theme, key: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._key = theme, key
        theme.dress(self._on_theme_changed)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
        paint_key_cap(painter, self.rect().toRectF(), self._key, self._theme)
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        edge = key_cap_height(self._theme)
        self.setFixedSize(edge, edge)


class Door(QFrame):
    """A card with a button; a click anywhere on it is a click on the button."""

    def __init__(
        self, theme: Theme, key: str, words: tuple[str, str, str], parent: QWidget
    ) -> None:
        """Make a door.

        Args:
            key: Which one.
            words: Its title, what lies behind it, and the word of its button.
        """
        super().__init__(parent)
        self._theme, self.key = theme, key
        number, icon = {
            SAMPLE: ("1", "map-trifold"),
            OWN: ("2", "pen-nib"),
            ELSEWHERE: ("3", "download-simple"),
        }[key]
        title, text, verb = words
        self.setProperty("card", "true")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        kind = "primary" if key == OWN else "plain"
        self.button = PushButton(theme, verb, kind=kind, parent=self)
        self.button.setObjectName(f"door{key.capitalize()}")
        self.button.setAccessibleName(title)
        self.button.setAccessibleDescription(text)
        head = hbox(None, IconMark(theme, icon, "accent", 24, self), STRETCH)
        head.addWidget(_KeyCap(theme, number, self))
        name, said = wrapped_label(title, "tab", self), wrapped_label(text, "meta", self)
        for label in (name, said):  # a click on the words is one on the door
            label.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        foot = hbox(None, self.button, STRETCH)
        column = vbox(self, head, 10, name, 4, said, 12, margins=(22, 20, 22, 20), spacing=0)
        fill(column, STRETCH, foot)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        theme.dress(self._on_theme_changed)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.pos()):
            self.button.click()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setMinimumHeight(self._theme.scaled(_DOOR.height()))
        self.setMaximumWidth(self._theme.scaled(_DOOR.width()))


class DoorsStep(QScrollArea):
    """What should be remembered?

    Signals:
        chosen: Key of a door.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("welcomeDoors")
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page = QWidget(self)
        self._drawing = RingsDrawing(theme, page)
        self._drawing.set_inked((3,))
        title = wrapped_label(tr("What should be remembered?"), "display", page)
        text = wrapped_label(
            tr(
                "Inklings is the long memory of an agent that builds worlds with you. It lives on"
                " this machine; you see, correct or delete anything in it."
            ),
            "body",
            page,
        )
        text.setMaximumWidth(theme.scaled(_TEXT_WIDTH))
        foot = plain_label(tr("You can do the others later from the File menu."), "caption", page)
        for label in (title, text, foot):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.doors = self._made_doors(page)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(_GAP)
        for door in self.doors:
            self._row.addWidget(door)
            door.button.clicked.connect(self._on_clicked)
        column = QVBoxLayout(page)
        column.setContentsMargins(_SIDE, _SIDE, _SIDE, _SIDE)
        column.setSpacing(0)
        middle = Qt.AlignmentFlag.AlignHCenter
        fill(column, STRETCH, (self._drawing, 0, middle), 14, title, 6)
        fill(column, hbox(None, STRETCH, (text, 100), STRETCH), 22)
        fill(column, hbox(None, STRETCH, (self._row, 100), STRETCH), 20, foot, STRETCH)
        self.setWidget(page)
        for ground in (self.viewport(), page):  # that of the welcome shows through
            ground.setAutoFillBackground(False)

    def _made_doors(self, page: QWidget) -> tuple[Door, ...]:
        words = {
            SAMPLE: (
                tr("Look at the sample world"),
                tr(
                    "The Saltglass Cartographers: 119 memories of an invented novelist. It is a"
                    " copy, so try anything."
                ),
                tr("Open the sample"),
            ),
            OWN: (
                tr("Start my own"),
                tr(
                    "Name it, say in a minute how it should sound, then choose who thinks with you."
                ),
                tr("Start my own"),
            ),
            ELSEWHERE: (
                tr("Bring memories from elsewhere"),
                tr(
                    "Notes, a lorebook, chats, another memory server or an Inklings export. You see"
                    " everything before it is kept."
                ),
                tr("Choose a file\u2026"),
            ),
        }
        return tuple(Door(self._theme, key, said, page) for key, said in words.items())

    def bring_focus(self) -> None:
        """Bring the keyboard to the door that most people take."""
        self.doors[1].button.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = event.text()
        if (
            number in {"1", "2", "3"}
            and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ):
            self.doors[int(number) - 1].button.click()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stands the doors below each other where they have no room side by side."""
        super().resizeEvent(event)
        least = sum(door.minimumSizeHint().width() for door in self.doors) + 2 * _GAP + 2 * _SIDE
        beside = self.width() >= max(least, self._theme.scaled(2 * _DOOR.width() + 3 * _GAP))
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.LeftToRight if beside else ways.TopToBottom)
        self._drawing.setVisible(self.height() >= self._theme.scaled(_LOW))

    @Slot()
    def _on_clicked(self) -> None:
        door = self.sender().parent()
        assert isinstance(door, Door)
        self.chosen.emit(door.key)
