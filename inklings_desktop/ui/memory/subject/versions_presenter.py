"""The versions of the memory on show: how they differ, and the way back to one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from inklings_desktop.domain.errors import ConflictError, InklingsError, NotFoundError
from inklings_desktop.domain.memories.memory_history import version_states
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.kit.words.messages import Message, message_of
from inklings_desktop.ui.memory.subject.state import VersionDifference

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.domain.words.text_diff import TextDiff
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.memory.subject.state import VersionLook
    from inklings_desktop.usecases.bundle import Inklings


class VersionsPresenter(QObject):
    """Compares and restores versions; knows no widgets.

    Signals:
        difference_found: A ``VersionDifference`` of the memory that was asked about.
        restored: A ``VersionChange``: the memory before and after.
        message_raised: A ``Message`` for the person.
    """

    difference_found = Signal(object)
    restored = Signal(object)
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings

    async def compare(self, ref: MemoryRef, look: VersionLook) -> None:
        """Work out what a step changed, or what was changed since."""
        try:
            diff = await self._background.read(_compared, self._inklings, ref, look)
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
        else:
            self.difference_found.emit(VersionDifference(look, diff))

    async def restore(self, entry: MemoryEntry, version: int) -> bool:
        """Make a version the newest; whether anything was changed."""
        try:
            change = await self._background.write(
                self._inklings.restore_version,
                self._inklings.caller,
                entry.ref,
                version,
                expected_version=entry.version,
            )
        except (ConflictError, NotFoundError):
            self.message_raised.emit(_look_again())
            return False
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return False
        if change.is_change:
            self.restored.emit(change)
        return change.is_change


def _look_again() -> Message:
    return Message(
        QCoreApplication.translate("versions", "This memory was changed meanwhile."),
        QCoreApplication.translate(
            "versions",
            "Nothing was restored. Its history shows how it is now; look, then try again.",
        ),
    )


def _compared(inklings: Inklings, ref: MemoryRef, look: VersionLook) -> TextDiff:
    """The difference that was asked for; runs on a reader.

    Raises:
        NotFoundError: The memory or the version is not there.
    """
    shown = inklings.show_memory(inklings.caller, ref)
    states = version_states(shown.entry, shown.history)
    at = next((n for n, state in enumerate(states) if state.number == look.version), None)
    if at is None:
        raise NotFoundError("version", str(look.version))
    if look.since:
        return diff_lines(states[at].content, states[0].content)
    older = states[at + 1] if at + 1 < len(states) else states[at]
    return diff_lines(older.content, states[at].content)
