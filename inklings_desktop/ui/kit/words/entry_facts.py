"""One named entry's facts as a person reads them: ages, lengths, who saved it, which tier.

Pure functions; the words are translatable, the figures are the same in every language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

from inklings_desktop.domain.access.access import Door
from inklings_desktop.domain.memory import Curator, Tier
from inklings_desktop.ui.kit.words.memory_facts import exact_time, spoken_age

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.entries.named_entry import NamedEntry, RevisionHead
    from inklings_desktop.domain.entries.proposals import Proposal, ProposalKind


def grouped(n: int) -> str:
    """A number with its thousands set apart, as the locale does it."""
    locale = QLocale()
    # The plain C locale would leave the thousands together.
    locale.setNumberOptions(QLocale.NumberOption.DefaultNumberOptions)
    return locale.toString(n)


def counted(n: int, one: str, many: str) -> str:
    """The sentence for a number: ``one``, or ``many`` with ``{n}`` filled in."""
    return one if n == 1 else many.format(n=grouped(n))


def characters_label(n_characters: int) -> str:
    """A length in a word: ``590 chars``."""
    return counted(n_characters, _tr("1 char"), _tr("{n} chars"))


def tier_group(tier: Tier) -> str:
    """What the list calls a tier of named entries."""
    if tier is Tier.ACCOUNT:
        return _tr("Your account, every workspace")
    return _tr("This workspace")


def edited_label(entry: NamedEntry, newest: RevisionHead | None, now: datetime) -> str:
    """When the body was last changed, and by whom: ``edited 20 hours ago by you``."""
    # How this module counts is wanted by every list; what it is about, only by its page.
    from inklings_desktop.domain.entries.named_entry import EntryAction

    if entry.is_template:
        return _tr("shipped with Inklings, not edited yet")
    at = newest.saved_at if newest is not None else entry.edited_at or entry.created_at
    age = spoken_age(now - at)
    if newest is None or entry.edited_at is None:
        return _tr("edited {age} ago").format(age=age)
    if newest.action is EntryAction.ACCEPTED:
        return _tr("edited {age} ago by you, from a proposal").format(age=age)
    if newest.curator is Curator.IMPORT:
        return _tr("imported {age} ago").format(age=age)
    if newest.door == Door.CLI.value:
        return _tr("edited {age} ago by you, on the command line").format(age=age)
    return _tr("edited {age} ago by you").format(age=age)


def revision_title(head: RevisionHead, before: RevisionHead | None) -> str:
    """What made a revision, and how much longer or shorter it is than the one before."""
    from inklings_desktop.domain.entries.named_entry import EntryAction

    made = {
        EntryAction.SHIPPED: _tr("Shipped with Inklings"),
        EntryAction.CREATED: _tr("Created"),
        EntryAction.SAVED: _tr("Saved"),
        EntryAction.RESTORED: _tr("Earlier revision restored"),
        EntryAction.ACCEPTED: _tr("Proposal accepted"),
        EntryAction.DELETED: _tr("Deleted"),
        EntryAction.UNDELETED: _tr("Brought back"),
    }[head.action]
    n_more = head.n_characters - before.n_characters if before is not None else 0
    if n_more > 0:
        longer = counted(n_more, _tr("1 character longer"), _tr("{n} characters longer"))
        return f"{made}, {longer}"
    if n_more < 0:
        shorter = counted(-n_more, _tr("1 character shorter"), _tr("{n} characters shorter"))
        return f"{made}, {shorter}"
    return made


def day_label(at: datetime) -> str:
    """An instant as its day alone: ``11 Feb 2026``."""
    return exact_time(at).rpartition(",")[0]


def proposal_title(proposal: Proposal) -> str:
    """What a proposal is about."""
    from inklings_desktop.domain.entries.proposals import ABOUT_NAMED

    if proposal.kind in ABOUT_NAMED:
        return proposal.target_name
    return {
        Tier.CONVERSATION: _tr("Conversation memory"),
        Tier.CHANNEL: _tr("Channel memory"),
        Tier.WORKSPACE: _tr("Workspace memory"),
        Tier.ACCOUNT: _tr("Account memory"),
    }[proposal.tier]


def proposal_reason(proposal: Proposal) -> str:
    """Why something is proposed, in the agent's words; empty if it did not say."""
    return proposal.reason or str(proposal.payload.get("reason") or "")


def proposal_kind_label(kind: ProposalKind) -> str:
    """What would happen, in two or three words."""
    from inklings_desktop.domain.entries.proposals import ProposalKind

    return {
        ProposalKind.NAMED_BODY: _tr("new text"),
        ProposalKind.NAMED_NEW: _tr("new entry"),
        ProposalKind.MEMORY_NEW: _tr("new memory"),
        ProposalKind.MEMORY_EDIT: _tr("edit"),
        ProposalKind.MEMORY_FORGET: _tr("forget"),
        ProposalKind.MEMORY_REPLACE: _tr("replace"),
    }[kind]


def _tr(text: str) -> str:
    return QCoreApplication.translate("entry_facts", text)
