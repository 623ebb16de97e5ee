"""What an empty conversation shows: what can be said in it; and what shows while it is read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy, QWidget

from inklings_desktop.ui.conversation.doors import Doors
from inklings_desktop.ui.conversation.drawing.turn_layout import COLUMN
from inklings_desktop.ui.conversation.words import agent_name, without_model
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.cells import Celled, Icon, Line, Room, Said, Text
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, restyle, vbox
from inklings_desktop.ui.kit.look.mirror import painter_on
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconLabel, ReadingLabel, plain_label, rule
from inklings_desktop.ui.kit.panes.pieces import PaneScroll

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QShowEvent

    from inklings_desktop.ui.kit.look.theme import Theme

_ROW, _LEFT, _TEXT = 42, 13, 38
_COMMAND_SHARE = 0.42


def commands() -> tuple[tuple[str, str, str], ...]:
    """Icon, what is said, and what comes of it."""
    return (
        (
            "magnifying-glass",
            tr("What do you know about \u2026"),
            tr("Everything noted about it."),
        ),
        ("pen-nib", tr("Remember that \u2026"), tr("Kept as a memory of this world.")),
        (
            "note",
            tr("Remember for this conversation: \u2026"),
            tr("Forgotten when the conversation ends."),
        ),
        ("eraser", tr("Forget that \u2026"), tr("You can restore it later.")),
        ("stack", tr("What do you remember?"), tr("An overview of everything.")),
    )


def beginnings() -> tuple[str, ...]:
    """How what can be said without a model begins."""
    return tuple(_beginning(said) for _, said, _ in commands())


def _beginning(said: str) -> str:
    return said.replace("\u2026", "")


class CommandRow(Celled, QAbstractButton):
    """Something that can be said; pressing it puts it into the composer."""

    def __init__(self, theme: Theme, icon: str, words: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._icon, self._text = theme, icon, text
        self.setText(words)
        self.setAccessibleName(words)
        self.setAccessibleDescription(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("ring", "inside")
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(200, self._theme.scaled(_ROW))

    def ground(self) -> Ground:
        return Ground(
            "selected" if self.isDown() else "hover" if self.underMouse() else "", inset=1
        )

    def said(self) -> Said:
        column = round(self.width() * _COMMAND_SHARE)
        icon = Icon(self._icon, "accent", 16)
        words = Text(self.text(), style="body", gap=_TEXT - _LEFT - self._theme.icon_px(16))
        text = Text(self._text, "inkSoft")
        room = self.width() - column - _LEFT
        has_text = min(room, text.width(self._theme)) > self._theme.scaled(60)
        beside = (Line((text,), indent=column - _LEFT),) if has_text else ()
        cells = (icon, words, Room(self.width() - column - _LEFT + 12))
        return Said((Line(cells), *beside), _LEFT, _LEFT)


class StartPane(QWidget):
    """The first words of a conversation, spoken by the program itself.

    Attributes:
        doors: The ways to a model; hidden while one is there.

    Signals:
        said: What was chosen to be said.
        appeared: It is on show from now on.
    """

    said = Signal(str)
    appeared = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("conversationStart")
        self._theme = theme
        scroll = PaneScroll(self)
        for ground in (scroll.column, scroll.viewport()):
            restyle(ground, "ground", "surface")
        vbox(self, scroll, margins=0)
        inner = QWidget(scroll.column)
        inner.setMaximumWidth(theme.scaled(COLUMN))
        self._who = IconLabel(theme, "metaStrong", inner, edge=14)
        said = self._said = ReadingLabel(theme, "", inner)
        self.doors = Doors(theme, inner)
        self.show_model(has_model=False)
        card = QFrame(inner)
        card.setProperty("card", "true")
        rows = vbox(card, margins=1, spacing=0)
        self.rows: list[CommandRow] = []
        for icon, command, text in commands():
            if self.rows:
                rows.addWidget(rule(card))
            row = CommandRow(theme, icon, command, text, card)
            row.clicked.connect(partial(self.said.emit, _beginning(command)))
            self.rows.append(row)
            rows.addWidget(row)
        foot = plain_label(
            tr("It starts with your named entries and up to 18 memories."), "caption", inner
        )
        foot.setWordWrap(True)
        self.preview = LinkButton(tr("See what it reads"), inner)
        self.connect_agent = LinkButton(tr("Connect an agent that writes\u2026"), inner)
        column = vbox(inner, margins=(0, 10, 0, 0), spacing=8)
        fill(column, self._who, said, 2, card, 4)
        fill(column, hbox(None, (foot, 1), self.preview, self.connect_agent, spacing=18))
        fill(column, self.doors)
        fill(scroll.stack, hbox(None, STRETCH, (inner, 100), STRETCH), STRETCH)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():  # the window that comes back shows nothing new
            self.appeared.emit()

    def show_model(self, *, has_model: bool) -> None:
        """Say what it does with a model or without, and where words go."""
        who = ("gear-fine", "inkSoft", without_model())
        words = tr(
            "I remember what you tell me and look it up again. I don\u2019t write prose. Nothing "
            "leaves this machine."
        )
        if has_model:
            who = ("planet", "lapis", agent_name())
            words = tr(
                "I remember what you tell me and talk with you about it. What you say goes to the"
                " model that you chose."
            )
        self._who.show_mark(*who)
        self._said.setText(words)
        self.doors.setVisible(not has_model)


class TurnSkeleton(QWidget):
    """Bars where two turns will stand; nothing in it moves."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName(tr("Loading the conversation"))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        painter = painter_on(self)
        painter.setRenderHint(painter.RenderHint.Antialiasing)
        width = min(theme.scaled(652), self.width() - 48)
        left, y = (self.width() - width) / 2, 24.0
        for share, height, gap in ((0.16, 10, 10), (1.0, 52, 22), (0.2, 10, 10), (1.0, 32, 14)):
            theme.draw_box(painter, QRectF(left, y, width * share, height), "sunken", 5)
            y += height + gap
        for share in (0.92, 0.98, 0.64):
            theme.draw_box(painter, QRectF(left, y, width * share, 9), "sunken", 4)
            y += theme.line("editor")
        painter.end()
