"""The pages of the window and which one is on show.

The Memory page is built once the frame stands, every other page when it is first wanted: a page
costs more than the whole frame.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QSplitter, QStackedWidget, QWidget

from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import on_ground, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label, rule
from inklings_desktop.ui.kit.marks.waiting import Skeleton
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE
from inklings_desktop.ui.kit.panes.banner import Banner, BannerSlot
from inklings_desktop.ui.window.register import spec_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.page import Page
    from inklings_desktop.ui.memory.inspector.view import InspectorSheet, InspectorView
    from inklings_desktop.ui.memory.view import MemoryView
    from inklings_desktop.ui.rail.pane import RailPane


_WIDE_FROM = 1280
_INSPECTOR_MOST = 560
_INSPECTOR_CONTENT, _INSPECTOR_MARGINS = 252, 40


class WindowPages(QObject):
    """Builds pages and shows one of them.

    Attributes:
        frame: Everything right of the rail: the banner above the pages.
        banners: What is to be seen on every page for as long as it holds, the worst of it.
        stack: The pages.
        memory: The Memory page; there from ``furnish`` on.
        before: Id of the page that was on show before this one.

    Signals:
        taken_back: The inspector stands beside the list again.
    """

    taken_back = Signal()

    memory: MemoryView
    _side: QWidget

    def __init__(self, theme: Theme, window: QWidget, place: QWidget) -> None:
        """Make room for pages.

        Args:
            place: In which part of it they stand.
        """
        super().__init__(window)
        self._theme = theme
        self.frame = QWidget(place)
        self.stack = QStackedWidget(self.frame)
        on_ground(self.stack, "canvas")
        banner = named(Banner(theme, parent=self.frame), "pageBanner")
        self.banners = BannerSlot(banner)
        self._column = vbox(self.frame, banner, (self.stack, 1), margins=0, spacing=0)
        self._panes: QSplitter | None = None
        self._inspector: InspectorView | None = None
        self._sheet: InspectorSheet | None = None
        self._is_docked = True
        self._folded = (0, 0, False)
        self._lent_to: QSplitter | None = None
        self._others: dict[str, Page[Any]] = {}
        self._coming: tuple[str, QWidget] | None = None
        self.before = MEMORY_PAGE

    @property
    def is_furnished(self) -> bool:
        """Whether the Memory page is built."""
        return self._panes is not None

    def furnish(self, *, compact: bool) -> None:
        """Build the Memory page, with room for its inspector."""
        from inklings_desktop.ui.memory.view import MemoryView

        # Everything is made where it will stand: to move it there later makes Qt go through the
        # style of whatever is in it once more.
        panes = QSplitter(Qt.Orientation.Horizontal, self.stack)
        self.memory = MemoryView(self._theme, compact=compact, parent=panes)
        self._side = QWidget(panes)
        on_ground(self._side, "canvas")
        panes.setChildrenCollapsible(False)
        panes.setHandleWidth(1)
        for pane in (self.memory, self._side):
            panes.addWidget(pane)
        panes.setStretchFactor(0, 1)
        self._panes = panes
        self.stack.addWidget(panes)
        self.stack.currentChanged.connect(self._place_banner)
        self._place_banner()

    @property
    def inspector(self) -> InspectorView:
        """The inspector; built when it is first asked for, which nothing does before the rows."""
        if self._inspector is None:
            self._inspector = self._made_inspector()
        return self._inspector

    def _made_inspector(self) -> InspectorView:
        from inklings_desktop.ui.memory.inspector.view import InspectorSheet, InspectorView

        panes = cast("QSplitter", self._panes)
        empty, sizes = self._side, panes.sizes()
        inspector = InspectorView(self._theme, panes)
        inspector.setVisible(self._is_docked)
        inspector.setMinimumWidth(empty.minimumWidth())
        inspector.setMaximumWidth(empty.maximumWidth())
        empty.setParent(None)
        empty.deleteLater()
        panes.addWidget(inspector)
        panes.setSizes(sizes)
        self._side = inspector
        # The toast floats over the list, and comes last: nobody should have to pass it.
        QWidget.setTabOrder(inspector.footer.copy, self.memory.toast.undo)
        sheet = self._sheet = InspectorSheet(self._theme, self.stack, self._on_sheet_closed)
        sheet.put_away_by(self.memory.table.viewport())
        self.stack.currentChanged.connect(sheet.close_sheet)
        inspector.leave_requested.connect(sheet.close_sheet)
        inspector.wanted.connect(self.show_inspector)
        return inspector

    @Slot()
    def _place_banner(self) -> None:
        """Let it stand above the header of the page on show: beside the inspector, not over it."""
        is_memory = self.current_id == MEMORY_PAGE
        self.banners.move_to(self.memory.column if is_memory else self._column)

    # -- lent to another page -----------------------------------------------------------------

    @property
    def is_lent(self) -> bool:
        """Whether the inspector stands beside another page."""
        return self._lent_to is not None

    def lend_inspector(self, panes: QSplitter, beside: QWidget) -> None:
        """Let the inspector stand beside another page.

        Args:
            panes: Where it is docked while there is room for it; else it comes as a sheet.
            beside: A press on this puts the sheet away.
        """
        is_new = self._lent_to is not panes
        self._lent_to = panes
        self.inspector.header.offer_closing(offered=True)
        if self._sheet is not None:
            self._sheet.put_away_by(beside)
        if is_new:
            self._place_lent()

    @Slot()
    def take_inspector_back(self) -> None:
        """Let the inspector stand beside the list again."""
        if self._lent_to is None or self._panes is None:
            return
        self._lent_to = None
        self.inspector.header.offer_closing(offered=False)
        if self._sheet is not None:
            self._sheet.put_away_by(self.memory.table.viewport())
            self._sheet.hide()
        self._on_sheet_closed()
        self.taken_back.emit()

    def _place_lent(self) -> None:
        """Dock the lent inspector, or let it come as a sheet where there is no room."""
        width, rail_width, narrow = self._folded
        panes, inspector, sheet = self._lent_to, self.inspector, self._sheet
        if panes is None or sheet is None:
            return
        if narrow or not self._is_docked:
            if sheet.isHidden():
                sheet.hold(inspector)
            return
        sheet.hide()
        theme = self._theme
        side = theme.px("inspector" if width >= _WIDE_FROM else "inspectorMin")
        side = max(side, theme.scaled(_INSPECTOR_CONTENT) + _INSPECTOR_MARGINS) - 1
        inspector.setMinimumWidth(side)
        inspector.setMaximumWidth(side)
        if panes.indexOf(inspector) < 0:
            panes.addWidget(inspector)
        inspector.show()
        panes.setSizes([max(width - rail_width - side, 1), side])

    @Slot(bool)
    def dock_inspector(self, docked: bool) -> None:  # noqa: FBT001 - a signal's payload
        """Keep the inspector beside the list, or put it away until it is wanted."""
        self._is_docked = docked
        self.take_inspector_back()
        if self._sheet is not None:
            self._sheet.close_sheet()
        self._side.setVisible(docked)

    @Slot()
    def show_inspector(self) -> None:
        """Show an inspector that was put away, over the right edge of the list."""
        if not self._is_docked and self._sheet is not None and self._sheet.isHidden():
            self._sheet.hold(self.inspector)

    @Slot()
    def _on_sheet_closed(self) -> None:
        if self._panes is None:
            return
        if self._lent_to is not None:  # whoever puts the sheet away has seen the memory
            self.take_inspector_back()
            return
        self.inspector.setVisible(self._is_docked)
        self._panes.addWidget(self.inspector)
        self.fold(*self._folded[:2], narrow=self._folded[2])

    def add(self, page_id: str, page: Page[Any]) -> None:
        """Let a page stand beside the others."""
        self._others[page_id] = page
        self.stack.addWidget(page.view)

    @property
    def current_id(self) -> str:
        """Id of the page on show."""
        current = self.stack.currentWidget()
        if self._coming is not None and current is self._coming[1]:
            return self._coming[0]
        shown = (id_ for id_, page in self._others.items() if page.view is current)
        return next(shown, MEMORY_PAGE)

    def view(self, page_id: str) -> QWidget | None:
        """What a page shows; None until it is made."""
        page = self._others.get(page_id)
        return page.view if page is not None else None

    @property
    def current(self) -> Page[Any] | None:
        """The page on show; None for the Memory page."""
        return self._others.get(self.current_id)

    def show(self, page_id: str, *, by_key: bool, is_passing: bool = False) -> str:
        """Show a page, or the Memory page for one that is not there; its id.

        What is typed on the page before stays there.

        Args:
            page_id: Id of its rail row.
            by_key: Whether the keyboard leads just now, and wants to see where it is.
            is_passing: Whether the keyboard stays where it is: it walks through the rail.
        """
        reason = Qt.FocusReason.ShortcutFocusReason if by_key else Qt.FocusReason.OtherFocusReason
        page: QWidget | None = self._panes
        bring: Callable[[], None] = self._focus_memory
        if (other := self._others.get(page_id)) is not None:
            page, bring = other.view, partial(other.bring_focus, reason)
        if page is not None:
            self._note_before(page_id)
            self.stack.setCurrentWidget(page)
            if not is_passing:
                bring()
        self._end_coming()
        return self.current_id

    def show_coming(self, page_id: str, *, is_passing: bool) -> str:
        """Show at once where a page will stand that is still being made; its id.

        Args:
            page_id: Id of its rail row.
            is_passing: Whether the keyboard stays where it is: it walks through the rail.
        """
        self._note_before(page_id)
        before, spec = self._coming, spec_of(page_id)
        page = ComingPage(self._theme, spec.title if spec is not None else "", self.stack)
        self._coming = (page_id, page)
        self.stack.addWidget(page)
        self.stack.setCurrentWidget(page)
        if not is_passing:
            page.setFocus(Qt.FocusReason.OtherFocusReason)
        if before is not None:
            before[1].deleteLater()
        return page_id

    def _note_before(self, page_id: str) -> None:
        if page_id != self.current_id:
            self.before = self.current_id

    def _end_coming(self) -> None:
        """Let go of what stood in for a page, once another one is on show."""
        if self._coming is not None and self.stack.currentWidget() is not self._coming[1]:
            self._coming[1].deleteLater()
            self._coming = None

    def _focus_memory(self) -> None:
        """Bring the keyboard to the list, unless it is on this page already: it stays there."""
        focus = QApplication.focusWidget()
        if not any(focus and pane.isAncestorOf(focus) for pane in (self.memory, self._side)):
            self.memory.focus_list()

    def title(self) -> str:
        """Name of the page on show."""
        spec = spec_of(self.current_id)
        return spec.title if spec is not None else ""

    def fold(self, width: int, rail_width: int, *, narrow: bool) -> None:
        """Fit the panes of the Memory page to a window of this width in pixels."""
        if self._panes is None:
            return
        self._folded = (width, rail_width, narrow)
        self.memory.set_narrow(narrow=narrow)
        if self._lent_to is not None:
            self._place_lent()
            return
        if self._sheet is not None and not self._sheet.isHidden():
            return  # it has a width of its own
        wide = width >= _WIDE_FROM
        # Larger type needs a wider pane, as far as the list leaves room for it; what stands in the
        # pane has to fit whatever the list says.
        theme, smallest = self._theme, self._theme.px("inspectorMin")
        room = width - rail_width - theme.scaled(theme.px("listMin"))
        needed = max(smallest, theme.scaled(_INSPECTOR_CONTENT) + _INSPECTOR_MARGINS)
        least = max(needed, min(theme.scaled(smallest), room))
        most = max(_INSPECTOR_MOST, least) if wide else least
        # The hairline at its left belongs to the width.
        self._side.setMinimumWidth(least - 1)
        self._side.setMaximumWidth(most - 1)
        side = (max(theme.px("inspector"), least) if wide else least) - 1
        self._panes.setSizes([max(width - rail_width - side, 1), side])

    def panes_in_order(self, rail: RailPane) -> list[tuple[QWidget, Callable[[], None]]]:
        """Every pane, each with what brings the keyboard into it."""
        by_key = Qt.FocusReason.ShortcutFocusReason
        stops: list[tuple[QWidget, Callable[[], None]]] = [
            (rail, partial(rail.tree.setFocus, by_key))
        ]
        if self._panes is not None:
            stops += [
                (self.memory, self.memory.focus_list),
                (self.inspector, self.inspector.focus_editor),
                (self.memory.toast.undo, partial(self.memory.toast.undo.setFocus, by_key)),
            ]
        for other in self._others.values():
            stops += other.panes()
        return stops


_GUTTER, _HEAD_TOP, _HEAD_BOTTOM = 24, 14, 8


class ComingPage(QWidget):
    """The title of a page, and bars where its content will stand once it is late."""

    def __init__(self, theme: Theme, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("comingPage")
        on_ground(self, "canvas")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # the keys wait for the page, and lose none
        self.setAccessibleName(tr("{page} is coming").format(page=title))
        head = QWidget(self)
        theme.hold_height(head, theme.px("control") / theme.text_scale)
        vbox(head, plain_label(title, "title", head), margins=(_GUTTER, 0, _GUTTER, 0))
        bars = Skeleton(theme, self)
        bars.setAccessibleName("")
        bars.expect()
        vbox(self, _HEAD_TOP, head, _HEAD_BOTTOM, rule(self), (bars, 1), margins=0, spacing=0)
