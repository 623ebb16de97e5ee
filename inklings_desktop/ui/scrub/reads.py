"""What a scrub asks of the use cases: for its first step, and whether a purge is proved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.memories.listing import MemoryFilter, MemoryState
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.domain.scrub.manifest import COPIES, BackupFate, ScrubReceipt
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.words.places import talk_name
from inklings_desktop.ui.scrub.state import TIERS_WITH_NAMES, Room, ScrubState, TierChoice

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.domain.scrub.manifest import ScrubManifest, ScrubOutcome
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings

_STATE_ICONS = {
    ConversationState.ACTIVE: "chat-circle",
    ConversationState.IDLE: "moon",
    ConversationState.ARCHIVED: "clock-counter-clockwise",
}


def first_state(inklings: Inklings, workspace_id: str) -> ScrubState:
    """What a scrub begins with: the workspace, who would be named, and what can be chosen.

    Raises:
        InklingsError: The workspace or the account cannot be read.
    """
    workspace = inklings.workspaces.find(workspace_id)
    return ScrubState(
        workspace_id=workspace_id,
        workspace_name=workspace.name,
        operator=inklings.signer.name,
        choices=choices_of(inklings, workspace_id),
    )


def choices_of(inklings: Inklings, workspace_id: str) -> tuple[TierChoice, ...]:
    """The four tiers with their rooms, named entries and counts.

    Raises:
        InklingsError: The workspace or the account cannot be read.
    """
    entries = inklings.entries.list(workspace_id)
    rooms = {
        Tier.CONVERSATION: _conversations(inklings, workspace_id),
        Tier.CHANNEL: _channels(inklings, workspace_id),
    }
    return tuple(
        with_counts(
            inklings,
            workspace_id,
            TierChoice(
                tier,
                rooms=rooms.get(tier, ()),
                names=tuple(one.name for one in entries if one.tier is tier)
                if tier in TIERS_WITH_NAMES
                else (),
            ),
        )
        for tier in Tier
    )


def with_counts(inklings: Inklings, workspace_id: str, choice: TierChoice) -> TierChoice:
    """The same row with what lies under its room, or under all rooms while none is chosen.

    Raises:
        InklingsError: The workspace or the account cannot be read.
    """
    scopes = _scopes(workspace_id, choice)
    active, forgotten = (
        inklings.listing.browse(scopes, where=MemoryFilter(state=state), limit=1).total or 0
        for state in (MemoryState.ACTIVE, MemoryState.FORGOTTEN)
    )
    n_notes = 0
    if choice.tier is Tier.CONVERSATION:
        n_notes = len(inklings.notes.list(scopes))
    n_entries = active + forgotten + n_notes
    return replace(choice, n_entries=n_entries, n_forgotten=forgotten, n_notes=n_notes)


def proof_from_log(inklings: Inklings, outcome: ScrubOutcome) -> ScrubOutcome:
    """The outcome with the proof that somebody else has recorded meanwhile, if there is one.

    The log holds figures only; the names of the backups are those that the manifest announced.

    Raises:
        InklingsError: The log cannot be read.
    """
    manifest = outcome.manifest
    where = EventFilter(kinds=frozenset({EventKind.SCRUB_VERIFIED}))
    for event in inklings.log.list(manifest.scope.workspace_id, where):
        if event.counts.get("scrub") == outcome.event_number:
            receipt = ScrubReceipt(
                event.counts.get("files", 0),
                event.counts.get("bytes", 0),
                event.counts.get("needles", 0),
                event.counts.get("hits", 0),
                remaining=(),
                rewritten=_names(manifest, BackupFate.REWRITTEN),
                deleted=_names(manifest, BackupFate.DELETED),
                hmac=event.marks.get("receipt", ""),
            )
            if event.counts.get("remaining"):
                return replace(outcome, receipt=receipt, pending=COPIES)
            return replace(outcome, verified_number=event.number, receipt=receipt, pending=None)
    return outcome


def _names(manifest: ScrubManifest, fate: BackupFate) -> tuple[str, ...]:
    return tuple(one.name for one in manifest.backups if one.fate is fate)


def _scopes(workspace_id: str, choice: TierChoice) -> list[ScopeKey]:
    keys = [choice.room_id] if choice.room_id else [one.id for one in choice.rooms]
    match choice.tier:
        case Tier.ACCOUNT:
            return [ScopeKey.account()]
        case Tier.WORKSPACE:
            return [ScopeKey.workspace(workspace_id)]
        case Tier.CHANNEL:
            return [ScopeKey.channel(workspace_id, key) for key in keys]
        case Tier.CONVERSATION:
            return [ScopeKey.conversation(workspace_id, key) for key in keys]


def _channels(inklings: Inklings, workspace_id: str) -> tuple[Room, ...]:
    found = inklings.places.channels(workspace_id, include_archived=True)
    still_open = [Room(one.id, one.name, "", "hash") for one in found if not one.archived_at]
    archived = [
        Room(one.id, one.name, tr("Archived"), "clock-counter-clockwise")
        for one in found
        if one.archived_at
    ]
    return (*still_open, *archived)


def _conversations(inklings: Inklings, workspace_id: str) -> tuple[Room, ...]:
    channels = inklings.places.channels(workspace_id, include_archived=True)
    found = inklings.places.conversations(workspace_id, include_archived=True)
    rooms = []
    for channel in channels:
        rooms += [
            Room(one.id, talk_name(one), f"#{channel.name}", _STATE_ICONS[one.state])
            for one in found
            if one.channel_id == channel.id and one.state is not ConversationState.ARCHIVED
        ]
    rooms += [
        Room(one.id, talk_name(one), tr("Archived"), _STATE_ICONS[one.state])
        for one in found
        if one.state is ConversationState.ARCHIVED
    ]
    return tuple(rooms)


_AGAIN_MS = 1_000


class PendingPurges(QObject):
    """Scrubs that are done but for their proof; their dialog may be gone.

    Args:
        background: Runs what looks.
        follow_up: How one of them stands now.
        parent: Owns it.
    """

    def __init__(
        self,
        background: Background,
        follow_up: Callable[[ScrubOutcome], Awaitable[ScrubOutcome]],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._follow_up = follow_up
        self._unfinished: dict[tuple[str | None, int], ScrubOutcome] = {}
        self._later = timer(self, self._on_later_timeout, _AGAIN_MS)

    def note(self, outcome: ScrubOutcome) -> None:
        """Look after a scrub until it is proved, if it is not yet."""
        if not outcome.is_settled:
            # Numbers of events are counted per file.
            self._unfinished[outcome.manifest.scope.workspace_id, outcome.event_number] = outcome
            self._later.start()

    async def _look(self) -> None:
        for key, outcome in tuple(self._unfinished.items()):
            now = await self._follow_up(outcome)
            if now.is_settled:
                del self._unfinished[key]
            else:
                self._unfinished[key] = now
        if self._unfinished:
            self._later.start()

    @Slot()
    def _on_later_timeout(self) -> None:
        self._background.spawn(self._look())
