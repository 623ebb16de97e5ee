"""Golden questions: save, list, delete, ask them all, and see what a plan would break."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    authorize,
    authorize_management,
    authorize_person,
)
from inklings_desktop.domain.background.golden import (
    DEPTH,
    GoldenAnswer,
    GoldenComparison,
    GoldenQuestion,
    judged,
)
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.search.search_memories import MAX_LIMIT, SearchRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from inklings_desktop.domain.background.consolidation import ConsolidationPlan
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.ports.store import Clock, IdSource, Store, StoreView
    from inklings_desktop.usecases.search.search_memories import SearchMemories

MAX_GENERATIONS = 64


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class SaveGoldenQuestion:
    """Keep a question, or change a kept one; for the person."""

    store: Store
    clock: Clock
    new_id: IdSource

    def __call__(
        self,
        caller: Caller,
        scope: ScopeKey,
        question: str,
        *,
        must: Sequence[str] = (),
        must_not: Sequence[str] = (),
        question_id: str | None = None,
    ) -> GoldenQuestion:
        """The question as it was kept.

        Args:
            caller: The person.
            scope: Where it is asked.
            question: What is asked.
            must: Ids of memories that must be found.
            must_not: Ids of memories that must not be.
            question_id: The kept question to change; None for a new one.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: The question says nothing, or expects nothing of its answer.
            NotFoundError: A memory is not in this scope, or there is no such question.
        """
        authorize_person(caller, Action.WRITE, scope.tier)
        made = GoldenQuestion(
            question_id or self.new_id(), scope, question, tuple(must), tuple(must_not),
            self.clock(),
        )  # fmt: skip
        with self.store.write(scope.workspace_id, initiator=caller.name) as unit:
            if question_id is not None:
                _require_kept(unit, question_id)
            expected = (*made.must, *made.must_not)
            found = unit.memories.get_many(expected)
            for id_ in expected:
                if id_ not in found or found[id_].scope != scope:
                    raise NotFoundError("memory", id_)
            unit.golden.add(made)
            unit.commit()
        return made


def _require_kept(view: StoreView, question_id: str) -> None:
    if all(one.id != question_id for one in view.golden.questions()):
        raise NotFoundError("golden_question", question_id)


@dataclass(frozen=True, slots=True)
class ListGoldenQuestions:
    """The golden questions of a scope key, or of a whole file."""

    store: Store

    def __call__(
        self, caller: Caller, workspace_id: str | None, scope: ScopeKey | None = None
    ) -> tuple[GoldenQuestion, ...]:
        """In order of saving.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(caller)
        with self.store.read(workspace_id) as view:
            return view.golden.questions(scope)


@dataclass(frozen=True, slots=True)
class DeleteGoldenQuestion:
    """Remove a golden question; for the person."""

    store: Store

    def __call__(self, caller: Caller, question: GoldenQuestion) -> None:
        """Remove it.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: It is gone already.
        """
        authorize_person(caller, Action.WRITE, question.scope.tier)
        with self.store.write(question.scope.workspace_id, initiator=caller.name) as unit:
            unit.golden.delete(question.id)
            unit.commit()


@dataclass(frozen=True, slots=True)
class AskGoldenQuestions:
    """Ask all golden questions of a file; counts no read, changes nothing."""

    store: Store
    search: SearchMemories

    def __call__(
        self,
        caller: Caller,
        workspace_id: str | None,
        scope: ScopeKey | None = None,
        *,
        only: Container[str] | None = None,
        goes_on: Callable[[], bool] = _always,
    ) -> tuple[GoldenAnswer, ...]:
        """How each question fares now, in order of saving.

        A memory that was merged away counts as found when the one it lives on in is.

        Args:
            caller: The person, or the clock.
            workspace_id: In whose file; None names the account's.
            scope: Only the questions of this scope key.
            only: Only the questions with these ids.
            goes_on: Asked before each question; when it says no, the rest is left out.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        return self._compared(caller, workspace_id, scope, None, only, goes_on).before

    def under_rates(self, decay: DecayConfig) -> AskGoldenQuestions:
        """The same with other rates of decay than those in force."""
        now = self.search.retrieval.settings
        retrieval = replace(self.search.retrieval, settings=lambda: replace(now(), decay=decay))
        return replace(self, search=replace(self.search, retrieval=retrieval))

    def rehearse(self, caller: Caller, workspace_id: str, decay: DecayConfig) -> GoldenComparison:
        """How the questions of a workspace and the account fare now, and would at other rates.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        ask, then = self, self.under_rates(decay)
        files = (workspace_id, None)
        return GoldenComparison(
            tuple(one for file in files for one in ask(caller, file)),
            tuple(one for file in files for one in then(caller, file)),
        )

    def under_plan(self, caller: Caller, plan: ConsolidationPlan) -> GoldenComparison:
        """How the questions of the plan's scope key fare now, and would once it is carried out.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        return self._compared(caller, plan.scope.workspace_id, plan.scope, plan)

    def _compared(
        self,
        caller: Caller,
        workspace_id: str | None,
        scope: ScopeKey | None,
        plan: ConsolidationPlan | None,
        only: Container[str] | None = None,
        goes_on: Callable[[], bool] = _always,
    ) -> GoldenComparison:
        authorize_management(caller)
        with self.store.read(workspace_id) as view:
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
        before, after = [], []
        for question in questions:
            if not goes_on():
                break
            request = SearchRequest(question.question, limit=limit)
            found = self.search(caller, [question.scope], request)
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
