"""The window: rail, pages, menus and status bar.

The frame is painted first. Pages are imported and built after that, by ``furnish``: what a page
needs costs more than the whole frame.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal, Slot
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QMainWindow,
    QStackedWidget,
    QWidget,
)

from inklings_desktop.data_root import own_data_dir
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.look.accessibility import EnterPresses, FocusRing, FocusRings
from inklings_desktop.ui.kit.look.layouts import fill, hbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.look.veil import DIALOG_VEIL, Scrim
from inklings_desktop.ui.kit.ops.change_bridge import ChangeBridge
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE, INBOX_PAGE, MEMORY_PAGE
from inklings_desktop.ui.kit.ops.storing import allow_storing
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.page.context import Context
from inklings_desktop.ui.kit.page.destinations import ToAgent, ToPageBefore, ToRestart, ToSettings
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.rail.pane import RailPane
from inklings_desktop.ui.window.action_table import menu_table, unlisted_actions
from inklings_desktop.ui.window.actions import WindowActions
from inklings_desktop.ui.window.appearance import WindowAppearance
from inklings_desktop.ui.window.closing import WindowClosing, WindowReopening
from inklings_desktop.ui.window.last_time import (
    LastTime,
    expects_import,
    restore_geometry,
    save_geometry,
    save_last_time,
    stored_last_time,
)
from inklings_desktop.ui.window.menus import WindowMenus
from inklings_desktop.ui.window.notices import WindowNotices, WindowProblem, say_bug
from inklings_desktop.ui.window.pages import WindowPages
from inklings_desktop.ui.window.palette.finding import WindowFinding
from inklings_desktop.ui.window.register import page_specs, spec_of
from inklings_desktop.ui.window.status import WindowStatusBar

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent

    from inklings_desktop.settings import Appearance
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.ops.page_spec import RailMark
    from inklings_desktop.ui.kit.ops.type_ahead import Hold
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.words.messages import Message
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.memory.acts.undo import UndoNote
    from inklings_desktop.ui.memory.inspector.view import InspectorView
    from inklings_desktop.ui.memory.listing import Listing
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.memory.view import MemoryView
    from inklings_desktop.ui.rail.rail import Rail
    from inklings_desktop.ui.window.banners.opened_data import Banners
    from inklings_desktop.ui.window.joins.opened import OpenedRoot
    from inklings_desktop.usecases.bundle import Inklings

_NARROW_BELOW = 1100
_LOOK_SECONDS = 0.05


class MainWindow(QMainWindow):
    """One window on one data root; empty until ``attach`` hands it the opened store.

    Signals:
        view_wanted: A client's name, a workspace id and a role: the window as it sees that.
    """

    view_wanted = Signal(str, str, str)
    _brought: tuple[Path, ...] = ()
    _link = ""
    _workspace_name = ""
    _is_welcoming = _talks = _sets_up = False

    def __init__(
        self,
        theme: Theme,
        data_dir: Path,
        appearance: Appearance,
        *,
        keeps_running: bool = False,
    ) -> None:
        super().__init__()
        self.setObjectName("mainWindow")
        self._theme = theme
        self._data_dir = data_dir
        self._opened: OpenedRoot | None = None
        self._listed: Listing | None = None
        self._led_rail: Rail | None = None
        self._stop_hearing: Callable[[], None] = _nothing
        self._undo: UndoNote | None = None
        self.banners: Banners | None = None
        self._painted: asyncio.Event = asyncio.Event()
        self._awaited_page: str | None = None
        self._is_opening = True
        self._wish: Hold | None = None
        self.reopening = WindowReopening(self, data_dir, self._leave)
        self.setWindowTitle("Inklings")
        # In the order of the Tab key: the menu bar, the rail, the page.
        self.menus = WindowMenus(self)
        self._look = WindowAppearance(theme, appearance, self)
        self._actions = WindowActions(
            theme,
            self,
            data_dir,
            self.show_page,
            open_sample=self.reopening.open_sample,
            leave_sample=self.reopening.leave_sample,
        )
        self.menus.build(menu_table(self._actions, self._look), unlisted_actions(self._actions))
        self.finding = WindowFinding(theme, self, self.menus, data_dir)
        # Each is made where it stands: a move takes Qt through the style of all that is in it.
        self._pages = QStackedWidget(self)
        self.problem = WindowProblem(theme, self._pages, self.reopening.ask_folder)
        body = QWidget(self._pages)
        self.rail = RailPane(theme, body)
        self.pages = WindowPages(theme, self, body)
        do = self._actions
        do.menus, do.rail, do.pages = self.menus, self.rail, self.pages
        _lay_out(body, self.rail, self.pages.frame)
        self._pages.addWidget(body)
        self.setCentralWidget(self._pages)
        theme.changed.connect(self._on_theme_changed)
        self.closing = WindowClosing(theme, self, self.menus, keeps_running=keeps_running)
        self.closing.stayed.connect(self.reopening.stay)
        self._on_theme_changed()
        self.status = WindowStatusBar(theme, self)
        self.setStatusBar(self.status)
        self._focus_ring = FocusRing(theme, self)
        FocusRings(theme, self)
        EnterPresses(self)
        Scrim(theme, self).setObjectName(DIALOG_VEIL)
        self.notices = WindowNotices(self, self.pages, self.status)
        self.menus.set_data_open(is_open=False)
        restore_geometry(self, data_dir)
        self._pages.installEventFilter(self)

    # -- life -------------------------------------------------------------------------------

    async def painted_once(self) -> None:
        """Return after the first paint: only then may anything heavy begin."""
        await self._painted.wait()

    def furnish(self) -> None:
        """Build the pages, once; the frame stands already."""
        if self.pages.is_furnished:
            return
        self.pages.furnish(compact=self._look.is_compact)
        self._actions.connect_pages(self._look)
        self._fold(self.width())

    async def closed(self) -> None:
        """Return once the person has closed the window and nothing is left unsaved or half done."""
        await self.closing.closed.wait()
        # What waits for an answer of the person ends with the window.
        if self.memory is not None:
            doing = asyncio.ensure_future(self.memory.undo.finished())
            while QApplication.activeModalWidget() is None and not doing.done():
                await asyncio.wait({doing}, timeout=_LOOK_SECONDS)  # it may come to a question
            doing.cancel()

    async def welcome(self, background: Background, inklings: Inklings) -> bool:
        """Lead to a first world where there is none; whether there is one to show.

        Raises:
            InklingsError: It cannot be found out.
        """
        worlds = await background.read(inklings.places.workspaces)
        if not inklings.is_read_only and expects_import(self._data_dir):
            from inklings_desktop.ui.window.joins.transfers import without_empty

            worlds = await background.write(without_empty, inklings)
        if worlds or inklings.is_read_only:
            return True
        from inklings_desktop.ui.welcome.view import WelcomeView
        from inklings_desktop.ui.window.welcoming import WindowWelcome

        context = self._made_context(background, inklings)
        welcome = WindowWelcome(
            context,
            WelcomeView(self._theme, self._pages),
            self.status,
            open_sample=self.reopening.open_sample,
            parent=self,
        )
        self._dress_for_welcome(is_welcome=True)
        is_made = await welcome.first_world(self.closing.closed)
        self._stop_hearing()
        self._dress_for_welcome(is_welcome=False)
        self._brought, self._talks = welcome.paths, welcome.talks
        self._sets_up = welcome.sets_up
        return is_made

    def _dress_for_welcome(self, *, is_welcome: bool) -> None:
        """Leave out of the frame what has nothing to lead to yet."""
        self._is_welcoming = is_welcome
        self.menus.show_for_welcome(is_welcome=is_welcome)
        self.finding.field.setVisible(not is_welcome)

    async def attach(self, background: Background, inklings: Inklings) -> None:
        """Show an opened data root, or raise why no workspace in it can be read."""
        self.furnish()
        self.menus["open_sample"].setVisible(own_data_dir(inklings.data_dir) is None)
        self._pages.setCurrentIndex(0)
        if not inklings.embedder.is_available:
            # Before a list hears of it: it would answer for no place, with nothing.
            self.page.show_missing_model()
        context = self._made_context(background, inklings)
        self._look.keep_with(context)
        listed, rail = self._listed, self._led_rail = self._made_list(context)
        listed.surroundings_changed.connect(self._on_surroundings_changed)
        self.page.bareness_changed.connect(self.status.show_bare)
        self.status.show_data("agents.db", has_model=inklings.embedder.is_available)
        try:
            last = LastTime() if inklings.caller.is_agent else stored_last_time(self._data_dir)
            await listed.open(last.workspace_id, last.place)
        except InklingsError:
            listed.deleteLater()
            self._listed = self._led_rail = None
            self._stop_hearing()
            raise
        self._paint_first_rows()
        opened_root = self._made_root(context, listed, rail)
        await opened_root.open(last.memory_id)
        self._opened = opened_root
        self._actions.attach(background, opened_root)
        self.finding.attach(opened_root)
        self.menus.set_data_open(is_open=True)  # not before what is chosen finds its page
        if not inklings.caller.is_agent:  # a client's view says whose it is, and nothing else
            from inklings_desktop.ui.window.banners.opened_data import Banners

            export = self.menus["export"].trigger
            self.banners = Banners(opened_root, self.pages.banners, self.reopening, export)
            self.banners.model.failed.connect(self._on_model_failed)
            self.notices.damage = self.banners.damage
        if inklings.is_read_only:
            self.reopening.withhold_editing(status=self.status, rail=self.rail)
        self.closing.attach(background, opened_root)
        entries = opened_root.pages.make(ENTRIES_PAGE)  # the rail counts what it holds
        wanted = self._awaited_page or last.page_id
        if wanted != MEMORY_PAGE and spec_of(wanted) is not None:
            self.show_page(wanted)
        self._end_opening(is_open=True)
        await entries
        opened_root.pages.want(INBOX_PAGE)  # and what waits there, once it is loaded
        opened_root.linked.begin()
        self._begin_as_welcomed(opened_root)
        if self._link:
            opened_root.links.follow(self._link)

    def _begin_as_welcomed(self, opened_root: OpenedRoot) -> None:
        if self._talks:
            self._talks = False
            opened_root.rooms.begin_conversation()
        if self._sets_up:
            self._sets_up = False
            self.go(ToSettings("agents"))
        if self._brought:
            opened_root.bring_first(self._brought, self.reopening.reopen)
            self._brought = ()

    def _end_opening(self, *, is_open: bool) -> None:
        """Do what was wished for before the data was there, or let go of it."""
        self._is_opening = False
        wish, self._wish = self._wish, None
        if wish is not None:
            held_keys(self).release(wish, is_reached=is_open)

    def _paint_first_rows(self) -> None:
        """Bring list and rail to the screen now: what is built next takes a tenth of a second.

        It begins in the same breath, so that no key or click falls between the two.
        """
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        self.rail.repaint()
        self.page.repaint()

    def _made_context(self, background: Background, inklings: Inklings) -> Context:
        """What every page over this data root is given."""
        feed = ChangeBridge(self)
        self._stop_hearing = inklings.feed.subscribe(feed.publish)
        context = Context(
            background,
            inklings,
            self._theme,
            self,
            feed,
            say=self.show_message,
            tell=self.notices.say,
            go=self.go,
            mark=self._mark_rail,
            here=lambda: self._listed.shell.surroundings if self._listed else None,
            place=lambda: self._listed.shell.place if self._listed else Place(Tier.WORKSPACE),
            wear=self._look.wear,
            commands=self.menus.commands,
        )
        background.on_refused = context.refuse
        return context

    def _made_list(self, context: Context) -> tuple[Listing, Rail]:
        """What is at work first: what acts on it is built once the first rows are on show."""
        from inklings_desktop.ui.memory.listing import Listing
        from inklings_desktop.ui.rail.rail import Rail

        listed = Listing(context, self.page, self)
        rail = Rail(
            self.rail,
            listed.shell,
            pages=page_specs(),
            go=context.go,
            offers_sample=own_data_dir(context.inklings.data_dir) is None,
            parent=listed,
        )
        return listed, rail

    def _made_root(self, context: Context, listed: Listing, rail: Rail) -> OpenedRoot:
        """All that acts on what list and rail show."""
        from inklings_desktop.ui.memory.acts.undo import UndoNote
        from inklings_desktop.ui.window.joins.opened import OpenedRoot
        from inklings_desktop.ui.window.joins.transfers import FileDrops

        opened_root = OpenedRoot(
            context,
            listed=listed,
            rail=rail,
            pages=self.pages,
            join_frame=self._actions.join_page,
            pane=self.rail,
            look_as=self.view_wanted.emit,
            parent=self,
        )
        opened_root.unsaved_changed.connect(self.status.show_unsaved)
        opened_root.unsaved_changed.connect(self._show_keys)
        opened_root.pages.made.connect(self._on_page_made)
        opened_root.tasks.presenter.stopped.connect(self.notices.say_in_status)
        opened_root.transfers.undo_offered.connect(self.menus["withdraw_import"].setEnabled)
        self.setAcceptDrops(True)
        FileDrops(
            self,
            self.menus["import_file"],
            hovered=self.notices.say_in_status,
            dropped=opened_root.bring_in,
            parent=opened_root,
        )
        self._undo = UndoNote(
            opened_root.memory.undo,
            toast=self.page.toast,
            undo_action=self.menus["undo"],
            redo_action=self.menus["redo"],
            parent=opened_root,
        )
        opened_root.memory.undo.said.connect(self.notices.say_of_undo)
        return opened_root

    @Slot(str)
    def show_page(self, page_id: str) -> None:
        """Show the page behind a rail row; what is typed on the other one stays there.

        One that is wanted while the data is still being opened is shown as soon as it is there. The
        welcome has no page.
        """
        if self._is_welcoming:
            return
        is_passing = self.rail.is_walked
        if self._opened is not None and not self._opened.pages.want(page_id):
            shown = self.pages.show_coming(page_id, is_passing=is_passing)
            self._awaited_page = page_id  # it is being loaded
        else:
            by_key = self._focus_ring.is_by_key()
            shown = self.pages.show(page_id, by_key=by_key, is_passing=is_passing)
            self._awaited_page = page_id if page_id != shown and self._opened is None else None
        self._actions.note_page(shown)
        self.menus.set_memory_page(shown=shown == MEMORY_PAGE)
        self._show_keys()
        if self._opened is not None:
            self._opened.rail.show_page(shown)
        self.finding.note_page(shown)
        self._show_title()

    @property
    def page(self) -> MemoryView:
        """The Memory page; there once the window is furnished."""
        return self.pages.memory

    @property
    def inspector(self) -> InspectorView:
        """The inspector beside it."""
        return self.pages.inspector

    @Slot()
    def _show_keys(self) -> None:
        self.status.show_keys_of(self.pages.current_id, self.pages.current)

    @Slot(str)
    def _on_page_made(self, page_id: str) -> None:
        if page_id == self._awaited_page:
            self.show_page(page_id)

    def go(self, where: Destination | str) -> None:
        """Lead to a page by its id, or to something on one."""
        page_id = where if isinstance(where, str) else where.page
        if isinstance(where, ToPageBefore):
            page_id = self.pages.before
        elif isinstance(where, ToRestart):
            self.reopening.reopen()
            return
        if isinstance(where, ToAgent):
            if self._opened is not None:
                self._opened.pages.want(page_id)
        elif page_id:
            self.show_page(page_id)
        if self._opened is not None and not isinstance(where, str):
            self._opened.arrive(where)

    def come_forward(self, link: str = "") -> None:
        """Come into sight, and go where a link leads: now, or once the data is there."""
        shown = (one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow))
        looking = next((one for one in shown if one is not self and one.isVisible()), None)
        (looking or self).closing.come_back()  # a client's view hides the author's window
        if self._opened is None:
            self._link = link
        elif link:
            self._opened.links.follow(link)

    def _mark_rail(self, page_id: str, mark: RailMark) -> None:
        if self._led_rail is not None:
            self._led_rail.mark(page_id, mark)

    def detach(self) -> None:
        """Let go of the data root before it is closed."""
        if self.reopening.is_read_only:
            allow_storing()
        self.closing.detach()
        self._keep_geometry()
        self.finding.detach()
        if self._undo is not None:
            self._undo.close()
        if self.banners is not None:
            self.banners.close()
        if self._opened is not None:
            self._opened.close()
        self._stop_hearing()

    def _keep_geometry(self) -> None:
        save_geometry(self, self._data_dir)
        here = self.memory.shell.surroundings if self.memory is not None else None
        if self.memory is not None and here is not None:
            shown = self.memory.subject.current_ref
            page_id, place = self.pages.current_id, self.memory.shell.place
            memory_id = shown.id if shown is not None else ""
            save_last_time(self._data_dir, LastTime(here.workspace.id, page_id, place, memory_id))

    @property
    def opened(self) -> OpenedRoot | None:
        """What joins pages and data; None until a data root is attached."""
        return self._opened

    @property
    def memory(self) -> MemoryPage | None:
        """What joins the panes of the Memory page; None until a data root is attached."""
        return self._opened.memory if self._opened is not None else None

    # -- what is said -----------------------------------------------------------------------

    def show_problem(self, message: Message) -> None:
        """Say why the data cannot be opened."""
        self._end_opening(is_open=False)
        self.problem.show(message)
        self.menus.set_data_open(is_open=False)
        self.status.show_closed(message.status)

    @Slot(object)
    def show_message(self, message: Message) -> None:
        """Say what went wrong; nothing was lost."""
        self.notices.show_message(message)

    def show_bug(self, error: BaseException) -> None:
        """Say that the program itself made a mistake."""
        say_bug(error, self)

    # -- Qt ---------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self._painted.is_set():
            self._painted.set()
            self._pages.removeEventFilter(self)
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold(event.size().width())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hears what comes before there is any data, or anything to take back."""
        is_coming = self._is_opening and not self._is_welcoming  # there the person comes first
        if is_coming and self.menus.awaits_data(event):
            self._wish = held_keys(self).begin_with(event)
        elif self._undo is None or not self._undo.hears(event):
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closes, asks about unsaved text first, or goes on out of sight."""
        self.closing.decide(event)

    def _fold(self, width: int) -> None:
        narrow = width < _NARROW_BELOW
        self.rail.set_compact(compact=narrow)
        self.pages.fold(width, self.rail.width(), narrow=narrow)

    # -- heard ------------------------------------------------------------------------------

    @Slot()
    def _on_theme_changed(self) -> None:
        self.menuBar().setFixedHeight(self._theme.px("menuBar"))
        self._fold(self.width())

    @Slot(object)
    def _on_surroundings_changed(self, here: Surroundings) -> None:
        self._workspace_name = here.workspace.name
        self._show_title()

    def _show_title(self) -> None:
        if not self._workspace_name:  # nothing is open yet
            return
        self.setWindowTitle(
            tr("{page}, {workspace} - Inklings").format(
                page=self.pages.title(), workspace=self._workspace_name
            )
        )

    @Slot()
    def _on_model_failed(self) -> None:
        self.page.show_missing_model()
        self.status.show_model(is_there=False)

    def _leave(self) -> None:
        self.closing.leave()


def _nothing() -> None:
    """There is no feed yet that could be left."""


def _lay_out(body: QWidget, rail: QWidget, frame: QWidget) -> None:
    """The rail at the left, a hairline, and what stands beside it."""
    row = hbox(body, rail, margins=0, spacing=0)
    rule = QFrame(body)
    rule.setProperty("upright", "true")
    fill(row, rule, (frame, 1))
