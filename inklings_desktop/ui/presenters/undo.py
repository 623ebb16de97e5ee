"""Forget with a way back: what was forgotten last can be restored in one step."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale, QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.messages import message_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.ui.background import Background
    from inklings_desktop.usecases.bundle import Inklings


@dataclass(frozen=True, slots=True)
class Undoable:
    """What can be taken back, and the sentence that says so."""

    entries: tuple[MemoryEntry, ...]
    text: str


class UndoPresenter(QObject):
    """Remembers the last forgetting while its toast is on show.

    Signals:
        forgotten: An ``Undoable``; a further forgetting merges into it.
        settled: It was taken back, or can no longer be.
        message_raised: A ``Message`` when it failed.
    """

    forgotten = Signal(object)
    settled = Signal()
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._entries: tuple[MemoryEntry, ...] = ()

    async def forget(self, entries: Sequence[MemoryEntry]) -> None:
        """Forget memories and offer to take it back."""
        done: list[MemoryEntry] = []
        try:
            for refs in _by_file(entries):
                done += await self._background.write(
                    self._inklings.forget_memories, self._inklings.caller, refs
                )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
        if done:
            self._entries = (*self._entries, *done)
            self.forgotten.emit(Undoable(self._entries, _sentence(len(self._entries))))

    async def undo(self) -> None:
        """Restore what was forgotten last."""
        entries, self._entries = self._entries, ()
        await self.restore(entries)

    async def restore(self, entries: Sequence[MemoryEntry]) -> None:
        """Restore memories, forgotten just now or long ago."""
        try:
            for refs in _by_file(entries):
                await self._background.write(
                    self._inklings.restore_memories, self._inklings.caller, refs
                )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
        self.settled.emit()

    @Slot()
    def drop(self) -> None:
        """The offer has ended."""
        self._entries = ()


def _by_file(entries: Sequence[MemoryEntry]) -> list[list[MemoryRef]]:
    """References grouped by the file that holds them."""

    def file(entry: MemoryEntry) -> str:
        return entry.scope.workspace_id or ""

    return [
        [entry.ref for entry in group] for _, group in groupby(sorted(entries, key=file), key=file)
    ]


def _sentence(count: int) -> str:
    if count == 1:
        return _tr("Forgot 1 memory")
    return _tr("Forgot {count} memories").format(count=QLocale().toString(count))


def _tr(text: str) -> str:
    return QCoreApplication.translate("undo", text)
