"""Joins history and conflicts in the inspector with the versions behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.memory.subject.versions_presenter import VersionsPresenter

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.memory.inspector.view import InspectorView
    from inklings_desktop.ui.memory.subject.presenter import InspectorPresenter
    from inklings_desktop.ui.memory.subject.state import (
        ConflictFacts,
        VersionDifference,
        VersionLook,
    )
    from inklings_desktop.usecases.bundle import Inklings


class VersionDesk(QObject):
    """Compares versions of the memory on show, and brings one back.

    Signals:
        restored: A ``VersionChange``, once an earlier version is the newest.
        message_raised: A ``Message`` for the person.
    """

    restored = Signal(object)
    message_raised = Signal(object)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        subject: InspectorPresenter,
        inspector: InspectorView,
        may_leave: Callable[[], Awaitable[bool]],
        parent: QObject,
    ) -> None:
        """Join them.

        Args:
            background: Runs what takes long.
            inklings: The opened data root.
            subject: What the inspector is about.
            inspector: Shows the memory and its history.
            may_leave: Whether unsaved text may go; asks if there is any.
            parent: Owner.
        """
        super().__init__(parent)
        self._background = background
        self._subject = subject
        self._history, self._conflict = inspector.body.history, inspector.body.conflict
        self._comparing = Latest(background)
        self._may_leave = may_leave
        self.versions = VersionsPresenter(background, inklings, self)
        self.versions.difference_found.connect(self._on_difference_found)
        self.versions.restored.connect(self.restored)
        self.versions.message_raised.connect(self.message_raised)
        self._history.look_requested.connect(self._on_look_requested)
        self._history.restore_requested.connect(self._on_restore_requested)
        self._conflict.compare_requested.connect(self._on_compare_requested)

    async def _restore(self, version: int) -> None:
        """Text that is not saved would be overtaken, so it is decided on first."""
        if not await self._may_leave():
            return
        entry = self._subject.current_entry
        if entry is not None:
            await self.versions.restore(entry, version)

    async def _compare(self, conflict: ConflictFacts) -> None:
        diff = await self._background.read(diff_lines, conflict.theirs or "", conflict.mine)
        self._conflict.show_difference(diff)

    @Slot()
    def _on_compare_requested(self) -> None:
        conflict = self._subject.state.conflict
        if conflict is not None:
            self._comparing.run(self._compare(conflict))

    @Slot(object)
    def _on_look_requested(self, look: VersionLook) -> None:
        ref = self._subject.current_ref
        if ref is not None:
            self._background.spawn(self.versions.compare(ref, look))

    @Slot(object)
    def _on_difference_found(self, difference: VersionDifference) -> None:
        self._history.show_difference(difference)

    @Slot(int)
    def _on_restore_requested(self, version: int) -> None:
        self._background.spawn(self._restore(version))
