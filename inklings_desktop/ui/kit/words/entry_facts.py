"""A named entry as a person reads of it: ages, lengths, who saved it, which tier; and refusals.

Pure functions; the words are translatable, the figures are the same in every language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Door
from inklings_desktop.domain.errors import (
    ConflictError,
    InklingsError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.memory import Curator, Tier
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.words.memory_facts import exact_time, memory_title, spoken_age
from inklings_desktop.ui.kit.words.messages import Message, message_of

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.entries.named_entry import NamedEntry, RevisionHead
    from inklings_desktop.domain.entries.proposals import Proposal, ProposalKind


def characters_label(n_characters: int) -> str:
    """A length in a word: ``590 chars``."""
    return counted(n_characters, "1 char", "{n} chars")


def tier_group(tier: Tier) -> str:
    """What the list calls a tier of named entries."""
    if tier is Tier.ACCOUNT:
        return tr("Your account, every workspace")
    return tr("This workspace")


def edited_label(entry: NamedEntry, newest: RevisionHead | None, now: datetime) -> str:
    """When the body was last changed, and by whom: ``edited 20 hours ago by you``."""
    # How this module counts is wanted by every list; what it is about, only by its page.
    from inklings_desktop.domain.entries.named_entry import EntryAction

    if entry.is_template:
        return tr("shipped with Inklings, not edited yet")
    at = newest.saved_at if newest is not None else entry.edited_at or entry.created_at
    age = spoken_age(now - at)
    if newest is None or entry.edited_at is None:
        return tr("edited {age} ago").format(age=age)
    if newest.action is EntryAction.ACCEPTED:
        return tr("edited {age} ago by you, from a proposal").format(age=age)
    if newest.curator is Curator.IMPORT:
        return tr("imported {age} ago").format(age=age)
    if newest.door == Door.CLI.value:
        return tr("edited {age} ago by you, on the command line").format(age=age)
    return tr("edited {age} ago by you").format(age=age)


def revision_title(head: RevisionHead, before: RevisionHead | None) -> str:
    """What made a revision, and how much longer or shorter it is than the one before."""
    from inklings_desktop.domain.entries.named_entry import EntryAction

    made = {
        EntryAction.SHIPPED: tr("Shipped with Inklings"),
        EntryAction.CREATED: tr("Created"),
        EntryAction.SAVED: tr("Saved"),
        EntryAction.RESTORED: tr("Earlier revision restored"),
        EntryAction.ACCEPTED: tr("Proposal accepted"),
        EntryAction.DELETED: tr("Deleted"),
        EntryAction.UNDELETED: tr("Restored"),
    }[head.action]
    n_more = head.n_characters - before.n_characters if before is not None else 0
    if n_more > 0:
        longer = counted(n_more, "1 character longer", "{n} characters longer")
        return f"{made}, {longer}"
    if n_more < 0:
        shorter = counted(-n_more, "1 character shorter", "{n} characters shorter")
        return f"{made}, {shorter}"
    return made


def day_label(at: datetime) -> str:
    """An instant as its day alone: ``11 Feb 2026``."""
    return exact_time(at).rpartition(",")[0]


def proposal_title(proposal: Proposal) -> str:
    """What a proposal is about; only memories have no name."""
    return proposal.target_name or memory_title(proposal.tier)


def proposal_reason(proposal: Proposal) -> str:
    """Why something is proposed, in the agent's words; empty if it did not say."""
    return proposal.reason or str(proposal.payload.get("reason") or "")


def proposal_kind_label(kind: ProposalKind) -> str:
    """What would happen, in two or three words."""
    from inklings_desktop.domain.entries.proposals import ProposalKind

    return {
        ProposalKind.NAMED_BODY: tr("new text"),
        ProposalKind.NAMED_NEW: tr("new entry"),
        ProposalKind.MEMORY_NEW: tr("new memory"),
        ProposalKind.MEMORY_EDIT: tr("edit"),
        ProposalKind.MEMORY_FORGET: tr("forget"),
        ProposalKind.MEMORY_REPLACE: tr("replace"),
        ProposalKind.PAGE_NEW: tr("new page"),
        ProposalKind.PAGE_EDIT: tr("page change"),
        ProposalKind.PAGE_MOVE: tr("page move"),
        ProposalKind.ACTIVITY: tr("new activity"),
        ProposalKind.SKILL: tr("skill"),
    }[kind]


def entry_message(error: InklingsError) -> Message:
    """The sentences for one of our errors, in words of its own where it has any."""
    match error:
        case ConflictError(kind="proposal"):
            return Message(
                tr("This proposal was already decided."),
                tr("Nothing was changed here. The list shows what is still open."),
            )
        case ConflictError(kind="named_entry", expected=None):
            return Message(
                tr("There is already a {name} in this tier.").format(name=error.key),
                tr("Choose another name. Nothing was changed."),
            )
        case ConflictError(kind="named_entry"):
            return Message(
                tr("This entry was changed since."),
                tr("Nothing was saved over it. Look at the new text and try again."),
            )
        case ConflictError(kind="memory"):
            return Message(
                tr("This memory was changed since."),
                tr("Nothing was saved over it. Look at the new text and decide again."),
            )
        case NotFoundError(kind="memory"):
            return Message(
                tr("The memory is gone."),
                tr("It was forgotten or removed after this was proposed. Nothing was changed."),
            )
        case NotFoundError(kind="named_entry"):
            return Message(
                tr("This entry is gone."),
                tr("It was deleted. Nothing was changed."),
            )
        case InvalidValueError() if (text := _rule(error)) is not None:
            return Message(text, tr("Nothing was changed."))
        case _:
            return message_of(error)


def _rule(error: InvalidValueError) -> str | None:
    return {
        ("body", "too_long"): tr("A named entry can have at most 256 KiB of text. Shorten it."),
        ("body", "nul"): tr("The text contains a NUL character. Remove it."),
        ("body", "encoding"): tr("The text contains half a character. Remove it."),
        ("name", "characters"): tr("Only the capitals A to Z, digits and underscore."),
        ("name", "too_short"): tr("A name has at least 2 characters."),
        ("name", "too_long"): tr("A name has at most 40 characters."),
        ("name", "look_alike"): tr("This name could be taken for another entry\u2019s."),
        ("name", "built_in"): tr("VOICE and SOUL can be emptied, not deleted."),
        ("note", "too_long"): tr("A note has at most 1,000 characters."),
        ("note", "control_characters"): tr("The note contains invisible characters."),
    }.get((error.field, error.rule))
