"""The Memory page: header, filters, the list or why it is empty, and what floats above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.lists.memory_row_layout import MemoryRow
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import on_ground, vbox
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.empty_state import EmptyAction, EmptyState
from inklings_desktop.ui.kit.marks.labels import rule
from inklings_desktop.ui.kit.marks.toast import Toast
from inklings_desktop.ui.kit.marks.waiting import Skeleton
from inklings_desktop.ui.kit.words.memory_facts import fading_line
from inklings_desktop.ui.memory.acts.bulk_bar import BulkBar
from inklings_desktop.ui.memory.list.content import Emptiness, ListContent, ListRequest
from inklings_desktop.ui.memory.list.empty.standing_line import StandingLine
from inklings_desktop.ui.memory.list.empty.texts import empty_text
from inklings_desktop.ui.memory.list.filter_bar import FilterBar
from inklings_desktop.ui.memory.list.list_cursor import ListCursor
from inklings_desktop.ui.memory.list.list_voice import ListVoice, SearchFoot
from inklings_desktop.ui.memory.list.row_motion import RowMotion
from inklings_desktop.ui.memory.list.table.delegate import MemoryDelegate
from inklings_desktop.ui.memory.list.table.header import MemoryHeader
from inklings_desktop.ui.memory.list.table.table import MemoryListModel, MemoryTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.ui.kit.lists.memory_row_layout import Row
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.words.messages import Message
    from inklings_desktop.ui.kit.words.places import Place, Surroundings
    from inklings_desktop.ui.memory.acts.chosen import Shared

_LOW_HEIGHT = 680
_TOAST_MARGIN = 24
_TOAST_OVER_BAR = 98


class MemoryView(QWidget):
    """Everything between the rail and the inspector.

    Attributes:
        empty_acts: What the cards do that stand where the list is empty, by their keys; whoever
            can do it adds it.

    Signals:
        clear_filters_requested: Lift filters and search.
        bareness_changed: Whether nothing at all is remembered in this place.
    """

    clear_filters_requested = Signal()
    bareness_changed = Signal(bool)

    def __init__(self, theme: Theme, *, compact: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._compact = compact
        self._forced_compact = False
        self._is_bare = False
        self._header_shown: tuple[ListRequest, bool] | None = None
        on_ground(self, "canvas")
        self.header = MemoryHeader(theme, self)
        self.filters = FilterBar(theme, self)
        self._model = MemoryListModel(self)
        self._delegate = MemoryDelegate(theme, compact=compact, parent=self)
        self._stack = QStackedWidget(self)
        self.table = MemoryTable(self._delegate, self._model, self._stack)
        self.table.note_touched.connect(self.say_note_touched)
        self.list_cursor = ListCursor(self.table, self._model, self)
        self.table.row_pressed_again.connect(self.list_cursor.row_chosen)
        self.motion = RowMotion(
            theme, self.table, index_of=self._model.index_of, id_at=self.list_cursor.id_at
        )
        self._delegate.glow_of = self.motion.strength_of
        self.empty = named(EmptyState(theme, self._stack), "emptyState")
        on_ground(self.empty, "surface")
        self.empty.action_requested.connect(self._on_empty_action)
        self.standing = StandingLine(theme, self.empty)
        self.empty.add_foot(self.standing)
        self.skeleton = Skeleton(theme, self._stack)
        for shown in (self.table, self.empty, self.skeleton):
            self._stack.addWidget(shown)
        self.foot = SearchFoot(theme, self)
        self.empty_acts: dict[str, Callable[[], object]] = {
            "everywhere": self.foot.toggle_everywhere,
            "forgotten": self.filters.show_forgotten,
            "clear": self.clear_filters_requested.emit,
        }
        self.bulk = BulkBar(theme, self)
        self.table.fill_for_checked = self.bulk.fill_whole
        self.toast = Toast(theme, self)
        self.voice = ListVoice(self.header, self.table, self.empty)
        self._lay_out()
        self.header.filters.clicked.connect(self._show_filters)
        self.header.search.leave_requested.connect(self.focus_list)
        self.toast.keyboard_freed.connect(self.focus_list)
        self._search_key = QShortcut(QKeySequence("/"), self.table)
        self._search_key.setContext(Qt.ShortcutContext.WidgetShortcut)
        self._search_key.activated.connect(self.focus_search)
        theme.changed.connect(self.table.refresh_heights)

    def _lay_out(self) -> None:
        layout = self.column = vbox(self, margins=0, spacing=0)
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
        stood = self.list_cursor.standing()
        with self.list_cursor.following():
            was_reset = self._replace(content)
        self.table.is_searched = content.request.is_search
        self._show_header(content)
        if content.emptiness is not None:
            words = empty_text(content, here, place)
            self.empty.show_state(
                words.title, words.text, words.actions, inked=words.inked, drawn=words.drawn
            )
            self.standing.setVisible(words.drawn and content.request.tier is Tier.WORKSPACE)
        self._stack.setCurrentWidget(self.empty if content.emptiness is not None else self.table)
        self.list_cursor.stand_again(stood, was_reset=was_reset)
        self.foot.show_for(content)
        self.voice.tell(content)
        self.list_cursor.tell_steps()
        if had_keyboard and self.window().focusWidget() is not focus:
            self.focus_list()  # what it was on is gone, or something stands in its place

    @Slot(object)
    def show_failure(self, message: Message | None) -> None:
        """Say, where the list would stand, why it cannot be read; nothing where another stands."""
        if message is None:
            return
        again = EmptyAction(
            "retry", tr("Try again"), tr("Read this place once more."), "arrows-clockwise"
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
        focused = QApplication.focusWidget()
        is_on_bar = focused is not None and self.bulk.isAncestorOf(focused)
        goes_with_bar = shared is None and is_on_bar
        self.table.set_checked(ids)
        n_in_list = content.n_memories if content is not None else len(ids)
        loaded = [row.id for row in self._model.rows if isinstance(row, MemoryRow)]
        are_all = len(ids) - n_hidden >= max(n_in_list, 1) and (
            self._model.has_tail or all(one in ids for one in loaded)
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
        if goes_with_bar:  # not to wherever Tab would lead
            self.focus_list()

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

    def place_rows(self, rows: Mapping[int, Row]) -> None:
        """Show rows far down, at their places."""
        self._model.place_rows(rows)

    def set_waiting(self, waiting: bool) -> None:  # noqa: FBT001 - the presenter's signal
        """An answer is on its way; slow ones show it in the field, or where rows will stand."""
        if waiting and self.header.search.text():
            self.header.search.set_waiting()
        if not waiting:
            if self._stack.currentWidget() is self.skeleton:
                self.skeleton.settle()
        elif not self._model.rows and self._stack.currentWidget() is not self.empty:
            if self._has_keyboard():
                self.skeleton.setFocus(Qt.FocusReason.OtherFocusReason)
            self._stack.setCurrentWidget(self.skeleton)
            self.skeleton.expect()

    def show_missing_model(self) -> None:
        """Search goes by words alone."""
        self._header_shown = None
        self.header.search.set_mode("keyword")
        self.header.search.set_mode_enabled("hybrid", enabled=False)

    def show_tier_line(self, tier: Tier, decay: DecayConfig) -> None:
        """Say how fast things fade here."""
        self.filters.show_tier_line(fading_line(tier, decay).rstrip("."))

    def only_look(self) -> None:
        """Offer nothing that would change anything."""
        self.table.withhold_changes()
        self.filters.withhold_changes()
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
    def rows(self) -> tuple[Row, ...]:
        """What is on show, top to bottom."""
        return self._model.rows

    # -- keyboard ---------------------------------------------------------------------------

    @Slot()
    def focus_list(self) -> None:
        """Bring the keyboard to the list, to its first row if none is current.

        Where nothing is listed it goes to the first of what can be done about that, else to the
        tiers.
        """
        by_key = Qt.FocusReason.ShortcutFocusReason
        if self._stack.currentWidget() is self.empty:
            edit = self.header.search.edit
            otherwise = edit if edit.isEnabled() else self.header.tabs
            next(iter(self.empty.cards()), otherwise).setFocus(by_key)
            return
        if self.list_cursor.current_id() is None:
            self.list_cursor.select_first()
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
        return QSize(self.theme.px("listMin"), super().minimumSizeHint().height())

    def _has_keyboard(self) -> bool:
        """Whether the keyboard is in the list, or on what stands in its place."""
        focus: QWidget | None = self.window().focusWidget()
        return focus is not None and focus.isVisible() and self._stack.isAncestorOf(focus)

    # -- inside -----------------------------------------------------------------------------

    def _replace(self, content: ListContent) -> bool:
        before = self._model.rows[:1]
        self._model.show_list(
            content.rows,
            n_rows=content.n_rows,
            headings=content.headings,
            far=content.far,
        )
        is_other = self.list_cursor.tail.request != content.request
        self.list_cursor.tail.request = content.request
        if self._model.has_tail:
            return is_other
        return self._model.rows[:1] != before

    def _show_header(self, content: ListContent) -> None:
        is_bare = content.emptiness is Emptiness.NOTHING_HERE and not content.request.is_search
        shown = content.request, is_bare
        if shown == self._header_shown and not content.request.is_search:
            return  # the same question: of its answer the header tells nothing
        self._header_shown = shown
        self.header.show_tools(bare=is_bare)
        if is_bare != self._is_bare:
            self._is_bare = is_bare
            self.bareness_changed.emit(is_bare)
        self._show_filters()
        self.header.show_sort(content.request.sort, is_search=content.request.is_search)
        self.header.show_n_filters(self.filters.n_active)
        self.voice.show_result(content)

    def _show_filters(self) -> None:
        """Show the chips: always where there is room, on request where there is not."""
        folded = self._forced_compact or self.window().height() < _LOW_HEIGHT
        self.header.filters.setVisible(folded and not self._is_bare)
        wanted = not folded or self.header.filters.isChecked()
        self.filters.setVisible(wanted and not self._is_bare)

    def _apply_density(self) -> None:
        compact = self._compact or self._forced_compact
        self._delegate.set_compact(compact=compact)
        self.skeleton.set_compact(compact=compact)
        self.table.refresh_heights()

    def say_nothing_chosen(self) -> None:
        """Something was to be done, but no row is current."""
        self.tell(tr("Choose a memory in the list first"))

    def say_note_touched(self) -> None:
        """A working note was to be changed, which nobody here may."""
        self.toast.show_message(tr("Working Notes are kept by the agent"), icon="lock-simple")

    @Slot(str)
    def _on_empty_action(self, key: str) -> None:
        act = self.empty_acts.get(key)
        if act is not None:  # else whoever does it is still being made
            act()
