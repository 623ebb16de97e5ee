"""The Conversation page: head, thread, what is to be known, composer; a memory may stand beside."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QMenu, QSplitter, QStackedWidget, QWidget

from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.conversation.composer import Composer
from inklings_desktop.ui.conversation.drawing.turn_layout import COLUMN
from inklings_desktop.ui.conversation.run_pane import RunPane
from inklings_desktop.ui.conversation.start import StartPane, TurnSkeleton
from inklings_desktop.ui.conversation.thread.cards import ProblemCard
from inklings_desktop.ui.conversation.thread.rows_view import column_in
from inklings_desktop.ui.conversation.thread.thread import ThreadView
from inklings_desktop.ui.conversation.words import clock_time, day_words
from inklings_desktop.ui.kit.controls.buttons import IconButton, LinkButton, PushButton
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.memory_marks import TierMark
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.marks.empty_state import EmptyAction, EmptyState
from inklings_desktop.ui.kit.marks.labels import elided_label, rule
from inklings_desktop.ui.kit.marks.toast import Toast
from inklings_desktop.ui.kit.words.places import talk_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from PySide6.QtGui import QMouseEvent, QResizeEvent

    from inklings_desktop.agent_client.rows import StepBlock
    from inklings_desktop.domain.rooms.conversation import Conversation
    from inklings_desktop.ui.conversation.words import ProblemWords
    from inklings_desktop.ui.kit.look.theme import Theme

_HEIGHT, _SIDE = 60, 24


class ConversationHeader(QWidget):
    """One line; narrow, its links are icons.

    Signals:
        rename_wanted: The name was double-clicked.
    """

    rename_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("conversationHeader")
        self._theme = theme
        self._is_narrow = False
        self._told, self._n_memories = ("", ""), ("", "")
        self.title = named(elided_label("", "title", self), "conversationTitle")
        self.where = elided_label("", "meta", self)
        self._ring = TierMark(theme, inked=1, role="tierConversation", edge=16, parent=self)
        self.memories = named(LinkButton("", self), "conversationMemories")
        self._page = IconButton(theme, "notepad", tr("Working notes"), parent=self)
        self._page.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.notes = named(LinkButton("", self), "conversationNotes")
        self._page.clicked.connect(self.notes.click)
        self.more = IconButton(theme, "dots-three", tr("More about it"), bold=True, parent=self)
        self.more.setObjectName("conversationMore")
        row = hbox(self, margins=(_SIDE, 0, 16, 0), spacing=0)
        fill(row, self.title, 12, self.where, 12, STRETCH, self._ring, 4, self.memories, 10)
        fill(row, self._page, self.notes, 12, self.more)
        theme.hold_height(self, _HEIGHT)

    def show_conversation(
        self, talk: Conversation | None, channel: str, n_memories: int, n_notes: int, now: datetime
    ) -> None:
        """Show another conversation, or the same after something changed."""
        for part in (self.where, self._ring, self.memories, self._page, self.notes, self.more):
            part.setVisible(talk is not None)
        if talk is None:
            self.title.setText(tr("Conversation"))
            return
        self.title.setText(talk_name(talk))
        since = clock_time(talk.started_at)
        began, today = on_the_wall(talk.started_at).date(), on_the_wall(now).date()
        if began != today:
            since = day_words(began, today)
        self._told = (
            f"#{channel}",
            tr("#{channel}, since {time}").format(channel=channel, time=since),
        )
        words = counted(n_memories, "1 memory", "{n} memories")
        self._n_memories = (words, grouped(n_memories))
        self.notes.setText(counted(n_notes, "1 working note", "{n} working notes"))
        self._page.setToolTip(self.notes.text())
        self._fit()

    def set_narrow(self, *, narrow: bool) -> None:
        """Leave out words where the window is narrow."""
        self._is_narrow = narrow
        self._fit()

    def tab_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self.memories, self.notes, self.more]

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click on the name is to change it."""
        if self.childAt(event.position().toPoint()) is self.title:
            self.rename_wanted.emit()

    @Slot()
    def _fit(self) -> None:
        self.where.setText(self._told[0] if self._is_narrow else self._told[1])
        self.memories.setText(self._n_memories[1 if self._is_narrow else 0])
        self.memories.setAccessibleName(self._n_memories[0])
        is_shown = self.more.isVisibleTo(self)
        self.notes.setVisible(is_shown and not self._is_narrow)
        policy = Qt.FocusPolicy.TabFocus if self._is_narrow else Qt.FocusPolicy.NoFocus
        self._page.setFocusPolicy(policy)
        # Beside its words the icon is no button of its own to who listens.
        self._page.setAccessibleName(self.notes.text() if self._is_narrow else "")


START = "start"
_NARROW_WINDOW = 1100
_ABOVE_FOOT = 12


class ConversationView(QWidget):
    """Everything right of the rail while one talks.

    Attributes:
        allowed: What the agent may do without asking, to be revoked; left out for nothing.

    Signals:
        acted: What was chosen on the card above the composer.
        rename_wanted: The conversation is to get another name.
        run_opened: One who was sent is shown beside the thread.
    """

    acted = Signal(str)
    rename_wanted = Signal()
    run_opened = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("conversationPage")
        self._theme = theme
        on_ground(self, "canvas")
        self.panes = QSplitter(Qt.Orientation.Horizontal, self)
        self.panes.setChildrenCollapsible(False)
        self.panes.setHandleWidth(1)
        self._left = QWidget(self.panes)
        left = self._left
        self.header = ConversationHeader(theme, left)
        self._stack = QStackedWidget(left)
        on_ground(self._stack, "surface")
        self.thread_view = ThreadView(theme, self._stack)
        self.start = StartPane(theme, self._stack)
        self.skeleton = TurnSkeleton(theme, self._stack)
        self.nothing = named(EmptyState(theme, self._stack), "noConversation")
        for pane in (self.skeleton, self.thread_view, self.start, self.nothing):
            self._stack.addWidget(pane)
        self.new_below = PushButton(
            theme, tr("New below"), icon="arrow-down", small=True, parent=self._stack
        )
        self.new_below.setObjectName("newBelow")
        self.new_below.hide()
        self._notice: ProblemCard | None = None
        self._notice_words: ProblemWords | None = None
        self._notice_box = QWidget(left)
        on_ground(self._notice_box, "surface")
        self._notice_row = hbox(self._notice_box, margins=0)
        self._notice_box.hide()
        self._foot = QWidget(left)
        self.composer = Composer(theme, self._foot)
        self._foot_row = hbox(self._foot, self.composer, margins=0)
        self.run_pane = RunPane(theme, self)
        self.run_pane.hide()
        column = vbox(left, margins=0, spacing=0)
        fill(column, self.header, rule(left), (self._stack, 1), self._notice_box)
        fill(column, rule(left), self._foot)
        self.panes.addWidget(left)
        self.panes.setStretchFactor(0, 1)
        vbox(self, self.panes, margins=0)
        self.toast = Toast(theme, left)
        self.allowed = QMenu(tr("What this conversation allows"), self)
        self.allowed.menuAction().setVisible(False)
        self._connect()
        self._order_tabs()
        self._say_nothing_yet()
        theme.changed.connect(self._fit)

    # -- what is on show ----------------------------------------------------------------------

    def show_waiting(self) -> None:
        """Where turns will stand while the conversation is read."""
        self._stack.setCurrentWidget(self.skeleton)

    def show_thread(self, *, is_empty: bool) -> None:
        """Show what was said, or how to begin."""
        self._stack.setCurrentWidget(self.start if is_empty else self.thread_view)
        self._foot.show()
        self._fit()

    def show_composer(self, *, shown: bool) -> None:
        """Show where one writes; an ended conversation has a card in its place."""
        if self._foot.isVisibleTo(self) != shown:
            had_keyboard = self.composer.edit.hasFocus()
            self._foot.setVisible(shown)
            if had_keyboard:
                self.focus_composer()
            self._fit()

    def show_nothing(self) -> None:
        """There is no conversation."""
        self._stack.setCurrentWidget(self.nothing)
        self._foot.hide()
        self.show_notice(None)

    def show_allowed(self, rows: Sequence[tuple[str, Callable[[], None]]]) -> None:
        """Offer to take back what is allowed here: what each row says, and what it does."""
        self.allowed.clear()
        for words, take_back in rows:
            self.allowed.addAction(words, take_back)
        self.allowed.menuAction().setVisible(bool(rows))

    def show_notice(self, words: ProblemWords | None) -> None:
        """Show a card above the composer, or none."""
        if words == self._notice_words:
            return
        self._notice_words = words
        if self._notice is not None:
            self._notice.hide()
            self._notice.deleteLater()
            self._notice = None
        if words is not None:
            card = self._notice = ProblemCard(self._theme, words, self._notice_box)
            card.setObjectName("noticeCard")
            card.wanted.connect(self.acted)
            card.left.connect(self.focus_composer)
            self._notice_row.addWidget(card)
            self._order_tabs()
        self._notice_box.setVisible(words is not None)
        self._fit()

    @property
    def notice(self) -> ProblemCard | None:
        """The card above the composer."""
        return self._notice

    @property
    def is_narrow(self) -> bool:
        """Whether the window is: words give way to icons."""
        return self.window().width() < _NARROW_WINDOW

    def show_run(self, step: StepBlock | None) -> None:
        """Show one who was sent beside the thread, or nobody."""
        focus = QApplication.focusWidget()
        had_keyboard = focus is not None and self.run_pane.isAncestorOf(focus)
        if step is None:
            self.run_pane.hide()
            self.run_pane.setParent(self)  # the panes are for a memory again
            if had_keyboard:
                self.focus_thread()
            return
        self.run_opened.emit()  # a memory that stands there is put away
        side = self._theme.px("inspectorMin" if self.is_narrow else "inspector")
        self.run_pane.setFixedWidth(side)
        self.run_pane.show_run(step)
        if self.panes.indexOf(self.run_pane) < 0:
            self.panes.addWidget(self.run_pane)
        self.run_pane.show()
        self.panes.setSizes([max(self.panes.width() - side, 1), side])

    # -- the keyboard -------------------------------------------------------------------------

    @Slot()
    def focus_composer(self) -> None:
        """Bring the keyboard to where one writes, or to what there is in its place."""
        by_key = Qt.FocusReason.ShortcutFocusReason
        if self._stack.currentWidget() is self.nothing:
            cards = self.nothing.cards()
            (cards[0] if cards else self.nothing).setFocus(by_key)
        elif not self._foot.isVisibleTo(self):
            self.focus_card()
        elif self.composer.edit.isReadOnly():
            self.focus_thread()
        else:
            self.composer.edit.setFocus(by_key)

    @Slot()
    def focus_thread(self) -> None:
        """Bring the keyboard to the turns, or to how to begin."""
        by_key = Qt.FocusReason.ShortcutFocusReason
        if self._stack.currentWidget() is self.start:
            self.start.rows[0].setFocus(by_key)
        else:
            self.thread_view.setFocus(by_key)

    @Slot()
    def focus_card(self) -> None:
        """Bring the keyboard to what waits for an answer."""
        if not self.thread_view.focus_card() and self._notice is not None:
            self._notice.focus_first()

    def stops(self) -> list[tuple[QWidget, Callable[[], None]]]:
        """What F6 goes through, each with what brings the keyboard into it.

        What waits for an answer follows where one writes.
        """
        return [
            (self._stack, self.focus_thread),
            (self._foot, self.focus_composer),
            (self.thread_view.live, self.focus_card),
            (self.run_pane, self.run_pane.copy.setFocus),
            (self._notice_box, self.focus_card),
        ]

    # -- Qt -----------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps the composer below the column, and leaves words out where there is no room."""
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the thread where it gets a scroll bar, or room."""
        if event.type() in {QEvent.Type.Resize, QEvent.Type.Show}:
            self._fit()
        return super().eventFilter(watched, event)

    # -- inside -------------------------------------------------------------------------------

    def _connect(self) -> None:
        thread = self.thread_view
        thread.viewport().installEventFilter(self)
        self._stack.installEventFilter(self)
        thread.left.connect(self.focus_composer)
        thread.is_behind.connect(self._on_behind)
        self.new_below.clicked.connect(thread.go_to_foot)
        self.composer.edit.left.connect(self.focus_thread)
        self.header.rename_wanted.connect(self.rename_wanted)
        rename = QShortcut(QKeySequence("F2"), self)
        rename.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        rename.activated.connect(self.rename_wanted)
        self.toast.keyboard_freed.connect(self.focus_composer)

    def _say_nothing_yet(self) -> None:
        card = EmptyAction(
            START,
            tr("Talk to it"),
            tr("Built in, works offline."),
            "chat-text",
            tr("Ctrl T"),
            stores=True,
        )
        self.nothing.show_state(
            tr("Nothing said here yet"),
            tr("Tell the agent what to remember, and ask for it again."),
            (card,),
        )

    def _order_tabs(self) -> None:
        composer = self.composer
        stops: list[QWidget] = [
            *self.header.tab_stops(),
            self.thread_view,
            *self.start.rows,
            self.start.preview,
            self.start.connect_agent,
            self.start.doors.settings,
            *self.start.doors.buttons,
            self.new_below,
            *(self._notice.buttons.values() if self._notice is not None else ()),
            composer.edit,
            composer.attach,
            composer.who,
            composer.cost,
            composer.send,
            composer.queue,
            composer.stop,
            composer.halt,
        ]
        for earlier, later in pairwise(stops):
            QWidget.setTabOrder(earlier, later)

    @Slot(bool)
    def _on_behind(self, is_behind: bool) -> None:  # noqa: FBT001 - a signal's payload
        self.new_below.setVisible(is_behind)
        self._place_new_below()

    def _place_new_below(self) -> None:
        chip = self.new_below
        chip.adjustSize()
        x = (self._stack.width() - chip.width()) // 2
        chip.move(x, self._stack.height() - chip.height() - _ABOVE_FOOT)
        chip.raise_()

    @Slot()
    def _fit(self) -> None:
        narrow = self.is_narrow
        self.header.set_narrow(narrow=narrow)
        self.composer.set_narrow(narrow=narrow)
        self.thread_view.set_narrow(narrow=narrow)
        is_thread = self._stack.currentWidget() is self.thread_view
        room = self.thread_view.viewport().width() if is_thread else self._stack.width()
        left, width = column_in(self._theme, room, COLUMN)
        if self.isRightToLeft():
            left += self._stack.width() - room  # the scroll bar stands before the column
        right = max(self._stack.width() - left - width, 0)
        for row, above, below in ((self._foot_row, 13, 13), (self._notice_row, 0, 12)):
            row.setContentsMargins(left, above, right, below)
        self.toast.set_bottom_margin(self._foot.height() + _ABOVE_FOOT)
        self._place_new_below()
