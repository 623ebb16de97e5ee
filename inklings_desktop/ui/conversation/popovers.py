"""Lists below a control of the conversation, and reading it upwards to a page or a day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.conversation.facts import read_earlier
from inklings_desktop.ui.conversation.thread.rows import day_key
from inklings_desktop.ui.conversation.words import day_words
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.popover import Popover
from inklings_desktop.ui.kit.controls.text_fields import SearchField
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, paint_tier_mark
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.words.memory_facts import tier_title

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from inklings_desktop.agent_client.rows import Touched
    from inklings_desktop.agent_client.thread_state import ThreadState
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.messages import Message, TalkDay
    from inklings_desktop.ui.conversation.view import ConversationView
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context

_WIDTH, _HEIGHT, _ROW, _ICON = 440, 260, 30, 16
_DAYS_WIDTH = 280
_SHOWN = 160
_DATA = Qt.ItemDataRole.UserRole
_ORDER = [tier.value for tier in Tier]


class MemoryList(QListWidget):
    """Memories in one line each, with the rings of their tier.

    Signals:
        entered: The data of the row that was pressed or entered.
    """

    entered = Signal(object)

    def __init__(self, theme: Theme, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName(name)
        self.setProperty("inset", "true")
        self.setProperty("ring", "inside")
        self.setFrameShape(self.Shape.NoFrame)
        self.setUniformItemSizes(True)
        edge = theme.icon_px(_ICON)
        self.setIconSize(QSize(edge, edge))
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFont(theme.font("reading", px=14))
        self.itemClicked.connect(self._on_entered)

    def add(self, tier: str, text: str, about: object, spoken: str = "") -> QListWidgetItem:
        """One more row."""
        words = spelled_out(" ".join(text.split()))[:_SHOWN]
        item = QListWidgetItem(self._mark(tier), words, self)
        item.setData(_DATA, about)
        item.setSizeHint(QSize(0, self._theme.scaled(_ROW)))
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, spoken)
        return item

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enters a row; J and K move as everywhere."""
        steps = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if (item := self.currentItem()) is not None:
                self._on_entered(item)
        elif event.key() in steps and not event.modifiers():
            there = self.currentRow() + steps[Qt.Key(event.key())]
            self.setCurrentRow(min(max(there, 0), self.count() - 1))
        else:
            super().keyPressEvent(event)

    def _mark(self, tier: str) -> QIcon:
        edge, ratio = self._theme.icon_px(_ICON), self.devicePixelRatioF()
        picture = QPixmap(round(edge * ratio), round(edge * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        if tier in _ORDER:
            painter = QPainter(picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            inked, role = TIER_MARKS[Tier(tier)]
            paint_tier_mark(painter, QRectF(0, 0, edge, edge), inked, self._theme.color(role))
            painter.end()
        return QIcon(picture)

    @Slot(QListWidgetItem)
    def _on_entered(self, item: QListWidgetItem) -> None:
        self.entered.emit(item.data(_DATA))


class TouchedPopover(Popover):
    """What a turn read, by tier; a row opens its memory.

    Signals:
        chosen: The ``Touched`` of a row.
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme, touched: Sequence[Touched], parent: QWidget) -> None:
        title = counted(len(touched), "Read 1 memory", "Read {n} memories")
        super().__init__(theme, title, parent)
        self.list = MemoryList(theme, title, self)
        places = {one: number for number, one in enumerate(_ORDER)}
        for one in sorted(touched, key=lambda one: places.get(one.tier, len(places))):
            tier = tier_title(Tier(one.tier)) if one.tier in _ORDER else one.tier
            item = self.list.add(
                one.tier, one.excerpt or tr("a memory"), one, f"{tier}, {one.why}".rstrip(", ")
            )
            item.setToolTip(plain_tool_tip(one.why))
        height = min(len(touched), 9) * theme.scaled(_ROW) + 4
        self.list.setFixedSize(theme.scaled(_WIDTH), height)
        self.list.setCurrentRow(0)
        self.list.entered.connect(self._on_entered)
        self.body.addWidget(self.list)

    @Slot(object)
    def _on_entered(self, touched: Touched) -> None:
        self.close()
        self.chosen.emit(touched)


class DaysPopover(Popover):
    """The days on which something was said; a row leads there.

    Signals:
        chosen: The ``TalkDay`` of a row.
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme, days: Sequence[TalkDay], today: date, parent: QWidget) -> None:
        title = tr("Days of this conversation")
        super().__init__(theme, title, parent)
        self.list = MemoryList(theme, title, self)
        self.list.setFont(theme.font("body"))
        self.list.setIconSize(QSize(0, 0))
        for one in days:
            n_turns = counted(one.n_messages, "1 turn", "{n} turns")
            self.list.add("", f"{day_words(one.day, today)}  \u00b7  {n_turns}", one)
        height = min(len(days), 9) * theme.scaled(_ROW) + 4
        self.list.setFixedSize(theme.scaled(_DAYS_WIDTH), height)
        self.list.setCurrentRow(len(days) - 1)
        self.list.entered.connect(self._on_entered)
        self.body.addWidget(self.list)

    @Slot(object)
    def _on_entered(self, day: TalkDay) -> None:
        self.close()
        self.chosen.emit(day)


class AttachPopover(Popover):
    """Finds memories and takes some of them along: Space checks several, Enter attaches.

    Signals:
        attached: The entries that were chosen.
    """

    attached = Signal(tuple)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, tr("Attach memories"), parent)
        self._checked: dict[str, MemoryEntry] = {}
        self.field = SearchField(theme, (), clear_name=tr("Clear"), mode_name="", parent=self)
        self.field.set_placeholder(tr("Find a memory"))
        self.field.edit.installEventFilter(self)
        self.list = MemoryList(theme, tr("Memories"), self)
        self.list.setFixedSize(theme.scaled(_WIDTH), theme.scaled(_HEIGHT))
        self.list.itemChanged.connect(self._on_item_changed)
        self.list.entered.connect(self._on_entered)
        self._told = plain_label("", "caption", self)
        self.take = PushButton(theme, tr("Attach"), kind="primary", small=True, parent=self)
        self.take.clicked.connect(lambda: self._take(None))
        self.body.addWidget(self.field)
        self.body.addWidget(self.list)
        self.body.addLayout(hbox(None, self._told, STRETCH, self.take))
        self._tell()

    def show_found(self, entries: Sequence[MemoryEntry]) -> None:
        """Show what was found."""
        self.list.blockSignals(True)
        self.list.clear()
        for entry in entries:
            tier = entry.scope.tier
            item = self.list.add(tier.value, entry.content, entry, tier_title(tier))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            is_checked = entry.id in self._checked
            state = Qt.CheckState.Checked if is_checked else Qt.CheckState.Unchecked
            item.setCheckState(state)
        self.list.setCurrentRow(0)
        self.list.blockSignals(False)
        self._tell()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """From the field Down goes to the list, and Enter attaches what is current there."""
        if watched is self.field.edit and isinstance(event, QKeyEvent):
            if event.type() is QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Down:
                self.list.setFocus(Qt.FocusReason.TabFocusReason)
                return True
            is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
            if event.type() is QEvent.Type.KeyPress and is_enter:
                self._take(self.list.currentItem())
                return True
            if event.type() is QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
                self.close()
                return True
        return super().eventFilter(watched, event)

    def _tell(self) -> None:
        n = len(self._checked)
        self._told.setText(counted(n, "1 checked", "{n} checked") if n else tr("Space checks"))
        self.take.setEnabled(n > 0)

    def _take(self, item: QListWidgetItem | None) -> None:
        chosen = tuple(self._checked.values())
        if not chosen and item is not None:
            chosen = (item.data(_DATA),)
        if chosen:
            self.close()
            self.attached.emit(chosen)

    @Slot(QListWidgetItem)
    def _on_item_changed(self, item: QListWidgetItem) -> None:
        entry: MemoryEntry = item.data(_DATA)
        if item.checkState() is Qt.CheckState.Checked:
            self._checked[entry.id] = entry
        else:
            self._checked.pop(entry.id, None)
        self._tell()

    @Slot(object)
    def _on_entered(self, _entry: object) -> None:
        if not self._checked:
            self._take(self.list.currentItem())
        elif self.sender() is self.list and self.list.hasFocus():
            self._take(None)


class Paging(QObject):
    """Puts what was said earlier before what is there."""

    def __init__(
        self,
        context: Context,
        view: ConversationView,
        said_in: Callable[[str], ThreadState],
        grown: Callable[[], None],
    ) -> None:
        """Stand at no conversation.

        Args:
            context: What every page is given.
            view: The page; owner.
            said_in: What is said in a conversation, by its id.
            grown: Called when there is more of the conversation.
        """
        super().__init__(view)
        self._context, self._view, self._said_in, self._grown = context, view, said_in, grown
        self._workspace_id = self._conversation_id = ""
        self._first = 0
        self._has_earlier = self._is_reading = False
        view.thread_view.earlier_wanted.connect(self._on_earlier_wanted)
        view.thread_view.days_wanted.connect(
            lambda: self._context.background.spawn(self._list_days())
        )

    def stand_at(self, workspace_id: str, conversation_id: str) -> None:
        """Another conversation is on show."""
        self._workspace_id, self._conversation_id = workspace_id, conversation_id
        self._first, self._has_earlier = 0, False

    def hold(self, messages: Sequence[Message], *, has_earlier: bool) -> None:
        """These are there; whether more was said before them."""
        self._first, self._has_earlier = messages[0].number, has_earlier

    async def read_more(self, until: int | None = None) -> None:
        """Put the page before what is there above it, or all down to a message.

        Args:
            until: Number of the message; None: a page.
        """
        conversation_id, self._is_reading = self._conversation_id, True
        try:
            found = await self._context.background.read(
                read_earlier,
                self._context.inklings,
                self._workspace_id,
                conversation_id,
                self._first,
                until,
            )
        finally:
            self._is_reading = False
        if conversation_id == self._conversation_id and found.number < self._first:
            self._said_in(conversation_id).prepend(found.turns)
            self._first, self._has_earlier = found.number, found.has_more
            self._grown()

    @Slot()
    def _on_earlier_wanted(self) -> None:
        if self._has_earlier and not self._is_reading:
            self._context.background.spawn(self.read_more())

    async def _list_days(self) -> None:
        """Offer the days of the conversation below the rule that was pressed."""
        context, conversation_id = self._context, self._conversation_id
        days = await context.background.read(
            context.inklings.messages.days, self._workspace_id, conversation_id
        )
        if conversation_id == self._conversation_id:
            today = on_the_wall(context.inklings.clock()).date()
            popover = DaysPopover(context.theme, days, today, self._view)
            popover.chosen.connect(lambda day: context.background.spawn(self._go_to(day)))
            popover.closed.connect(popover.deleteLater)
            popover.popup_below(self._view.thread_view.anchor)

    async def _go_to(self, day: TalkDay) -> None:
        conversation_id = self._conversation_id
        if day.number < self._first:
            await self.read_more(day.number)
        if conversation_id == self._conversation_id:
            self._view.thread_view.show_day(day_key(day.day))
            self._view.focus_thread()
