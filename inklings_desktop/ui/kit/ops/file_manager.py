"""Shows files and folders in the file manager of the system."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices

from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_SERVICE, _OBJECT = "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1"


def show_folder(folder: Path, say: Callable[[Message], None]) -> None:
    """Show what is in a folder, or say where it lies if no file manager answers."""
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
        text = tr("No file manager answered. The details say where the folder is.")
        details = ((tr("Folder"), str(folder)),)
        say(Message(tr("The folder could not be shown"), text, details=details))


def show_in_folder(path: Path) -> bool:
    """Whether a file manager was asked to show a file; where it can, with the file selected."""
    if sys.platform == "win32":
        return QProcess.startDetached("explorer", ["/select,", str(path)])[0]
    if sys.platform == "darwin":
        return QProcess.startDetached("open", ["-R", str(path)])[0]
    return _asked_over_bus(path) or QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))


def _asked_over_bus(path: Path) -> bool:
    """Whether a file manager listens on the bus of the session, and was told."""
    from PySide6.QtDBus import QDBusConnection, QDBusMessage

    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False
    listed = bus.interface().activatableServiceNames().value()
    if _SERVICE not in listed and not bus.interface().isServiceRegistered(_SERVICE).value():
        return False
    message = QDBusMessage.createMethodCall(_SERVICE, _OBJECT, _SERVICE, "ShowItems")
    message.setArguments([[path.absolute().as_uri()], ""])
    return bus.send(message)
