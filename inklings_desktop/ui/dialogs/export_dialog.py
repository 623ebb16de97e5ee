"""Asks what goes into an export, before the file is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from inklings_desktop.ui.widgets.check_box import CheckBox
from inklings_desktop.ui.widgets.segmented import Segment, SegmentedSwitch

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.theme import Theme

WORKSPACE, EVERYTHING, MARKDOWN = "workspace", "everything", "markdown"
_WIDTH = 480
_MARGIN = 28


class ExportDialog(QDialog):
    """One workspace, everything, or one workspace as Markdown; with vectors or without."""

    def __init__(self, theme: Theme, workspace_name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("exportDialog")
        title = self.tr("Export")
        self.setWindowTitle(title)
        self.setMinimumWidth(_WIDTH)
        heading = QLabel(title, self)
        heading.setProperty("textStyle", "title")
        self._words = QLabel(self)
        self._words.setProperty("textStyle", "body")
        self._words.setWordWrap(True)
        self._told = {
            WORKSPACE: self.tr(
                "Everything in {workspace}: memories in any state with their history, named "
                "entries, channels, conversations and working notes."
            ).format(workspace=workspace_name),
            EVERYTHING: self.tr("The account and every workspace, to be restored elsewhere."),
            MARKDOWN: self.tr(
                "Named entries and active memories of {workspace} to read. It cannot be imported."
            ).format(workspace=workspace_name),
        }
        self.what = SegmentedSwitch(
            theme,
            [
                Segment(WORKSPACE, self.tr("This workspace")),
                Segment(EVERYTHING, self.tr("Everything")),
                Segment(MARKDOWN, self.tr("Markdown to read")),
            ],
            self.tr("What"),
            parent=self,
        )
        self.what.choice_changed.connect(self._show_choice)
        self.vectors = CheckBox(theme, self.tr("Vectors too; without them the file is smaller"))
        self.vectors.setChecked(True)
        self._not_in_it = self._meta(
            self.tr(
                "Not in it: the event log, agents and their rights, proposals, golden questions, "
                "saved filters and unsaved text. A backup holds these too."
            )
        )
        self._not_in_it.setObjectName("exportNotInIt")
        self._caution = self._meta(
            self.tr(
                "The file lies outside Inklings: a scrub cannot reach it. Inklings remembers "
                "where it was written to."
            )
        )
        cancel = QPushButton(self.tr("Cancel"), self)
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.confirm = QPushButton(self.tr("Choose a file\u2026"), self)
        self.confirm.setObjectName("exportConfirm")
        self.confirm.setProperty("kind", "primary")
        self.confirm.setDefault(True)
        self.confirm.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.confirm)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 24, _MARGIN, 24)
        layout.setSpacing(12)
        layout.addWidget(heading)
        layout.addWidget(self.what)
        layout.addWidget(self._words)
        layout.addWidget(self.vectors)
        layout.addWidget(self._not_in_it)
        layout.addWidget(self._caution)
        layout.addSpacing(8)
        layout.addLayout(buttons)
        self._show_choice(WORKSPACE)

    def _show_choice(self, choice: str) -> None:
        self._words.setText(self._told[choice])
        self.vectors.setVisible(choice != MARKDOWN)
        self._not_in_it.setVisible(choice != MARKDOWN)

    def _meta(self, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setProperty("textStyle", "meta")
        label.setWordWrap(True)
        label.setMinimumWidth(_WIDTH - 2 * _MARGIN)  # measured at the width it will have
        return label
