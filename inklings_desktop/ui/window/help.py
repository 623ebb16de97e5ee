"""The Help menu: texts that come with the program, files beside the data, and what this is."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import TYPE_CHECKING

from PySide6.QtCore import QLibraryInfo, QSize, QUrl, qVersion
from PySide6.QtGui import QDesktopServices

from inklings_desktop import __version__
from inklings_desktop.resource_files import resource
from inklings_desktop.settings import FILE_NAME
from inklings_desktop.ui.kit.dialogs.ask_dialog import MessageDialog
from inklings_desktop.ui.kit.dialogs.process_dialog import PaperDialog
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.markdown.preview import MarkdownPreview
from inklings_desktop.ui.window.notices import open_message, say_message

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme

_SIZE = QSize(760, 760)
_PARTS = ("PySide6-Essentials", "SQLAlchemy", "pysqlite3", "numpy", "onnxruntime", "mcp")


class ReadingDialog(PaperDialog):
    """A text that comes with the program; Escape closes."""

    def __init__(self, theme: Theme, window: QWidget, title: str, under: str, text: str) -> None:
        super().__init__(theme, window, title=title, size=_SIZE)
        self.setObjectName("readingDialog")
        self.show_head(title, under)
        self.text = named(MarkdownPreview(theme, self), "readingText", title)
        self.text.show_markdown(text)
        self.body.addWidget(self.text, 1)
        self.leave_requested.connect(self.let_go)
        self.fit()


def show_guide(theme: Theme, window: QWidget) -> None:
    """Show how the program is used."""
    _read(theme, window, tr("Guide"), tr("Inklings in ten minutes"), "guide.md")


def show_changelog(theme: Theme, window: QWidget) -> None:
    """Show what changed from version to version."""
    under = tr("This is version {version}").format(version=__version__)
    _read(theme, window, tr("What is new"), under, "CHANGELOG.md")


def open_log_folder(data_dir: Path, window: QWidget) -> None:
    """Show where the program notes what it did, in the file manager."""
    _open(data_dir / "logs", window)


def open_settings_file(data_dir: Path, window: QWidget) -> None:
    """Show the file with the settings, or say where it will be."""
    path = data_dir / FILE_NAME
    if path.is_file():
        _open(path, window)
        return
    text = tr("It is created with the first setting you change.")
    details = ((tr("It will be"), str(path)),)
    say_message(Message(tr("There is no settings file yet"), text, details=details), window)


def say_what_this_is(data_dir: Path, parent: QWidget) -> None:
    """Name the licence, and the versions that a report needs."""
    text = tr(
        "The memory of your world-building agent, on this machine alone.\n\n"
        "Inklings is free software under the Apache License 2.0. It uses Qt and PySide6 under the "
        "GNU Lesser General Public License, version 3, unchanged; you may put other versions of "
        "them in their place."
    )
    open_message(MessageDialog(tr("Inklings Desktop"), text, "\n".join(versions(data_dir)), parent))


def versions(data_dir: Path) -> tuple[str, ...]:
    """What runs here, a line each; in English, for whoever mends it."""
    parts = []
    for name in _PARTS:
        try:
            parts.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:  # another build of it, or a frozen program
            continue
    return (
        f"Inklings Desktop {__version__}",
        f"Qt {qVersion()}, {'shared' if QLibraryInfo.isSharedBuild() else 'static'}",
        *parts,
        f"Python {platform.python_version()}",
        platform.platform(),
        f"Data: {data_dir}",
    )


def _read(theme: Theme, window: QWidget, title: str, under: str, name: str) -> None:
    text = resource(name).read_text("utf-8")
    text = text.partition("\n")[2].lstrip()  # the head of the paper says what it is
    ReadingDialog(theme, window, title, under, text).show_over_window()


def _open(path: Path, window: QWidget) -> None:
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
        text = tr("No program answered. The details say where it is.")
        details = ((tr("Place"), str(path)),)
        say_message(Message(tr("It could not be opened"), text, details=details), window)
