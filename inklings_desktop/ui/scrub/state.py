"""What the scrub dialog shows at any moment; no widgets, no calls."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.domain.scrub.scrub_request import ScrubRequestState

if TYPE_CHECKING:
    from inklings_desktop.domain.scrub.manifest import ChosenScope, ScrubManifest, ScrubOutcome
    from inklings_desktop.domain.scrub.scrub_request import ScrubRequest
    from inklings_desktop.domain.transfer.document import ExportNote
    from inklings_desktop.ui.kit.words.consolidation_words import ScrubNotice

TIERS_WITH_ROOMS = frozenset({Tier.CONVERSATION, Tier.CHANNEL})
TIERS_WITH_NAMES = frozenset({Tier.WORKSPACE, Tier.ACCOUNT})


class ScrubStep(IntEnum):
    """Where the person stands; the first three are numbered in the head of the dialog."""

    SCOPE = 0
    DRY_RUN = 1
    CONFIRM = 2
    RUNNING = 3
    RESULT = 4


@dataclass(frozen=True, slots=True)
class Room:
    """A conversation or channel that can be chosen, archived ones included.

    Attributes:
        id: Its id.
        name: As a person calls it.
        group: Title of the group it is listed under; empty for none.
        icon: Name of the icon before it.
    """

    id: str
    name: str
    group: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class TierChoice:
    """One row of the first step.

    Attributes:
        tier: The tier.
        n_entries: Memories in any state and working notes under the chosen room, or in all rooms.
        n_forgotten: Memories among them that were forgotten before.
        rooms: What can be chosen; empty where the tier has one scope key only.
        room_id: What was chosen.
        names: Named entries of the tier.
        n_notes: Working notes among the entries.
    """

    tier: Tier
    n_entries: int = 0
    n_forgotten: int = 0
    rooms: tuple[Room, ...] = ()
    room_id: str | None = None
    names: tuple[str, ...] = ()
    n_notes: int = 0

    @property
    def room(self) -> Room | None:
        """The chosen conversation or channel."""
        return next((one for one in self.rooms if one.id == self.room_id), None)


@dataclass(frozen=True, slots=True)
class ScrubProgress:
    """How far an execution has come: a stable word, units done, units in all (0: unknown)."""

    step: str = "count"
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class ScrubCopy:
    """A copy that was saved before a scrub, outside of Inklings.

    Attributes:
        name: Of the file.
        path: Where it lies.
        n_memories: Memories in it.
    """

    name: str
    path: str
    n_memories: int


@dataclass(frozen=True, slots=True)
class ScrubState:
    """Everything on show.

    Attributes:
        workspace_id: The open workspace.
        workspace_name: What it is called.
        operator: Who would be named in the event.
        choices: The four tiers, or none before they were counted.
        tier: The tier that is chosen.
        mode: What is spared.
        step: Where the person stands.
        is_counting: Whether a count is under way.
        manifest: The count on show.
        notice: What has to be said.
        typed: The phrase as far as it is typed.
        is_paste_refused: Whether something was pasted last, and refused.
        has_read: Whether the box is ticked.
        progress: How far the execution has come.
        is_close_refused: Whether closing was tried while it runs.
        outcome: What was done; None before.
        copy: What was saved first; None when nothing was.
        exports: Files that are known to hold what lies here, the latest first.
        request: The agent's request that this answers; None for the person's own wish.
        chosen: The memories that were chosen elsewhere; None for a whole tier.
    """

    workspace_id: str = ""
    workspace_name: str = ""
    operator: str = ""
    choices: tuple[TierChoice, ...] = ()
    tier: Tier = Tier.WORKSPACE
    mode: ScrubMode = ScrubMode.KEEP_NAMED
    step: ScrubStep = ScrubStep.SCOPE
    is_counting: bool = False
    manifest: ScrubManifest | None = None
    notice: ScrubNotice | None = None
    typed: str = ""
    is_paste_refused: bool = False
    has_read: bool = False
    progress: ScrubProgress = ScrubProgress()
    is_close_refused: bool = False
    outcome: ScrubOutcome | None = None
    copy: ScrubCopy | None = None
    exports: tuple[ExportNote, ...] = ()
    request: ScrubRequest | None = None
    chosen: ChosenScope | None = None

    @property
    def is_given(self) -> bool:
        """Whether scope and mode were chosen elsewhere."""
        return self.request is not None or self.chosen is not None

    @property
    def choice(self) -> TierChoice:
        """The row that is chosen."""
        found = (one for one in self.choices if one.tier is self.tier)
        return next(found, TierChoice(self.tier))

    @property
    def scope(self) -> ScopeKey | None:
        """What would be cleared; None until it is chosen, and once the dialog is gone."""
        if self.chosen is not None:
            return self.chosen
        room = self.choice.room
        match self.tier:
            case Tier.ACCOUNT:
                return ScopeKey.account()
            case Tier.WORKSPACE:
                return ScopeKey.workspace(self.workspace_id) if self.workspace_id else None
            case Tier.CHANNEL:
                return ScopeKey.channel(self.workspace_id, room.id) if room else None
            case Tier.CONVERSATION:
                return ScopeKey.conversation(self.workspace_id, room.id) if room else None

    @property
    def can_count(self) -> bool:
        """Whether the first step is complete."""
        return bool(self.choices) and self.scope is not None and not self.is_counting

    @property
    def can_continue(self) -> bool:
        """Whether there is anything to confirm, and the request for it still holds."""
        holds = self.request is None or self.request.state is ScrubRequestState.WAITING
        has_any = self.manifest is not None and self.manifest.n_removed > 0
        return has_any and holds and not self.is_counting

    @property
    def n_matching(self) -> int:
        """How many characters at the beginning of the phrase are typed right."""
        if self.manifest is None:
            return 0
        pairs = zip(self.typed.strip(), self.manifest.phrase, strict=False)
        n_matching = 0
        for one, wanted in pairs:
            if one != wanted:
                break
            n_matching += 1
        return n_matching

    @property
    def is_phrase_right(self) -> bool:
        """Whether the phrase is typed exactly, blanks at its ends aside."""
        return self.manifest is not None and self.typed.strip() == self.manifest.phrase

    @property
    def can_execute(self) -> bool:
        """Whether the final button is enabled."""
        return (
            self.step is ScrubStep.CONFIRM
            and self.can_continue
            and self.is_phrase_right
            and self.has_read
        )

    @property
    def pauses_background(self) -> bool:
        """Whether background work waits: from the confirmation until the result is complete."""
        if self.step is ScrubStep.RESULT:
            return self.outcome is not None and not self.outcome.is_settled
        return self.step in {ScrubStep.CONFIRM, ScrubStep.RUNNING}

    def at(self, step: ScrubStep) -> ScrubState:
        """The state at another step, with nothing said or typed: every confirmation begins anew."""
        return replace(
            self, step=step, notice=None, typed="", is_paste_refused=False, has_read=False
        )

    def with_room(self, tier: Tier, room_id: str) -> ScrubState:
        """The state with another room chosen in a tier."""
        choices = (
            replace(one, room_id=room_id) if one.tier is tier else one for one in self.choices
        )
        return replace(self, choices=tuple(choices))

    def counted(self, manifest: ScrubManifest) -> ScrubState:
        """The state that shows a count."""
        return replace(self.at(ScrubStep.DRY_RUN), manifest=manifest, is_counting=False)

    def asked(self, request: ScrubRequest) -> ScrubState:
        """The request as it stands; one that has ended takes the person back to the count."""
        state = replace(self, request=request)
        if request.state is ScrubRequestState.WAITING:
            return state
        return state.at(ScrubStep.DRY_RUN)
