"""Joins the inspector with the past of a memory: its versions, and what it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.errors import (
    ConflictError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.memories.memory_history import version_states
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.destinations import ToGoldenQuestion
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.memory.join import Join
from inklings_desktop.ui.memory.subject.family import FamilyState, family_state
from inklings_desktop.ui.memory.subject.state import VersionDifference

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef, ScopeKey
    from inklings_desktop.domain.words.text_diff import TextDiff
    from inklings_desktop.ui.memory.join import Parts
    from inklings_desktop.ui.memory.subject.state import ConflictFacts, VersionLook
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.memories.values import VersionChange

    Place = tuple[ScopeKey, str]
    """A memory with its scope; an empty id is the new one of the scope."""


class Versions(Join):
    """Compares versions of the memory on show, and brings one back."""

    def __init__(
        self, parts: Parts, note_restored: Callable[[VersionChange], None], parent: QObject
    ) -> None:
        """Join them.

        Args:
            note_restored: Told once an earlier version is the newest.
        """
        super().__init__(parts, parent)
        self._history, self._conflict = parts.inspector.body.history, parts.inspector.body.conflict
        self._note_restored = note_restored
        self._comparing = Latest(self._background)
        self._history.look_requested.connect(self._on_look_requested)
        self._history.restore_requested.connect(
            lambda version: self._background.spawn(self._restore(version))
        )
        self._conflict.compare_requested.connect(self._on_compare_requested)

    @Slot()
    def _on_compare_requested(self) -> None:
        conflict = self._subject.state.conflict
        if conflict is not None:
            self._comparing.run(self._compare(conflict))

    async def _compare(self, conflict: ConflictFacts) -> None:
        diff = await self._background.read(diff_lines, conflict.theirs or "", conflict.mine)
        self._conflict.show_difference(diff)

    @Slot(object)
    def _on_look_requested(self, look: VersionLook) -> None:
        ref = self._subject.current_ref
        if ref is not None:
            self._background.spawn(self._look(ref, look))

    async def _look(self, ref: MemoryRef, look: VersionLook) -> None:
        """Show what a step changed, or what was changed since."""
        diff = await self._background.read(_compared, self._inklings, ref, look)
        self._history.show_difference(VersionDifference(look, diff))

    async def _restore(self, version: int) -> None:
        """Make a version the newest; unsaved text would be overtaken and is decided on first."""
        if not await self._may_leave() or (entry := self._subject.current_entry) is None:
            return
        try:
            change = await self._background.write(
                self._inklings.memories.restore_version,
                entry.ref,
                version,
                expected_version=entry.version,
            )
        except (ConflictError, NotFoundError):
            self._context.say(_look_again())
            return
        if change.is_change:
            self._note_restored(change)


class Relatives(Join):
    """Follows the memory in the inspector: its sources, its successor, its golden question."""

    def __init__(
        self,
        parts: Parts,
        note_restored: Callable[[MemoryEntry, MemoryEntry], None],
        parent: QObject,
    ) -> None:
        """Join them.

        Args:
            note_restored: Told of a source that was brought back: as it was, and as it is now.
        """
        super().__init__(parts, parent)
        self._note_restored, inspector = note_restored, self._inspector
        self._entry: MemoryEntry | None = None
        self._state = FamilyState()
        self._relatives: set[str] = set()
        self._touched: set[str] = set()
        self._opening, self._reading = Latest(self._background), Latest(self._background)
        self._subject.state_changed.connect(self._on_subject_changed)
        self._list.content_read.connect(self._on_subject_changed)
        inspector.body.family.open_requested.connect(self.show)
        inspector.body.family.return_requested.connect(
            lambda ref: self._background.spawn(self._bring_back(ref))
        )
        inspector.body.forgotten.successor.clicked.connect(self._on_successor_clicked)
        inspector.header.golden.triggered.connect(self._on_golden_wanted)

    @property
    def state(self) -> FamilyState:
        """The family on show."""
        return self._state

    async def settled(self) -> None:
        """Return once no reading is under way."""
        await self._reading.settled()

    @Slot(object)
    def show(self, ref: MemoryRef) -> None:
        """Show a memory in the inspector; the list follows if it is there."""
        self._opening.run(self._open(ref))

    async def _open(self, ref: MemoryRef) -> None:
        if await self._may_leave():
            await self._subject.open_memory(ref)
            if not self._page.list_cursor.select(ref.id):
                self._page.list_cursor.clear()
            self._inspector.focus_editor()

    def on_changes(self, changes: MemoryChanges) -> None:
        """Look again if a commit, of this process or another, may have touched a relative."""
        entry = self._entry
        if entry is None or changes.workspace_id != entry.scope.workspace_id:
            return
        # Of what another process did it is not told which memories came to replace others.
        must_look = changes.reload or not changes.own
        self._touched |= {*changes.updated, *changes.forgotten, *changes.successors}
        if must_look or (not self._reading.is_running and self._is_touched):
            self._reading.run(self._read(entry))

    @property
    def _is_touched(self) -> bool:
        return not self._relatives.isdisjoint(self._touched)

    @Slot()
    def _on_subject_changed(self) -> None:
        entry = self._subject.current_entry
        self._follow(entry)
        only_looks = self._inklings.caller.is_agent
        is_found = self._list.request.is_search
        self._inspector.header.golden.setVisible(
            not only_looks and entry is not None and not entry.is_forgotten and is_found
        )

    def _follow(self, entry: MemoryEntry | None) -> None:
        """Be about another memory, or another version of the same one."""
        before, self._entry = self._entry, entry
        if before == entry:
            return
        if before is None or entry is None or before.id != entry.id:
            self._show_family(FamilyState())
        if entry is not None:
            self._reading.run(self._read(entry))
        else:
            self._reading.cancel()

    async def _read(self, entry: MemoryEntry) -> None:
        inklings = self._inklings
        self._touched.clear()
        self._relatives = {entry.id}
        try:
            lineage = await self._background.read(
                inklings.consolidation.lineage, entry.ref, known=entry
            )
        except (NotFoundError, ScopeDeniedError):  # gone, or closed to whoever looks
            self._show_family(FamilyState())
        else:
            self._relatives.update(lineage.ids)
            self._show_family(family_state(entry, lineage, inklings.clock()))
        if self._is_touched:  # while it was being read
            await self._read(entry)

    def _show_family(self, state: FamilyState) -> None:
        if state != self._state:
            self._state = state
            self._inspector.body.show_family(state)

    @Slot()
    def _on_successor_clicked(self) -> None:
        if self._state.successor is not None:
            self.show(self._state.successor)

    async def _bring_back(self, ref: MemoryRef) -> None:
        """Make one source active again; the merged memory stays."""
        inklings = self._inklings

        def restored() -> list[tuple[MemoryEntry, MemoryEntry]]:
            before = inklings.listing.show_all([ref])
            return list(zip(before, inklings.memories.restore([ref])))  # noqa: B905

        for before, after in await self._background.write(restored):
            text = excerpt(after.content)
            announce(self._page, tr("Restored: {text}").format(text=text))
            self._note_restored(before, after)
        if self._entry is not None:
            self._reading.run(self._read(self._entry))

    @Slot()
    def _on_golden_wanted(self) -> None:
        entry = self._subject.current_entry
        if entry is not None:
            self._context.go(ToGoldenQuestion(self._list.request.sought, entry))


def _look_again() -> Message:
    return Message(
        tr("This memory was changed since."),
        tr(
            "Nothing was restored. Its history shows how it is now; look, then try again.",
        ),
    )


def _compared(inklings: Inklings, ref: MemoryRef, look: VersionLook) -> TextDiff:
    """The difference that was asked for; runs on a reader.

    Raises:
        NotFoundError: The memory or the version is not there.
    """
    shown = inklings.listing.show(ref)
    states = version_states(shown.entry, shown.history)
    at = next((n for n, state in enumerate(states) if state.number == look.version), None)
    if at is None:
        raise NotFoundError("version", str(look.version))
    if look.since:
        return diff_lines(states[at].content, states[0].content)
    older = states[at + 1] if at + 1 < len(states) else states[at]
    return diff_lines(older.content, states[at].content)
