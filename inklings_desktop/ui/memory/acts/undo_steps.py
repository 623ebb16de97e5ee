"""What can be taken back and done again: one step is one thing a person did to some memories.

Every save gives a memory a new version, taking back included. ``Versions`` knows which version
holds today what an earlier one held, so that a whole row of steps can be taken back, and done
again, each with the version it expects.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.errors import ConflictError
from inklings_desktop.domain.memory import ForgottenAs, MemoryPatch
from inklings_desktop.ui.kit.words.withdrawal_words import left_by_withdrawal
from inklings_desktop.usecases.memories.edit_each import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from inklings_desktop.domain.memories.memory_marks import MemoryMark
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.usecases.bundle import Inklings

NOT_WRITTEN = 0
"""The version of a memory before it was written."""


class Versions:
    """Which version of a memory holds what an earlier one held."""

    def __init__(self) -> None:
        self._current: dict[tuple[str, int], int] = {}

    def current(self, memory_id: str, version: int) -> int:
        """The version that holds today what this one held."""
        return self._current.get((memory_id, version), version)

    def note(self, memory_id: str, version: int, now: int) -> None:
        """A later version holds again what this one held."""
        self._current[memory_id, version] = now

    def keep(self, memory_id: str, version: int, now: int) -> None:
        """A later version holds all that can be taken back just as this one did."""
        for key, current in self._current.items():
            if key[0] == memory_id and current == version:
                self._current[key] = now
        self._current[memory_id, version] = now

    def __len__(self) -> int:
        """For how many versions another one is known that holds the same."""
        return len(self._current)

    def trim(self, asked: AbstractSet[tuple[str, int]]) -> None:
        """Forget what nobody asks for any more.

        Args:
            asked: Memories with the versions that the steps on the stack name.
        """
        self._current = {key: now for key, now in self._current.items() if key in asked}


@dataclass(frozen=True, slots=True)
class Change:
    """One memory and its versions on both sides of a step."""

    ref: MemoryRef
    before: int
    after: int


class Move(Protocol):
    """Brings memories of one file from one side of a step to the other."""

    def __call__(
        self, inklings: Inklings, refs: Sequence[MemoryRef], expected: Mapping[str, int]
    ) -> Sequence[MemoryEntry]:
        """The memories as they are then.

        Raises:
            ConflictError: One of them is no longer in the version expected; none was moved.
            NotFoundError: One of them is gone or forgotten; none was moved.
        """


@dataclass(frozen=True, slots=True)
class Restoring:
    """Makes forgotten memories active."""

    def __call__(
        self, inklings: Inklings, refs: Sequence[MemoryRef], expected: Mapping[str, int]
    ) -> Sequence[MemoryEntry]:
        """The memories, active."""
        return inklings.restore_memories(inklings.caller, refs, expected=expected)


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Forgets memories, or has them forgotten again as each of them was."""

    reason: str = ""
    as_it_was: Mapping[str, ForgottenAs] = field(default_factory=dict)

    def __call__(
        self, inklings: Inklings, refs: Sequence[MemoryRef], expected: Mapping[str, int]
    ) -> Sequence[MemoryEntry]:
        """The memories, forgotten."""
        return inklings.forget_memories(
            inklings.caller,
            refs,
            reason=self.reason,
            expected=expected,
            as_it_was={ref.id: self.as_it_was[ref.id] for ref in refs if ref.id in self.as_it_was},
        )


@dataclass(frozen=True, slots=True)
class Marking:
    """Sets or lifts a mark."""

    mark: MemoryMark
    on: bool

    def __call__(
        self, inklings: Inklings, refs: Sequence[MemoryRef], expected: Mapping[str, int]
    ) -> Sequence[MemoryEntry]:
        """The memories with or without it."""
        return inklings.mark_memories(
            inklings.caller, refs, self.mark, on=self.on, expected=expected
        )


@dataclass(frozen=True, slots=True)
class Editing:
    """Gives each memory values of its own."""

    patches: Mapping[str, MemoryPatch]

    def __call__(
        self, inklings: Inklings, refs: Sequence[MemoryRef], expected: Mapping[str, int]
    ) -> Sequence[MemoryEntry]:
        """The memories with these values."""
        edits = [Edit(ref, self.patches[ref.id], expected[ref.id]) for ref in refs]
        return inklings.edit_each(inklings.caller, edits)


@dataclass(frozen=True, slots=True)
class InTurn:
    """One move after the other; each expects what the one before it left."""

    moves: tuple[Move, ...]

    def __call__(
        self, inklings: Inklings, refs: Sequence[MemoryRef], expected: Mapping[str, int]
    ) -> Sequence[MemoryEntry]:
        """The memories as the last moves left them."""
        now = dict(expected)
        moved: dict[str, MemoryEntry] = {}
        for move in self.moves:
            for entry in move(inklings, refs, now):
                now[entry.id], moved[entry.id] = entry.version, entry
        return tuple(moved.values())


class Undoable(Protocol):
    """Anything that was done and can be taken back."""

    @property
    def text(self) -> str:
        """What was done, as the menu and the note name it."""

    @property
    def can_repeat(self) -> bool:
        """Whether it can be done again once it was taken back."""

    def take_back(self, inklings: Inklings, versions: Versions) -> str:
        """Undo it, with the versions expected; called on a writer.

        Returns:
            What stayed as it was nevertheless, a sentence; empty if nothing did.
        """

    def do_again(self, inklings: Inklings, versions: Versions) -> None:
        """Do it once more, with the versions expected; called on a writer."""


@dataclass(frozen=True, slots=True)
class ImportStep:
    """A file was imported; doing that again would need the file and its preview."""

    run_id: str
    text: str
    can_repeat: bool = False

    def take_back(self, inklings: Inklings, versions: Versions) -> str:  # noqa: ARG002 - a port
        """Withdraw the import; memories changed since stay, as its use case has it."""
        return left_by_withdrawal(inklings.withdraw_import(inklings.caller, self.run_id))

    def do_again(self, inklings: Inklings, versions: Versions) -> None:  # noqa: ARG002 - a port
        """Refuse: such a step leaves the stack when it is taken back.

        Raises:
            ConflictError: Always.
        """
        raise ConflictError("run", self.run_id)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done.

    Attributes:
        text: What was done, as the menu and the note name it.
        changes: The memories.
        back: Undoes it.
        again: Does it again.
        merges: Steps of the same word that follow at once become one; empty for none.
    """

    text: str
    changes: tuple[Change, ...]
    back: Move
    again: Move
    merges: str = ""
    can_repeat: bool = True

    def take_back(self, inklings: Inklings, versions: Versions) -> str:
        """Undo it, with the versions expected; called on a writer."""
        files = by_file(self.changes)
        wanted = {one.ref.id: versions.current(one.ref.id, one.after) for one in self.changes}
        _require_versions(inklings, files, wanted)
        for changes in files:
            expected = {one.ref.id: wanted[one.ref.id] for one in changes}
            moved = self.back(inklings, [one.ref for one in changes], expected)
            now = {entry.id: entry.version for entry in moved}
            for one in changes:
                if one.ref.id in now:
                    versions.note(one.ref.id, one.before, now[one.ref.id])
        return ""

    def do_again(self, inklings: Inklings, versions: Versions) -> None:
        """Do it once more, with the versions expected; called on a writer."""
        files = by_file(self.changes)
        wanted = {one.ref.id: versions.current(one.ref.id, one.before) for one in self.changes}
        _require_versions(inklings, files, wanted)
        for changes in files:
            expected = {one.ref.id: wanted[one.ref.id] for one in changes}
            moved = self.again(inklings, [one.ref for one in changes], expected)
            now = {entry.id: entry.version for entry in moved}
            for one in changes:
                if one.ref.id in now:
                    versions.note(one.ref.id, one.after, now[one.ref.id])


def forgetting_step(done: Sequence[MemoryEntry], text: str, reason: str = "") -> Step:
    """Memories were forgotten."""
    return Step(text, _saved(done), Restoring(), Forgetting(reason), merges=f"forget {reason}")


def restoring_step(
    done: Sequence[MemoryEntry], text: str, as_it_was: Mapping[str, ForgottenAs]
) -> Step:
    """Forgotten memories were restored.

    Args:
        done: As they are now.
        text: What was done.
        as_it_was: By id, how each was forgotten.
    """
    return Step(text, _saved(done), Forgetting(as_it_was=as_it_was), Restoring())


def marking_step(done: Sequence[MemoryEntry], mark: MemoryMark, text: str, *, on: bool) -> Step:
    """A mark was set or lifted."""
    return Step(text, _saved(done), Marking(mark, not on), Marking(mark, on))


def writing_step(entry: MemoryEntry, text: str) -> Step:
    """A new memory was written."""
    change = Change(entry.ref, NOT_WRITTEN, entry.version)
    return Step(text, (change,), Forgetting(), Restoring())


def reviving_step(before: MemoryEntry, after: MemoryEntry, text: str) -> Step:
    """A forgotten memory was restored and changed."""
    back = difference(before, after)
    change = Change(after.ref, before.version, after.version)
    return Step(
        text,
        (change,),
        InTurn((Editing({after.id: back}), Forgetting(before.forgotten_reason or ""))),
        InTurn((Restoring(), Editing({after.id: _taken_from(back, after)}))),
    )


def editing_step(
    before: Mapping[str, MemoryPatch], done: Sequence[MemoryEntry], text: str, merges: str = ""
) -> Step:
    """Values of memories were changed.

    Args:
        before: By id, the values that were there, those that changed at least.
        done: The memories that changed, as they are.
        text: What was done.
        merges: As in ``Step``.
    """
    after = {entry.id: _taken_from(before[entry.id], entry) for entry in done}
    return Step(text, _saved(done), Editing(dict(before)), Editing(after), merges)


def forgotten_as(entry: MemoryEntry) -> ForgottenAs:
    """How a memory is forgotten, to be told when its restoring is taken back."""
    return ForgottenAs(entry.forgotten_reason, entry.successor_id)


def difference(before: MemoryEntry, after: MemoryEntry) -> MemoryPatch:
    """The earlier values of what changed between two states."""
    return MemoryPatch(
        content=before.content if before.content != after.content else None,
        importance=before.importance if before.importance != after.importance else None,
        lifetime=before.lifetime if before.lifetime is not after.lifetime else None,
        tags=before.tags if before.tags != after.tags else None,
    )


def joined(first: Step, second: Step, text: str) -> Step | None:
    """Two steps that followed at once as one; None if they are not of one kind.

    Args:
        first: Done first.
        second: Done after it.
        text: What both together did.
    """
    if not first.merges or first.merges != second.merges:
        return None
    changes = {one.ref.id: one for one in first.changes}
    for one in second.changes:
        earlier = changes.get(one.ref.id)
        if earlier is not None and earlier.after != one.before:
            return None  # somebody else's save lies between: it must not be taken back with them
        changes[one.ref.id] = Change(one.ref, earlier.before if earlier else one.before, one.after)
    back, again = second.back, second.again
    if isinstance(first.back, Editing) and isinstance(second.back, Editing):
        back = Editing({**second.back.patches, **first.back.patches})
    if isinstance(first.again, Editing) and isinstance(second.again, Editing):
        again = Editing({**first.again.patches, **second.again.patches})
    return Step(text, tuple(changes.values()), back, again, first.merges)


def by_file(changes: Iterable[Change]) -> list[list[Change]]:
    """Changes grouped by the file that holds their memories."""

    def file(one: Change) -> str:
        return one.ref.scope.workspace_id or ""

    return [list(group) for _, group in groupby(sorted(changes, key=file), key=file)]


def _require_versions(
    inklings: Inklings, files: Sequence[Sequence[Change]], wanted: Mapping[str, int]
) -> None:
    """Return only if a step over several files can move in every one of them.

    Each file moves in a transaction of its own: what would fail in the second is found before
    the first one moves.

    Raises:
        ConflictError: A memory is in another version, or not there.
    """
    if len(files) < 2:  # noqa: PLR2004 - one file moves whole or not at all
        return
    refs = [one.ref for changes in files for one in changes]
    there = {one.id: one.version for one in inklings.show_memories(inklings.caller, refs)}
    for ref in refs:
        if there.get(ref.id) != wanted[ref.id]:
            raise ConflictError("memory", ref.id, wanted[ref.id], there.get(ref.id, NOT_WRITTEN))


def _saved(done: Sequence[MemoryEntry]) -> tuple[Change, ...]:
    """Memories that were saved once."""
    return tuple(Change(entry.ref, entry.version - 1, entry.version) for entry in done)


def _taken_from(names: MemoryPatch, entry: MemoryEntry) -> MemoryPatch:
    """The values of a memory that a patch names."""
    return MemoryPatch(
        content=None if names.content is None else entry.content,
        importance=None if names.importance is None else entry.importance,
        lifetime=None if names.lifetime is None else entry.lifetime,
        tags=None if names.tags is None else entry.tags,
    )
