"""Scrub: look first, then remove for good, then prove that the text is gone.

For the person alone, at a person's door; the clock only finishes what a person confirmed. A dry
run changes nothing. An execution counts again inside its transaction and removes nothing if
anything differs from what was confirmed.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import field, replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, CallerKind, authorize_person
from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    InvalidValueError,
    NotFoundError,
    StorageError,
)
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import ACCOUNT_KEY, ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.manifest import (
    COPIES,
    RUN_KINDS,
    ChosenScope,
    ManifestChangedError,
    PendingScrub,
    ResumedScrub,
    ScrubKind,
    ScrubManifest,
    ScrubMode,
    ScrubOutcome,
    ScrubReceipt,
    Untouched,
)
from inklings_desktop.domain.scrub.scrub_contents import breakdown
from inklings_desktop.domain.scrub.scrub_token import (
    TokenScope,
    is_of_digest,
    receipt_hash,
    require_phrase,
)
from inklings_desktop.usecases.ports.progress import UNHEARD, Progress
from inklings_desktop.usecases.steps.refusals import Attempt, refusals_recorded

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.scrub.scrub_contents import Doomed, Said, ScrubContents
    from inklings_desktop.usecases.ports.scrub import Eraser, KeySource, OperatorName
    from inklings_desktop.usecases.ports.store import (
        Clock,
        SettingsSource,
        Store,
        StoreView,
        WorkspaceDirectory,
    )

PATIENCE_SECONDS = 30.0
"""How long an execution waits for another purge under the same data root to end."""


@dataclass(frozen=True, slots=True)
class Manifests:
    """Makes the manifest of what a transaction sees, for dry run and execution alike."""

    store: Store
    directory: WorkspaceDirectory
    eraser: Eraser
    clock: Clock
    settings: SettingsSource
    key: KeySource

    def counted(
        self, view: StoreView, scope: ScopeKey, mode: ScrubMode, now: datetime
    ) -> ScrubContents:
        """Everything the scrub is about, as this view sees it.

        Raises:
            InvalidValueError: The state of runs is a conversation's alone.
        """
        if mode is ScrubMode.RUN_STATE and scope.tier is not Tier.CONVERSATION:
            raise InvalidValueError("mode", "conversation_only")
        contents = view.scrubs.contents(scope, mode, self.settings().decay, now)
        quotes = self.quotes(view, scope)
        told = (one for found in quotes.values() for one in found)
        return replace(contents, going=(*contents.going, *told))

    def quotes(self, view: StoreView, scope: ScopeKey) -> dict[str, tuple[Doomed, ...]]:
        """Messages that hold something of the account's memories, by workspace; none for others.

        A workspace that cannot be read is passed over; it says so wherever it is used.
        """
        found: dict[str, tuple[Doomed, ...]] = {}
        said = view.scrubs.said(scope) if scope.tier is Tier.ACCOUNT else ()
        for one in self.directory.workspaces() if said else ():
            with suppress(StorageError, NotFoundError), self.store.read(one.id) as other:
                if quoting := other.scrubs.quoting(said):
                    found[one.id] = quoting
        return found

    def manifest(
        self, caller: Caller, contents: ScrubContents, view: StoreView, now: datetime
    ) -> ScrubManifest:
        """What would go and what stays, with a fresh token for it."""
        scope, mode = contents.scope, contents.mode
        digest = contents.digest
        token, expires_at = self.token(caller, contents, digest, now)
        memories = contents.memories
        return ScrubManifest(
            scope=scope,
            mode=mode,
            counted_at=now,
            digest=digest,
            by_kind=contents.by_kind(),
            by_tier=contents.by_tier(),
            by_source=breakdown(one.source or "" for one in memories),
            by_curator=breakdown(one.curator for one in memories),
            by_lifetime=breakdown(one.lifetime or "" for one in memories),
            n_forgotten=sum(one.is_forgotten for one in memories),
            n_proposals=contents.n_proposals,
            n_questions=contents.n_questions,
            n_filters=contents.n_filters,
            n_versions=contents.n_versions,
            kept=contents.kept,
            untouched=self._untouched(contents, view),
            backups=self.eraser.backups_holding(scope, mode),
            sample=contents.sample(),
            token=token,
            expires_at=expires_at,
            by_workspace=breakdown(
                self.directory.get(workspace_id).name
                for workspace_id, found in self.quotes(view, scope).items()
                for _ in found
            ),
        )

    def token(
        self, caller: Caller, contents: ScrubContents, digest: str, now: datetime
    ) -> tuple[str, datetime]:
        """A token for what was counted, and when it expires."""
        bound = TokenScope(contents.scope, contents.mode, bearer_of(caller))
        return bound.token(self.key(), digest, now)

    def _untouched(self, contents: ScrubContents, view: StoreView) -> Untouched:
        """What lies beside the scope, in its own file, the account's and other workspaces."""
        scope, mode = contents.scope, contents.mode
        active: dict[Tier, int] = {}
        if isinstance(scope, ChosenScope):
            active = {
                tier: -sum(one.tier is tier and not one.is_forgotten for one in contents.memories)
                for tier in Tier
            }
        for place, n_active in view.memories.active_counts().items():
            if place != scope or mode is ScrubMode.RUN_STATE:
                active[place.tier] = active.get(place.tier, 0) + n_active
        names: list[str] = []
        if scope.tier in {Tier.CONVERSATION, Tier.CHANNEL}:
            names += [entry.name for entry in view.entries.entries()]
        if scope.workspace_id is not None:
            with self.store.read(None) as account:
                for place, n_active in account.memories.active_counts().items():
                    active[place.tier] = active.get(place.tier, 0) + n_active
                names += [entry.name for entry in account.entries.entries()]
        others = [one for one in self.directory.workspaces() if one.id != scope.workspace_id]
        return Untouched(
            memories=tuple((tier.value, active[tier]) for tier in Tier if active.get(tier)),
            named_entries=tuple(names),
            workspaces=tuple(one.name for one in others),
        )


@dataclass(frozen=True, slots=True)
class PreviewScrub:
    """The dry run: says what would go, and changes nothing."""

    manifests: Manifests

    def __call__(self, caller: Caller, scope: ScopeKey, mode: ScrubMode) -> ScrubManifest:
        """The manifest, with a token for the execution that is good for five minutes.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace, channel or conversation.
        """
        tools = self.manifests
        _require_operator(tools, caller, "scrub.preview", scope)
        now = tools.clock()
        with tools.store.read(scope.workspace_id) as view:
            contents = tools.counted(view, scope, mode, now)
            return tools.manifest(caller, contents, view, now)


@dataclass(frozen=True, slots=True)
class ExecuteScrub:
    """Remove for good what a dry run showed and the person confirmed."""

    manifests: Manifests
    operator: OperatorName
    monotonic: Callable[[], float] = field(default=time.monotonic)

    def __call__(
        self,
        caller: Caller,
        scope: ScopeKey,
        mode: ScrubMode,
        *,
        token: str,
        phrase: str,
        request_id: str = "",
        expected_digest: str = "",
        progress: Progress = UNHEARD,
    ) -> ScrubOutcome:
        """What was removed, and the proof or why it is still open.

        Args:
            caller: The person.
            scope: As previewed.
            mode: As previewed.
            token: The manifest's.
            phrase: The manifest's, as the person typed it.
            request_id: The agent's request that the person confirms; empty for none.
            expected_digest: Of the manifest that was asked for with it; empty for none.
            progress: Hears ``count``, ``remove``, ``index``, ``compact``, ``backups``,
                ``search`` and ``done``. It can be stopped before ``remove`` is over, not later.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace, channel or conversation.
            InvalidValueError: The token was not made for this or has expired, or the phrase is
                another one.
            ManifestChangedError: Something changed since the dry run; nothing was removed.
            StorageError: The disk is full or cannot be written to; nothing was removed.
            StoppedError: The person stopped it; nothing was removed.
        """
        began = self.monotonic()
        tools = self.manifests
        _require_operator(tools, caller, "scrub.execute", scope)
        key = tools.key()
        bound = TokenScope(scope, mode, bearer_of(caller))
        confirmed = bound.confirmed(key, token, tools.clock())
        progress.report("count", 0, 0)
        with tools.store.read(scope.workspace_id) as view:
            view.scrubs.pending()  # a workspace that is not there is named before its folder
        tools.eraser.prepare(scope.workspace_id)
        with tools.store.write(scope.workspace_id, initiator=caller.name) as unit:
            now = tools.clock()
            contents = tools.counted(unit, scope, mode, now)
            manifest = tools.manifest(caller, contents, unit, now)
            is_expected = expected_digest in {"", manifest.digest}
            if not is_of_digest(confirmed, manifest.digest) or not is_expected:
                raise ManifestChangedError(manifest)
            require_phrase(manifest, phrase)
            progress.require_wanted()
            progress.report("remove", 0, manifest.n_removed)
            draft = _executed(caller, contents, manifest, self.operator(), request_id)
            event = unit.events.append(draft, now)
            if mode is ScrubMode.RUN_STATE:
                unit.events.append(_purged(draft, contents), now)
            said = unit.scrubs.said(scope)
            elsewhere = self._unquote(caller, unit, scope, said)
            unit.scrubs.remove(contents, event.number, now)
            progress.require_wanted()
            tools.eraser.announce(scope.workspace_id)
            unit.commit()
        for workspace_id in elsewhere:
            with suppress(StorageError):  # the removal stands, whatever one backup refuses
                tools.eraser.clear_quotes(workspace_id, said)
        progress.report("remove", manifest.n_removed, manifest.n_removed)
        done = _finish(
            tools,
            caller,
            PendingScrub(scope, mode, event.number, now, manifest.n_removed),
            replace(progress, is_cancelled=lambda: False),
            patience_seconds=PATIENCE_SECONDS,
        )
        return ScrubOutcome(
            manifest,
            event.number,
            now,
            self.monotonic() - began,
            done.verified_number,
            done.receipt,
            done.pending,
        )

    def _unquote(
        self, caller: Caller, unit: StoreView, scope: ScopeKey, said: Said
    ) -> tuple[str, ...]:
        """Empty what was said of the account's memories in workspaces; in which there may be some.

        It goes before the memories do: after a kill in between they are still there to tell it.
        """
        if scope.tier is not Tier.ACCOUNT or not said:
            return ()
        tools = self.manifests
        for workspace_id in tools.quotes(unit, scope):
            with tools.store.write(workspace_id, initiator=caller.name) as other:
                other.scrubs.unquote(said)
                other.commit()
        return tuple(one.id for one in tools.directory.workspaces())


@dataclass(frozen=True, slots=True)
class PendingScrubs:
    """Scrubs whose rows are gone, while copies of the text may remain in files of ours."""

    manifests: Manifests

    def __call__(self, caller: Caller) -> tuple[PendingScrub, ...]:
        """Those of the account, then those of each workspace; oldest first.

        A file that cannot be opened is passed over; it says so wherever it is used.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        tools = self.manifests
        _require_person_or_clock(tools, caller)
        found: list[PendingScrub] = []
        for file in (None, *(one.id for one in tools.directory.workspaces())):
            try:
                found += _pending_of(tools.store, file)
            except (StorageError, NotFoundError):
                continue
        return tuple(found)


@dataclass(frozen=True, slots=True)
class ResumeScrubs:
    """Finish what a killed program or a reader's snapshot left open; also called at start."""

    manifests: Manifests

    def has_work(self) -> bool:
        """Whether a file says that a scrub of it may be open; cheap, opens none."""
        return bool(self.manifests.eraser.files_to_resume())

    def __call__(self, caller: Caller, progress: Progress = UNHEARD) -> tuple[ResumedScrub, ...]:
        """What became of every scrub that was still open; looks only where one may be.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        tools = self.manifests
        _require_person_or_clock(tools, caller)
        done: list[ResumedScrub] = []
        for file in tools.eraser.files_to_resume():
            try:
                still_open = _pending_of(tools.store, file)
                done += [_finish(tools, caller, scrub, progress) for scrub in still_open]
                if not still_open:
                    tools.eraser.settle(file)
            except (StorageError, NotFoundError):
                continue
        return tuple(done)


def _finish(
    tools: Manifests,
    caller: Caller,
    scrub: PendingScrub,
    progress: Progress,
    *,
    patience_seconds: float = 0.0,
) -> ResumedScrub:
    """Clear the files and, if the search finds nothing, record the proof."""
    file = scrub.scope.workspace_id
    try:
        erased = tools.eraser.erase(
            file, scrub.event_number, progress, patience_seconds=patience_seconds
        )
        if erased.receipt is None:
            return ResumedScrub(scrub, None, None, erased.pending or "busy")
        receipt = replace(
            erased.receipt, hmac=receipt_hash(tools.key(), scrub.event_number, erased.receipt)
        )
        with tools.store.write(file, initiator=caller.name) as unit:
            if not unit.scrubs.close(scrub.event_number):
                return ResumedScrub(scrub, None, None, "busy")  # another process was faster
            event = unit.events.append(_verified(caller, scrub, receipt), tools.clock())
            unit.commit()
        tools.eraser.settle(file)
    except StorageError as error:
        # The rows are gone and the marker stands: the next attempt goes on from here.
        why = "busy" if isinstance(error, DatabaseBusyError) else "disk"
        return ResumedScrub(scrub, None, None, why)
    progress.report("done", 1, 1)
    if receipt.remaining:  # our files are clear; of those that hold it none is ours to clear
        return ResumedScrub(scrub, None, receipt, COPIES)
    return ResumedScrub(scrub, event.number, receipt)


def _pending_of(store: Store, file: str | None) -> tuple[PendingScrub, ...]:
    with store.read(file) as view:
        return view.scrubs.pending()


def bearer_of(caller: Caller) -> str:
    """Whom a token is made for: a client cannot use a person's, whatever it is called."""
    return f"{caller.kind.value}:{caller.name}"


def _executed(
    caller: Caller,
    contents: ScrubContents,
    manifest: ScrubManifest,
    operator: str,
    request_id: str,
) -> EventDraft:
    """The permanent record: counts, hashes and who it was; none of what was removed."""
    marks = {"mode": manifest.mode.value, "manifest": manifest.digest, "operator": operator}
    if request_id:
        marks["request"] = request_id
    return EventDraft(
        EventKind.SCRUB_EXECUTED,
        caller.name,
        caller.kind.value,
        caller.door.value,
        manifest.scope.tier.value,
        manifest.scope.key,
        manifest.scope.ids if isinstance(manifest.scope, ChosenScope) else (),
        contents.event_counts(),
        marks,
    )


def _purged(executed: EventDraft, contents: ScrubContents) -> EventDraft:
    """Whose runs left nothing behind; the removal itself is a scrub's event as any other."""
    counts = dict.fromkeys((*RUN_KINDS, ScrubKind.MESSAGE), 0) | dict(contents.by_kind())
    return replace(
        executed,
        kind=EventKind.RUN_STATE_PURGED,
        counts={str(kind): count for kind, count in counts.items()},
    )


def _verified(caller: Caller, scrub: PendingScrub, receipt: ScrubReceipt) -> EventDraft:
    counts = {
        "scrub": scrub.event_number,
        "files": receipt.n_files,
        "bytes": receipt.n_bytes,
        "needles": receipt.n_needles,
        "hits": receipt.hits,
        "backups_rewritten": len(receipt.rewritten),
        "backups_deleted": len(receipt.deleted),
        "remaining": len(receipt.remaining),
    }
    return EventDraft(
        EventKind.SCRUB_VERIFIED,
        caller.name,
        caller.kind.value,
        caller.door.value,
        scrub.scope.tier.value,
        scrub.scope.key,
        (),
        counts,
        {"receipt": receipt.hmac},
    )


def _require_operator(tools: Manifests, caller: Caller, verb: str, scope: ScopeKey) -> None:
    """Return only for the person; anybody else's attempt becomes an event.

    Raises:
        ScopeDeniedError: The caller is an agent or the clock.
    """
    attempt = Attempt(verb, scope.tier, scope.workspace_id)
    with refusals_recorded(tools.store, tools.clock, caller, attempt):
        authorize_person(caller, Action.WRITE, scope.tier)


def _require_person_or_clock(tools: Manifests, caller: Caller) -> None:
    if caller.kind is CallerKind.CLOCK:
        return
    _require_operator(tools, caller, "scrub.resume", ScopeKey(Tier.ACCOUNT, None, ACCOUNT_KEY))
