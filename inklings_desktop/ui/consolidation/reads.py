"""What review, run history and golden questions ask of the use cases; called on readers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import TaskKind, TaskRun
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memory import MemoryRef, ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.consolidation.golden_state import Expected, GoldenDraft, GoldenPlace
from inklings_desktop.ui.consolidation.review_state import MAX_LISTED, ReviewItem, Room, items_of
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.kit.words.places import place_name
from inklings_desktop.usecases.consolidation.consolidation_plans import without_wordless

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from inklings_desktop.domain.background.consolidation import ConsolidationPlan, MergeGroup
    from inklings_desktop.domain.background.golden import GoldenQuestion, GoldenRecord
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.progress import Progress


_LATEST = 20


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A plan piece by piece, as nobody has judged it yet."""

    plan: ConsolidationPlan
    items: tuple[ReviewItem, ...]
    has_model: bool


@dataclass(frozen=True, slots=True)
class Opened:
    """A plan, and where it is about."""

    reviewed: Reviewed
    place: str
    rooms: tuple[Room, ...]


def opened(inklings: Inklings, scope: ScopeKey, progress: Progress) -> Opened:
    """The plan of one scope key with the name of the place.

    Raises:
        InklingsError: The file cannot be read.
        StoppedError: The person stopped it.
    """
    rooms: tuple[Room, ...] = ()
    if scope.tier is Tier.CHANNEL and scope.workspace_id is not None:
        found = inklings.places.channels(scope.workspace_id)
        rooms = tuple(Room(one.id, f"#{one.name}") for one in found)
    place = place_name(inklings, scope)
    return Opened(looked_at(inklings, scope, progress), place, rooms)


def looked_at(inklings: Inklings, scope: ScopeKey, progress: Progress) -> Reviewed:
    """The plan of one scope key and the texts that its groups would become.

    Raises:
        InklingsError: The file cannot be read.
        StoppedError: The person stopped it.
    """
    plan = inklings.consolidation.preview(scope, progress=progress)
    consolidator = inklings.consolidation.consolidator()
    texts: dict[str, str] = {}

    def word(groups: Iterable[MergeGroup]) -> None:
        for group in groups:
            progress.require_wanted()
            texts[group.key] = consolidator.merged(group.members)

    word((*plan.merge, *plan.roll_ups))
    plan = without_wordless(plan, texts)
    word(plan.review[:MAX_LISTED])
    return Reviewed(plan, items_of(plan, texts), inklings.embedder.is_available)


def scope_of_tier(inklings: Inklings, workspace_id: str, tier: Tier) -> ScopeKey | None:
    """Whose plan is shown for a tier: of the channels, the one where most waits.

    Returns:
        None where nothing is ever consolidated: conversations are closed instead.

    Raises:
        InklingsError: The file cannot be read.
    """
    match tier:
        case Tier.ACCOUNT:
            return ScopeKey.account()
        case Tier.WORKSPACE:
            return ScopeKey.workspace(workspace_id)
        case Tier.CONVERSATION:
            return None
        case Tier.CHANNEL:
            channels = inklings.places.channels(workspace_id)
            scopes = [ScopeKey.channel(workspace_id, one.id) for one in channels]
            waiting = Counter(one.first.scope for one in inklings.search.likely_duplicates(scopes))
            held = inklings.listing.count(workspace_id)
            return max(scopes, key=lambda one: (waiting[one], held.of(one)), default=None)


def run_since(inklings: Inklings, scope: ScopeKey, since: datetime) -> TaskRun | None:
    """The consolidation of a scope key that ended after an instant; None if none was begun.

    Raises:
        InklingsError: The file cannot be read.
    """
    runs = inklings.consolidation.list_runs(scope.workspace_id, limit=_LATEST)
    for run in runs:
        is_ours = run.target.kind is TaskKind.CONSOLIDATION and run.target.scope == scope
        if is_ours and run.ended_at is not None and run.ended_at >= since:
            return run
    return None


def expected_texts(inklings: Inklings, scope: ScopeKey, ids: tuple[str, ...]) -> dict[str, str]:
    """What memories say, by id; those that are gone are left out.

    Raises:
        InklingsError: The file cannot be read.
    """
    found = {}
    for id_ in dict.fromkeys(ids):
        try:
            shown = inklings.listing.show(MemoryRef(scope, id_))
        except NotFoundError:
            continue
        found[id_] = shown.entry.content
    return found


_SHORT_ID = 8


def read_all(
    inklings: Inklings, workspace_id: str
) -> tuple[tuple[GoldenPlace, ...], tuple[GoldenQuestion, ...]]:
    """Where questions can be asked, and all that are kept.

    Conversations are left out: what is remembered there is gone when they close.

    Raises:
        InklingsError: A file cannot be read.
    """
    channels = inklings.places.channels(workspace_id)
    places = (
        GoldenPlace(ScopeKey.workspace(workspace_id), tr("Workspace")),
        GoldenPlace(ScopeKey.account(), tr("Account")),
        *(GoldenPlace(ScopeKey.channel(workspace_id, one.id), f"#{one.name}") for one in channels),
    )
    questions = (
        *inklings.golden.list(workspace_id),
        *inklings.golden.list(None),
    )
    return places, questions


def drafted(inklings: Inklings, question: GoldenQuestion) -> GoldenDraft:
    """A kept question as it stands in the fields.

    Raises:
        InklingsError: The file cannot be read.
    """
    texts = expected_texts(inklings, question.scope, (*question.must, *question.must_not))

    def expected(id_: str, *, must: bool) -> Expected:
        text = excerpt(texts[id_]) if id_ in texts else id_[:_SHORT_ID]
        return Expected(id_, text, must)

    return GoldenDraft(
        question.id,
        question.scope,
        question.question,
        (
            *(expected(id_, must=True) for id_ in question.must),
            *(expected(id_, must=False) for id_ in question.must_not),
        ),
    )


def recorded(inklings: Inklings, workspace_id: str) -> dict[str, GoldenRecord]:
    """How every question fared when it was last asked, by its id.

    Raises:
        InklingsError: A file cannot be read.
    """
    return {
        id_: record
        for file in (workspace_id, None)
        for id_, record in inklings.golden.records(file).items()
    }


def asked(inklings: Inklings, workspace_id: str) -> dict[str, GoldenRecord]:
    """How every question fares now, by its id; that is kept.

    Where nothing can be kept, how it fared when it was last asked.

    Raises:
        InklingsError: A file cannot be read or written to.
    """
    if inklings.is_read_only:
        return recorded(inklings, workspace_id)
    return {
        id_: record
        for file in (workspace_id, None)
        for id_, record in inklings.golden.watch(file).items()
    }


def history(
    inklings: Inklings, workspace_id: str
) -> tuple[tuple[TaskRun, ...], dict[ScopeKey, str]]:
    """Runs of both files, newest first, and what their places are called.

    Raises:
        InklingsError: A file cannot be read.
    """
    found = [run for file in (workspace_id, None) for run in inklings.consolidation.list(file)]
    runs = tuple(sorted(found, key=lambda one: one.started_at, reverse=True))
    scopes = {one.target.scope for one in runs if one.target.scope is not None}
    return runs, {scope: place_name(inklings, scope) for scope in scopes}
