"""What accepting a proposal changed, so that it can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.named_entry import EntryRef, NamedEntry
from inklings_desktop.domain.entries.proposals import ABOUT_NAMED
from inklings_desktop.domain.errors import ConflictError
from inklings_desktop.domain.memories.memory_history import NOT_WRITTEN
from inklings_desktop.domain.memory import ForgottenAs, MemoryEntry, MemoryRef
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.memories.values import Reversion

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.entries.proposals import Proposal, ProposalRef
    from inklings_desktop.usecases.bundle import Inklings


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A step of the window's undo: the proposal waits again, and what it changed is as it was.

    Attributes:
        text: What was done, as the menu names it.
        ref: The proposal.
        entry: The named entry that was written, with its version before and after; None for a
            memory. It was new where the version before is 0.
        reversions: How its memories go back.
    """

    text: str
    ref: ProposalRef
    entry: tuple[EntryRef, int, int] | None = None
    reversions: tuple[Reversion, ...] = ()
    icon: str = "check"
    can_repeat: bool = False

    def take_back(self, inklings: Inklings) -> str:
        """Undo it; called on a writer.

        Raises:
            ConflictError: Somebody changed it since; nothing was changed.
            NotFoundError: It is gone; nothing was changed.
        """
        if self.reversions:
            inklings.memories.revert(self.reversions)
        if self.entry is not None:
            ref, before, after = self.entry
            if before:
                inklings.entries.restore_revision(ref, before, expected_version=after)
            else:
                inklings.entries.delete(ref, expected_version=after)
        inklings.proposals.ask_again(self.ref)
        return ""

    def do_again(self, inklings: Inklings) -> str:  # noqa: ARG002 - a port
        """Refuse: the proposal waits in the Inbox again, to be accepted there.

        Raises:
            ConflictError: Always.
        """
        raise ConflictError("proposal", self.ref.id)


def accepted(
    inklings: Inklings,
    target: NamedEntry | MemoryEntry | None,
    accept: Callable[[], Proposal],
    text: str,
) -> tuple[Proposal, Acceptance]:
    """Accept a proposal and remember how to undo that; called on a writer.

    Args:
        target: What it is about, as it was just seen; None where it asks for something new.
        accept: Does it.
        text: What was done, as the menu names it.

    Raises:
        InklingsError: It could not be accepted.
    """
    done = accept()
    if done.kind in ABOUT_NAMED:
        ref = EntryRef(done.tier, done.workspace_id, done.target_id)
        before = target.version if target is not None else 0
        after = inklings.entries.show(ref).entry.version
        return done, Acceptance(text, done.ref, (ref, before, after))
    moved = []
    for id_ in dict.fromkeys((target.id if target is not None else done.target_id, done.target_id)):
        now = inklings.listing.show(MemoryRef(done.scope, id_)).entry
        if target is not None and id_ == target.id:
            was = target.version
        elif now.created_at == done.decided_at:
            was = NOT_WRITTEN
        else:
            continue  # it said so before: that it was confirmed stays
        forgotten_as = ForgottenAs(now.forgotten_reason, now.successor_id)
        moved.append(Reversion(now.ref, now.version, was, forgotten_as))
    return done, Acceptance(text, done.ref, reversions=tuple(moved))
