"""The figures of the control plane: counted off the UI thread, and again when something changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memories.attention import AttentionKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.ui.control.overview_facts import (
    LookFacts,
    TierFacts,
    broken_facts,
    duplicate_facts,
    look_facts,
    tier_facts,
)
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.keep_up import KeepUp
from inklings_desktop.ui.kit.words.event_words import event_rows
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from inklings_desktop.domain.background.golden import GoldenRecord
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.lists.event_list_model import EventRow
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.search.likely_duplicates import LikelyDuplicate

N_EVENTS = 12


@dataclass(frozen=True, slots=True)
class OverviewContent:
    """What the first tab of the control plane shows.

    Attributes:
        cards: One per tier, from the conversations outwards.
        looks: Lists that are not empty.
        events: The newest of the workspace's log, newest first.
    """

    cards: tuple[TierFacts, ...]
    looks: tuple[LookFacts, ...]
    events: tuple[EventRow, ...]


class OverviewPresenter(QObject):
    """Keeps the figures true while somebody looks at them; knows no widgets.

    However many commits come in a row, they are counted together. While nobody looks, nothing is
    counted; the figures are brought up to date when somebody does.

    Signals:
        content_changed: An ``OverviewContent``.
        refreshed: What a person asked to be counted again has been.
        message_raised: A ``Message`` when counting failed.
    """

    content_changed = Signal(object)
    refreshed = Signal()
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._counting = Latest(background)
        self._workspace_id: str | None = None
        self._is_asked_for = False
        self._keep_up = KeepUp(self)
        self._keep_up.due.connect(self._on_due)

    async def open(self, workspace_id: str) -> None:
        """Count a workspace and the account."""
        self._workspace_id = workspace_id
        self._count_anew()
        await self.settled()

    async def settled(self) -> None:
        """Return once no counting is under way."""
        await self._counting.settled()

    def set_watched(self, *, watched: bool) -> None:
        """Count on from now on, or only note that something changed."""
        self._keep_up.set_watched(watched=watched)

    def on_changes(self, changes: MemoryChanges) -> None:
        """Count again soon if the change touches the open workspace or the account."""
        if changes.workspace_id in {self._workspace_id, None}:
            self._keep_up.note_change()

    @Slot()
    def on_run_ended(self) -> None:
        """Count again soon: a run that changed no memory may have found what is alike."""
        self._keep_up.note_change()

    def refresh(self) -> None:
        """Count again at once, because a person asked for it."""
        self._is_asked_for = True
        self._count_anew()

    def _count_anew(self) -> None:
        if self._workspace_id is not None:
            self._keep_up.begin()
            self._counting.run(self._count(self._workspace_id))

    async def _count(self, workspace_id: str) -> None:
        try:
            content = await self._background.read(counted_content, self._inklings, workspace_id)
        except InklingsError as error:
            self._keep_up.fail()
            self.message_raised.emit(message_of(error))
            return
        self.content_changed.emit(content)
        if self._is_asked_for:
            self._is_asked_for = False
            self.refreshed.emit()

    @Slot()
    def _on_due(self) -> None:
        self._count_anew()


def counted_content(inklings: Inklings, workspace_id: str) -> OverviewContent:
    """Everything the first tab shows; runs on a reader.

    Raises:
        InklingsError: A file cannot be read.
    """
    caller = inklings.caller
    tiers = inklings.tier_overview(caller, workspace_id)
    looks = [look_facts(one) for one in inklings.worth_a_look(caller, workspace_id)]
    duplicates = duplicate_facts(_likely_duplicates(inklings, workspace_id))
    if duplicates is not None:
        # What is ready to last comes last: it asks nothing of anybody.
        is_last = bool(looks) and looks[-1].kind is AttentionKind.READY_TO_PROMOTE
        looks.insert(len(looks) - is_last, duplicates)
    broken = broken_facts(_golden_records(inklings, workspace_id))
    if broken is not None:
        looks.insert(0, broken)  # the author said that this must not happen
    newest = inklings.list_events(caller, workspace_id, limit=N_EVENTS)
    described = inklings.describe_events(caller, workspace_id, newest)
    return OverviewContent(
        tuple(map(tier_facts, tiers)),
        tuple(looks),
        event_rows(described, inklings.clock()),
    )


def _golden_records(inklings: Inklings, workspace_id: str) -> list[GoldenRecord]:
    """How the golden questions of the workspace and the account fared last."""
    return [
        record
        for file in (workspace_id, None)
        for record in inklings.watch_golden_questions.records(inklings.caller, file).values()
    ]


def _likely_duplicates(inklings: Inklings, workspace_id: str) -> list[LikelyDuplicate]:
    """Pairs that wait for a person, of every tier that is consolidated."""
    channels = inklings.list_channels(inklings.caller, workspace_id)
    return [
        pair
        for scopes in (
            [ScopeKey.channel(workspace_id, one.id) for one in channels],
            [ScopeKey.workspace(workspace_id)],
            [ScopeKey.account()],
        )
        for pair in inklings.list_likely_duplicates(inklings.caller, scopes)
    ]
