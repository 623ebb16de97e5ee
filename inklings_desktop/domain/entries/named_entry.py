"""Named entries: VOICE, SOUL and the author's companions, Markdown that is always in context.

They are never ranked, never decay, and no agent writes them; what an agent wants changed becomes
a proposal (``proposals.py``).
Source: the product's rules for names, templates and revisions; size and encoding limits from the
fault study.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import ConflictError, InvalidValueError
from inklings_desktop.domain.likeness.look_alikes import looks_like
from inklings_desktop.domain.memory import Curator, ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_rules import says_nothing, stored_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

VOICE = "VOICE"
SOUL = "SOUL"
BUILT_IN_NAMES = (VOICE, SOUL)
BUILT_IN_OF_TIER = {Tier.WORKSPACE: VOICE, Tier.ACCOUNT: SOUL}

MIN_NAME_CHARACTERS = 2
MAX_NAME_CHARACTERS = 40

MAX_BODY_BYTES = 256 * 1024
ENTRY_SOFT_LIMIT = 2_000
"""Characters above which one entry is said to be long; nothing is refused or cut."""
TOTAL_SOFT_LIMIT = 6_000
"""Characters above which all of them together are said to be long."""
CHARACTERS_PER_TOKEN = 4

_NAME = re.compile(r"[A-Z0-9_]+")
_LINE_END = re.compile(r"\r\n|\r|\n")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}(?:[ \t]+(.*?))?[ \t]*$")
_CLOSING_MARKS = re.compile(r"(?:^|[ \t]+)#+$")
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})(.*)$")


class EntryAction(StrEnum):
    """What one revision of a named entry came from."""

    SHIPPED = "shipped"
    CREATED = "created"
    SAVED = "saved"
    RESTORED = "restored"
    ACCEPTED = "accepted"
    DELETED = "deleted"
    UNDELETED = "undeleted"


@dataclass(frozen=True, slots=True, order=True)
class EntryRef:
    """Names one named entry with its tier, so that no caller reaches past it by id alone.

    Attributes:
        tier: Workspace or account.
        workspace_id: The workspace whose file holds it; None for the account.
    """

    tier: Tier
    workspace_id: str | None
    id: str

    def __post_init__(self) -> None:
        """Refuse addresses that cannot exist.

        Raises:
            InvalidValueError: The tier has no named entries, or does not fit the workspace.
        """
        if self.tier not in BUILT_IN_OF_TIER:
            raise InvalidValueError("tier", "named_entries")
        if (self.tier is Tier.ACCOUNT) != (self.workspace_id is None) or self.workspace_id == "":
            raise InvalidValueError("scope", "workspace")

    @property
    def scope(self) -> ScopeKey:
        """The scope key that grants are asked about."""
        return entry_scope(self.tier, self.workspace_id)


@dataclass(frozen=True, slots=True)
class NamedEntry:
    """One named entry as it is stored.

    Attributes:
        id: Random UUID.
        tier: Workspace or account.
        workspace_id: The workspace whose file holds it; None for the account.
        name: Unique in its tier; it never changes.
        body: Markdown, exactly as written, at most 256 KiB in UTF-8; may be empty.
        curator: Author, or import for what was shipped or came from a file; never agent.
        is_built_in: VOICE or SOUL: can be emptied, never deleted.
        version: Number of its newest revision, from 1.
        edited_at: When its body was last saved by a person; None if never.
        deleted_at: When its author deleted it; None while it is there.
        is_template: A built-in whose body is still the shipped template, byte for byte.
        is_unreadable: Whether damage made something of it that is no text, or no word of the
            program's; U+FFFD stands for what is no text.
    """

    id: str
    tier: Tier
    workspace_id: str | None
    name: str
    body: str
    curator: Curator
    is_built_in: bool
    version: int
    created_at: datetime
    edited_at: datetime | None = None
    deleted_at: datetime | None = None
    is_template: bool = False
    is_unreadable: bool = False

    @property
    def ref(self) -> EntryRef:
        """Its tier and id."""
        return EntryRef(self.tier, self.workspace_id, self.id)

    @property
    def scope(self) -> ScopeKey:
        """The scope key that grants are asked about."""
        return entry_scope(self.tier, self.workspace_id)

    @property
    def is_deleted(self) -> bool:
        """Whether its author deleted it."""
        return self.deleted_at is not None

    @property
    def is_standing(self) -> bool:
        """Whether agents read it: it is there, whole, says something, is no unedited template."""
        is_withheld = self.is_deleted or self.is_template or self.is_unreadable
        return not (is_withheld or says_nothing(self.body))

    @property
    def heading(self) -> str:
        """Text of its first Markdown heading, else its first line that is not blank, else ''."""
        return heading_of(self.body)

    @property
    def n_characters(self) -> int:
        """Length of the body in characters."""
        return len(self.body)


@dataclass(frozen=True, slots=True)
class RevisionHead:
    """A revision without its body, for lists.

    Attributes:
        number: From 1, without gaps.
        saved_by: Name of the caller; the program's own for what it shipped.
        door: ``window``, ``cli``, ``clock``, or ``program`` for what it shipped.
        curator: As the entry's from this revision on.
        action: What made it.
        n_characters: Length of the body in characters.
    """

    entry_id: str
    number: int
    saved_at: datetime
    saved_by: str
    door: str
    curator: Curator
    action: EntryAction
    n_characters: int


@dataclass(frozen=True, slots=True)
class EntryRevision:
    """A body as it was saved once; the newest revision is the current body.

    Attributes are those of ``RevisionHead``, and the body.
    """

    entry_id: str
    number: int
    body: str
    saved_at: datetime
    saved_by: str
    door: str
    curator: Curator
    action: EntryAction

    @property
    def head(self) -> RevisionHead:
        """The same without the body."""
        return RevisionHead(
            self.entry_id,
            self.number,
            self.saved_at,
            self.saved_by,
            self.door,
            self.curator,
            self.action,
            len(self.body),
        )


@dataclass(frozen=True, slots=True)
class EntryWithRevisions:
    """A named entry and its revisions, newest first, their bodies left where they are."""

    entry: NamedEntry
    revisions: tuple[RevisionHead, ...]


@dataclass(frozen=True, slots=True)
class EntryDraft:
    """Unsaved typing, kept so that a killed program loses two seconds of it at most.

    Attributes:
        body: The text so far.
        base_version: Version of the entry on which the typing began.
    """

    entry_id: str
    body: str
    base_version: int
    kept_at: datetime


def entry_scope(tier: Tier, workspace_id: str | None) -> ScopeKey:
    """The scope key of the named entries of a tier.

    Raises:
        InvalidValueError: The tier has none, or does not fit the workspace.
    """
    if tier is Tier.WORKSPACE and workspace_id:
        return ScopeKey.workspace(workspace_id)
    if tier is Tier.ACCOUNT and workspace_id is None:
        return ScopeKey.account()
    raise InvalidValueError("tier", "named_entries")


def checked_entry_name(name: object) -> str:
    """The name, if a named entry may have it.

    Raises:
        InvalidValueError: Not text, not 2 to 40 characters, or other characters than capitals,
            digits and underscore.
    """
    if not isinstance(name, str):
        raise InvalidValueError("name", "type")
    if not _NAME.fullmatch(name):
        raise InvalidValueError("name", "characters")
    if len(name) < MIN_NAME_CHARACTERS:
        raise InvalidValueError("name", "too_short", MIN_NAME_CHARACTERS)
    if len(name) > MAX_NAME_CHARACTERS:
        raise InvalidValueError("name", "too_long", MAX_NAME_CHARACTERS)
    return name


def require_distinct(name: str, existing: Iterable[str]) -> None:
    """Return only if nobody could take the name for VOICE, SOUL or one of these.

    Args:
        name: As it was typed, not yet checked.
        existing: Names in use in the same tier; the built-in ones count in every tier.

    Raises:
        ConflictError: It is one of them.
        InvalidValueError: It looks like one of them.
    """
    known = (*BUILT_IN_NAMES, *existing)
    if name in known:
        raise ConflictError("named_entry", name)
    if any(looks_like(name, other) for other in known):
        raise InvalidValueError("name", "look_alike")


def checked_body(body: object) -> str:
    """The body, unchanged, if it can be kept; it may be empty.

    Raises:
        InvalidValueError: Not text, holds NUL or a lone surrogate, or is longer than 256 KiB in
            UTF-8.
    """
    if not isinstance(body, str):
        raise InvalidValueError("body", "type")
    if stored_bytes(body, "body") > MAX_BODY_BYTES:
        raise InvalidValueError("body", "too_long", MAX_BODY_BYTES)
    return body


def about_tokens(n_characters: int) -> int:
    """Roughly how many tokens so many characters are, rounded up."""
    return -(-n_characters // CHARACTERS_PER_TOKEN)


def heading_of(body: str) -> str:
    """Text of the first Markdown heading outside code, else the first line not blank, else ''."""
    first_line = ""
    fence = ""
    for line in _LINE_END.split(body):
        text = line.strip()
        marks = _FENCE.match(line)
        if marks is not None:
            fence = _fence_after(fence, marks.group(1), marks.group(2))
        elif not fence and (found := _HEADING.match(line)) is not None:
            heading = _CLOSING_MARKS.sub("", (found.group(1) or "").strip()).strip()
            if heading:
                return heading
        first_line = first_line or text
    return first_line


def standing_order(entry: NamedEntry) -> tuple[bool, bool, str, str]:
    """Sorts named entries: the workspace's before the account's, the built-in one first."""
    return entry.tier is Tier.ACCOUNT, not entry.is_built_in, entry.name, entry.id


def _fence_after(open_fence: str, marks: str, info: str) -> str:
    """The marks of the code block that is open after this line; empty when none is."""
    if not open_fence:
        return marks
    closes = marks[0] == open_fence[0] and len(marks) >= len(open_fence) and not info.strip()
    return "" if closes else open_fence
