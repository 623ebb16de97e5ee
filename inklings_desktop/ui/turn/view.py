"""The page *What the agent will see*: which turn, how full it is, what is in it, and why."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QFrame, QSplitter, QStackedWidget, QWidget

from inklings_desktop.ui.kit.controls.buttons import KeyHintButton, PushButton
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.controls.text_fields import SearchField
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.empty_state import EmptyState
from inklings_desktop.ui.kit.marks.labels import elided_label, plain_label, rule
from inklings_desktop.ui.kit.panes.pieces import Notice
from inklings_desktop.ui.kit.panes.scope_picker import ScopePicker, turn_choices
from inklings_desktop.ui.markdown.long_text_edit import LongTextEdit
from inklings_desktop.ui.turn.delegate import GUTTER
from inklings_desktop.ui.turn.pane import BudgetBar, PreviewPane
from inklings_desktop.ui.turn.table import PreviewTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.turn.rows import PreviewContent

READING = "reading"
MARKDOWN = "markdown"

_HEAD_HEIGHT = 60
_TOOLS_HEIGHT = 56
_WIDE_FROM = 1050
_PANE_MOST = 560
_NO_SUBTITLE_BELOW = 700
_ROOM_MOST = 240


class TurnView(QWidget):
    """Everything right of the rail while the next turn is previewed."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("previewPage")
        self._theme = theme
        self._content: PreviewContent | None = None
        on_ground(self, "canvas")
        self._make_head()
        self._make_tools()
        self._make_body()
        self._lay_out()
        self._connect()
        self._order_tabs()
        theme.dress(self._on_theme_changed)

    # -- shown ------------------------------------------------------------------------------

    def show_rooms(self, here: Surroundings, conversation: str | None) -> None:
        """Offer the conversations of a workspace, and show the chosen one."""
        self.rooms.show_choices(turn_choices(here), conversation)

    def show_content(self, content: PreviewContent) -> None:
        """Show a document; what is opened, chosen and scrolled to stays."""
        self._content = content
        budget = content.budget
        self._taken.setText(budget.title)
        self._rest.setText(budget.detail)
        self.budget.show_budget(budget.shares, budget.limit, f"{budget.title}, {budget.detail}")
        self.notice.say("", budget.notice)
        self._notice_box.setVisible(bool(budget.notice))
        self.table.show_content(content)
        if self.markdown.text() != content.markdown:
            bar = self.markdown.verticalScrollBar()
            scrolled = bar.value()
            self.markdown.set_plain_text(content.markdown)
            bar.setValue(scrolled)
        self._choose_view()
        self.message.set_result(tr("sample message"))
        self.table.setAccessibleDescription(f"{budget.title}, {budget.detail}")

    def set_waiting(self, *, waiting: bool) -> None:
        """An answer is on its way; slow ones show it in the field."""
        if waiting:
            self.message.set_waiting()
        else:
            self.message.set_result(tr("sample message"))

    def clear_message(self) -> None:
        """Empty the sample message without asking for anything."""
        with QSignalBlocker(self.message):
            self.message.set_text("")

    def show_view(self, key: str) -> None:
        """Show the reading view or the Markdown as it is sent."""
        self.views.choose(key)

    def set_pane_shown(self, shown: bool) -> None:  # noqa: FBT001 - an action's signal
        """Show the right pane, or leave its room to the list."""
        self.pane.setVisible(shown)

    @property
    def is_markdown(self) -> bool:
        """Whether the Markdown is on show."""
        return self.views.choice() == MARKDOWN

    # -- the keyboard ------------------------------------------------------------------------

    @Slot()
    def focus_list(self) -> None:
        """Bring the keyboard to what is on show, to the first row if none is current."""
        by_key = Qt.FocusReason.ShortcutFocusReason
        if self.is_markdown:
            self.markdown.setFocus(by_key)
            return
        if self.table.current_id() is None:
            self.table.step(1)
        self.table.setFocus(by_key)

    @Slot()
    def focus_message(self) -> None:
        """Bring the keyboard to the sample message."""
        self.message.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.message.edit.selectAll()

    def panes(self) -> list[tuple[QWidget, Callable[[], None]]]:
        """What F6 goes through, each with what brings the keyboard into it."""
        by_key = Qt.FocusReason.ShortcutFocusReason
        return [
            (self._left, self.focus_list),
            (self.pane, partial(self.pane.details.setFocus, by_key)),
        ]

    # -- Qt ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leads on Escape from whatever part of the pane back to the list."""
        focus = QApplication.focusWidget()
        if event.key() == Qt.Key.Key_Escape and focus and self.pane.isAncestorOf(focus):
            self.focus_list()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._subtitle.setVisible(self.width() >= self._theme.scaled(_NO_SUBTITLE_BELOW))
        least = self._theme.px("inspectorMin")
        is_wide = event.size().width() >= _WIDE_FROM
        self.pane.setMinimumWidth(least)
        self.pane.setMaximumWidth(_PANE_MOST if is_wide else least)
        side = self._theme.px("inspector") if is_wide else least
        self._body.setSizes([max(event.size().width() - side, 1), side])

    # -- inside -----------------------------------------------------------------------------

    def _make_head(self) -> None:
        self._head = QWidget(self)
        self.views = SegmentedSwitch(
            self._theme,
            (
                Segment(READING, tr("Reading view")),
                Segment(MARKDOWN, tr("Markdown as sent"), tooltip=tr("The exact text")),
            ),
            tr("How the document is shown"),
            height=30,
            parent=self._head,
        )
        self.copy = PushButton(self._theme, tr("Copy"), icon="copy", parent=self._head)
        self.copy.setObjectName("copyPreview")
        self.copy.setToolTip(tr("Copy the Markdown as it is sent"))
        self._title = plain_label(tr("What the agent will see"), "title", self._head)
        self._subtitle = elided_label(tr("at the start of the next turn"), "meta", self._head)

    def _make_tools(self) -> None:
        self._tools = QWidget(self)
        self.rooms = ScopePicker(self._theme, self._tools, most=_ROOM_MOST)
        self.rooms.setObjectName("previewConversation")
        self.message = SearchField(
            self._theme,
            (),
            clear_name=tr("Clear the message"),
            mode_name="",
            icon="chat-circle",
            parent=self._tools,
        )
        self.message.setObjectName("sampleMessage")
        self.message.set_placeholder(
            tr("What might you ask next?"), tr("Sample message of the next turn")
        )
        self.message.set_result(tr("sample message"))
        self.rebuild = KeyHintButton(
            self._theme,
            tr("Rebuild"),
            "F5",
            self._tools,
            kind="plain",
            glyph="arrows-clockwise",
        )
        self.rebuild.setObjectName("rebuildPreview")

    def _make_body(self) -> None:
        self._left = QWidget(self)
        self._taken = plain_label("", "metaStrong", self._left)
        self._rest = elided_label("", "meta", self._left)
        self.budget = BudgetBar(self._theme, self._left)
        self.notice = Notice(
            self._theme, icon="warning", role="ochre", ground="ochreSoft", parent=self._left
        )
        self.table = PreviewTable(self._theme, self._left)
        self.table.setAccessibleName(tr("What the agent will see"))
        self.markdown = named(LongTextEdit(self._theme, self._left), "previewMarkdown")
        self.markdown.setReadOnly(True)
        self.markdown.setAccessibleName(tr("Markdown as sent"))
        self.markdown.setFrameShape(QFrame.Shape.NoFrame)
        self.markdown.setProperty("ring", "inside")
        self.markdown.document().setDocumentMargin(GUTTER)
        self.empty = named(EmptyState(self._theme, self._left), "emptyPreview")
        self.empty.show_state(
            tr("Nothing would be sent yet"),
            tr(
                "No named entry has any text and nothing is remembered here. What you write and "
                "what the agent learns will appear here as the agent reads it."
            ),
        )
        self._stack = QStackedWidget(self._left)
        for view in (self.table, self.markdown, self.empty):
            self._stack.addWidget(view)
        self.pane = PreviewPane(self._theme, self)

    def _lay_out(self) -> None:
        head = hbox(
            self._head, self._title, (self._subtitle, 1), margins=(GUTTER, 0, GUTTER, 0), spacing=12
        )
        head.addStretch()
        fill(head, self.views, self.copy)
        tools = hbox(self._tools, margins=(GUTTER, 0, GUTTER, 0), spacing=8)
        fill(tools, self.rooms, (self.message, 1), self.rebuild)
        figures = hbox(None, self._taken, (self._rest, 1), spacing=10)
        self._gauge = QWidget(self._left)
        on_ground(self._gauge, "surface")
        gauge = vbox(self._gauge, figures, self.budget, margins=(GUTTER, 14, GUTTER, 10), spacing=8)
        self._notice_box = QWidget(self._gauge)
        vbox(self._notice_box, self.notice, margins=(0, 2, 0, 2))
        gauge.addWidget(self._notice_box)
        self._notice_box.hide()
        vbox(self._left, self._gauge, rule(self._left), (self._stack, 1), margins=0, spacing=0)
        self._body = QSplitter(Qt.Orientation.Horizontal, self)
        self._body.setChildrenCollapsible(False)
        self._body.setHandleWidth(1)
        self._body.addWidget(self._left)
        self._body.addWidget(self.pane)
        self._body.setStretchFactor(0, 1)
        column = vbox(self, margins=0, spacing=0)
        fill(column, self._head, rule(self), self._tools, rule(self), (self._body, 1))

    def _connect(self) -> None:
        self.views.choice_changed.connect(self._on_view_chosen)
        self.copy.clicked.connect(self._on_copy_clicked)
        self.message.leave_requested.connect(self.focus_list)
        for view in (self.table, self.markdown):
            for keys, action in (("M", self._on_other_view), ("/", self.focus_message)):
                shortcut = QShortcut(QKeySequence(keys), view)
                shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
                shortcut.activated.connect(action)

    def _order_tabs(self) -> None:
        stops: list[QWidget] = [
            self.views,
            self.copy,
            self.rooms,
            self.message.edit,
            self.rebuild,
            self.table,
            self.markdown,
            *self.pane.tab_stops(),
        ]
        for earlier, later in pairwise(stops):
            QWidget.setTabOrder(earlier, later)

    def _choose_view(self) -> None:
        if self.is_markdown:
            self._stack.setCurrentWidget(self.markdown)
        elif self._content is not None and self._content.is_empty:
            self._stack.setCurrentWidget(self.empty)
        else:
            self._stack.setCurrentWidget(self.table)

    @Slot()
    def _on_view_chosen(self) -> None:
        focus = QApplication.focusWidget()
        had_focus = focus is not None and self._stack.isAncestorOf(focus)
        self._choose_view()
        if had_focus:
            self.focus_list()

    @Slot()
    def _on_other_view(self) -> None:
        self.show_view(READING if self.is_markdown else MARKDOWN)
        self.focus_list()

    @Slot()
    def _on_copy_clicked(self) -> None:
        if self._content is not None:
            QGuiApplication.clipboard().setText(self._content.markdown)
            announce(self, tr("Copied"))

    @Slot()
    def _on_theme_changed(self) -> None:
        self._head.setFixedHeight(self._theme.scaled(_HEAD_HEIGHT))
        self._tools.setFixedHeight(self._theme.scaled(_TOOLS_HEIGHT))
        self.markdown.setFont(self._theme.font("mono"))
        self.copy.setFixedHeight(self._theme.px("control"))
