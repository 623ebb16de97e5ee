"""What an import would do, row by row, and the decisions on it, before anything is written."""

from __future__ import annotations

from functools import partial
from operator import is_
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFileDialog,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QWidget,
)

from inklings_desktop.domain.transfer.import_plan import Decision, ImportRow, ImportStatus, RowKind
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.controls.buttons import MenuButton, PushButton
from inklings_desktop.ui.kit.controls.chips import CountChip
from inklings_desktop.ui.kit.dialogs.ask import answered
from inklings_desktop.ui.kit.dialogs.field_dialogs import Choice, ChoiceDialog
from inklings_desktop.ui.kit.dialogs.pieces import MARGIN, Note, StepFoot
from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import grouped, tr, tr_as
from inklings_desktop.ui.kit.marks.labels import IconMark, elided_label, plain_label, rule
from inklings_desktop.ui.kit.panes.memory_card import MarkedText
from inklings_desktop.ui.transfer.import_list import ImportHead, ImportList
from inklings_desktop.ui.transfer.import_state import ImportItem, ImportState, ImportTo
from inklings_desktop.ui.transfer.import_words import (
    STATUS_ROLES,
    foot_sentences,
    how_sentences,
    import_label,
    left_sentences,
    line_of,
    mine_title,
    overfull_sentences,
    status_label,
    theirs_title,
    under_title,
    wishes_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme


SIZE = QSize(1060, 760)
_READING_WIDTH = 440
_STRIP_ABOVE, _STRIP_BELOW, _STRIP_GAP = 10, 8, 4
_STRIP_LINES, _STRIP_LINES_LOW, _LOW_BELOW = 3, 2, 600
_KNOWN = (
    *("*.json", "*.jsonl", "*.lorebook", "*.md", "*.markdown", "*.txt", "*.csv", "*.tsv"),
    *("*.docx", "*.zip", "*.nwd", "*.nwx"),
)
_CHIPS: tuple[ImportStatus | None, ...] = (None, *ImportStatus)


class ImportsDialog(ChoiceDialog):
    """The latest import first."""

    def __init__(self, lines: Sequence[Choice], parent: QWidget) -> None:
        what_follows = tr(
            "What it added is forgotten, what it replaced is restored. Whatever was changed"
            " since stays as it is."
        )
        nothing = tr("There is no import in this workspace to undo.")
        super().__init__(
            parent,
            tr("Undo an import"),
            what_follows if lines else nothing,
            lines,
            name="importsDialog",
            label=tr("Imports"),
            yes=tr("Undo"),
        )


class ReadingDialog(QDialog):
    """Stands while a file is looked at; Cancel and Escape reject it."""

    def __init__(self, file_name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("readingDialog")
        self.setMinimumWidth(_READING_WIDTH)
        title = tr("Reading {name}\u2026").format(name=spelled_out(file_name))
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        heading = QLabel(title, self)
        heading.setProperty("textStyle", "title")
        words = QLabel(tr("Nothing has changed yet. You will see every row first."), self)
        words.setProperty("textStyle", "body")
        for label in (heading, words):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.cancel = named(QPushButton(tr("Cancel"), self), "readingCancel")
        self.cancel.clicked.connect(self.reject)
        buttons = hbox(None, STRETCH, self.cancel)
        vbox(self, heading, words, 8, buttons, margins=(28, 24, 28, 24), spacing=12)


class ImportDialog(ProcessDialog[ImportState]):
    """Shows an ``ImportState``; decides nothing.

    Attributes:
        chips: What shows the rows of one status alone, or all of them under None.
        conflicts_menu: Its actions hold the ``Decision`` for every conflict.
        menu: Its actions hold the ``ImportTo`` of every place that the files can go to.
    """

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(theme, window, title=tr("Import preview"), size=SIZE)
        self.setObjectName("importDialog")
        self.chips: dict[ImportStatus | None, CountChip] = {}
        group = QButtonGroup(self)
        group.setExclusive(True)
        for status in _CHIPS:
            dot = "" if status is None else STATUS_ROLES[status]
            chip = CountChip(theme, status_label(status), dot=dot, parent=self)
            group.addButton(chip)
            self.chips[status] = chip
        self._into = plain_label(tr("Into"), "meta", self)
        self.into = named(MenuButton(theme, self), "importInto")
        self.menu = QMenu(self)
        self._offered: tuple[ImportTo, ...] = ()
        self.into.clicked.connect(partial(_pop_up, self.menu, self.into))
        self.wishes = named(MenuButton(theme, self), "importReading")
        self.wishes.setText(tr("Read it as"))
        self.wishes_menu = QMenu(self)
        self.wishes.clicked.connect(partial(_pop_up, self.wishes_menu, self.wishes))
        self.conflicts = MenuButton(theme, self)
        self.conflicts_menu = QMenu(self)
        self._offer_conflicts()
        self._listed: tuple[object, ...] = ()
        self._wishes_offered: tuple[object, ...] = ()
        self.list = ImportList(theme, line_of, self)
        self.head = ImportHead(theme, self.list, self)
        self.list.setObjectName("importList")
        self.nothing = QLabel(tr("No rows like that in this file."), self)
        self.nothing.setProperty("textStyle", "body")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.how = named(QLabel(self), "importHow")
        self.how.setProperty("textStyle", "meta")
        self.how.setTextFormat(Qt.TextFormat.PlainText)
        self.how.setWordWrap(True)
        self.how.setContentsMargins(0, 10, 0, 0)
        self.problem = Note(theme, self)
        self.problem.hide()
        self.mine = _Side(theme, self)
        self.theirs = _Side(theme, self)
        self._promise = elided_label("", "meta", self)
        self.cancel = named(PushButton(theme, tr("Cancel"), parent=self), "importCancel")
        self.confirm = named(PushButton(theme, "", kind="primary", parent=self), "importConfirm")
        self._fill(IconMark(theme, "floppy-disk", "inkSoft", 16, self))
        self.fit()

    def show_state(self, state: ImportState) -> None:
        is_first = not self.confirm.text()
        self.show_head(tr("Import preview"), under_title(state))
        for status, chip in self.chips.items():
            chip.show_count(grouped(state.file.count(status)))
            chip.setChecked(status is state.shown)
        n_conflicts = state.file.count(ImportStatus.CONFLICT)
        self.conflicts.setVisible(n_conflicts > 1)
        self.conflicts.setEnabled(not state.is_busy)
        self._show_target(state)
        self._offer_wishes(state)
        promise, left_out = foot_sentences(state)
        how = " ".join(filter(None, (how_sentences(state), left_out)))
        self.how.setText(how)
        self.how.setToolTip(plain_tool_tip(left_sentences(state)))
        self.how.setVisible(bool(how))
        self._show_rows(state)
        self._show_texts(state)
        self._promise.setText(promise)
        self._promise.setToolTip(plain_tool_tip(promise))
        self.confirm.setText(import_label(state))
        can_write = bool(state.n_written) and state.overfull is None
        self.confirm.setEnabled(can_write and not state.is_busy)
        self.cancel.setText(tr("Stop") if state.is_writing else tr("Cancel"))
        self._show_problem(state)
        if is_first and state.rows:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _offer_wishes(self, state: ImportState) -> None:
        """Make the menu that says how the files are read."""
        groups = wishes_of(state)
        self.wishes.setVisible(bool(groups))
        self.wishes.setEnabled(not state.is_busy)
        if groups == self._wishes_offered:
            return
        self._wishes_offered = groups
        self.wishes_menu.clear()
        for name, choices in groups:
            menu = self.wishes_menu.addMenu(name)
            for label, wishes, is_chosen in choices:
                action = menu.addAction(label.replace("&", "&&"))
                action.setData(wishes)
                action.setCheckable(True)
                action.setChecked(is_chosen)

    def _offer_conflicts(self) -> None:
        """Make the menu that decides every conflict at once."""
        self.conflicts.setObjectName("importConflicts")
        self.conflicts.setText(tr("All conflicts"))
        self.conflicts.clicked.connect(partial(_pop_up, self.conflicts_menu, self.conflicts))
        for decision, words in (
            (Decision.KEEP, tr("Keep mine")),
            (Decision.TAKE, tr("Take the file\u2019s")),
            (Decision.BOTH, tr("Keep both")),
        ):
            self.conflicts_menu.addAction(words).setData(decision.value)

    def _show_rows(self, state: ImportState) -> None:
        """Show the rows where they changed; moving from one to the next leaves them as they are."""
        listed = (state.file, state.shown, state.chosen)
        if len(self._listed) == len(listed) and all(map(is_, self._listed, listed)):
            return
        self._listed = listed
        rows, chosen = state.rows, state.chosen
        self.list.show_items([ImportItem(row, chosen[row.number]) for row in rows], state.current)
        self.list.setVisible(bool(rows))
        self.nothing.setVisible(not rows)
        can_check = [row for row in rows if row.status is not ImportStatus.REFUSED]
        ticked = [chosen[row.number] is not Decision.KEEP for row in can_check]
        mixed = Qt.CheckState.PartiallyChecked if any(ticked) else Qt.CheckState.Unchecked
        whole = bool(ticked) and all(ticked)
        is_for_new = state.shown is None
        has_box = bool(can_check) and (not is_for_new or state.file.count(ImportStatus.NEW) > 0)
        name = tr("Every new row") if is_for_new else tr("Every row on show")
        self.head.show_state(Qt.CheckState.Checked if whole else mixed, name if has_box else "")

    def _show_target(self, state: ImportState) -> None:
        target = state.target
        self._into.setVisible(target is not None)
        self.into.setVisible(target is not None)
        if target is None:
            return
        if state.targets != self._offered:
            self._offered = state.targets
            self.menu.clear()
            for one in state.targets:
                self.menu.addAction(one.label.replace("&", "&&")).setData(one)
        self.into.setText(target.label)
        self.into.setAccessibleName(tr("Into: {target}").format(target=target.label))

    def _show_texts(self, state: ImportState) -> None:
        row = state.row
        if row is None:
            self.mine.show_side("", "")
            self.theirs.show_side("", "")
            return
        title = mine_title(row, state.now)
        if row.mine is None:
            self.mine.show_side(title, "")
            self.theirs.show_side(theirs_title(row), _told(row))
            return
        number, gone, come = state.marks
        if number != row.number:
            gone = come = ()
        self.mine.show_side(title, row.mine.content, gone, is_old=True)
        self.theirs.show_side(theirs_title(row), row.content, come)

    def _show_problem(self, state: ImportState) -> None:
        title, text = state.problem if any(state.problem) else overfull_sentences(state)
        is_new = bool(title) and self.problem.isHidden()
        self.problem.setVisible(bool(title))
        if title:
            self.problem.say("madder", "warning-circle", title, text)
        if is_new:
            announce(self, f"{title} {text}", urgent=True)

    def _fill(self, disk: IconMark) -> None:
        chips = hbox(None, *self.chips.values(), margins=(MARGIN, 10, MARGIN, 12), spacing=8)
        fill(chips, STRETCH, self.wishes, self.conflicts, self._into, self.into)
        sides = self._sides = QWidget(self)
        on_ground(sides, "canvas")
        margins = (MARGIN, _STRIP_ABOVE, MARGIN, _STRIP_BELOW)
        hbox(sides, (self.mine, 1), (self.theirs, 1), margins=margins, spacing=24)
        foot = StepFoot(self)
        fill(foot.row, disk, (self._promise, 1), self.cancel, self.confirm)
        how = hbox(None, (self.how, 1), margins=(MARGIN, 0, MARGIN, 0))
        rows = (self.head, (self.list, 1), (self.nothing, 1), self.problem)
        fill(self.body, how, chips, rule(self), *rows, rule(self), sides, rule(self), foot)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shows whole lines of the texts that are compared, fewer where room is short."""
        super().resizeEvent(event)
        is_low = self.height() < self._theme.scaled(_LOW_BELOW)
        n_lines = _STRIP_LINES_LOW if is_low else _STRIP_LINES
        self._sides.setFixedHeight(self.mine.height_of(n_lines) + _STRIP_ABOVE + _STRIP_BELOW)


class _Side(QWidget):
    """One of the two texts that are compared, under a line that says whose it is."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = plain_label("", "label", self)
        self.text = MarkedText(theme, self)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.viewport().setAutoFillBackground(False)
        area.setWidget(self.text)
        self.text.setAutoFillBackground(False)
        vbox(self, self._title, (area, 1), margins=0, spacing=_STRIP_GAP)

    def height_of(self, n_lines: int) -> int:
        """Height of the line above and so many whole lines of text, in pixels as drawn."""
        text = n_lines * self.text.fontMetrics().lineSpacing()
        return self._title.sizeHint().height() + _STRIP_GAP + text

    def show_side(
        self,
        title: str,
        text: str,
        spans: tuple[tuple[int, int], ...] = (),
        *,
        is_old: bool = False,
    ) -> None:
        """Show a text; its marked words are those that go, or those that come."""
        self._title.setText(title)
        self.text.show_text(text, spans, "removed" if is_old else "added", n_beside=2)
        self.text.setAccessibleName(f"{title}: {text}")


def _pop_up(menu: QMenu, button: QWidget) -> None:
    """Open a menu below its button, right edge under right edge."""
    corner = button.rect().bottomRight()
    menu.popup(button.mapToGlobal(corner - QPoint(menu.sizeHint().width(), -2)))
    menu.setFocus(Qt.FocusReason.PopupFocusReason)


async def asked_import_paths(window: QWidget, *, folder: bool) -> tuple[Path, ...]:
    """Which files, or which folder of notes; none when the person changed their mind."""
    title = tr("Import a folder of notes") if folder else tr_as("to bring in", "Import")
    dialog = QFileDialog(window, title, str(Path.home()))
    if folder:
        dialog.setFileMode(QFileDialog.FileMode.Directory)
    else:
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        known = tr("All that Inklings reads")
        dialog.setNameFilters([f"{known} ({' '.join(_KNOWN)})", tr("All files") + " (*)"])
    chosen = await answered(dialog, leads_on=True)
    return tuple(map(Path, dialog.selectedFiles())) if chosen else ()


def _told(row: ImportRow) -> str:
    return f"{row.name}\n{row.content}" if row.kind is RowKind.NAMED_ENTRY else row.content
