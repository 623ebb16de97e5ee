"""What the review of a consolidation shows at any moment; no widgets, no calls."""

from __future__ import annotations

from dataclasses import field, replace
from enum import Enum, StrEnum
from math import comb
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory_values import checked_content
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.consolidation.consolidation_plans import (
    Decision,
    Decisions,
    Verdict,
    fitted,
    is_worded,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.background.consolidation import (
        ConsolidationPlan,
        MergeGroup,
        ReviewReason,
    )
    from inklings_desktop.domain.background.golden import GoldenComparison
    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.ui.kit.words.consolidation_words import ReviewNotice
    from inklings_desktop.ui.kit.words.word_marks import GroupMarks
    from inklings_desktop.usecases.consolidation.undo_consolidation import RunUndone


class ReviewStep(Enum):
    """Where the person stands."""

    PLANNING = "planning"
    PLAN = "plan"
    APPLYING = "applying"
    RESULT = "result"


class ItemKind(StrEnum):
    """What a run would do with an item, in the order in which the list shows them."""

    ROLL_UP = "roll_up"
    WAITING = "waiting"
    WAITING_FADED = "waiting_faded"
    MERGE = "merge"
    PRUNE = "prune"
    PROMOTE = "promote"
    CAP = "cap"


class Choice(StrEnum):
    """A person's word on one item."""

    ACCEPT = "accept"
    SKIP = "skip"
    LATER = "later"


MAX_LISTED = 400
"""Most pairs that are listed for a person's word at once, the most alike ones."""

CHOICES: dict[ItemKind, tuple[Choice, ...]] = {
    ItemKind.ROLL_UP: (Choice.SKIP, Choice.ACCEPT, Choice.LATER),
    ItemKind.WAITING: (Choice.SKIP, Choice.ACCEPT, Choice.LATER),
    ItemKind.WAITING_FADED: (Choice.ACCEPT, Choice.LATER),
    ItemKind.MERGE: (Choice.ACCEPT, Choice.SKIP, Choice.LATER),
    ItemKind.PRUNE: (Choice.ACCEPT, Choice.SKIP),
    ItemKind.PROMOTE: (Choice.ACCEPT, Choice.SKIP),
    ItemKind.CAP: (Choice.ACCEPT, Choice.SKIP),
}
"""What can be said of an item."""

_WAITING = frozenset({ItemKind.ROLL_UP, ItemKind.WAITING, ItemKind.WAITING_FADED})


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One thing that a run would do, or waits for a person's word.

    Attributes:
        key: Names it within the plan.
        kind: What it is.
        members: Memories that would become one, the best text first; or the one it is about.
        reasons: Why a person has to look first.
        cosine: How alike the members are at least; 1 for a single memory.
        proposed: The text that the members would become; empty for a single memory.
        choice: The person's word; what the plan does by itself before they say anything.
        text: The merged text as the person wrote it; None for the proposed one.
    """

    key: str
    kind: ItemKind
    members: tuple[MemoryEntry, ...]
    reasons: tuple[ReviewReason, ...] = ()
    cosine: float = 1.0
    proposed: str = ""
    choice: Choice = Choice.ACCEPT
    text: str | None = None

    @property
    def is_group(self) -> bool:
        """Whether several memories would become one."""
        return self.kind in {ItemKind.ROLL_UP, ItemKind.WAITING, ItemKind.MERGE}

    @property
    def is_worded(self) -> bool:
        """Whether a model worded the proposed text."""
        return self.is_group and is_worded(self.proposed, self.members)

    @property
    def is_undecided(self) -> bool:
        """Whether it still waits for a person's word."""
        return self.kind in _WAITING and self.choice is Choice.LATER

    @property
    def merged_text(self) -> str:
        """What would be remembered in place of the members."""
        return self.proposed if self.text is None else self.text

    @property
    def text_problem(self) -> InvalidValueError | None:
        """Why the merged text cannot be remembered; None if it can."""
        if not self.is_group:
            return None
        try:
            checked_content(self.merged_text)
        except InvalidValueError as error:
            return error
        return None


@dataclass(frozen=True, slots=True)
class Room:
    """A channel whose plan can be reviewed."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class WorkProgress:
    """How far the run has come: a stable word, units done, units in all (0: unknown)."""

    step: str = "compare"
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class ReviewState:
    """Everything on show.

    Attributes:
        scope: Whose plan it is; None before one was opened.
        place: What the person calls that place.
        rooms: Channels to choose from; empty for the other tiers.
        has_model: Whether memories that are alike could be looked for.
        step: Where the person stands.
        progress: How far planning or the run has come.
        plan: What a run would do; None before it was computed.
        items: The plan piece by piece, with the person's word on each.
        current: Key of the item that is looked at; empty for none.
        marks: The words that differ in a group; of the current one, once they are found.
        golden: How the golden questions fare before and after; None before they were asked.
        texts: What the memories say that they expect, by id; those that are gone are left out.
        is_asking: Whether they are being asked.
        agreed: Whether the person agreed to a large run.
        keeps_unlisted: Whether both are kept of every pair that is not listed.
        notice: What has to be said.
        is_stopping: Whether the person asked the run to stop.
        run: How the run ended.
        undone: What taking it back did; None before.
    """

    scope: ScopeKey | None = None
    place: str = ""
    rooms: tuple[Room, ...] = ()
    has_model: bool = True
    step: ReviewStep = ReviewStep.PLANNING
    progress: WorkProgress = WorkProgress()
    plan: ConsolidationPlan | None = None
    items: tuple[ReviewItem, ...] = ()
    current: str = ""
    marks: GroupMarks | None = None
    golden: GoldenComparison | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    is_asking: bool = False
    agreed: bool = False
    keeps_unlisted: bool = False
    notice: ReviewNotice | None = None
    is_stopping: bool = False
    run: TaskRun | None = None
    undone: RunUndone | None = None
    _by_key: dict[str, ReviewItem] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_key", {one.key: one for one in self.items})

    def item(self, key: str) -> ReviewItem | None:
        """The item with this key."""
        return self._by_key.get(key)

    @property
    def decisions(self) -> Decisions:
        """The person's word on the plan as the run takes it.

        Every faded memory that they did not let go is named as one to keep: a run that was agreed
        to be large would otherwise take it along.
        """
        groups = {
            one.key: Decision(
                Verdict.ACCEPT if one.choice is Choice.ACCEPT else Verdict.SKIP,
                one.text if one.choice is Choice.ACCEPT else None,
            )
            for one in self.items
            if one.is_group and one.choice is not Choice.LATER and not _is_unusable(one)
        }
        if self.keeps_unlisted:
            groups |= {one.key: Decision(Verdict.SKIP) for one in self.unlisted}
        forget = frozenset(_ids(self, ItemKind.WAITING_FADED, accepted=True))
        keep = [
            id_
            for kind in (
                ItemKind.WAITING_FADED, ItemKind.PRUNE, ItemKind.PROMOTE, ItemKind.CAP,
            )
            for id_ in _ids(self, kind, accepted=False)
        ]  # fmt: skip
        return Decisions(groups, forget, frozenset(keep))

    @property
    def unlisted(self) -> tuple[MergeGroup, ...]:
        """Pairs that wait as well and are less alike than those listed."""
        return () if self.plan is None else self.plan.review[MAX_LISTED:]

    @property
    def fitted(self) -> ConsolidationPlan | None:
        """The plan as it would be carried out now."""
        return None if self.plan is None else fitted(self.plan, self.decisions)

    @property
    def n_undecided(self) -> int:
        """Items that still wait for a person's word."""
        return sum(one.is_undecided for one in self.items)

    @property
    def n_apart(self) -> int:
        """Pairs of which both are kept from now on."""
        n_unlisted = len(self.unlisted) if self.keeps_unlisted else 0
        kept = [one for one in self.items if one.is_group and one.choice is Choice.SKIP]
        return n_unlisted + sum(comb(len(one.members), 2) for one in kept)

    @property
    def n_changes(self) -> int:
        """How many things *Apply* would change in the memory."""
        plan = self.fitted
        if plan is None:
            return 0
        return len(plan.merge) + len(plan.prune) + len(plan.promote) + len(plan.cap)

    @property
    def is_large(self) -> bool:
        """Whether the run would forget a large share of the scope."""
        plan = self.fitted
        return plan is not None and plan.is_large

    @property
    def has_bad_text(self) -> bool:
        """Whether a merged text that is to be written cannot be remembered."""
        return any(_is_unusable(one) for one in self.items)

    @property
    def has_typed(self) -> bool:
        """Whether closing would lose a text that the person wrote."""
        return self.step is ReviewStep.PLAN and any(one.text is not None for one in self.items)

    @property
    def can_apply(self) -> bool:
        """Whether there is something to do or to remember and nothing stands in its way."""
        return (
            self.step is ReviewStep.PLAN
            and self.n_changes + self.n_apart > 0
            and not self.has_bad_text
            and (self.agreed or not self.is_large)
        )


def items_of(plan: ConsolidationPlan, texts: dict[str, str]) -> tuple[ReviewItem, ...]:
    """The plan piece by piece: what waits for a person first.

    Args:
        plan: What a run would do.
        texts: The proposed text of each group, by its key.
    """

    def of_group(group: MergeGroup, kind: ItemKind, choice: Choice) -> ReviewItem:
        return ReviewItem(
            group.key,
            kind,
            group.members,
            group.reasons,
            group.cosine,
            texts.get(group.key, ""),
            choice,
        )

    return (
        *(of_group(one, ItemKind.ROLL_UP, Choice.SKIP) for one in plan.roll_ups),
        *(of_group(one, ItemKind.WAITING, Choice.SKIP) for one in plan.review[:MAX_LISTED]),
        *(
            ReviewItem(
                f"faded {one.entry.id}",
                ItemKind.WAITING_FADED,
                (one.entry,),
                one.reasons,
                choice=Choice.LATER,
            )
            for one in plan.review_faded
        ),
        *(of_group(one, ItemKind.MERGE, Choice.ACCEPT) for one in plan.merge),
        *(ReviewItem(f"prune {one.id}", ItemKind.PRUNE, (one,)) for one in plan.prune),
        *(ReviewItem(f"promote {one.id}", ItemKind.PROMOTE, (one,)) for one in plan.promote),
        *(ReviewItem(f"cap {one.id}", ItemKind.CAP, (one,)) for one in plan.cap),
    )


def chosen(state: ReviewState, key: str, choice: Choice) -> tuple[ReviewState, int]:
    """The state after a word on one item, and how many others wait again because of it.

    A memory goes into one merged memory only: accepting a group lets the accepted others that
    hold one of its members wait.
    """
    item = state.item(key)
    if item is None or choice not in CHOICES[item.kind] or choice is item.choice:
        return state, 0
    ids = {one.id for one in item.members}
    items, n_moved = [], 0
    for one in state.items:
        is_rival = (
            choice is Choice.ACCEPT
            and item.is_group
            and one.is_group
            and one.choice is Choice.ACCEPT
            and not ids.isdisjoint(member.id for member in one.members)
        )
        if one.key == key:
            items.append(replace(one, choice=choice))
        elif is_rival:
            n_moved += 1
            items.append(replace(one, choice=Choice.LATER))
        else:
            items.append(one)
    return replace(state, items=tuple(items)), n_moved


def written(state: ReviewState, key: str, text: str | None) -> ReviewState:
    """The state after the person wrote the merged text of a group, or took the proposed one."""
    return replace(
        state,
        items=tuple(
            replace(one, text=None if text == one.proposed else text)
            if one.key == key and one.is_group
            else one
            for one in state.items
        ),
    )


def carried_over(
    items: tuple[ReviewItem, ...], before: tuple[ReviewItem, ...]
) -> tuple[ReviewItem, ...]:
    """The items of a new plan with the words that were said on the old one.

    A group whose memories changed meanwhile is another group: a text that was written for it is
    kept, and the person is asked again.
    """
    known = {one.key: one for one in before}
    by_members = {
        frozenset(member.id for member in one.members): one for one in before if one.is_group
    }
    result = []
    for one in items:
        same = known.get(one.key)
        if same is not None and same.kind is one.kind:
            result.append(replace(one, choice=same.choice, text=same.text))
            continue
        alike = by_members.get(frozenset(member.id for member in one.members))
        if one.is_group and alike is not None and alike.text is not None:
            result.append(replace(one, choice=Choice.LATER, text=alike.text))
        else:
            result.append(one)
    return tuple(result)


def outline(plan: ConsolidationPlan) -> tuple[frozenset[str], ...]:
    """What the plan would do, without texts: two plans of one outline do the same."""
    return (
        frozenset(one.key for one in plan.merge),
        frozenset(one.id for one in plan.prune),
        frozenset(one.id for one in plan.promote),
        frozenset(one.id for one in plan.cap),
    )


def _ids(state: ReviewState, kind: ItemKind, *, accepted: bool) -> list[str]:
    return [
        one.members[0].id
        for one in state.items
        if one.kind is kind and (one.choice is Choice.ACCEPT) is accepted
    ]


def _is_unusable(item: ReviewItem) -> bool:
    return item.is_group and item.choice is Choice.ACCEPT and item.text_problem is not None
