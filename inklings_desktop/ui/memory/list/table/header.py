"""Above the list: tier tabs, where in the tier, what is searched, in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.ui.kit.controls.buttons import IconButton, MenuButton, PushButton
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.controls.tabs import RingTab, RingTabBar, TabRoom
from inklings_desktop.ui.kit.controls.text_fields import SearchField
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import hbox, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr, tr_as
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.scope_picker import ScopePicker, tier_choices
from inklings_desktop.ui.kit.words.memory_facts import tier_title
from inklings_desktop.ui.kit.words.places import Place

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.words.places import Surroundings

_GUTTER = 20
_NARROW_GUTTER = 14
_SORT_WIDTH = 138
_HEAD_GAP = 14
_CRAMPED_BELOW = 640
_FILTERS_WORD_FROM = 480
_SCOPE_SHARE = 0.32


class MemoryHeader(QWidget):
    """Tabs and tools; says what the person wants, knows nothing of the answer.

    Signals:
        tier_chosen: A ``Tier``.
        mode_chosen: A ``SearchMode``.
        sort_chosen: A ``MemorySort``.
    """

    tier_chosen = Signal(object)
    mode_chosen = Signal(object)
    sort_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sort = MemorySort.NEWEST
        self._is_search = False
        self._placeholder = ""
        self._is_bare = False
        self.tabs = named(RingTabBar(theme, self), "tierTabs", tr("Memory tiers"))
        self.tabs.set_tabs([self._tab(tier, "", "") for tier in Tier])
        self.tabs.choose(Tier.WORKSPACE.value)
        self.tabs.tab_chosen.connect(lambda key: self.tier_chosen.emit(Tier(key)))
        self.density = IconButton(theme, "rows", tr("Density of the list"), size=18, parent=self)
        self.new = PushButton(
            theme, tr("New memory"), kind="primary", icon="plus", small=True, parent=self
        )
        self.new.setObjectName("newMemory")
        self.new.setAccessibleName(tr("New memory"))
        storing(self.new)
        self.scope = ScopePicker(theme, self)
        self.scope.hide()  # until there are rooms to choose from
        self.code = IconButton(theme, "copy", tr("Copy code for the agent"), size=18, parent=self)
        self.code.setObjectName("conversationCode")
        self.code.hide()  # until one conversation is looked at
        self.search = SearchField(
            theme,
            (
                Segment(
                    SearchMode.HYBRID.value,
                    tr("Meaning"),
                    "intersect",
                    tr("Search by words and by meaning"),
                ),
                Segment(
                    SearchMode.KEYWORD.value,
                    tr("Words"),
                    "text-t",
                    tr("Search for these exact words"),
                    narrow_icon=True,
                ),
            ),
            chosen=lambda key: self.mode_chosen.emit(SearchMode(key)),
            clear_name=tr("Clear the search"),
            mode_name=tr("Search mode"),
            parent=self,
        )
        self.search.edit.setObjectName("memorySearch")
        self.filters = named(MenuButton(theme, self), "memoryFilters")
        self.filters.setCheckable(True)
        self.filters.setText(tr("Filters"))
        self.filters.hide()
        self.sort = named(MenuButton(theme, self), "memorySort")
        self.sort.clicked.connect(self._on_sort_clicked)
        self._narrow = False
        self._cramped = False
        self._lay_out()
        theme.changed.connect(self._on_theme_changed)
        self.show_sort(self._sort, is_search=False)

    def show_counts(self, here: Surroundings, place: Place) -> None:
        """Say how much each tier holds, and the room on show."""
        counts = {}
        for tier in Tier:
            name, total = tier_title(tier), here.count(Place(tier))
            text = grouped(total)
            spoken = counted(total, "{tier}, 1 memory", "{tier}, {n} memories").format(tier=name)
            if tier is place.tier and place.room is not None:
                n = here.count(place)
                text = grouped(n)
                # What an archived room holds is not among those of the tier.
                if here.is_listed(place):
                    text = tr("{part} of {total}").format(part=text, total=grouped(total))
                spoken = tr("{tier}, {count} memories").format(tier=name, count=text)
            if tier in here.closed:
                text, spoken = "\u2013", tr("{tier}, closed to this client").format(tier=name)
            counts[tier.value] = (text, spoken)
        if self.tabs.set_counts(counts):
            self.fit(self.width())  # longer figures take more room

    def show_place(self, here: Surroundings, place: Place) -> None:
        """Show counts, the chosen tier and the room in it."""
        self.show_counts(here, place)
        self.tabs.blockSignals(True)
        self.tabs.choose(place.tier.value)
        self.tabs.blockSignals(False)
        has_rooms = place.tier in {Tier.CONVERSATION, Tier.CHANNEL}
        self.scope.setVisible(has_rooms)
        if has_rooms:
            self.scope.show_choices(tier_choices(here, place.tier), place.room)
        self.code.setVisible(here.talk_at(place) is not None)
        self._placeholder = self._placeholder_at(place)
        self._show_placeholder()
        self.fit(self.width())

    def show_n_filters(self, count: int) -> None:
        """Say on the folded filters how many are active."""
        self.filters.set_badge(self.locale().toString(count) if count else "")
        self.filters.setAccessibleName(
            tr("Filters, {count} active").format(count=self.locale().toString(count))
            if count
            else tr("Filters")
        )
        self._dress_filters()

    def _dress_filters(self) -> None:
        edge = self._theme.icon_px(16)
        self.filters.setIcon(self._theme.icon("funnel", "inkSoft", 16))
        self.filters.setIconSize(QSize(edge, edge))

    def show_tools(self, *, bare: bool) -> None:
        """Offer search and order, unless there is nothing to search yet."""
        self._is_bare = bare
        self.search.setEnabled(not bare)
        self.search.show_modes(shown=not bare)
        self.sort.setVisible(not bare)
        self._show_placeholder()

    def show_sort(self, sort: MemorySort, *, is_search: bool) -> None:
        """Show the order in force; a search is always ordered by best match."""
        self._sort = sort
        self._is_search = is_search
        name = tr("Best match") if is_search else self._sort_name(sort)
        self.sort.setEnabled(not is_search)
        self.sort.setText("" if self._cramped else name)
        self.sort.setToolTip(tr("Order: {name}").format(name=name))
        self.sort.setAccessibleName(tr("Order: {name}").format(name=name))
        self.sort.setIcon(self._theme.icon("sort-ascending", "inkSoft", 16))
        edge = self._theme.icon_px(16)
        self.sort.setIconSize(QSize(edge, edge))
        self.sort.setMinimumWidth(0 if self._cramped else self._theme.scaled(_SORT_WIDTH))

    def set_narrow(self, *, narrow: bool) -> None:
        """Leave out words where icons do."""
        if narrow == self._narrow:
            return
        self._narrow = narrow
        self.density.setVisible(not narrow)
        self.show_sort(self._sort, is_search=not self.sort.isEnabled())
        side = _NARROW_GUTTER if narrow else _GUTTER
        self._outer.setContentsMargins(side, 0, side, 0)
        self.fit(self.width())

    def fit(self, width: int) -> None:
        """Fold both lines to a width: smaller tabs first, then the button's word, then more."""
        side = 2 * (_NARROW_GUTTER if self._narrow else _GUTTER)
        self._fit_tools(width)
        for room, icon_only in (
            (TabRoom.SMALL if self._narrow else TabRoom.FULL, self._narrow),
            (TabRoom.SMALL, False),
            (TabRoom.SMALL, True),
            (TabRoom.MARKS, True),
        ):
            self.tabs.set_room(room)
            self.new.set_word("" if icon_only else tr("New memory"))
            new = 0 if self.new.isHidden() else self.new.sizeHint().width()
            needed = self.tabs.needed_width() + new + 2 * _HEAD_GAP
            if not self._narrow:
                density = self.density
                needed += density.sizeHint().expandedTo(density.minimumSize()).width()
            if needed + side <= width:
                return

    def _fit_tools(self, width: int) -> None:
        """Leave out words beside icons where the field would get too short to type in."""
        cramped = self._narrow or width < self._theme.scaled(_CRAMPED_BELOW)
        self.search.set_narrow(narrow=cramped)
        word = tr("Filters")
        has_word = width >= self._theme.scaled(_FILTERS_WORD_FROM)
        self.filters.setText(word if has_word else "")
        self.filters.setToolTip("" if has_word else word)
        self.scope.set_most_width(round(_SCOPE_SHARE * width))
        if cramped != self._cramped:
            self._cramped = cramped
            self.show_sort(self._sort, is_search=not self.sort.isEnabled())

    def sort_menu(self) -> QMenu:
        """The orders to choose from, made anew."""
        menu = QMenu(self)
        group = QActionGroup(menu)
        for sort in MemorySort:
            action = QAction(self._sort_name(sort), menu)
            action.setCheckable(True)
            action.setChecked(sort is self._sort)
            action.setData(sort.value)
            group.addAction(action)
            menu.addAction(action)
        menu.triggered.connect(lambda action: self.sort_chosen.emit(MemorySort(action.data())))
        return menu

    def _lay_out(self) -> None:
        head = hbox(None, (self.tabs, 1), self.density, self.new, spacing=_HEAD_GAP)
        tools = hbox(
            None, self.scope, self.code, (self.search, 1), self.filters, self.sort, spacing=8
        )
        self._outer = vbox(self, head, tools, margins=(_GUTTER, 0, _GUTTER, 0), spacing=10)

    def _tab(self, tier: Tier, count: str, spoken: str) -> RingTab:
        inked, role = TIER_MARKS[tier]
        return RingTab(tier.value, tier_title(tier), inked, role, count, spoken)

    @property
    def order_words(self) -> str:
        """The order in force as part of a sentence."""
        if self._is_search:
            return tr("best match first")
        return {
            MemorySort.NEWEST: tr("newest first"),
            MemorySort.OLDEST: tr("oldest first"),
            MemorySort.LAST_READ: tr("last read first"),
            MemorySort.RELEVANCE: tr("most relevant first"),
            MemorySort.IMPORTANCE: tr("most important first"),
        }[self._sort]

    def _sort_name(self, sort: MemorySort) -> str:
        return {
            MemorySort.NEWEST: tr("Newest first"),
            MemorySort.OLDEST: tr("Oldest first"),
            MemorySort.LAST_READ: tr("Last read"),
            MemorySort.RELEVANCE: tr("Relevance"),
            MemorySort.IMPORTANCE: tr("Importance"),
        }[sort]

    def _show_placeholder(self) -> None:
        if self._is_bare:
            self.search.set_placeholder(tr("Nothing to search yet"))
        elif self._placeholder:
            self.search.set_placeholder(self._placeholder, short=tr_as("a verb", "Search"))

    def _placeholder_at(self, place: Place) -> str:
        return {
            Tier.CONVERSATION: tr("Search this conversation")
            if place.room
            else tr("Search conversation memories"),
            Tier.CHANNEL: tr("Search this channel")
            if place.room
            else tr("Search channel memories"),
            Tier.WORKSPACE: tr("Search workspace memories"),
            Tier.ACCOUNT: tr("Search account memories"),
        }[place.tier]

    @Slot()
    def _on_sort_clicked(self) -> None:
        menu = self.sort_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.sort.mapToGlobal(self.sort.rect().bottomLeft()))

    @Slot()
    def _on_theme_changed(self) -> None:
        self._dress_filters()
        self.show_sort(self._sort, is_search=not self.sort.isEnabled())
        self.fit(self.width())
