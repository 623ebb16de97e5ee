"""What a scrub would remove, what it removed, and how that is proved.

A scrub clears one tier under one scope key for good, or some chosen memories of one file. It is
always shown first: the manifest counts what goes and what stays, and its token and typed phrase
are what execution asks for.
Source: design of the memory store, "Scrub" and "Proof of forgetting".
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from typing import Self

COPIES = "copies"
"""What is pending where only files that are not ours hold the removed text."""
TOKEN_SECONDS = 300
SAMPLE_SIZE, CHOSEN_SAMPLE = 20, 200


@dataclass(frozen=True, slots=True)
class ChosenScope(ScopeKey):
    """Some memories of one file, of whatever tier; it is addressed by the file's own scope.

    Attributes:
        ids: Of the memories, in order.
    """

    ids: tuple[str, ...] = ()

    @classmethod
    def of(cls, workspace_id: str | None, ids: Iterable[str]) -> Self:
        """These memories of a workspace's file; of the account's without one."""
        own = ScopeKey.workspace(workspace_id) if workspace_id else ScopeKey.account()
        return cls(own.tier, own.workspace_id, own.key, tuple(sorted(set(ids))))


class ScrubMode(StrEnum):
    """What a scrub spares; named entries are never among chosen memories."""

    KEEP_NAMED = "keep_named"
    FULL = "full"
    RUN_STATE = "run_state"
    """Of one conversation how far an agent had come goes; what was said and remembered stays."""


class ScrubKind(StrEnum):
    """The kinds of things a scrub removes and counts."""

    MEMORY = "memory"
    FACT = "fact"
    HOUSE_RULE = "policy"
    DOMAIN = "domain"
    WORKING_MEMORY = "working_memory"
    SKILL = "skill"
    ACTIVITY = "activity"
    NAMED_ENTRY = "named_entry"
    WORKING_NOTE = "working_note"
    MESSAGE = "message"
    """Something said that holds some of the rest; it stays with its number, emptied."""
    CHECKPOINT = "checkpoint"
    CHECKPOINT_WRITE = "checkpoint_write"
    TRACE = "trace"
    COMPACTION = "compaction"


MEMORY_KINDS = frozenset({ScrubKind.MEMORY, ScrubKind.FACT, ScrubKind.HOUSE_RULE})
"""What is a memory, whatever it says."""
RUN_KINDS = (
    ScrubKind.CHECKPOINT, ScrubKind.CHECKPOINT_WRITE, ScrubKind.TRACE, ScrubKind.COMPACTION,
)  # fmt: skip
"""What the state of an agent's runs is made of; only a purge of it alone counts them."""


class BackupFate(StrEnum):
    """What a scrub does with a managed backup that holds what it removes."""

    REWRITTEN = "rewritten"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class ScrubSample:
    """One of the things that would go, as a person recognises it.

    Attributes:
        id: Its id; the key of a working note.
        kind: What it is.
        begins: The beginning of its text, one line, at most 120 characters.
        curator: ``author``, ``agent`` or ``import``.
        relevance: Today's relevance; None for what is never ranked.
        is_forgotten: Whether it was forgotten before.
    """

    id: str
    kind: ScrubKind
    begins: str
    curator: str
    relevance: float | None
    is_forgotten: bool = False


@dataclass(frozen=True, slots=True)
class BackupHolding:
    """A managed backup that holds some of what would go.

    Attributes:
        name: Its file name below ``backups/<scope>``.
        created_at: When it was made.
        fate: What execution does with it.
    """

    name: str
    created_at: datetime
    fate: BackupFate


@dataclass(frozen=True, slots=True)
class Untouched:
    """What lies beside the scope and stays as it is.

    Attributes:
        memories: Active memories by tier, outside the scope, in this workspace and the account.
        named_entries: Names of named entries outside the scope's tier.
        workspaces: Names of the other workspaces.
    """

    memories: tuple[tuple[str, int], ...]
    named_entries: tuple[str, ...]
    workspaces: tuple[str, ...]


Breakdown = tuple[tuple[str, int], ...]
"""Values with how many entries carry each; most frequent first, ties by value."""


def phrase_of(scope: ScopeKey, mode: ScrubMode, n_removed: int) -> str:
    """The phrase that confirms the removal of so many entries, ``scrub workspace 43``."""
    of = "chosen" if isinstance(scope, ChosenScope) else scope.tier.value
    what = "purge run state" if mode is ScrubMode.RUN_STATE else f"scrub {of}"
    return f"{what} {n_removed}"


@dataclass(frozen=True, slots=True)
class ScrubManifest:
    """What one scrub would remove; making it changes nothing.

    Attributes:
        scope: The tier and scope key.
        mode: What is spared.
        counted_at: When it was counted.
        digest: SHA-256 over kind, id and version of what goes and what stays, hexadecimal.
        by_kind: Memories in any state, named entries, working notes, messages; what the state of
            runs is made of, where that goes alone.
        by_tier: Memories and notes by tier.
        by_source: Memories by source.
        by_curator: Memories by curator.
        by_lifetime: Memories by lifetime.
        n_forgotten: Memories among them that were forgotten before.
        n_proposals: Proposals about what goes; they go too and do not count in the phrase.
        n_questions: Golden questions asked of what goes; likewise.
        n_filters: Saved filters of this place, and of all places of a room's tier; likewise.
        kept: Names of the named entries that stay in this tier.
        untouched: What lies beside the scope.
        backups: Managed backups that hold some of it.
        sample: At most ``SAMPLE_SIZE`` of what would go; ``CHOSEN_SAMPLE`` of chosen memories.
        token: Asked for by the execution; bound to digest, scope, mode and caller.
        expires_at: When the token is refused, however unchanged the memory is.
        by_workspace: Messages by the name of the workspace that they were said in, for what was
            said of the account; they are emptied there.
        n_versions: Kept versions of pages; they go too and do not count in the phrase.
    """

    scope: ScopeKey
    mode: ScrubMode
    counted_at: datetime
    digest: str
    by_kind: Breakdown
    by_tier: Breakdown
    by_source: Breakdown
    by_curator: Breakdown
    by_lifetime: Breakdown
    n_forgotten: int
    n_proposals: int
    n_questions: int
    n_filters: int
    kept: tuple[str, ...]
    untouched: Untouched
    backups: tuple[BackupHolding, ...]
    sample: tuple[ScrubSample, ...]
    token: str
    expires_at: datetime
    by_workspace: Breakdown = ()
    n_versions: int = 0

    @property
    def n_removed(self) -> int:
        """How many entries would go: the figure in the phrase."""
        return sum(count for _, count in self.by_kind)

    @property
    def phrase(self) -> str:
        """What the person types to confirm, for example ``scrub workspace 43``."""
        return phrase_of(self.scope, self.mode, self.n_removed)

    @property
    def short_id(self) -> str:
        """Beginning of the digest, for example ``7f3a-c21e``: how a manifest is named."""
        return f"{self.digest[:4]}-{self.digest[4:8]}"


@dataclass(frozen=True, slots=True)
class ScrubReceipt:
    """What the search after a scrub looked through, and what it found.

    Attributes:
        n_files: Files of ours that were read whole.
        n_bytes: Bytes in them.
        n_needles: Pieces of removed text that were looked for.
        hits: Places where one was found; 0 in a finished scrub.
        remaining: Where and why text remains, in the program's own words; empty when none does.
            These are files that are not ours, which a scrub leaves alone.
        rewritten: Managed backups that were rewritten without it.
        deleted: Managed backups that were deleted because of it.
        hmac: Keyed hash over all of this, hexadecimal; shows tampering, signs nothing.
    """

    n_files: int
    n_bytes: int
    n_needles: int
    hits: int
    remaining: tuple[str, ...]
    rewritten: tuple[str, ...]
    deleted: tuple[str, ...]
    hmac: str


def _is_clear(receipt: ScrubReceipt | None) -> bool:
    return receipt is not None and not receipt.hits and not receipt.remaining


@dataclass(frozen=True, slots=True)
class ScrubOutcome:
    """What an executed scrub did.

    Attributes:
        manifest: What was confirmed, and removed.
        event_number: Number of the ``scrub.executed`` event.
        executed_at: When the removal was committed.
        seconds: How long the whole took.
        verified_number: Number of the ``scrub.verified`` event; None while text may remain.
        receipt: The proof; None while text may remain.
        pending: Why text may remain in our files for the moment: a stable word such as
            ``snapshot`` (another program reads an older state) or ``disk``; None when finished.
            ``copies`` where our files are clear, and files that are not ours still hold it.
    """

    manifest: ScrubManifest
    event_number: int
    executed_at: datetime
    seconds: float
    verified_number: int | None
    receipt: ScrubReceipt | None
    pending: str | None = None

    @property
    def is_finished(self) -> bool:
        """Whether no file under the data root holds the removed text, and that is proved."""
        return self.pending is None and _is_clear(self.receipt)

    @property
    def is_settled(self) -> bool:
        """Whether all that this program can do is done, though copies may hold the text."""
        return self.is_finished or self.pending == COPIES


@dataclass(frozen=True, slots=True)
class PendingScrub:
    """A scrub whose rows are gone, while copies of the text may remain in files of ours.

    Attributes:
        scope: The tier and scope key that were cleared.
        mode: What was spared.
        event_number: Number of its ``scrub.executed`` event.
        executed_at: When the removal was committed.
        n_removed: How many entries were removed.
    """

    scope: ScopeKey
    mode: ScrubMode
    event_number: int
    executed_at: datetime
    n_removed: int


@dataclass(frozen=True, slots=True)
class ResumedScrub:
    """How far an open scrub has come when it was taken up again.

    Attributes:
        scrub: Which one.
        verified_number: Number of the ``scrub.verified`` event; None while text may remain.
        receipt: The proof; None while text may remain.
        pending: As in ``ScrubOutcome``.
    """

    scrub: PendingScrub
    verified_number: int | None
    receipt: ScrubReceipt | None
    pending: str | None = None

    @property
    def is_finished(self) -> bool:
        """Whether no file under the data root holds the removed text, and that is proved."""
        return self.pending is None and _is_clear(self.receipt)


class ManifestChangedError(InklingsError):
    """What a scrub would remove is no longer what was confirmed; nothing was removed.

    Attributes:
        manifest: What it would remove now, with a token of its own.
    """

    def __init__(self, manifest: ScrubManifest) -> None:
        super().__init__(manifest.short_id)
        self.manifest = manifest
