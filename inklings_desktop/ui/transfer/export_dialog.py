"""Asks what goes into an export, and where it goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QFileDialog, QLabel, QPushButton, QWidget

from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.dialogs.ask import answered, ask
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.transfer.export_choices import (
    MARKDOWN_SUFFIX,
    ExportChoice,
    ExportQuestion,
)

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background


_UNSAFE = frozenset('/\\:*?"<>|')


async def asked_export_path(
    background: Background, over: QWidget, name: str, suffix: str
) -> Path | None:
    """Where to, or None when the person changed their mind.

    Args:
        background: Looks at the disk.
        over: What the dialogs lie over.
        name: Suggested for the file, without its ending.
        suffix: The file's ending.
    """
    plain = "".join("-" if one in _UNSAFE else one for one in name).strip(". ") or "export"
    dialog = QFileDialog(over, tr("Export"), str(Path.home()))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    kind = tr("Markdown") if suffix == MARKDOWN_SUFFIX else tr("Files of Inklings")
    dialog.setNameFilter(f"{kind} (*{suffix})")
    dialog.selectFile(f"{plain}{suffix}")
    if not await answered(dialog):
        return None
    chosen = dialog.selectedFiles()[0]
    if chosen.endswith(suffix):
        return Path(chosen)  # the file dialog asked about one that is there
    ending = Path(suffix).suffix  # whoever typed ".json" meant no second one
    path = Path(f"{chosen.removesuffix(ending)}{suffix}")
    if await background.read(path.exists) and not await _may_replace(path, over):
        return None
    return path


async def _may_replace(path: Path, over: QWidget) -> bool:
    """Whether a file may be written over that the file dialog did not ask about."""
    return await ask(
        over,
        tr("Replace {name}?").format(name=path.name),
        tr("A file with this name already exists. It would be replaced."),
        yes=tr("Replace"),
        no=tr("Keep it"),
        is_destructive=True,
    )


_WIDTH = 480
_MARGIN = 28


class ExportDialog(QDialog):
    """The kinds of file that something can be exported as; with vectors or without."""

    def __init__(self, theme: Theme, question: ExportQuestion, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("exportDialog")
        self._question = question
        self.setWindowTitle(question.title)
        self.setMinimumWidth(_WIDTH)
        heading = QLabel(question.title, self)
        heading.setProperty("textStyle", "title")
        self._words = self._told("body")
        segments = [Segment(one.key, one.label) for one in question.choices]
        self.what = SegmentedSwitch(theme, segments, tr("What"), parent=self)
        self.what.choice_changed.connect(self._show_choice)
        self.vectors = CheckBox(theme, tr("Vectors too; without them the file is smaller"))
        self.vectors.setChecked(True)
        self._not_in_it = named(self._told("meta"), "exportNotInIt")
        self._caution = self._told("meta")
        self._caution.setText(
            tr(
                "The file is outside Inklings: a scrub can\u2019t reach it. Inklings remembers "
                "where it was written to."
            )
        )
        cancel = QPushButton(tr("Cancel"), self)
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.confirm = named(QPushButton(tr("Choose a file\u2026"), self), "exportConfirm")
        self.confirm.setProperty("kind", "primary")
        self.confirm.setDefault(True)
        self.confirm.clicked.connect(self.accept)
        buttons = hbox(None, STRETCH, cancel, self.confirm)
        words = (heading, self.what, self._words, self.vectors, self._not_in_it, self._caution)
        vbox(self, *words, 8, buttons, margins=(_MARGIN, 24, _MARGIN, 24), spacing=12)
        self._show_choice(self.what.choice())

    @property
    def choice(self) -> ExportChoice:
        """The kind of file that is meant."""
        return self._question.choice(self.what.choice())

    @property
    def words(self) -> str:
        """What is said of the file."""
        return self._words.text()

    @Slot(str)
    def _show_choice(self, _key: str) -> None:
        choice = self.choice
        self._words.setText(choice.words)
        self.vectors.setVisible(not choice.is_markdown)
        self._not_in_it.setText(choice.not_in_it)
        self._not_in_it.setVisible(bool(choice.not_in_it))

    def _told(self, style: str) -> QLabel:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("textStyle", style)
        label.setWordWrap(True)
        label.setMinimumWidth(_WIDTH - 2 * _MARGIN)  # measured at the width it will have
        return label
