"""What the page asks of the use cases, and what it says where they refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from inklings_desktop.domain.entries.named_entry import (
    EntryDraft,
    EntryRef,
    EntryWithRevisions,
    NamedEntry,
)
from inklings_desktop.domain.errors import NotFoundError

if TYPE_CHECKING:
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.usecases.bundle import Inklings

T = TypeVar("T")


def entry_with_draft(
    inklings: Inklings, ref: EntryRef
) -> tuple[EntryWithRevisions, EntryDraft | None]:
    """The entry, and what was typed into it and never saved.

    Raises:
        NotFoundError: No such entry.
    """
    found = inklings.entries.show(ref)
    if inklings.caller.is_agent:
        return found, None
    drafts = inklings.drafts.find(ref.workspace_id)
    return found, next((one for one in drafts if one.entry_id == ref.id), None)


def stored_over(
    ref: EntryRef, body: str, expected_version: int, inklings: Inklings
) -> EntryWithRevisions:
    """The entry after a body was saved over a known version, and its draft with it.

    Raises:
        ConflictError: Somebody saved a newer version first.
        NotFoundError: It is not there any more.
        InvalidValueError: The body cannot be kept.
    """
    inklings.entries.save(ref, body, expected_version=expected_version, settles_draft=True)
    return inklings.entries.show(ref)


def stored_again(entry: NamedEntry, body: str, inklings: Inklings) -> EntryWithRevisions:
    """The entry after it was brought back from being deleted and a body was saved.

    What a scrub took is not brought back: the body becomes that of the new entry of the name.

    Raises:
        NotFoundError: Its workspace is gone.
        ConflictError: Its name was taken meanwhile.
    """
    try:
        back = inklings.entries.undelete(entry.ref)
    except NotFoundError:
        back = _made_anew(entry, inklings)
    inklings.entries.save(back.ref, body, expected_version=back.version, settles_draft=True)
    return inklings.entries.show(back.ref)


def _made_anew(entry: NamedEntry, inklings: Inklings) -> NamedEntry:
    """The template that a scrub left in the place of a built-in entry, or a new companion."""
    tier, workspace_id = entry.tier, entry.workspace_id
    if entry.is_built_in:
        return inklings.entries.find(workspace_id, entry.name, tier)
    return inklings.entries.create(tier, workspace_id, entry.name)


def stored_by_accepting(
    proposal: Proposal, body: str, expected_version: int, inklings: Inklings
) -> EntryWithRevisions:
    """The entry after a proposal about it was accepted with the author's changes.

    Raises:
        ConflictError: It was decided on meanwhile, or the entry changed.
        NotFoundError: The entry is not there any more.
    """
    inklings.proposals.accept(
        proposal.ref, body=body, expected_version=expected_version, settles_draft=True
    )
    ref = EntryRef(proposal.tier, proposal.workspace_id, proposal.target_id)
    return inklings.entries.show(ref)


def restored(
    ref: EntryRef, number: int, expected_version: int, inklings: Inklings
) -> EntryWithRevisions:
    """The entry after an earlier revision became its newest.

    Raises:
        ConflictError: Somebody saved a newer version first.
        NotFoundError: It is not there any more, or has no such revision.
    """
    inklings.entries.restore_revision(ref, number, expected_version=expected_version)
    return inklings.entries.show(ref)
