"""Golden questions: save, list, delete, ask them all, and see what a plan would break."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    authorize_management,
    authorize_person,
)
from inklings_desktop.domain.background.golden import (
    GoldenCause,
    GoldenComparison,
    GoldenQuestion,
)
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.usecases.consolidation.golden_watch import (
    GoldenWatch,
    Watched,
    always,
    compared,
)
from inklings_desktop.usecases.parts import Asked

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from inklings_desktop.domain.background.consolidation import ConsolidationPlan
    from inklings_desktop.domain.background.golden import GoldenAnswer, GoldenRecord
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.ports.store import StoreView


class Golden(Asked):
    """Golden questions, which watch over what is found."""

    def save(
        self,
        scope: ScopeKey,
        question: str,
        *,
        must: Sequence[str] = (),
        must_not: Sequence[str] = (),
        question_id: str | None = None,
    ) -> GoldenQuestion:
        """Keeps a question, or changes a kept one.

        Args:
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
        authorize_person(self.caller, Action.WRITE, scope.tier)
        made = GoldenQuestion(
            question_id or self.new_id(), scope, question, tuple(must), tuple(must_not),
            self.clock(),
        )  # fmt: skip
        with self.writing(scope.workspace_id) as unit:
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

    def list(
        self, workspace_id: str | None, scope: ScopeKey | None = None
    ) -> tuple[GoldenQuestion, ...]:
        """Lists the questions of a scope key, or of a whole file, in order of saving.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(self.caller)
        with self.store.read(workspace_id) as view:
            return view.golden.questions(scope)

    def delete(self, question: GoldenQuestion) -> None:
        """Removes a question.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: It is gone already.
        """
        authorize_person(self.caller, Action.WRITE, question.scope.tier)
        with self.writing(question.scope.workspace_id) as unit:
            unit.golden.delete(question.id)
            unit.commit()

    def ask(
        self,
        workspace_id: str | None,
        scope: ScopeKey | None = None,
        *,
        only: Container[str] | None = None,
        goes_on: Callable[[], bool] = always,
    ) -> tuple[GoldenAnswer, ...]:
        """Asks all questions of a file; counts no read, keeps nothing.

        A memory that was merged away counts as found when the one it lives on in is.

        Args:
            workspace_id: In whose file; None names the account's.
            scope: Only the questions of this scope key.
            only: Only the questions with these ids.
            goes_on: Asked before each question; when it says no, the rest is left out.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        return compared(
            self.parts, self.caller, workspace_id, scope, only=only, goes_on=goes_on
        ).before

    def rehearse(self, workspace_id: str, decay: DecayConfig) -> GoldenComparison:
        """How the questions of a workspace and the account fare now, and would at other rates.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        then, files = self.parts.under(decay), (workspace_id, None)
        now_and_then = (
            tuple(one for file in files for one in compared(parts, self.caller, file).before)
            for parts in (self.parts, then)
        )
        return GoldenComparison(*now_and_then)

    def under_plan(self, plan: ConsolidationPlan) -> GoldenComparison:
        """How the questions of the plan's scope key fare now, and would once it is carried out.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        scope = plan.scope
        return compared(self.parts, self.caller, scope.workspace_id, scope, plan=plan)

    def watch(
        self, workspace_id: str | None, scope: ScopeKey | None = None
    ) -> Mapping[str, GoldenRecord]:
        """Asks all questions of a file and keeps how each fares now; by their ids.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
            StorageError: The file cannot be read or written to.
        """
        authorize_management(self.caller)
        watch = GoldenWatch(self.parts, self.caller)
        watch.settled(workspace_id)
        watch.asked(Watched(workspace_id, scope), GoldenCause.REQUEST)
        return self.records(workspace_id, scope)

    def records(
        self, workspace_id: str | None, scope: ScopeKey | None = None
    ) -> Mapping[str, GoldenRecord]:
        """How every question fared when it was last asked, by its id; nothing is asked.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
            StorageError: The file cannot be read.
        """
        authorize_management(self.caller)
        with self.store.read(workspace_id) as view:
            return view.golden.records(scope)


def _require_kept(view: StoreView, question_id: str) -> None:
    if all(one.id != question_id for one in view.golden.questions()):
        raise NotFoundError("golden_question", question_id)
