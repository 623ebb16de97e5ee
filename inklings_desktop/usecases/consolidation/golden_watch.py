"""Golden questions: how they fare, asked before and after whatever may change their answers.

The one place that does so: consolidations and their undo, imports and their withdrawal, changes of
the model and of the rates of decay all come through here. What a question's answer was is kept
with it. A check must not stop what it watches: if it cannot be made, that is logged and the work
goes on.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize, authorize_management
from inklings_desktop.domain.background.golden import (
    DEPTH,
    GoldenBasis,
    GoldenCause,
    GoldenComparison,
    GoldenRecord,
    judged,
)
from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.logs import topic
from inklings_desktop.usecases.consolidation.consolidation_plans import model_in_use
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.search.search import Search
from inklings_desktop.usecases.search.search_memories import MAX_LIMIT, SearchRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.background.consolidation import ConsolidationPlan
    from inklings_desktop.domain.background.golden import GoldenAnswer, GoldenQuestion
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.parts import Parts
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import StoreView, UnitOfWork

MAX_GENERATIONS = 64


def always() -> bool:
    """Goes on."""
    return True


def compared(
    parts: Parts,
    caller: Caller,
    workspace_id: str | None,
    scope: ScopeKey | None = None,
    *,
    plan: ConsolidationPlan | None = None,
    only: Container[str] | None = None,
    goes_on: Callable[[], bool] = always,
) -> GoldenComparison:
    """How each question fares now, and would once the plan is carried out.

    A memory that was merged away counts as found when the one it lives on in is. Counts no read.

    Args:
        parts: What the use cases are made of.
        caller: The person, or the clock.
        workspace_id: In whose file; None names the account's.
        scope: Only the questions of this scope key.
        plan: What might be done; None for nothing.
        only: Only the questions with these ids.
        goes_on: Asked before each question; when it says no, the rest is left out.
    """
    authorize_management(caller)
    with parts.store.read(workspace_id) as view:
        questions = tuple(
            one for one in view.golden.questions(scope) if only is None or one.id in only
        )
        lives_on = _successors(view, questions)
    authorize(caller, Action.READ, *{one.scope for one in questions})
    gone: set[str] = set()
    lives_on_then = dict(lives_on)
    if plan is not None:
        gone = {one.id for one in (*plan.prune, *plan.cap)}
        merged = {one.id: group.key for group in plan.merge for one in group.members}
        lives_on_then = {id_: merged.get(later, later) for id_, later in lives_on.items()}
        lives_on_then |= merged
    # So many more hits are asked for as the plan may take out of the list.
    limit = min(MAX_LIMIT, DEPTH + len(gone) + len(lives_on_then) - len(lives_on))
    search = Search(parts, caller)
    before, after = [], []
    for question in questions:
        if not goes_on():
            break
        request = SearchRequest(question.question, limit=limit)
        found = search.find([question.scope], request)
        hits = [hit.entry.id for hit in found.hits]
        before.append(judged(question, hits, lives_on_in=lives_on))
        after.append(judged(question, hits, gone=gone, lives_on_in=lives_on_then))
    return GoldenComparison(tuple(before), tuple(after))


def _successors(view: StoreView, questions: Sequence[GoldenQuestion]) -> dict[str, str]:
    """The memory that each expected one lives on in, for those that were merged away."""
    ids = {id_ for one in questions for id_ in (*one.must, *one.must_not)}
    now_in: dict[str, str] = {}
    waiting = {id_: id_ for id_ in ids}
    for _ in range(MAX_GENERATIONS):
        entries = view.memories.get_many(sorted(set(waiting.values())))
        waiting = {
            id_: entries[later].successor_id or ""
            for id_, later in waiting.items()
            if later in entries and entries[later].successor_id
        }
        if not waiting:
            break
        now_in |= waiting
    return now_in


STOPPED_SECONDS = 0.5
"""So long questions are still asked after work that somebody stopped: the window may be closing."""

MAX_SECONDS = 10.0
"""Longest asking beside other work, which holds a lease meanwhile; enough for hundreds."""

_log = topic("golden")


@dataclass(frozen=True, slots=True)
class Watched:
    """Where questions are watched.

    Attributes:
        workspace_id: In whose file; None names the account's.
        scope: Only the questions of this scope key; None takes all of the file.
    """

    workspace_id: str | None
    scope: ScopeKey | None = None


@dataclass(slots=True)
class Watching:
    """One piece of work under watch.

    Attributes:
        run_id: Its run, once it is known.
        broken: After its end, what was answered right before it and is not any more.
    """

    run_id: str = ""
    broken: tuple[GoldenAnswer, ...] = ()


class GoldenWatch:
    """Asks the golden questions, keeps how each fared, and records the ones that break."""

    def __init__(
        self, parts: Parts, caller: Caller, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._parts, self._caller, self._monotonic = parts, caller, monotonic

    @contextmanager
    def around(
        self,
        places: Sequence[Watched],
        cause: GoldenCause,
        progress: Progress = UNHEARD,
    ) -> Iterator[Watching]:
        """Ask before what is done inside, and after it; after a failure nothing is asked.

        Args:
            places: Where answers may change.
            cause: What is done.
            progress: Says whether the work is still wanted: before it, that is asked between two
                questions; after it, questions go on for half a second. Neither takes longer than
                ten seconds; what was not asked by then keeps its last answer.

        Raises:
            StoppedError: It was stopped before it began, or inside.
        """
        authorize_management(self._caller)
        for place in places:
            self._quietly(self._before, place, progress)
        watching = Watching()
        try:
            yield watching
        except StoppedError:
            self._after(places, cause, watching, progress)
            raise
        self._after(places, cause, watching, progress)

    def before(self, places: Sequence[Watched]) -> None:
        """Ask before something whose end is somebody else's, as the choice of a model."""
        for place in places:
            self._quietly(self._before, place, UNHEARD)

    def settle(self, workspace_id: str | None) -> None:
        """Ask again what was last asked with another model, or other rates of decay.

        Questions about another model wait until nothing lacks a vector of the new one.
        """
        self._quietly(self.settled, workspace_id)

    def settled(self, workspace_id: str | None) -> None:
        """Does what ``settle`` does, and raises what hinders it."""
        model_id, begun = model_in_use(self._parts.embedder), self._monotonic()
        now = self._parts.settings().decay

        def goes_on() -> bool:
            return self._monotonic() - begun < MAX_SECONDS  # the rest is found the next time

        with self._parts.store.read(workspace_id) as view:
            records = view.golden.records()
            slowed = {
                id_
                for id_, one in records.items()
                if one.basis.rate != now.rate(one.answer.question.scope.tier)
            }
            moved = {id_ for id_, one in records.items() if one.basis.model_id != model_id}
            if moved and not _is_embedded(view, model_id):
                moved = set()
        if slowed:
            former = {
                records[id_].answer.question.scope.tier.value: records[id_].basis.rate
                for id_ in slowed
            }
            decay = replace(now, **former)
            place = Watched(workspace_id)
            self.asked(place, GoldenCause.MEANWHILE, only=slowed, decay=decay, goes_on=goes_on)
            self.asked(place, GoldenCause.DECAY, only=slowed, goes_on=goes_on)
        if moved - slowed:
            place = Watched(workspace_id)
            self.asked(place, GoldenCause.MODEL, only=moved - slowed, goes_on=goes_on)

    def asked(
        self,
        place: Watched,
        cause: GoldenCause,
        *,
        run_id: str = "",
        only: Container[str] | None = None,
        decay: DecayConfig | None = None,
        goes_on: Callable[[], bool] = always,
    ) -> tuple[GoldenAnswer, ...]:
        """Ask and keep; the questions that were answered right before and are not any more.

        Every model call is over before the transaction begins.
        """
        parts = self._parts if decay is None else self._parts.under(decay)
        file, scope = place.workspace_id, place.scope
        answers = compared(parts, self._caller, file, scope, only=only, goes_on=goes_on).before
        if not answers:
            return ()
        rates = decay or self._parts.settings().decay
        model_id, now = model_in_use(self._parts.embedder), self._parts.clock()
        with parts.store.write(place.workspace_id, initiator=self._caller.name) as unit:
            questions = {one.id: one for one in unit.golden.questions(place.scope)}
            known = unit.golden.records(place.scope)
            is_embedded: bool | None = None
            kept, broken = [], []
            for answer in answers:
                question = answer.question
                if questions.get(question.id) != question:
                    continue  # it was changed or removed meanwhile
                before = known.get(question.id)
                basis = GoldenBasis(rates.rate(question.scope.tier), model_id)
                why = cause
                if before is not None and before.basis.model_id != model_id:
                    if is_embedded is None:
                        is_embedded = _is_embedded(unit, model_id)
                    if not is_embedded:  # the change of the model is not over yet
                        basis = replace(basis, model_id=before.basis.model_id)
                    if cause is GoldenCause.MEANWHILE:
                        why = GoldenCause.MODEL
                record = GoldenRecord(answer, now, why, basis, now, why, run_id)
                if before is not None:
                    record = before.followed_by(record)
                    if before.is_right and not record.is_right:
                        broken.append(record)
                kept.append(record)
            unit.golden.put_records(kept)
            _record(unit, self._caller, broken)
            unit.commit()
        return tuple(one.answer for one in broken)

    def _quietly(self, work: Callable[..., object], *arguments: object) -> None:
        try:
            work(*arguments)
        except StoppedError:
            raise
        except InklingsError as error:
            _log.warning("golden questions were not asked: %s", type(error).__name__)

    def _before(self, place: Watched, progress: Progress) -> None:
        self.settled(place.workspace_id)
        begun = self._monotonic()

        def goes_on() -> bool:
            progress.require_wanted()
            return self._monotonic() - begun < MAX_SECONDS

        self.asked(place, GoldenCause.MEANWHILE, goes_on=goes_on)

    def _after(
        self,
        places: Sequence[Watched],
        cause: GoldenCause,
        watching: Watching,
        progress: Progress,
    ) -> None:
        begun = self._monotonic()

        def goes_on() -> bool:
            most = STOPPED_SECONDS if progress.is_cancelled() else MAX_SECONDS
            return self._monotonic() - begun < most

        for place in places:
            try:
                watching.broken += self.asked(place, cause, run_id=watching.run_id, goes_on=goes_on)
            except InklingsError as error:
                _log.warning("golden questions were not asked: %s", type(error).__name__)


def _is_embedded(view: StoreView, model_id: str) -> bool:
    """Whether nothing waits for a vector of this model; always so without one."""
    return not model_id or view.memories.n_without_vector(model_id) == 0


def _record(unit: UnitOfWork, caller: Caller, broken: Sequence[GoldenRecord]) -> None:
    """One event per scope key in which a question broke."""

    def place(one: GoldenRecord) -> tuple[str, str]:
        scope = one.answer.question.scope
        return scope.tier.value, scope.key

    for (tier, key), several in groupby(sorted(broken, key=place), key=place):
        records = list(several)
        marks = {"after": records[0].cause.value}
        if records[0].run_id:
            marks["run"] = records[0].run_id
        draft = EventDraft(
            EventKind.GOLDEN_BROKEN,
            caller.name,
            caller.kind.value,
            caller.door.value,
            tier,
            key,
            (),
            {"questions": len(records)},
            marks,
        )
        unit.events.append(draft, records[0].asked_at)
