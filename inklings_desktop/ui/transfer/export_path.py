"""Asks where an export goes, and whether a file there may go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog

from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.dialogs.asking import answered
from inklings_desktop.ui.transfer.export_choices import MARKDOWN_SUFFIX

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

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
    dialog = QFileDialog(over, _tr("Export"), str(Path.home()))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    kind = _tr("Markdown") if suffix == MARKDOWN_SUFFIX else _tr("Files of Inklings")
    dialog.setNameFilter(f"{kind} (*{suffix})")
    dialog.selectFile(f"{plain}{suffix}")
    if not await answered(dialog):
        return None
    chosen = dialog.selectedFiles()[0]
    if chosen.endswith(suffix):
        return Path(chosen)  # the file dialog asked about one that is there
    path = Path(f"{chosen}{suffix}")
    if await background.read(path.exists) and not await _may_replace(path, over):
        return None
    return path


async def _may_replace(path: Path, over: QWidget) -> bool:
    """Whether a file may be written over that the file dialog did not ask about."""
    return await ask(
        over,
        _tr("Replace {name}?").format(name=path.name),
        _tr("A file of this name is there already. What it holds would be gone."),
        yes=_tr("Replace"),
        no=_tr("Keep it"),
        is_destructive=True,
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("export_path", text)
