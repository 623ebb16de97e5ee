"""Search and replace over the checked memories: every change is seen before one is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
)

from inklings_desktop.ui.kit.controls.toggles import CheckBox, TickedLine
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, restyle, vbox
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.memory.acts.replacing import ReplacePreview, TypedReplacement

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.words.text_diff import TextDiff
    from inklings_desktop.ui.kit.look.theme import Theme

_WIDTH, _HEIGHT, _AIR = 720, 600, 16
_MARGIN = 28
_PAUSE_MS = 180
_LIST_HEIGHT, _DIFF_HEIGHT, _ROW_HEIGHT = 66, 96, 30
_DIFF_SHARE = 0.28
_ID = Qt.ItemDataRole.UserRole


class ReplaceDialog(QDialog):
    """What is looked for, what takes its place, and a line per memory that would change.

    What is typed is looked for as it stands, never as a pattern. Every line can be left out.

    Signals:
        wish_changed: Something else is looked for or put: ask ``typed``.
        looked_at: Id of the memory whose texts are to be compared.
    """

    wish_changed = Signal()
    looked_at = Signal(str)

    def __init__(self, theme: Theme, n_memories: int, parent: QWidget) -> None:
        """Build the dialog.

        Args:
            n_memories: How many are checked.
        """
        super().__init__(parent)
        self.setObjectName("replaceDialog")
        self._row_height = theme.scaled(_ROW_HEIGHT)
        self.setWindowTitle(tr("Search and replace"))
        wanted = QSize(theme.scaled(_WIDTH), theme.scaled(_HEIGHT))
        self.resize(wanted.boundedTo(parent.window().size() - QSize(2 * _AIR, 2 * _AIR)))
        heading = QLabel(
            counted(
                n_memories,
                "Search and replace in 1 memory",
                "Search and replace in {n} memories",
            ),
            self,
        )
        heading.setProperty("textStyle", "title")
        self._sought = self._field("replaceSought", tr("Find"))
        self._put = self._field("replacePut", tr("Replace with"))
        self._put.setPlaceholderText(tr("Leave empty to delete"))
        self._case = CheckBox(theme, tr("Match capitals"), self)
        self._words = CheckBox(theme, tr("Whole words"), self)
        for box in (self._case, self._words):
            box.toggled.connect(self._on_edited)
        self.summary = named(QLabel(self), "replaceSummary")
        self.summary.setProperty("textStyle", "meta")
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        self.list = named(QListWidget(self), "replaceList", tr("Changes"))
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(TickedLine(theme, self.list))
        self.list.setMinimumHeight(theme.scaled(_LIST_HEIGHT))
        self.list.setProperty("popup", "true")
        self.list.currentItemChanged.connect(self._on_current_changed)
        self.list.itemChanged.connect(self._tell)
        self.diff = DiffView(theme, self, compact=True)
        self.diff.setObjectName("replaceDiff")
        self.diff.setAccessibleName(tr("Before and after"))
        self.diff.setMinimumHeight(theme.scaled(_DIFF_HEIGHT))
        self.diff.set_most_height(round(_DIFF_SHARE * self.height()))
        cancel = QPushButton(tr("Cancel"), self)
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.apply = named(QPushButton(tr("Replace"), self), "replaceApply")
        self.apply.setProperty("kind", "primary")
        self.apply.setAutoDefault(False)
        self.apply.clicked.connect(self.accept)
        self._is_stale = False
        self._pause = timer(self, self.wish_changed, _PAUSE_MS)
        self._lay_out(heading, cancel)
        self.show_preview(ReplacePreview())
        self._sought.setFocus()

    @property
    def typed(self) -> TypedReplacement:
        """What stands in the fields."""
        return TypedReplacement(
            self._sought.text(), self._put.text(), self._case.isChecked(), self._words.isChecked()
        )

    def begin_with(self, typed: TypedReplacement) -> None:
        """Show what was typed the last time, ready to be typed over."""
        self._sought.setText(typed.sought)
        self._put.setText(typed.put)
        self._case.setChecked(typed.match_case)
        self._words.setChecked(typed.whole_words)
        self._sought.selectAll()

    @property
    def chosen_ids(self) -> tuple[str, ...]:
        """Ids of the memories that are to change."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return tuple(
            str(item.data(_ID)) for item in items if item.checkState() is Qt.CheckState.Checked
        )

    def show_preview(self, preview: ReplacePreview) -> None:
        """Show what would change; every change is included at first."""
        self._is_stale = self._pause.isActive()
        self.list.blockSignals(True)
        self.list.clear()
        for line in preview.lines:
            item = QListWidgetItem(f"{line.text}   \u00b7 {line.detail}", self.list)
            item.setData(_ID, line.id)
            item.setSizeHint(QSize(0, self._row_height))
            item.setToolTip(plain_tool_tip(line.text))
            flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            if not line.is_refused:
                flags |= Qt.ItemFlag.ItemIsUserCheckable
                item.setCheckState(Qt.CheckState.Checked)
            item.setFlags(flags)
        self.list.blockSignals(False)
        self.summary.setText(preview.problem or preview.summary)
        restyle(self.summary, "textStyle", "error" if preview.problem else "meta")
        self.diff.setVisible(bool(preview.lines))
        if preview.lines:
            self.list.setCurrentRow(0)
        self._tell()

    def show_difference(self, diff: TextDiff) -> None:
        """Show both texts of the memory that is looked at."""
        self.diff.show_diff(diff)

    def _field(self, name: str, label: str) -> QLineEdit:
        field = named(QLineEdit(self), name, label)
        field.textChanged.connect(self._on_edited)
        return field

    def _lay_out(self, heading: QLabel, cancel: QPushButton) -> None:
        fields = QGridLayout()
        fields.setHorizontalSpacing(12)
        fields.setVerticalSpacing(8)
        for row, field in enumerate((self._sought, self._put)):
            label = QLabel(field.accessibleName(), self)
            label.setProperty("textStyle", "meta")
            label.setBuddy(field)
            fields.addWidget(label, row, 0)
            fields.addWidget(field, row, 1)
        options = hbox(None, self._case, self._words, STRETCH, spacing=20)
        fields.addLayout(options, 2, 1)
        buttons = hbox(None, STRETCH, cancel, self.apply, spacing=10)
        layout = vbox(self, margins=(_MARGIN, 24, _MARGIN, 24), spacing=12)
        fill(layout, heading, fields, self.summary, (self.list, 3), (self.diff, 2), buttons)

    @Slot()
    def _on_edited(self) -> None:
        self._is_stale = True  # what is on show answers another wish
        self.apply.setEnabled(False)
        self._pause.start()

    @Slot(QListWidgetItem, QListWidgetItem)
    def _on_current_changed(
        self, current: QListWidgetItem | None, _before: QListWidgetItem | None
    ) -> None:
        if current is not None:
            self.looked_at.emit(str(current.data(_ID)))

    @Slot()
    def _tell(self) -> None:
        count = len(self.chosen_ids)
        self.apply.setEnabled(count > 0 and not self._is_stale)
        number = self.locale().toString(count)
        self.apply.setText(
            tr("Replace") if not count else tr("Replace in {count}").format(count=number)
        )
