"""Proposals: what an agent asks the author to accept, because it may not do it itself."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.secrets import secrets_in
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_rules import hides_characters, says_nothing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.access.secrets import SecretKind

FORGOTTEN_AT = "forgotten_at"
"""Under this name a payload says when the author forgot what it would bring back."""
WORLD_NAMES = "world_names"
"""Under this name a payload says which names of an account memory only pages of a world know."""
MAX_PENDING_PER_CLIENT = 50
"""Undecided proposals that one client may have in one file."""
MAX_REASON_CHARACTERS = 500
MAX_NOTE_CHARACTERS = 1_000

SHRINKING_FROM_CHARACTERS = 200
SHRINKING_RATIO = 0.6

_LINE_BREAKS = frozenset("\r\n\t")
_CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})


class ProposalKind(StrEnum):
    """What would change."""

    NAMED_BODY = "named_body"
    NAMED_NEW = "named_new"
    MEMORY_NEW = "memory_new"
    MEMORY_EDIT = "memory_edit"
    MEMORY_FORGET = "memory_forget"
    MEMORY_REPLACE = "memory_replace"
    PAGE_NEW = "page_new"
    PAGE_EDIT = "page_edit"
    PAGE_MOVE = "page_move"
    ACTIVITY = "activity"
    SKILL = "skill"
    """A skill of the workspace, new or the next version of one."""


class ProposalState(StrEnum):
    """How far the author has come with it; an overtaken one waits to be decided again."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    OVERTAKEN = "overtaken"


class HeldReason(StrEnum):
    """Why an agent's write waits for the author."""

    SECRET = "secret"  # noqa: S105 - the name of a reason
    """It looks like a key or a password."""
    AUTHOR_MADE = "author_made"
    LOCKED = "locked"
    FORGOTTEN = "forgotten"
    """The author forgot a memory that said the same."""
    ACCOUNT = "account"
    """Only proposing is granted in the account tier."""
    NAMED_ENTRY = "named_entry"
    """Named entries are the author's own."""
    PAGE = "page"
    """So are the pages of their world."""
    DERIVABLE = "derivable"
    """A page says it already, and the agent insists."""
    ACTIVITY = "activity"
    """What an agent is asked at its time is the author's to say."""
    SKILL = "skill"
    """What agents work by is the author's to read first."""
    HOUSE_RULE = "house_rule"
    """What every agent is told to do is the author's to say."""


ABOUT_NAMED = frozenset({ProposalKind.NAMED_BODY, ProposalKind.NAMED_NEW})
ABOUT_PAGES = frozenset({ProposalKind.PAGE_NEW, ProposalKind.PAGE_EDIT, ProposalKind.PAGE_MOVE})
UNDECIDED = frozenset({ProposalState.PENDING, ProposalState.OVERTAKEN})


@dataclass(frozen=True, slots=True, order=True)
class ProposalRef:
    """Names one proposal with the file that holds it.

    Attributes:
        workspace_id: The workspace whose file it is; None for the account's.
    """

    workspace_id: str | None
    id: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """One proposal; nothing of it is ever retrieved before it is accepted.

    Attributes:
        id: Random UUID.
        kind: What would change.
        workspace_id: The workspace whose file holds it; None for the account's.
        tier: Tier of what would change.
        scope_key: Key inside the tier.
        target_id: The named entry or memory that would change; empty for a new one.
        target_name: Name of the named entry; empty for memories.
        base_version: Version of the target when it was proposed; None for a new one.
        payload: The proposed values: ``body`` of a named entry, the values of a memory, also of
            one that replaces the target, or the ``reason`` of forgetting one.
        reason: Why, in the agent's words; may be empty for memories.
        client: The agent that asks.
        state: How far the author has come.
        note: What the author answered; the agent can read it.
        decided_at: When it was accepted or rejected.
    """

    id: str
    kind: ProposalKind
    workspace_id: str | None
    tier: Tier
    scope_key: str
    target_id: str
    target_name: str
    base_version: int | None
    payload: Mapping[str, object]
    reason: str
    client: str
    state: ProposalState
    note: str
    created_at: datetime
    decided_at: datetime | None = None

    @property
    def ref(self) -> ProposalRef:
        """Its file and id."""
        return ProposalRef(self.workspace_id, self.id)

    @property
    def scope(self) -> ScopeKey:
        """The scope key of what would change."""
        return ScopeKey(self.tier, self.workspace_id, self.scope_key)

    @property
    def is_undecided(self) -> bool:
        """Whether it waits for the author."""
        return self.state in UNDECIDED

    @property
    def text(self) -> str:
        """The proposed body or content; empty when the proposal has none."""
        found = self.payload.get("body", self.payload.get("content"))
        return found if isinstance(found, str) else ""

    @property
    def forgotten_at(self) -> datetime | None:
        """When the author forgot what it says; None where they did not, or nobody asked."""
        noted = self.payload.get(FORGOTTEN_AT)
        try:
            return datetime.fromisoformat(noted) if isinstance(noted, str) else None
        except ValueError:
            return None

    @property
    def world_names(self) -> tuple[str, ...]:
        """Names in an account memory that only the pages of a world know."""
        found = self.payload.get(WORLD_NAMES)
        return tuple(map(str, found)) if isinstance(found, list | tuple) else ()

    @property
    def secrets(self) -> tuple[SecretKind, ...]:
        """What its texts seem to hold that is nobody's business: why it may have been held."""
        texts: list[object] = [self.reason]
        for value in self.payload.values():
            texts += [str(one) for one in value] if isinstance(value, list | tuple) else [value]
        return secrets_in(*(one for one in texts if isinstance(one, str)))


def shrinks_much(current: str, proposed: str) -> bool:
    """Whether a text would lose more than 40 % of at least 200 characters."""
    return len(current) >= SHRINKING_FROM_CHARACTERS and len(proposed) < SHRINKING_RATIO * len(
        current
    )


def checked_proposal_reason(reason: object) -> str:
    """Why something is proposed, without blanks at its ends.

    Raises:
        InvalidValueError: Not text, empty, over 500 characters, or with control or hidden
            characters.
    """
    text = _checked_text(reason, "reason", MAX_REASON_CHARACTERS)
    if says_nothing(text):
        raise InvalidValueError("reason", "empty")
    return text


def checked_note(note: object) -> str:
    """What the author answers, without blanks at its ends; may be empty.

    Raises:
        InvalidValueError: Not text, over 1,000 characters, or with control characters.
    """
    return _checked_text(note, "note", MAX_NOTE_CHARACTERS)


def _checked_text(text: object, field: str, max_characters: int) -> str:
    """A few lines of text."""
    if not isinstance(text, str):
        raise InvalidValueError(field, "type")
    tidy = text.strip()
    if len(tidy) > max_characters:
        raise InvalidValueError(field, "too_long", max_characters)
    acts = any(unicodedata.category(one) in _CONTROLS and one not in _LINE_BREAKS for one in tidy)
    if acts or hides_characters(tidy):
        raise InvalidValueError(field, "control_characters")
    return tidy
