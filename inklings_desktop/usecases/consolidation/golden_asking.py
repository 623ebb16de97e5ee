"""Golden questions asked: how they fare now, and would under a plan or other rates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize, authorize_management
from inklings_desktop.domain.background.golden import DEPTH, GoldenComparison, judged
from inklings_desktop.usecases.search.search import Search
from inklings_desktop.usecases.search.search_memories import MAX_LIMIT, SearchRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.background.consolidation import ConsolidationPlan
    from inklings_desktop.domain.background.golden import GoldenQuestion
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.parts import Parts
    from inklings_desktop.usecases.ports.store import StoreView

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
