"""Keys that controls understand by themselves, noted for the keyboard sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.ui.kit.ops.commands import Where, next_tab_keys

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.ops.commands import Commands


def note_handled_keys(commands: Commands) -> None:
    """Note them; a test presses every one of them in the real window."""
    for where, keys, text in _looking():
        commands.note(where, keys, text)
    for where, keys, text in _changing():
        commands.note(where, keys, text, changes=True)


def _looking() -> tuple[tuple[Where, tuple[str, ...], str], ...]:
    return (
        (Where.WINDOW, ("Esc",), _tr("Close, clear the search, let go, back to the list")),
        (Where.MEMORY, ("/",), _tr("Search, from the list")),
        (Where.LIST, ("J", "K"), _tr("Next and previous row, also with the arrows")),
        (Where.LIST, ("Home", "End"), _tr("First and last row")),
        (Where.LIST, ("PgUp", "PgDown"), _tr("One screen up and down")),
        (Where.LIST, ("Enter",), _tr("Edit in the inspector")),
        (Where.PREVIEW, ("J", "K"), _tr("Next and previous row")),
        (Where.PREVIEW, ("Right", "Left"), _tr("Show all of a section, or fold it")),
        (Where.PREVIEW, ("Enter",), _tr("Open the memory")),
        (Where.PREVIEW, ("Ctrl+C",), _tr("Copy the text of the memory")),
        (Where.PREVIEW, ("M",), _tr("The rows, or the Markdown as sent")),
        (Where.PREVIEW, ("/",), _tr("Sample message")),
        (Where.CONTROL, next_tab_keys(), _tr("Next and previous tab")),
        (Where.CONTROL, ("R",), _tr("Run or cancel the selected task")),
        (Where.CONTROL, ("/", "Ctrl+F"), _tr("Search the event log")),
        (Where.CONTROL, ("Ctrl+C",), _tr("Copy the chosen event of the log")),
        (Where.CONTROL, ("V",), _tr("See the window as the chosen client does, from Access")),
    )


def _changing() -> tuple[tuple[Where, tuple[str, ...], str], ...]:
    return (
        (Where.WINDOW, ("F2",), _tr("Rename the room, from the rail")),
        (Where.LIST, ("Space",), _tr("Check the row, or uncheck it")),
        (Where.LIST, ("Shift+Down", "Shift+Up"), _tr("Check row after row")),
        (Where.LIST, ("Shift+PgDown", "Shift+PgUp"), _tr("Check one screen")),
        (Where.LIST, ("Shift+End", "Shift+Home"), _tr("Check all down to the end, up to the top")),
        (Where.LIST, ("Ctrl+A",), _tr("Check everything in view")),
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("keys", text)
