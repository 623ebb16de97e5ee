"""What the page asks of the use cases, and what it says where they refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from inklings_desktop.domain.entries.named_entry import (
    EntryDraft,
    EntryRef,
    EntryWithRevisions,
    NamedEntry,
)
from inklings_desktop.domain.errors import (
    ConflictError,
    InklingsError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.messages import Message, message_of

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.usecases.bundle import Inklings

T = TypeVar("T")


def entry_with_draft(
    inklings: Inklings, ref: EntryRef, workspace_id: str
) -> tuple[EntryWithRevisions, EntryDraft | None]:
    """The entry, and what was typed into it and never saved.

    Raises:
        NotFoundError: No such entry.
    """
    found = inklings.entries.show(ref)
    if inklings.caller.is_agent:
        return found, None
    drafts = inklings.drafts.find(workspace_id)
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


async def said(context: Context, answer: Awaitable[T]) -> T | None:
    """The answer of a use case; None where it was refused, which is said to the person."""
    try:
        return await answer
    except InklingsError as error:
        refuse(context, error)
        return None


def refuse(context: Context, error: InklingsError) -> None:
    """Say why something could not be done, in words of this page where it has any."""
    context.say(entry_message(error))


def entry_message(error: InklingsError) -> Message:
    """The sentences for one of our errors, in words of this page where it has any."""
    match error:
        case ConflictError(kind="proposal"):
            return Message(
                tr("This proposal was decided on meanwhile."),
                tr("Nothing was changed here. The list shows what is still open."),
            )
        case ConflictError(kind="named_entry", expected=None):
            return Message(
                tr("There is already a {name} in this tier.").format(name=error.key),
                tr("Choose another name. Nothing was changed."),
            )
        case ConflictError(kind="named_entry"):
            return Message(
                tr("This entry was changed meanwhile."),
                tr("Nothing was saved over it. Look at the new text and try again."),
            )
        case ConflictError(kind="memory"):
            return Message(
                tr("This memory was changed meanwhile."),
                tr("Nothing was saved over it. Look at the new text and decide again."),
            )
        case NotFoundError(kind="memory"):
            return Message(
                tr("The memory is not there any more."),
                tr("It was forgotten or removed after this was proposed. Nothing was changed."),
            )
        case NotFoundError(kind="named_entry"):
            return Message(
                tr("This entry is not there any more."),
                tr("It was deleted meanwhile. Nothing was changed."),
            )
        case InvalidValueError() if (text := _rule(error)) is not None:
            return Message(text, tr("Nothing was changed."))
        case _:
            return message_of(error)


def _rule(error: InvalidValueError) -> str | None:
    return {
        ("body", "too_long"): tr("A named entry holds at most 256 KiB of text. Shorten it."),
        ("body", "nul"): tr("The text holds a NUL character, which cannot be kept. Remove it."),
        ("body", "encoding"): tr("The text holds half a character, which cannot be kept."),
        ("name", "characters"): tr("Only the capitals A to Z, digits and underscore."),
        ("name", "too_short"): tr("A name has at least 2 characters."),
        ("name", "too_long"): tr("A name has at most 40 characters."),
        ("name", "look_alike"): tr("This name could be taken for another entry\u2019s."),
        ("name", "built_in"): tr("VOICE and SOUL can be emptied, not deleted."),
        ("note", "too_long"): tr("A note has at most 1,000 characters."),
        ("note", "control_characters"): tr("The note holds characters that cannot be seen."),
    }.get((error.field, error.rule))
