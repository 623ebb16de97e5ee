"""What can be taken back and done again: one step is one thing a person did to some memories.

A step knows its memories by the versions on both sides of it. Taking it back brings each of them
to the earlier one, doing it again to the later one; the history holds what they said there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.errors import ConflictError
from inklings_desktop.domain.memory import JUST_FORGOTTEN, ForgottenAs
from inklings_desktop.ui.kit.words.withdrawal_words import left_by_withdrawal
from inklings_desktop.usecases.memories.revert_memories import Reversion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.usecases.bundle import Inklings


@dataclass(frozen=True, slots=True)
class Change:
    """One memory and its versions on both sides of a step.

    Attributes:
        ref: The memory.
        before: Its version before the step; ``NOT_WRITTEN`` where the step wrote it.
        after: Its version after it.
        forgotten_as: How it was forgotten on that side on which it was.
    """

    ref: MemoryRef
    before: int
    after: int
    forgotten_as: ForgottenAs = JUST_FORGOTTEN

    @classmethod
    def of(cls, saved: MemoryEntry, was: MemoryEntry | None = None) -> Change:
        """A memory that was saved once just now; ``was`` as it was, if it was forgotten."""
        forgotten = was or saved
        as_it_was = ForgottenAs(forgotten.forgotten_reason, forgotten.successor_id)
        return cls(saved.ref, saved.version - 1, saved.version, as_it_was)


class Undoable(Protocol):
    """Anything that was done and can be taken back."""

    @property
    def text(self) -> str:
        """What was done, as the menu and the note name it."""

    @property
    def icon(self) -> str:
        """What stands beside that in the note."""

    @property
    def can_repeat(self) -> bool:
        """Whether it can be done again once it was taken back."""

    def take_back(self, inklings: Inklings) -> str:
        """Undo it; called on a writer.

        Returns:
            What stayed as it was nevertheless, a sentence; empty if nothing did.

        Raises:
            ConflictError: Somebody changed one of its memories since; none was changed.
            NotFoundError: One of them is gone; none was changed.
        """

    def do_again(self, inklings: Inklings) -> str:
        """Do it once more; the same holds."""


@dataclass(frozen=True, slots=True)
class ImportStep:
    """A file was imported; doing that again would need the file and its preview."""

    run_id: str
    text: str
    icon: str = "download-simple"
    can_repeat: bool = False

    def take_back(self, inklings: Inklings) -> str:
        """Withdraw the import; memories changed since stay, as its use case has it."""
        return left_by_withdrawal(inklings.withdraw_import(inklings.caller, self.run_id))

    def do_again(self, inklings: Inklings) -> str:  # noqa: ARG002 - a port
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
        icon: What stands beside that in the note.
        merges: Steps of the same word that follow at once become one; empty for none.
        counted: What several of them did together to so many memories; None where each of them
            says it for all.
    """

    text: str
    changes: tuple[Change, ...]
    icon: str = "pencil-simple"
    merges: str = ""
    counted: Callable[[int], str] | None = None
    can_repeat: bool = field(default=True, init=False)

    def take_back(self, inklings: Inklings) -> str:
        """Bring its memories to the versions before it; called on a writer."""
        wanted = [
            Reversion(one.ref, one.after, one.before, one.forgotten_as) for one in self.changes
        ]
        inklings.revert_memories(inklings.caller, wanted)
        return ""

    def do_again(self, inklings: Inklings) -> str:
        """Bring them to those after it; called on a writer."""
        wanted = [
            Reversion(one.ref, one.before, one.after, one.forgotten_as) for one in self.changes
        ]
        inklings.revert_memories(inklings.caller, wanted)
        return ""

    def joined(self, second: Undoable) -> Step | None:
        """This and a step that followed at once as one; None if they are not of one kind."""
        if not isinstance(second, Step) or not self.merges or self.merges != second.merges:
            return None
        changes = {one.ref.id: one for one in self.changes}
        for one in second.changes:
            earlier = changes.get(one.ref.id)
            if earlier is not None and earlier.after != one.before:
                return None  # somebody else's save lies between: it must not be taken back as well
            before = one.before if earlier is None else earlier.before
            changes[one.ref.id] = Change(one.ref, before, one.after, one.forgotten_as)
        text = second.text if self.counted is None else self.counted(len(changes))
        return replace(second, text=text, changes=tuple(changes.values()))


def changes_of(saved: Iterable[MemoryEntry]) -> tuple[Change, ...]:
    """Memories that were saved once just now."""
    return tuple(map(Change.of, saved))
