"""The left pane of the Named entries page: both tiers, and what is always read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QLabel, QMenu, QWidget

from inklings_desktop.domain.entries.named_entry import TOTAL_SOFT_LIMIT, about_tokens
from inklings_desktop.ui.entries.rows import (
    HEADING_HEIGHT,
    ROW_HEIGHT,
    ContextShare,
    EntryHeading,
    EntryListModel,
    EntryListRow,
    EntryRow,
    said,
)
from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.lists.cell_rows import CellDelegate
from inklings_desktop.ui.kit.lists.row_table import RowTable
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.marks.labels import plain_label, rule
from inklings_desktop.ui.kit.marks.meters import ContextMeter, MeterShare
from inklings_desktop.ui.kit.ops.storing import storing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.entries.frame import EntryActions
    from inklings_desktop.ui.kit.look.theme import Theme


_GUTTER = 20
_SMALL = 12


class ContextFoot(QWidget):
    """The meter of all entries together, its figures, and what they mean."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.meter = named(ContextMeter(theme, TOTAL_SOFT_LIMIT, self), "contextMeter")
        self.figures = named(plain_label("", "meta", self), "contextFigures")
        self.meaning = named(QLabel(self), "contextMeaning")
        self.meaning.setWordWrap(True)
        self._name = plain_label(tr("Always in context"), "label", self)
        self._head = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._head.setSpacing(2)
        fill(self._head, (self._name, 1), self.figures)
        column = vbox(self, margins=(_GUTTER, 15, _GUTTER, 14), spacing=9)
        fill(column, self._head, self.meter, self.meaning)
        self._theme = theme
        theme.dress(self._on_theme_changed)
        self.show_shares(())

    def show_shares(self, shares: Sequence[ContextShare]) -> None:
        """Show how much of the context each entry takes."""
        self.meter.show_shares(
            [MeterShare(one.name, one.n_characters, one.role, one.is_second) for one in shares]
        )
        total = self.meter.n_characters()
        self.figures.setText(
            tr("{n} of {limit} chars").format(n=grouped(total), limit=grouped(TOTAL_SOFT_LIMIT))
        )
        tokens = grouped(about_tokens(total))
        self.meaning.setText(
            tr("About {n} tokens at every turn. That is long: memories get what is left.").format(
                n=tokens
            )
            if self.meter.is_over()
            else tr("About {n} tokens at every turn. They never fade.").format(n=tokens)
        )

    def minimumSizeHint(self) -> QSize:
        """As narrow as one likes: the figures then go below their name."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts the figures below their name where both do not fit in a line."""
        super().resizeEvent(event)
        self._place_figures()

    def _place_figures(self) -> None:
        wanted = self._name.sizeHint().width() + self.figures.sizeHint().width() + 8
        fits = wanted <= self.width() - 2 * _GUTTER
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._head.setDirection(across if fits else down)

    @Slot()
    def _on_theme_changed(self) -> None:
        small = self._theme.scaled(_SMALL)
        colour = self._theme.color("inkFaint").name()
        self.meaning.setStyleSheet(f"font-size: {small}px; color: {colour};")
        self._place_figures()


HEADER_HEIGHT = 52


class EntriesList(QWidget):
    """Lists named entries, and says which one is wanted.

    Signals:
        row_chosen: Id of the entry that became current.
        edit_requested: The person wants to type in the entry.
        delete_requested: Id of the companion to delete.
        proposals_requested: The person wants to see what is proposed for an entry.
    """

    row_chosen = Signal(str)
    edit_requested = Signal()
    delete_requested = Signal(str)
    proposals_requested = Signal()

    def __init__(self, theme: Theme, actions: EntryActions, parent: QWidget | None = None) -> None:
        """Show nothing yet.

        Args:
            actions: What the button and the menu do.
        """
        super().__init__(parent)
        self._actions = actions
        self._theme = theme
        on_ground(self, "canvas")
        self.new = IconButton(
            theme, "plus", tr("New named entry (Ctrl+Shift+N)"), size=20, parent=self
        )
        self.new.setObjectName("newEntry")
        storing(self.new)
        self.new.clicked.connect(actions.new.trigger)
        self._model = EntryListModel(self)
        self._delegate = CellDelegate(theme, partial(said, ""), ROW_HEIGHT, HEADING_HEIGHT)
        self.table = named(RowTable(self._delegate, parent=self), "entryList", tr("Named entries"))
        self.table.setProperty("ground", "canvas")
        self.table.setModel(self._model)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._on_context_menu_requested)
        self.table.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.table.activated_by_key.connect(self.edit_requested)
        self.table.doubleClicked.connect(self.edit_requested)
        self.foot = ContextFoot(theme, self)
        self._lay_out()
        theme.changed.connect(self.table.refresh_heights)

    # -- shown ------------------------------------------------------------------------------

    @property
    def rows(self) -> tuple[EntryListRow, ...]:
        """What is on show, top to bottom."""
        return self._model.rows

    def show_rows(self, rows: Sequence[EntryListRow]) -> None:
        """Show other rows; the current one stays current, without a word, if it is there."""
        current = self.current_id()
        with self.table.unmoved():
            self._model.replace_rows(rows)
            if current is not None:
                self.table.go_to(self._model.index_of(current), scroll=False)
        n_entries = sum(isinstance(row, EntryRow) for row in rows)
        self.table.setAccessibleDescription(counted(n_entries, "1 entry", "{n} entries"))

    def show_unsaved(self, entry_id: str) -> None:
        """Mark the entry whose text is not saved; none if empty."""
        self._delegate.say(partial(said, entry_id))
        self.table.viewport().update()

    # -- selection --------------------------------------------------------------------------

    def current_id(self) -> str | None:
        """Id of the current row."""
        row = self._model.row_at(self.table.currentIndex())
        return None if row is None or isinstance(row, EntryHeading) else row.id

    def select(self, row_id: str, *, quietly: bool = False) -> bool:
        """Make a row current; whether it is on show.

        Args:
            row_id: The entry.
            quietly: Do not announce the choice: it is shown already.
        """
        selection = self.table.selectionModel()
        selection.blockSignals(quietly)
        found = self.table.go_to(self._model.index_of(row_id), scroll=False)
        selection.blockSignals(False)
        if found:
            self.table.scrollTo(self.table.currentIndex())
            self.table.viewport().update()
        return found

    def clear_selection(self) -> None:
        """Let no row be current, without a word."""
        with self.table.unmoved():
            self.table.selectionModel().clear()

    @Slot()
    def focus_list(self) -> None:
        """Bring the keyboard to the list."""
        if self.current_id() is None:
            self.table.step(1)
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # -- inside -----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._head = QWidget(self)
        row = hbox(self._head, margins=(_GUTTER, 0, 12, 0))
        fill(row, (plain_label(tr("Named entries"), "title", self._head), 1), self.new)
        stack = vbox(self, margins=0, spacing=0)
        fill(stack, self._head, rule(self), (self.table, 1), rule(self), self.foot)
        self._theme.hold_height(self._head, HEADER_HEIGHT)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = self._model.row_at(current)
        if row is not None and not isinstance(row, EntryHeading):
            self.row_chosen.emit(row.id)

    def only_look(self) -> None:
        """Offer nothing that would change anything."""
        self.new.hide()
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)

    @Slot(QPoint)
    def _on_context_menu_requested(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        storing(menu.addAction(tr("New named entry\u2026"), self._actions.new.trigger))
        row = self._model.row_at(self.table.indexAt(place))
        if isinstance(row, EntryRow) and row.n_proposals:
            menu.addAction(tr("Show what is proposed"), self.proposals_requested.emit)
        if isinstance(row, EntryRow) and not row.is_built_in:
            entry_id = row.id
            delete = partial(self.delete_requested.emit, entry_id)
            storing(menu.addAction(tr("Delete entry\u2026"), delete))
        menu.addSeparator()
        again = self._actions.restore_deleted.trigger
        storing(menu.addAction(tr("Restore deleted\u2026"), again))
        menu.popup(self.table.viewport().mapToGlobal(place))
