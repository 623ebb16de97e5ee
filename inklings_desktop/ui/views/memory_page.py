"""The Memory page: header, filters, the list or why it is empty, and what floats above it."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from inklings_desktop.domain.decay import half_life_hours
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.query_text import SearchMode
from inklings_desktop.ui.models.memory_list_model import MemoryListModel
from inklings_desktop.ui.models.memory_rows import HeadingRow, MemoryRow
from inklings_desktop.ui.plain_text import plain_tool_tip
from inklings_desktop.ui.presenters.list_content import Emptiness
from inklings_desktop.ui.presenters.memory_acts import MemoryAct
from inklings_desktop.ui.views.bulk_bar import BulkBar
from inklings_desktop.ui.views.empty_texts import empty_text
from inklings_desktop.ui.views.filter_bar import FilterBar
from inklings_desktop.ui.views.inspector_labels import rule
from inklings_desktop.ui.views.memory_delegate import MemoryDelegate
from inklings_desktop.ui.views.memory_header import MemoryHeader
from inklings_desktop.ui.views.memory_table import MemoryTable
from inklings_desktop.ui.views.row_motion import RowMotion
from inklings_desktop.ui.views.search_foot import SearchFoot
from inklings_desktop.ui.views.standing_line import StandingLine
from inklings_desktop.ui.views.tail_watch import TailWatch
from inklings_desktop.ui.widgets.announcement import announce
from inklings_desktop.ui.widgets.empty_state import EmptyAction, EmptyState
from inklings_desktop.ui.widgets.skeleton import Skeleton
from inklings_desktop.ui.widgets.toast import Toast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from inklings_desktop.domain.decay import DecayConfig
    from inklings_desktop.ui.messages import Message
    from inklings_desktop.ui.models.memory_rows import Row
    from inklings_desktop.ui.presenters.list_content import ListContent
    from inklings_desktop.ui.presenters.places import Place, Surroundings
    from inklings_desktop.ui.presenters.tally import Shared
    from inklings_desktop.ui.theme import Theme

_HOURS_PER_DAY = 24
_HOURS_PER_YEAR = 8766
_LOW_HEIGHT = 680
_TOAST_MARGIN = 24
_TOAST_OVER_BAR = 98


class MemoryPage(QWidget):
    """Everything between the rail and the inspector.

    Signals:
        row_chosen: Id of the row that a person made current, or clicked once more.
        row_followed: Id of the row that became current because another one left the list.
        steps_changed: Whether there is a row above and one below the current one.
        edit_requested: The person wants to type in the inspector.
        more_requested: The end of the loaded rows is near.
        new_requested: Write a memory here.
        clear_filters_requested: Lift filters and search.
        sample_world_requested: Open the sample world.
        import_requested: Bring memories in from a file.
        retry_requested: Read the list once more.
        bareness_changed: Whether nothing at all is remembered in this place.
    """

    row_chosen = Signal(str)
    row_followed = Signal(str)
    steps_changed = Signal(bool, bool)
    edit_requested = Signal()
    more_requested = Signal()
    new_requested = Signal()
    clear_filters_requested = Signal()
    sample_world_requested = Signal()
    import_requested = Signal()
    retry_requested = Signal()
    bareness_changed = Signal(bool)

    _is_read_only = False
    _is_replacing = False

    def __init__(self, theme: Theme, *, compact: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._compact = compact
        self._forced_compact = False
        self._is_bare = False
        self.offers_sample = True
        self.setProperty("ground", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.header = MemoryHeader(theme, self)
        self.filters = FilterBar(theme, self)
        self._model = MemoryListModel(self)
        self._model.more_requested.connect(self.more_requested)
        self._delegate = MemoryDelegate(theme, compact=compact, parent=self)
        self.table = MemoryTable(self._delegate, self._model, self)
        self.table.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.table.act_requested.connect(self._on_act_requested)
        self.table.row_pressed_again.connect(self.row_chosen)
        self.table.note_touched.connect(self._on_note_touched)
        self.table.nothing_chosen.connect(self._on_nothing_chosen)
        self.motion = RowMotion(theme, self.table, index_of=self._model.index_of, id_at=self._id_at)
        self._delegate.glow_of = self.motion.strength_of
        self.empty = EmptyState(theme, self)
        self.empty.setObjectName("emptyState")
        self.empty.setProperty("ground", "surface")
        self.empty.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.empty.action_requested.connect(self._on_empty_action)
        self.standing = StandingLine(theme, self.empty)
        self.empty.add_foot(self.standing)
        self._stack = QStackedWidget(self)
        self.skeleton = Skeleton(theme, self)
        for shown in (self.table, self.empty, self.skeleton):
            self._stack.addWidget(shown)
        self.foot = SearchFoot(theme, self)
        self.bulk = BulkBar(theme, self)
        self.toast = Toast(theme, self)
        self._lay_out()
        self.header.filters_toggled.connect(self._show_filters)
        self.header.list_requested.connect(self.focus_list)
        self.toast.keyboard_freed.connect(self.focus_list)
        self._watch_tail()
        self._search_key = QShortcut(QKeySequence("/"), self.table)
        self._search_key.setContext(Qt.ShortcutContext.WidgetShortcut)
        self._search_key.activated.connect(self.focus_search)
        theme.changed.connect(self.table.refresh_heights)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self.filters)
        layout.addSpacing(10)
        layout.addWidget(rule(self))
        layout.addWidget(self._stack, 1)
        layout.addWidget(self.foot)
        layout.addWidget(self.bulk)

    # -- shown ------------------------------------------------------------------------------

    def show_content(self, content: ListContent, here: Surroundings, place: Place) -> None:
        """Show an answer; selection, scroll position and keyboard stay where they were."""
        had_keyboard, focus = self._has_keyboard(), self.window().focusWidget()
        current = self.current_id()
        anchor = self._anchor()
        offset = self.table.verticalScrollBar().value()
        self._is_replacing = True
        was_reset = self._replace(content)
        self._is_replacing = False
        self.table.is_searched = content.request.is_search
        self._show_header(content)
        if content.emptiness is not None:
            words = empty_text(
                content,
                here,
                place,
                offers_sample=self.offers_sample,
                is_read_only=self._is_read_only,
            )
            self.empty.show_state(
                words.title, words.text, words.actions, inked=words.inked, drawn=words.drawn
            )
            self.standing.setVisible(words.drawn and content.request.tier is Tier.WORKSPACE)
        self._stack.setCurrentWidget(self.empty if content.emptiness is not None else self.table)
        lost, self.tail.lost_id = self.tail.lost_id, None
        if current is not None and self.select(current, scroll=False):
            self._restore(anchor)
        elif self._model.has_tail and not was_reset:
            self.tail.lost_id = current or lost
            self.clear_selection()  # another memory may stand in that place now
            self.table.verticalScrollBar().setValue(offset)
            self._restore(anchor)
        elif was_reset:
            self.table.scrollToTop()
        self.foot.show_for(content)
        self._describe(content)
        self._tell_steps()
        if had_keyboard and self.window().focusWidget() is not focus:
            self.focus_list()  # what it was on is gone, or something stands in its place

    @Slot(object)
    def show_failure(self, message: Message) -> None:
        """Say, where the list would stand, why it cannot be read."""
        again = EmptyAction(
            "retry", self.tr("Try again"), self.tr("Read this place once more."), "arrows-clockwise"
        )
        had_keyboard = self._has_keyboard()
        self.standing.hide()
        self.empty.show_state(message.title.rstrip("."), message.text, (again,), drawn=False)
        self._stack.setCurrentWidget(self.empty)
        if had_keyboard:
            self.focus_list()
        announce(self, message.title, urgent=True)

    def show_selection(
        self,
        shared: Shared | None,
        ids: AbstractSet[str],
        content: ListContent | None,
        *,
        n_hidden: int = 0,
        can_show_hidden: bool = True,
    ) -> None:
        """Show which memories are checked, and the bar that acts on them.

        Args:
            shared: What they have in common; None for none.
            ids: Theirs.
            content: The list.
            n_hidden: How many of them the list does not hold.
            can_show_hidden: Whether it can.
        """
        self.table.set_checked(ids)
        n_in_list = content.n_memories if content is not None else len(ids)
        has_more = content is not None and content.has_more
        loaded = [row.id for row in self._model.rows if isinstance(row, MemoryRow)]
        are_all = len(ids) - n_hidden >= n_in_list and (
            has_more or all(one in ids for one in loaded)
        )
        tier = content.request.tier if content is not None else Tier.WORKSPACE
        self.bulk.show_selection(
            shared,
            n_in_list=n_in_list,
            are_all=are_all,
            has_lifetimes=tier is not Tier.CONVERSATION,
            n_hidden=n_hidden,
            can_show_hidden=can_show_hidden,
        )
        self.toast.set_bottom_margin(_TOAST_OVER_BAR if shared is not None else _TOAST_MARGIN)

    def show_search_note(self, text: str) -> None:
        """Say quietly what was not understood in a search; an offer to undo stays on show."""
        self.header.search.edit.setToolTip(plain_tool_tip(text) if text else "")
        if text:
            self.tell(text)

    def tell(self, text: str, icon: str = "info") -> None:
        """Say something in passing; an offer to undo stays on show."""
        if self.toast.undo.isVisible():
            announce(self, text)
        else:
            self.toast.show_message(text, icon=icon)

    def append_rows(self, rows: Sequence[Row], *, has_more: bool) -> None:
        """Show one more page below."""
        self._model.append_rows(rows, has_more=has_more)

    def place_rows(self, rows: Mapping[int, Row]) -> None:
        """Show rows far down, at their places."""
        self._model.place_rows(rows)

    def set_waiting(self, waiting: bool) -> None:  # noqa: FBT001 - the presenter's signal
        """An answer is on its way; slow ones show it in the field, or where rows will stand."""
        if waiting and self.header.search.text():
            self.header.search.set_waiting()
        if not waiting:
            self.skeleton.settle()
        elif not self._model.rows and self._stack.currentWidget() is not self.empty:
            if self._has_keyboard():
                self.skeleton.setFocus(Qt.FocusReason.OtherFocusReason)
            self._stack.setCurrentWidget(self.skeleton)
            self.skeleton.expect()

    def show_missing_model(self) -> None:
        """Search goes by words alone."""
        self.header.search.set_mode("keyword")
        self.header.search.set_mode_enabled("hybrid", enabled=False)

    def set_read_only(self, reason: str) -> None:
        """Offer nothing that would store something.

        Args:
            reason: Why, for the tool tip.
        """
        self._is_read_only = True
        self.table.withhold_changes()
        self.filters.withhold_changes()
        self.header.withhold_new(reason)

    def show_tier_line(self, tier: Tier, decay: DecayConfig) -> None:
        """Say how fast things fade here."""
        hours = half_life_hours(decay.rate(tier))
        if math.isinf(hours):
            text = (
                self.tr("Nothing fades here until the conversation closes.")
                if tier is Tier.CONVERSATION
                else self.tr("Nothing fades here.")
            )
        elif hours < 2 * _HOURS_PER_DAY:
            text = self.tr("Half-life here is {hours} hours.").format(hours=f"{hours:.1f}")
        elif hours < 2 * _HOURS_PER_YEAR:
            days = f"{hours / _HOURS_PER_DAY:.1f}"
            text = self.tr("Half-life here is {days} days.").format(days=days)
        else:
            years = f"{hours / _HOURS_PER_YEAR:.1f}"
            text = self.tr("Half-life here is {years} years.").format(years=years)
        self.filters.show_tier_line(text.rstrip("."))

    def only_look(self) -> None:
        """Offer nothing that would change anything."""
        self.table.withhold_changes()
        self.filters.withhold_changes()
        self.offers_sample = False
        self.header.new.hide()
        self.filters.saved.hide()

    def set_compact(self, *, compact: bool) -> None:
        """One line of text per memory, or two."""
        self._compact = compact
        self._apply_density()

    def set_narrow(self, *, narrow: bool) -> None:
        """Fold what does not fit a narrow window."""
        self._forced_compact = narrow
        self.header.set_narrow(narrow=narrow)
        self.filters.set_narrow(narrow=narrow)
        self._delegate.set_narrow(narrow=narrow)
        self._show_filters()
        self._apply_density()

    @property
    def theme(self) -> Theme:
        """The look of the page."""
        return self._theme

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is on show, top to bottom."""
        return self._model.rows

    # -- selection --------------------------------------------------------------------------

    def current_id(self) -> str | None:
        """Id of the current row."""
        row = self._model.row_at(self.table.currentIndex())
        return None if row is None or isinstance(row, HeadingRow) else row.id

    def select(self, row_id: str, *, scroll: bool = True) -> bool:
        """Make a row current; whether it is on show."""
        index = self._model.index_of(row_id)
        if not index.isValid():
            return False
        if index != self.table.currentIndex() or not self.table.selectionModel().isSelected(index):
            self.table.selectionModel().setCurrentIndex(
                index, QItemSelectionModel.SelectionFlag.ClearAndSelect
            )
        if scroll:
            self.table.scrollTo(index)
        return True

    def select_first(self) -> None:
        """Make the first row current."""
        self.clear_selection()
        self.table.step(1)

    @Slot()
    def select_next(self) -> None:
        """Make the row below current."""
        self.table.step(1)

    @Slot()
    def select_previous(self) -> None:
        """Make the row above current."""
        self.table.step(-1)

    def select_beside(self, leaving: Sequence[str]) -> None:
        """Move on from rows that are about to leave: to the one below, else the one above."""
        self.motion.expect_leaving(leaving)
        if self.current_id() not in leaving:
            return
        start, n_rows = self.table.currentIndex().row(), self._model.rowCount()
        for place in chain(range(start + 1, n_rows), range(start - 1, -1, -1)):
            index = self._model.index(place, 0)
            row = self._model.row_at(index)
            if not isinstance(row, HeadingRow) and (row is None or row.id not in leaving):
                self._make_current(index)
                return
        self.clear_selection()

    def _make_current(self, index: QModelIndex) -> None:
        self.table.selectionModel().setCurrentIndex(
            index, QItemSelectionModel.SelectionFlag.ClearAndSelect
        )
        self.table.scrollTo(index)

    def clear_selection(self) -> None:
        """Let no row be current."""
        self.table.selectionModel().clear()

    @Slot()
    def focus_list(self) -> None:
        """Bring the keyboard to the list, to its first row if none is current.

        Where nothing is listed it goes to the first of what can be done about that.
        """
        by_key = Qt.FocusReason.ShortcutFocusReason
        if self._stack.currentWidget() is self.empty:
            first = next(iter(self.empty.cards()), self.header.search.edit)
            first.setFocus(by_key)
            return
        if self.current_id() is None:
            self.select_first()
        self.table.setFocus(by_key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Lets go of search and selection on Escape, wherever the keyboard is; then the list."""
        if event.key() != Qt.Key.Key_Escape or event.modifiers():
            super().keyPressEvent(event)
        elif self.table.is_checking or self.table.is_searched:
            self.table.escape_pressed.emit()
        elif self.table.hasFocus() or self.empty.isAncestorOf(self.window().focusWidget()):
            event.ignore()  # the window may leave for it
        else:
            self.focus_list()

    @Slot()
    def focus_search(self) -> None:
        """Bring the keyboard to the search field."""
        self.header.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.header.search.edit.selectAll()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Folds what does not fit the width, and the filters where the window is low."""
        super().resizeEvent(event)
        self.header.fit(event.size().width())
        self._show_filters()

    def minimumSizeHint(self) -> QSize:
        """As narrow as a list can be read; the header folds to fit."""
        return QSize(self._theme.px("listMin"), super().minimumSizeHint().height())

    def _has_keyboard(self) -> bool:
        """Whether the keyboard is in the list, or on what stands in its place."""
        focus: QWidget | None = self.window().focusWidget()
        return focus is not None and focus.isVisible() and self._stack.isAncestorOf(focus)

    def _id_at(self, place: int) -> str | None:
        row = self._model.row_at(self._model.index(place, 0))
        return None if row is None or isinstance(row, HeadingRow) else row.id

    # -- inside -----------------------------------------------------------------------------

    def _watch_tail(self) -> None:
        """Hear which rows far down are looked at, and when they come."""
        self.tail = TailWatch(self.table, self._model, self)
        self._model.rows_placed.connect(self._on_rows_placed)

    def _replace(self, content: ListContent) -> bool:
        before = self._model.rows[:1]
        self._model.show_list(
            content.rows,
            n_rows=content.n_rows,
            headings=content.headings,
            far=content.far,
            has_more=content.has_more,
        )
        is_other = self.tail.request != content.request
        self.tail.request = content.request
        if self._model.has_tail:
            return is_other
        return self._model.rows[:1] != before

    def _show_header(self, content: ListContent) -> None:
        is_bare = content.emptiness is Emptiness.NOTHING_HERE and not content.request.is_search
        self.header.show_tools(bare=is_bare)
        if is_bare != self._is_bare:
            self._is_bare = is_bare
            self.bareness_changed.emit(is_bare)
        self._show_filters()
        self.header.show_sort(content.request.sort, is_search=content.request.is_search)
        self.header.show_n_filters(self.filters.n_active)
        self._show_result(content)

    def _show_filters(self) -> None:
        """Show the chips: always where there is room, on request where there is not."""
        folded = self._forced_compact or self.window().height() < _LOW_HEIGHT
        self.header.set_filters_folded(folded=folded and not self._is_bare)
        wanted = not folded or self.header.filters_wanted
        self.filters.setVisible(wanted and not self._is_bare)

    def _show_result(self, content: ListContent) -> None:
        if not content.request.is_search:
            self.header.search.set_result("")
            return
        is_fallback = content.answered_by not in {None, content.request.mode}
        text = {
            (False, False): self.tr("{count} found"),
            (False, True): self.tr("{count} found by keyword"),
            (True, False): self.tr("Best {count}"),
            (True, True): self.tr("Best {count} by keyword"),
        }[content.is_cut, is_fallback]
        count = self.locale().toString(content.n_memories)
        found = text.format(count=count)
        mode = self.tr("Hybrid mode") if content.answered_by is SearchMode.HYBRID else ""
        spoken = f"{mode or self.tr('Keyword mode')}, {found}"
        self.header.search.set_result(found, spoken)

    def _describe(self, content: ListContent) -> None:
        self.table.setAccessibleName(
            {
                Tier.CONVERSATION: self.tr("Conversation memories"),
                Tier.CHANNEL: self.tr("Channel memories"),
                Tier.WORKSPACE: self.tr("Workspace memories"),
                Tier.ACCOUNT: self.tr("Account memories"),
            }[content.request.tier]
        )
        self.table.setAccessibleDescription(
            self.tr("{count} memories").format(count=self.locale().toString(content.n_memories))
        )

    def _anchor(self) -> tuple[str, int] | None:
        """The row at the upper edge and how far it is scrolled past it."""
        index = self.table.indexAt(QPoint(4, 1))
        row = self._model.row_at(index)
        if row is None:
            return None
        return row.id, self.table.visualRect(index).top()

    def _restore(self, anchor: tuple[str, int] | None) -> None:
        if anchor is None:
            return
        index = self._model.index_of(anchor[0])
        if index.isValid():
            bar = self.table.verticalScrollBar()
            bar.setValue(bar.value() + self.table.visualRect(index).top() - anchor[1])

    def _apply_density(self) -> None:
        compact = self._compact or self._forced_compact
        self._delegate.set_compact(compact=compact)
        self.skeleton.set_compact(compact=compact)
        self.table.refresh_heights()

    @Slot(object)
    def _on_act_requested(self, act: MemoryAct) -> None:
        if act is MemoryAct.EDIT:
            self.edit_requested.emit()

    @Slot()
    def _on_nothing_chosen(self) -> None:
        self.tell(self.tr("Choose a memory in the list first"))

    @Slot()
    def _on_note_touched(self) -> None:
        self.toast.show_message(self.tr("Working Notes are kept by the agent"), icon="lock-simple")

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = self._model.row_at(current)
        self.tail.awaits_current = current.isValid() and row is None
        self._tell_steps()
        if row is None or isinstance(row, HeadingRow) or self.table.is_checking:
            return
        (self.row_followed if self._is_replacing else self.row_chosen).emit(row.id)

    def _tell_steps(self) -> None:
        place = self.table.currentIndex().row()
        shown = [n for n, row in enumerate(self._model.rows) if not isinstance(row, HeadingRow)]
        has_any = bool(shown) and place >= 0
        last = self._model.rowCount() - 1 if self._model.has_tail else (shown or [0])[-1]
        self.steps_changed.emit(has_any and place > shown[0], has_any and place < last)

    @Slot(int, int)
    def _on_rows_placed(self, first: int, last: int) -> None:
        current = self.table.currentIndex()
        if self.tail.awaits_current and first <= current.row() <= last:
            self._on_current_row_changed(current, QModelIndex())
        elif self.tail.lost_id is not None and self.select(self.tail.lost_id, scroll=False):
            self.tail.lost_id = None

    @Slot(str)
    def _on_empty_action(self, key: str) -> None:
        if key == "everywhere":
            self.foot.toggle_everywhere()
            return
        {
            "write": self.new_requested,
            "clear": self.clear_filters_requested,
            "sample": self.sample_world_requested,
            "import": self.import_requested,
            "retry": self.retry_requested,
        }[key].emit()
