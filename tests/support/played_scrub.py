"""A scrub without a store: it counts what it is told and forgets nothing."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.listing import MemoryFilter, MemoryPage, MemoryState
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.domain.scrub.manifest import (
    TOKEN_SECONDS,
    BackupFate,
    BackupHolding,
    ManifestChangedError,
    ScrubKind,
    ScrubManifest,
    ScrubMode,
    ScrubOutcome,
    ScrubReceipt,
    ScrubSample,
    Untouched,
)
from inklings_desktop.usecases.ports.progress import UNHEARD, Progress
from tests.support.builders import NOON, WORKSPACE_ID, FixedClock, a_companion, a_person, set_to
from tests.support.stand_ins import played
from tests.support.stopwatch import HANG_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.log.events import Event, EventFilter
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation
    from inklings_desktop.usecases.bundle import Inklings

DIGEST = "7f3ac21e" + "0" * 56
OTHER_DIGEST = "51d0b77a" + "0" * 56
WORLD = "The Saltglass Cartographers"
NAMED = {Tier.WORKSPACE: ("VOICE", "WORLDBUILDING_PRINCIPLES"), Tier.ACCOUNT: ("SOUL",)}
_BEGINS = (
    ("02787ded-1", "Nerys confuses left and right on purpose of the tide bells.", "author", 3.87),
    ("01fdd5a3-1", "Distances are written in tide-hands, time in bells.", "author", 3.38),
    ("0203373e-1", "The story is set nine years after the Wend Gate fell.", "agent", 0.31),
    ("4919c435-1", "House style for plates (kept as Markdown) \u00b7 1. no arrows", "import", 0.41),
    (
        "c04ccaeb-1",
        "Japanese working title is \u5869\u785d\u5b50\u306e\u5730\u56f3.",
        "author",
        0.37,
    ),
    ("f1bae821-1", "Temporary: check formatting of the chapter heads.", "author", 0.004),
    (
        "d2ad1176-1",
        "Imported from the old notebook: \u201cNerys\u2019s mother\u201d.",
        "import",
        0.11,
    ),
)


def a_manifest(
    scope: ScopeKey | None = None,
    mode: ScrubMode = ScrubMode.KEEP_NAMED,
    *,
    n_memories: int = 43,
    counted_at: datetime = NOON,
    digest: str = DIGEST,
    backups: tuple[BackupHolding, ...] = (),
) -> ScrubManifest:
    """What the workspace of the pictures would lose."""
    where = scope or ScopeKey.workspace(WORKSPACE_ID)
    n_agent, n_import = n_memories * 14 // 43, n_memories * 3 // 43
    kept = NAMED.get(where.tier, ()) if mode is ScrubMode.KEEP_NAMED else ()
    return ScrubManifest(
        scope=where,
        mode=mode,
        counted_at=counted_at,
        digest=digest,
        by_kind=((ScrubKind.MEMORY.value, n_memories),) if n_memories else (),
        by_tier=((where.tier.value, n_memories),) if n_memories else (),
        by_source=(
            ("user", n_memories - 17),
            ("orchestrator", 9),
            ("consolidation", 3),
            ("import", 3),
            ("researcher", 2),
        )
        if n_memories > 17
        else (("user", n_memories),)
        if n_memories
        else (),
        by_curator=(
            ("author", n_memories - n_agent - n_import),
            ("agent", n_agent),
            ("import", n_import),
        )
        if n_memories
        else (),
        by_lifetime=(("long_term", n_memories - n_memories // 7), ("short_term", n_memories // 7))
        if n_memories
        else (),
        n_forgotten=0,
        n_proposals=0,
        n_questions=0,
        n_filters=0,
        kept=kept,
        untouched=Untouched(
            (("conversation", 24), ("channel", 34), ("account", 18)),
            ("SOUL",),
            ("Hollow Crown", "Field notes"),
        ),
        backups=backups,
        sample=tuple(
            ScrubSample(key, ScrubKind.MEMORY, begins, curator, relevance)
            for key, begins, curator, relevance in _BEGINS[: min(n_memories, len(_BEGINS))]
        ),
        token=f"token-{digest[:4]}-{counted_at.isoformat()}",
        expires_at=counted_at + timedelta(seconds=TOKEN_SECONDS),
    )


def two_backups() -> tuple[BackupHolding, ...]:
    """One that is written anew and one that is deleted."""
    return (
        BackupHolding("20260310T090000Z.db", NOON - timedelta(days=4), BackupFate.REWRITTEN),
        BackupHolding("20260101T090000Z.db", NOON - timedelta(days=72), BackupFate.DELETED),
    )


def a_receipt(**values: object) -> ScrubReceipt:
    """A proof without a trace."""
    receipt = ScrubReceipt(14, 3_220_480, 172, 0, (), (), (), "9" * 64)
    return replace(receipt, **values)  # type: ignore[arg-type]


def an_outcome(
    manifest: ScrubManifest | None = None, *, pending: str | None = None, at: datetime = NOON
) -> ScrubOutcome:
    """A scrub that was done; with ``pending`` its text may remain for the moment."""
    return ScrubOutcome(
        manifest=manifest or a_manifest(),
        event_number=48_221,
        executed_at=at,
        seconds=0.31,
        verified_number=None if pending else 48_222,
        receipt=None if pending else a_receipt(),
        pending=pending,
    )


@dataclass(slots=True)
class FakeScrub:
    """Preview and execution, as the use cases answer.

    Attributes:
        clock: Counts are made at its time.
        n_memories: How many memories a count finds.
        digest: Of what is found; another one means that memory changed.
        refuses_count: Raised by every dry run while it is set.
        refuses_execution: Raised by every execution while it is set.
        pending: Why an execution ends without proof.
        steps: Reports of an execution, in order.
        gate: An execution waits for it; open by default.
        n_counts: Dry runs so far.
        executed: Tokens of the executions that were carried out.
        channels: Of the workspace.
        conversations: Of the workspace.
        events: The log.
    """

    clock: FixedClock = field(default_factory=FixedClock)
    n_memories: int = 43
    digest: str = DIGEST
    backups: tuple[BackupHolding, ...] = ()
    refuses_count: Exception | None = None
    refuses_execution: Exception | None = None
    pending: str | None = None
    steps: tuple[tuple[str, int, int], ...] = (("count", 0, 0), ("remove", 0, 0), ("done", 0, 0))
    gate: threading.Event = field(default_factory=threading.Event)
    n_counts: int = 0
    executed: list[str] = field(default_factory=list)
    channels: tuple[Channel, ...] = ()
    conversations: tuple[Conversation, ...] = ()
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        """Let executions through."""
        self.gate.set()

    def inklings(self) -> Inklings:
        """The bundle with this scrub behind it, over no store at all."""
        parts = {"settings": set_to(display_name="Ottoline Marsh"), "clock": self.clock}
        known: dict[str, Callable[..., object]] = {
            "scrub.preview": self.preview,
            "scrub.execute": self.execute,
            "log.list": self.list_events,
            "workspaces.find": lambda _caller, key: Workspace(key, WORLD, NOON),
            "entries.list": self.list_entries,
            "places.channels": lambda *_args, **_options: self.channels,
            "places.conversations": lambda *_args, **_options: self.conversations,
            "listing.browse": self.browse,
            "notes.list": lambda *_args: (),
            "transfer.list_exports": lambda *_args: (),
        }
        return played(a_person("Ottoline Marsh"), parts, known)

    def preview_token(self) -> str:
        """A token that an execution takes."""
        return self._manifest(ScopeKey.account(), ScrubMode.KEEP_NAMED).token

    def list_entries(self, _caller: Caller, _workspace_id: str | None) -> tuple[NamedEntry, ...]:
        """As ``Entries.list``."""
        return tuple(
            a_companion(name, workspace_id=WORKSPACE_ID if tier is Tier.WORKSPACE else None)
            for tier, names in NAMED.items()
            for name in names
        )

    def browse(
        self, _caller: Caller, scopes: Sequence[ScopeKey], *, where: MemoryFilter, limit: int
    ) -> MemoryPage:
        """As ``Listing.browse``: 43 in the workspace, 10 a room, 2 forgotten ones in each."""
        is_active = where.state is MemoryState.ACTIVE
        each = {Tier.WORKSPACE: 43, Tier.ACCOUNT: 18}
        total = sum(each.get(scope.tier, 10) if is_active else 2 for scope in scopes)
        return MemoryPage((), None, total, (), self.clock())

    def list_events(
        self, _caller: Caller, _workspace_id: str | None, _where: EventFilter
    ) -> tuple[Event, ...]:
        """As ``ListEvents``."""
        return self.events

    def preview(self, _caller: Caller, scope: ScopeKey, mode: ScrubMode) -> ScrubManifest:
        """As ``PreviewScrub``."""
        self.n_counts += 1
        if self.refuses_count is not None:
            raise self.refuses_count
        return self._manifest(scope, mode)

    def execute(
        self,
        _caller: Caller,
        scope: ScopeKey,
        mode: ScrubMode,
        *,
        token: str,
        phrase: str,
        progress: Progress = UNHEARD,
    ) -> ScrubOutcome:
        """As ``ExecuteScrub``."""
        for step in self.steps:
            progress.report(*step)
        assert self.gate.wait(HANG_SECONDS)
        if self.refuses_execution is not None:
            raise self.refuses_execution
        manifest = self._manifest(scope, mode)
        if token.split("-")[1] != self.digest[:4]:
            raise ManifestChangedError(manifest)
        if phrase != manifest.phrase:
            raise InvalidValueError("confirm", "phrase")
        self.executed.append(token)
        return an_outcome(manifest, pending=self.pending, at=self.clock())

    def _manifest(self, scope: ScopeKey, mode: ScrubMode) -> ScrubManifest:
        return a_manifest(
            scope,
            mode,
            n_memories=self.n_memories,
            counted_at=self.clock(),
            digest=self.digest,
            backups=self.backups,
        )
