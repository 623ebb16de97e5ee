"""What the memory in the inspector was made from, and what it became; knows no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from inklings_desktop.domain.errors import InklingsError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.memory import MERGED_SOURCE
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.memory_facts import curator_label, relative_age
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.consolidation.lineage import Ancestor, Lineage

_LONGEST = 280


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One memory that went into the one on show.

    Attributes:
        ref: Its address.
        text: What it says, on one line.
        left_out: What of it the merged memory does not say word for word, as a sentence.
        state: Whether it is forgotten, who vouched for it, and since when.
        depth: Generations between; 0 for a direct source.
        can_return: Whether it can be brought back.
    """

    ref: MemoryRef
    text: str
    left_out: str
    state: str
    depth: int
    can_return: bool


@dataclass(frozen=True, slots=True)
class FamilyState:
    """The family of the memory on show; empty for most.

    Attributes:
        sources: What it was made from, each followed by its own sources.
        is_replacing: Whether it was not made from these, but took their place.
        successor: Address of the memory that took its place.
        successor_text: What that one says.
        is_replaced: Whether this was not merged into it, but gave way to it.
    """

    sources: tuple[SourceLine, ...] = ()
    is_replacing: bool = False
    successor: MemoryRef | None = None
    successor_text: str = ""
    is_replaced: bool = False


class FamilyPresenter(QObject):
    """Follows the memory in the inspector.

    Signals:
        state_changed: The ``FamilyState`` to show.
        returned: The text of a memory that was brought back.
        restored: That ``MemoryEntry`` as it was forgotten, and as it is now.
        message_raised: A ``Message`` for the person.
    """

    state_changed = Signal(object)
    returned = Signal(str)
    restored = Signal(object, object)
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._reading = Latest(background)
        self._entry: MemoryEntry | None = None
        self._relatives: set[str] = set()
        self._touched: set[str] = set()
        self._state = FamilyState()

    @property
    def state(self) -> FamilyState:
        """What is on show."""
        return self._state

    def show(self, entry: MemoryEntry | None) -> None:
        """Follow another memory, or another version of the same one."""
        before, self._entry = self._entry, entry
        if before == entry:
            return
        if before is None or entry is None or before.id != entry.id:
            self._show(FamilyState())
        if entry is not None:
            self._reading.run(self._read(entry))
        else:
            self._reading.cancel()
            self._show(FamilyState())

    def on_changes(self, changes: MemoryChanges) -> None:
        """Look again if a commit may have touched a relative, or brought another one."""
        entry = self._entry
        if entry is None or changes.workspace_id != entry.scope.workspace_id:
            return
        # Of what another process did it is not told which memories came to replace others.
        must_look = changes.reload or not changes.own
        self._touched |= {*changes.updated, *changes.forgotten, *changes.successors}
        if must_look or (not self._reading.is_running and self._is_touched):
            self._reading.run(self._read(entry))

    async def bring_back(self, ref: MemoryRef) -> None:
        """Make one source active again; the merged memory stays."""
        inklings = self._inklings

        def restored() -> list[tuple[MemoryEntry, MemoryEntry]]:
            before = inklings.show_memories(inklings.caller, [ref])
            return list(zip(before, inklings.restore_memories(inklings.caller, [ref])))  # noqa: B905

        try:
            pairs = await self._background.write(restored)
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        for before, after in pairs:
            self.returned.emit(excerpt(after.content))
            self.restored.emit(before, after)
        if self._entry is not None:
            self._reading.run(self._read(self._entry))

    async def settled(self) -> None:
        """Return once no reading is under way."""
        await self._reading.settled()

    async def _read(self, entry: MemoryEntry) -> None:
        inklings = self._inklings
        self._touched.clear()
        try:
            lineage = await self._background.read(
                inklings.show_lineage, inklings.caller, entry.ref, known=entry
            )
        except (NotFoundError, ScopeDeniedError):  # gone, or closed to whoever looks
            lineage = None
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        self._relatives = {entry.id, *(() if lineage is None else lineage.ids)}
        none = FamilyState()
        self._show(none if lineage is None else family_state(entry, lineage, inklings.clock()))
        if self._is_touched:  # while it was being read
            await self._read(entry)

    @property
    def _is_touched(self) -> bool:
        return not self._relatives.isdisjoint(self._touched)

    def _show(self, state: FamilyState) -> None:
        if state != self._state:
            self._state = state
            self.state_changed.emit(state)


def family_state(entry: MemoryEntry, lineage: Lineage, now: datetime) -> FamilyState:
    """A lineage as the inspector shows it."""
    from inklings_desktop.usecases.steps.remembering import REPLACED_REASON

    later = lineage.merged_into
    return FamilyState(
        tuple(_lines(lineage.made_from, now, 0)),
        bool(lineage.made_from) and entry.source != MERGED_SOURCE,
        None if later is None else later.ref,
        "" if later is None else _shortened(later.content),
        entry.forgotten_reason == REPLACED_REASON,
    )


def _lines(ancestors: Iterable[Ancestor], now: datetime, depth: int) -> list[SourceLine]:
    lines = []
    for one in ancestors:
        entry = one.entry
        lines.append(
            SourceLine(
                entry.ref,
                _shortened(entry.content),
                _left_out(one),
                _state(entry, now),
                depth,
                entry.is_forgotten,
            )
        )
        lines += _lines(one.made_from, now, depth + 1)
    return lines


def _state(entry: MemoryEntry, now: datetime) -> str:
    by = curator_label(entry.curator)
    if entry.forgotten_at is None:
        return _tr("{curator}, active again").format(curator=by)
    age = relative_age(now - entry.forgotten_at)
    return _tr("{curator}, forgotten {age} ago").format(curator=by, age=age)


def _left_out(ancestor: Ancestor) -> str:
    said = excerpt(" ".join(ancestor.left_out))
    if not said:
        return ""
    if said == excerpt(ancestor.entry.content):
        return _tr("This wording was left out.")
    return _tr("Left out: {text}").format(text=_shortened(said))


def _shortened(content: str) -> str:
    text = excerpt(content)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}\u2026"


def _tr(text: str) -> str:
    return QCoreApplication.translate("inspector", text)
