"""Things worth a look: each row opens the memories it counts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QAbstractButton, QFrame, QMenu, QSizePolicy, QWidget

from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.lists.row_table import KEYBOARD_REASONS
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, vbox
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.look.text_layout import write
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import rule, wrapped_label
from inklings_desktop.ui.kit.panes.pieces import PADDING, CardHead

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent

    from inklings_desktop.ui.control.overview_facts import LookFacts
    from inklings_desktop.ui.kit.look.theme import Theme

_ROW = 53
_ICON = 18
_TEXT = 30
_CHEVRON = 14


class LookRow(QAbstractButton):
    """One list: a mark, how many of what, what that means.

    Pressing it opens the list; where several tiers hold some, a menu asks which.

    Signals:
        chosen: The kind of the list and the ``Tier``.
    """

    chosen = Signal(object, object)

    def __init__(self, theme: Theme, facts: LookFacts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._facts = facts
        self._ring = False
        self.setProperty("ring", "none")  # one around a row would cross the frame of the card
        self.setObjectName(f"look-{facts.kind.value}")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._on_clicked)
        self.show_facts(facts)

    @property
    def facts(self) -> LookFacts:
        """What it shows."""
        return self._facts

    def show_facts(self, facts: LookFacts) -> None:
        """Show another count of the same list."""
        self._facts = facts
        self.setText(facts.sentence)
        self.setAccessibleName(facts.sentence)
        self.setAccessibleDescription(facts.told)
        self.setToolTip(plain_tool_tip(facts.told))
        self.update()

    def menu(self) -> QMenu:
        """The tiers that hold some, made anew."""
        menu = QMenu(self)
        for tier, name, count in self._facts.tiers:
            action = menu.addAction(f"{name}\t{count}")
            action.triggered.connect(partial(self.chosen.emit, self._facts.kind, tier))
        return menu

    def sizeHint(self) -> QSize:
        return QSize(self._theme.scaled(260), self._theme.scaled(_ROW))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.scaled(160), self._theme.scaled(_ROW))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = event.reason() in KEYBOARD_REASONS
        super().focusInEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._ring = False
        super().mousePressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        painter = smooth_painter_on(self)
        if self.isDown() or self.underMouse():
            painter.fillRect(self.rect(), theme.color("selected" if self.isDown() else "hover"))
        middle = self.height() / 2
        facts = self._facts
        theme.draw_icon(painter, (PADDING, middle), facts.icon, facts.role, _ICON)
        end = self.width() - PADDING - theme.icon_px(_CHEVRON)
        theme.draw_icon(painter, (end, middle), "caret-right", "inkSoft", _CHEVRON)
        left = PADDING + theme.scaled(_TEXT)
        for text, style, role, shift in (
            (facts.sentence, "body", "ink", -theme.scaled(9)),
            (facts.note, "meta", "inkFaint", theme.scaled(9)),
        ):
            font, colour = theme.font(style), theme.color(role)
            write(painter, left, middle + shift, text, font, colour, room=end - 8 - left)
        if self._ring and self.hasFocus():
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(4, 4, -4, -4), 5, 5)
        painter.end()

    @Slot()
    def _on_clicked(self) -> None:
        if len(self._facts.tiers) == 1 or self._facts.is_one_list:
            self.chosen.emit(self._facts.kind, self._facts.tiers[0][0])
            return
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(QPoint(PADDING + _TEXT, self.height() - 4)))


class LookCard(QFrame):
    """Every list that is not empty, or a calm sentence.

    Signals:
        look_requested: The kind of a list and the ``Tier`` to show it in.
    """

    look_requested = Signal(object, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lookCard")
        self.setProperty("card", "true")
        self.setAccessibleName(tr("Worth a look"))
        self._theme = theme
        self._rows: dict[str, LookRow] = {}
        self._rules: list[QWidget] = []
        self.calm = wrapped_label(
            tr("Nothing needs a look. Fading memories and decisions appear here."),
            "meta",
            self,
        )
        self.calm.setContentsMargins(PADDING, 14, PADDING, 14)
        self._column = vbox(self, margins=(1, 0, 1, 1), spacing=0)
        head = CardHead(theme, tr("Worth a look"), self)
        self.golden = named(LinkButton(tr("Golden questions"), self), "lookGolden")
        head.add(self.golden)
        fill(self._column, head, rule(self), self.calm, STRETCH)
        self.calm.hide()

    @property
    def rows(self) -> tuple[LookRow, ...]:
        """The rows on show, top to bottom."""
        return tuple(self._rows.values())

    def show_looks(self, looks: Sequence[LookFacts]) -> None:
        """Show these lists; a row that stays keeps the keyboard."""
        if [one.kind.value for one in looks] == list(self._rows):
            for one in looks:
                self._rows[one.kind.value].show_facts(one)
        else:
            self._rebuild(looks)
        self.calm.setVisible(not looks)

    def _rebuild(self, looks: Sequence[LookFacts]) -> None:
        before, self._rows = self._rows, {}
        focused = next((key for key, row in before.items() if row.hasFocus()), "")
        for old in (*before.values(), *self._rules):
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._rules.clear()
        place = 2
        for one in looks:
            if self._rows:
                line = rule(self)
                self._rules.append(line)
                self._column.insertWidget(place, line)
                place += 1
            row = LookRow(self._theme, one, self)
            row.chosen.connect(self.look_requested)
            self._column.insertWidget(place, row)
            row.show()  # at once: what the layout shows later cannot take the keyboard now
            place += 1
            self._rows[one.kind.value] = row
        if focused and self._rows:
            row = self._rows.get(focused) or next(iter(self._rows.values()))
            row.setFocus(Qt.FocusReason.OtherFocusReason)
