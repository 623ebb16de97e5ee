"""One client: its rights as switches, and what it asked for lately."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from inklings_desktop.domain.access.clients import ClientKind
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.controls.buttons import LinkButton, PushButton
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.controls.toggles import Switch
from inklings_desktop.ui.kit.dialogs.pieces import cleared
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, FlowLayout, fill, hbox, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark, paint_tier_mark
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip, shortened, write
from inklings_desktop.ui.kit.look.translation import lowered, tr
from inklings_desktop.ui.kit.marks.labels import (
    IconLabel,
    elided_label,
    plain_label,
    rule,
    wrapped_label,
)
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.words.memory_facts import tier_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.access.state import CallRow, ClientDetail, RightSwitch
    from inklings_desktop.ui.kit.look.theme import Theme


_PADDING = 18
_SWITCH_ROW = 56
_LONGEST_NAME = 28


class SwitchRow(QWidget):
    """Rings, what the right is, what it means, and the switch.

    Signals:
        wanted: The ``RightSwitch`` and whether the person wants it on.
    """

    wanted = Signal(object, bool)

    def __init__(self, theme: Theme, facts: RightSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._facts = facts
        inked, role = TIER_MARKS[facts.tier]
        self._title = elided_label(facts.title, "fact", self)
        self._note = elided_label(facts.note, "meta", self)
        self.switch = named(Switch(theme, facts.title, self), f"right-{facts.key}")
        self.switch.wanted.connect(lambda on: self.wanted.emit(self._facts, on))
        storing(self.switch)
        words = vbox(None, STRETCH, self._title, self._note, STRETCH, spacing=1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        fill(row, TierMark(theme, inked=inked, role=role, parent=self), (words, 1), self.switch)
        theme.hold_height(self, _SWITCH_ROW)
        self.show_facts(facts)

    @property
    def facts(self) -> RightSwitch:
        """What it shows."""
        return self._facts

    def show_facts(self, facts: RightSwitch) -> None:
        """Show the same right as it is now."""
        self._facts = facts
        self._title.setText(facts.title)
        self._note.setText(facts.note)
        self.switch.show_on(on=facts.is_on)
        self.switch.setAccessibleDescription(facts.note)


class ClientRightsCard(QFrame):
    """Everything the author can give one client.

    Signals:
        switch_wanted: A ``RightSwitch`` and whether the person wants it on.
        kind_wanted: The ``ClientKind`` whose usual rights are wanted.
        channel_wanted: Id of a channel to be opened by itself.
    """

    switch_wanted = Signal(object, bool)
    kind_wanted = Signal(object)
    channel_wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("clientRights")
        self.setProperty("card", "true")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._theme = theme
        self._detail: ClientDetail | None = None
        self._rows: dict[str, SwitchRow] = {}
        self._shows_scrubs = False
        self._who = IconLabel(theme, "title", self, edge=20)
        self.connect_button = PushButton(theme, tr("Connection\u2026"), small=True, parent=self)
        storing(self.connect_button)
        self.view_button = PushButton(theme, tr("View as"), icon="eye", small=True, parent=self)
        self.view_button.setObjectName("viewAs")
        self.view_button.setToolTip(
            tr("The whole window as this client sees it (V in the list of clients)")
        )
        self.drill_button = PushButton(theme, tr("Canary drill\u2026"), small=True, parent=self)
        self.drill_button.setObjectName("canaryDrill")
        self.drill_button.setToolTip(tr("Try whether anything crosses to this client"))
        self.revoke = PushButton(
            theme, tr("Revoke all"), kind="dangerOutline", small=True, parent=self
        )
        self.revoke.setObjectName("revokeAll")
        storing(self.revoke)
        self.kinds = SegmentedSwitch(
            theme,
            (
                Segment(
                    ClientKind.EXTERNAL.value,
                    tr("External client"),
                    tooltip=tr("Reads this workspace, where it takes part; not the account."),
                ),
                Segment(
                    ClientKind.WORLD_AGENT.value,
                    tr("My World Agent"),
                    tooltip=tr(
                        "Reads all four tiers, writes all but the account, proposes everywhere."
                    ),
                ),
            ),
            tr("What it is"),
            parent=self,
        )
        self.kinds.choice_changed.connect(self._on_kind_chosen)
        storing(self.kinds)
        self._elsewhere = elided_label("", "meta", self)
        self.channels = LinkButton(tr("Open one channel\u2026"), self)
        self.channels.clicked.connect(self._on_channels_clicked)
        storing(self.channels)
        self.scrubs = named(LinkButton("", self), "scrubRights")
        self.scrubs.clicked.connect(self._on_scrubs_clicked)
        self.forget = PushButton(theme, "", icon="eraser", small=True, parent=self)
        self.forget.setObjectName("forgetWritten")
        self.forget.setToolTip(tr("Counts it first, here and in your account; you can undo it"))
        storing(self.forget)
        self._lay_out()

    @property
    def rows(self) -> tuple[SwitchRow, ...]:
        """The switches on show, top to bottom."""
        return tuple(row for row in self._rows.values() if not row.isHidden())

    def show_detail(self, detail: ClientDetail) -> None:
        """Show a client; switches that stay keep the keyboard."""
        self._detail = detail
        self.setAccessibleName(tr("Rights of {name}").format(name=detail.name))
        self._who.show_mark(detail.icon, "inkSoft", detail.name)
        name = shortened(spelled_out(detail.name), _LONGEST_NAME).replace("&", "&&")
        self.forget.setText(tr("Forget what {name} wrote\u2026").format(name=name))
        self.revoke.setEnabled(detail.has_rights)
        self.kinds.show_choice(detail.kind.value)
        self._elsewhere.setText(detail.elsewhere)
        self._elsewhere.setVisible(bool(detail.elsewhere))
        self.channels.setVisible(bool(detail.channels))
        if any(one.is_scrub and one.is_on for one in detail.switches):
            self._shows_scrubs = True
        if [one.key for one in detail.switches] == list(self._rows):
            for one in detail.switches:
                self._rows[one.key].show_facts(one)
        else:
            self._rebuild(detail)
        self._show_scrubs()

    def _lay_out(self) -> None:
        head = hbox(None, (self._who, 1), self.revoke, spacing=10)
        doings = FlowLayout(gap=8)
        for button in (self.view_button, self.drill_button, self.connect_button, self.forget):
            doings.addWidget(button)
        kinds = hbox(None, self.kinds, (self._elsewhere, 1), STRETCH, spacing=12)
        self._switches = vbox(None, spacing=0)
        foot = hbox(None, self.channels, self.scrubs, STRETCH, spacing=18)
        column = QVBoxLayout(self)
        column.setContentsMargins(_PADDING, 14, _PADDING, 14)
        column.setSpacing(0)
        fill(column, head, 10, doings, 10, kinds, 12, self._switches, rule(self), 8, foot, STRETCH)

    def _rebuild(self, detail: ClientDetail) -> None:
        focused = next((key for key, row in self._rows.items() if row.switch.hasFocus()), "")
        cleared(self._switches)
        self._rows = {}
        for one in detail.switches:
            box = QWidget(self)
            column = vbox(box, margins=0, spacing=0)
            row = SwitchRow(self._theme, one, box)
            row.wanted.connect(self.switch_wanted)
            fill(column, rule(box), row)
            self._switches.addWidget(box)
            box.show()  # at once: what the layout shows later cannot take the keyboard now
            self._rows[one.key] = row
        if focused in self._rows:
            self._rows[focused].switch.setFocus(Qt.FocusReason.OtherFocusReason)
        self._order_tabs()

    def _first_stops(self) -> list[QWidget]:
        return [
            self.revoke,
            self.view_button,
            self.drill_button,
            self.connect_button,
            self.forget,
            self.kinds,
        ]

    def _order_tabs(self) -> None:
        switches = [row.switch for row in self._rows.values()]
        for earlier, later in pairwise(
            [*self._first_stops(), *switches, self.channels, self.scrubs]
        ):
            QWidget.setTabOrder(earlier, later)

    def _show_scrubs(self) -> None:
        for row in self._rows.values():
            if row.facts.is_scrub:
                box = row.parentWidget()
                assert box is not None
                box.setVisible(self._shows_scrubs)
                row.setVisible(self._shows_scrubs)
        self.scrubs.setText(
            tr("Hide scrub rights") if self._shows_scrubs else tr("Scrub rights\u2026")
        )

    @Slot(str)
    def _on_kind_chosen(self, key: str) -> None:
        detail = self._detail
        if detail is None or key == detail.kind.value:
            return
        # What is true stays on show until the change is made.
        self.kinds.show_choice(detail.kind.value)
        self.kind_wanted.emit(ClientKind(key))

    @Slot()
    def _on_scrubs_clicked(self) -> None:
        self._shows_scrubs = not self._shows_scrubs
        self._show_scrubs()

    @Slot()
    def _on_channels_clicked(self) -> None:
        menu = self.channel_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.channels.mapToGlobal(QPoint(0, self.channels.height())))

    def channel_menu(self) -> QMenu:
        """The channels that can be opened by themselves, made anew."""
        menu = QMenu(self)
        for one in self._detail.channels if self._detail is not None else ():
            action = menu.addAction(f"#{one.name}".replace("&", "&&"))
            action.triggered.connect(partial(self.channel_wanted.emit, one.id))
        return menu


MOST = 12
_CALL_ROW = 33
_TOOL, _TIER = 0.185, 0.50
_MARK = 14


class CallLine(QWidget):
    """One request; with no row it is the head of the table."""

    def __init__(self, theme: Theme, row: CallRow | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row = row
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if row is not None:
            self.setAccessibleName(row.told)
            self.setToolTip(plain_tool_tip(row.exact))

    def sizeHint(self) -> QSize:
        return QSize(self._theme.scaled(300), self._theme.scaled(_CALL_ROW))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.scaled(200), self._theme.scaled(_CALL_ROW))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, row = self._theme, self._row
        painter = smooth_painter_on(self)
        inner = self.width() - 2 * _PADDING
        tool, tier = _PADDING + inner * _TOOL, _PADDING + inner * _TIER
        if row is None:
            label = theme.font("label")
            answer = tr("Answer")
            for text, x in ((tr("When"), float(_PADDING)), (tr("Tool"), tool)):
                self._write(painter, x, inner, text, label, "inkSoft")
            self._write(painter, tier, inner, tr("Tier"), label, "inkSoft")
            self._write_right(painter, answer, label, "inkSoft")
            painter.end()
            return
        meta = theme.font("meta", tabular=True)
        self._write(painter, _PADDING, tool - _PADDING - 8, row.age, meta, "inkSoft")
        self._write(painter, tool, tier - tool - 8, row.tool, theme.font("mono"), "ink")
        role = "madder" if row.is_refused else "ink"
        taken = self._write_right(painter, row.answer, meta, role)
        if row.tier is not None:
            inked, colour = TIER_MARKS[row.tier]
            edge = theme.icon_px(_MARK)
            mark = QRectF(tier, (self.height() - edge) / 2, edge, edge)
            paint_tier_mark(painter, mark, inked, theme.color(colour))
            x = tier + edge + 6
            name = lowered(tier_title(row.tier))
            self._write(painter, x, taken - x - 8, name, meta, "ink")
        painter.end()

    def _write_right(self, painter: QPainter, text: str, font: QFont, role: str) -> float:
        """Write up to the right edge; where the text begins."""
        x = self.width() - _PADDING - QFontMetricsF(font).horizontalAdvance(text)
        self._write(painter, x, self.width(), text, font, role)
        return x

    def _write(
        self, painter: QPainter, x: float, room: float, text: str, font: QFont, role: str
    ) -> None:
        write(painter, x, self.height() / 2, text, font, self._theme.color(role), room=room)


class ClientCallsCard(QFrame):
    """The latest requests of one client, newest first."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("clientCalls")
        self.setProperty("card", "true")
        self.setAccessibleName(tr("What it asked for"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._theme = theme
        self._shown: tuple[CallRow, ...] | None = None
        title = plain_label(tr("What it asked for"), "title", self)
        title.setContentsMargins(_PADDING, 14, _PADDING, 8)
        self._lines = vbox(None, spacing=0)
        foot = wrapped_label(
            tr("If a program asks to delete memories for good, you are asked first."),
            "meta",
            self,
        )
        foot.setContentsMargins(_PADDING, 10, _PADDING, 14)
        vbox(self, title, self._lines, foot, STRETCH, margins=1, spacing=0)

    @property
    def calls(self) -> tuple[CallRow, ...]:
        """The requests on show, newest first."""
        return self._shown or ()

    def show_calls(self, calls: Sequence[CallRow]) -> None:
        """Show the newest of these."""
        shown = tuple(calls[:MOST])
        if shown == self._shown:
            return
        self._shown = shown
        cleared(self._lines)
        self._lines.addWidget(CallLine(self._theme, None, self))
        for row in shown:
            fill(self._lines, rule(self), CallLine(self._theme, row, self))
        self._lines.addWidget(rule(self))
        if not shown:
            none = plain_label(tr("Nothing yet."), "meta", self)
            none.setContentsMargins(_PADDING, 10, _PADDING, 2)
            self._lines.addWidget(none)
