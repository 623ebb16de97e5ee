"""The table of what can be done to memories: names and keys, refusals, writes, words of undo.

One row is all there is to an act; ``acts.road`` carries them out.
"""

from __future__ import annotations

from enum import Enum
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QKeySequence

from inklings_desktop.domain.memories.memory_history import NOT_WRITTEN, MemoryMark
from inklings_desktop.domain.memory import (
    JUST_FORGOTTEN,
    Derivation,
    ForgottenAs,
    MemoryPatch,
    Tier,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import counted, lowered, tr, tr_as
from inklings_desktop.ui.kit.words.memory_facts import importance_figure, lifetime_label, tier_title
from inklings_desktop.ui.memory.acts import asking

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.ui.memory.acts.chosen import Chosen
    from inklings_desktop.ui.memory.subject.state import DraftValues
    from inklings_desktop.usecases.bundle import Inklings


class MemoryAct(Enum):
    """One thing a person can ask for; it is about the checked memories, else the current one."""

    EDIT = "edit"
    TAGS = "tags"
    LIFETIME = "lifetime"
    RAISE = "raise"
    LOWER = "lower"
    IMPORTANCE = "importance"
    COPY_TEXT = "copy_text"
    COPY_TO = "copy_to"
    DERIVE = "derive"
    PROMOTE = "promote"
    MAKE_FACT = "make_fact"
    REPLACE = "replace"
    CONFIRM = "confirm"
    PIN = "pin"
    UNPIN = "unpin"
    PAUSE = "pause"
    RESUME = "resume"
    LOCK = "lock"
    UNLOCK = "unlock"
    FORGET = "forget"
    FORGET_BECAUSE = "forget_because"
    RESTORE = "restore"
    SCRUB = "scrub"


NUDGE = 0.05
"""How far one press of [ or ] moves the importance."""
_LONGEST = 24
_MARK_ICONS = {
    MemoryMark.PINNED: "push-pin",
    MemoryMark.PAUSED: "pause",
    MemoryMark.LOCKED: "lock-simple",
}
id_of = attrgetter("ref.id")
"""The id of the memory that something is about."""


@dataclass(frozen=True, slots=True)
class Change:
    """One memory and its versions on both sides of a step.

    Attributes:
        ref: The memory.
        before: Its version before the step; ``NOT_WRITTEN`` where the step wrote it.
        after: Its version after it.
        forgotten_as: How it was forgotten on that side on which it was.
    """

    ref: MemoryRef
    before: int
    after: int
    forgotten_as: ForgottenAs = JUST_FORGOTTEN

    @classmethod
    def of(cls, saved: MemoryEntry, was: MemoryEntry | None = None) -> Change:
        """A memory that was saved once just now; ``was`` as it was, if it was forgotten."""
        forgotten = was or saved
        as_it_was = ForgottenAs(forgotten.forgotten_reason, forgotten.successor_id)
        return cls(saved.ref, saved.version - 1, saved.version, as_it_was)


Done = list[tuple["MemoryEntry", Change]]
"""Memories as they are now, each with what takes it back."""


def _no_words() -> str:
    return ""


def _nothing(*_: object) -> Done:
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A row of the table; what an act has no need of stays as it is here.

    Attributes:
        name: What menus call it; empty for what stands in none.
        key: Its key in the list. A name alone: Qt looks up what that is on this system, and may
            only once a program stands.
        is_for_forgotten: Whether it can be done to forgotten memories.
        fits: Whether it would change this one.
        unfit: Why it changes none of those that are meant, where that is said.
        edits: What it changes in a draft, if the one memory that is meant is being edited.
        asks: What the person is asked first; gives what is to be written and with which value.
        opens_dialog: Whether it always is: keys that come at once are for the dialog.
        runs: Does it to memories of one file, on the write lane, in the versions expected.
        follows: Whether it is done as well where somebody changed figures a moment ago.
        said: What was done to so many, with this value.
        icon: Stands beside that.
        is_step: Whether there is something to take back in it.
        merges: Steps of the same word that follow at once become one; empty for none.
        forgets: Whether the memories leave the list: it and the inspector make way.
        unchanged: What is said where nothing had to be done.
        mark: What it sets or lifts.
    """

    name: Callable[[], str] = _no_words
    key: str | QKeySequence.StandardKey = ""
    is_for_forgotten: bool = False
    fits: Callable[[Chosen], bool] = lambda _one: True
    unfit: Callable[[], str] = _no_words
    edits: Callable[[DraftValues], dict[str, Any]] | None = None
    asks: Callable[[asking.Asker, Sequence[Chosen]], Awaitable[asking.Agreed]] | None = None
    opens_dialog: bool = False
    runs: Callable[[Inklings, Sequence[Any], Mapping[str, int], Any], Done] = _nothing
    follows: bool = True
    said: Callable[[int, Any], str] = lambda _count, _value: ""
    icon: str = "pencil-simple"
    is_step: bool = True
    merges: Callable[[Sequence[Any], Any], str] = lambda _things, _value: ""
    forgets: bool = False
    unchanged: Callable[[Any], str] = lambda _value: ""
    mark: tuple[MemoryMark, bool] | None = None


# -- what is run, and said of it ------------------------------------------------------------


def memories(count: int) -> str:
    """A number of memories: ``1 memory``, ``3 memories``."""
    return counted(count, "1 memory", "{n} memories")


def _refs(things: Sequence[Any]) -> list[Any]:
    return [one.ref for one in things]


def _saved(entries: Sequence[MemoryEntry]) -> Done:
    return [(one, Change.of(one)) for one in entries]


def _is_active(one: Chosen) -> bool:
    return not one.is_forgotten


def _edited(
    inklings: Inklings, patches: Mapping[Any, MemoryPatch], expected: Mapping[str, int]
) -> Done:
    from inklings_desktop.usecases.memories.values import Edit

    edits = [Edit(ref, patch, expected[ref.id]) for ref, patch in patches.items()]
    return _saved(inklings.memories.edit_each(edits))


def _restored(
    inklings: Inklings, things: Sequence[Any], expected: Mapping[str, int] | None, _: Any = None
) -> Done:
    was = {one.id: one for one in inklings.listing.show_all(_refs(things))}
    now = inklings.memories.restore(_refs(things), expected=expected)
    return [(one, Change.of(one, was[one.id])) for one in now]


def _copied(
    inklings: Inklings, things: Sequence[Chosen], _: Mapping[str, int], target: Any
) -> Done:
    outcome = inklings.memories.copy_outcome(things[0].ref, target)
    made = outcome.memory
    return [] if outcome.was_known else [(made, Change(made.ref, NOT_WRITTEN, made.version))]


def _derived(inklings: Inklings, things: Sequence[Any], _: Mapping[str, int], source: Any) -> Done:
    for one in things:
        file = one.ref.scope.workspace_id
        inklings.derivations.derive(file, one.ref, (Derivation(source.id),))
    return _saved(inklings.listing.show_all(_refs(things)))


def _promoted(
    inklings: Inklings, things: Sequence[Chosen], _: Mapping[str, int], target: Any
) -> Done:
    inklings.page_proposals.promote(
        things[0].ref,
        folder=target.folder,
        path=target.path,
        heading=target.heading,
        reason=tr("It belongs in the world."),
    )
    return []  # the memory stays as it is


def _made_fact(
    inklings: Inklings, things: Sequence[Chosen], _: Mapping[str, int], typed: Any
) -> Done:
    ref = things[0].ref
    made = inklings.facts.from_memory(
        ref,
        domain=inklings.domains.named(ref.scope.workspace_id or "", typed.domain),
        topic=typed.topic,
        confidence=typed.confidence,
        content=typed.content,
    )
    memory = made.fact.memory
    return [] if made.was_known else [(memory, Change(memory.ref, NOT_WRITTEN, memory.version))]


def _is_in_world(one: Chosen) -> bool:
    return one.ref.scope.workspace_id is not None


def _of_no_world() -> str:
    return tr("A memory of your account belongs to no world")


def _reweighted(count: int, importance: float | None) -> str:
    if importance is None:
        return tr("Changed the importance of {memories}").format(memories=memories(count))
    return tr("Set the importance of {memories} to {figure}").format(
        memories=memories(count), figure=importance_figure(importance)
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}\u2026"


def _marking(
    mark: tuple[MemoryMark, bool], name: Callable[[], str], said: Callable[[], str]
) -> Act:
    which, on = mark
    return Act(
        name=name,
        fits=lambda one: getattr(one, which.value) is not on,
        unfit=lambda: tr("That is so already"),
        runs=lambda inklings, things, expected, _: _saved(
            inklings.memories.mark(_refs(things), which, on=on, expected=expected)
        ),
        said=lambda count, _: said().format(memories=memories(count)),
        icon=_MARK_ICONS[which],
        mark=mark,
    )


def _nudging(by: float, name: Callable[[], str], key: str) -> Act:
    def moved(importance: float) -> float:
        return min(1.0, max(0.0, round(importance + by, 4)))

    return Act(
        name=name,
        key=key,
        fits=lambda one: moved(one.importance) != one.importance,
        edits=lambda draft: {"importance": moved(draft.importance)},
        runs=lambda inklings, things, expected, _: _edited(
            inklings,
            {one.ref: MemoryPatch(importance=moved(one.importance)) for one in things},
            expected,
        ),
        follows=False,  # it starts from the figure on show
        said=_reweighted,
        merges=lambda things, _: f"nudge {id_of(things[0])}" if len(things) == 1 else "",
    )


def _forgetting(
    name: Callable[[], str], asks: Any, key: str | QKeySequence.StandardKey = ""
) -> Act:
    return Act(
        name=name,
        key=key,
        is_for_forgotten=True,
        fits=_is_active,
        unfit=lambda: tr("Forgotten already"),
        asks=asks,
        opens_dialog=asks is asking.reason,
        runs=lambda inklings, things, expected, reason: _saved(
            inklings.memories.forget(_refs(things), reason=reason, expected=expected)
        ),
        said=lambda count, _: tr("Forgot {memories}").format(memories=memories(count)),
        icon="eraser",
        merges=lambda _, reason: f"forget {reason}",
        forgets=True,
    )


# -- the table, in the order of a menu ------------------------------------------------------

ACTS: dict[MemoryAct, Act] = {
    MemoryAct.EDIT: Act(name=lambda: tr("Edit"), key="E", is_for_forgotten=True),
    MemoryAct.TAGS: Act(
        name=lambda: tr("Edit tags"),
        key="T",
        runs=lambda inklings, things, expected, retag: _saved(
            inklings.memories.change(
                _refs(things), add_tags=retag.adds, remove_tags=retag.removes, expected=expected
            )
        ),
        said=lambda count, _: tr("Changed the tags of {memories}").format(memories=memories(count)),
        icon="tag-simple",
    ),
    MemoryAct.LIFETIME: Act(
        name=lambda: tr("Short-term or long-term"),
        key="L",
        fits=lambda one: one.ref.scope.tier is not Tier.CONVERSATION,
        unfit=lambda: tr("A conversation memory lasts as long as the conversation"),
        edits=lambda draft: {"lifetime": asking.other_lifetime(draft.lifetime)},
        asks=asking.lifetime,
        runs=lambda inklings, things, expected, lifetime: _saved(
            inklings.memories.change(_refs(things), lifetime=lifetime, expected=expected)
        ),
        said=lambda count, lifetime: tr("Made {memories} {lifetime}").format(
            memories=memories(count), lifetime=lowered(lifetime_label(lifetime), is_noun=False)
        ),
        icon="clock",
    ),
    MemoryAct.RAISE: _nudging(NUDGE, lambda: tr("Raise importance"), "]"),
    MemoryAct.LOWER: _nudging(-NUDGE, lambda: tr("Lower importance"), "["),
    MemoryAct.IMPORTANCE: Act(
        runs=lambda inklings, things, expected, importance: _saved(
            inklings.memories.change(_refs(things), importance=importance, expected=expected)
        ),
        said=_reweighted,
    ),
    MemoryAct.COPY_TEXT: Act(name=lambda: tr("Copy text"), key="Ctrl+C", is_for_forgotten=True),
    MemoryAct.REPLACE: Act(
        name=lambda: tr("Search and replace\u2026"),
        fits=_is_active,
        asks=asking.replacement,
        opens_dialog=True,
        runs=lambda inklings, things, expected, _: _edited(
            inklings, {one.ref: MemoryPatch(content=one.after) for one in things}, expected
        ),
        said=lambda count, sought: tr("Replaced \u201c{sought}\u201d in {memories}").format(
            sought=_short(sought), memories=memories(count)
        ),
    ),
    MemoryAct.COPY_TO: Act(
        name=lambda: tr("Copy to another tier\u2026"),
        asks=asking.target,
        opens_dialog=True,
        runs=_copied,
        follows=False,
        said=lambda _, target: tr("Copied 1 memory to {tier}").format(tier=tier_title(target.tier)),
        icon="arrow-counter-clockwise",
        unchanged=lambda target: tr("{tier} already has this memory").format(
            tier=tier_title(target.tier)
        ),
    ),
    MemoryAct.DERIVE: Act(
        name=lambda: tr("Derives from\u2026"),
        key="D",
        fits=_is_in_world,
        unfit=_of_no_world,
        asks=asking.source,
        opens_dialog=True,
        runs=_derived,
        follows=False,
        said=lambda count, source: tr("Linked {memories} to {page}").format(
            memories=memories(count), page=_short(source.title)
        ),
        icon="link-simple",
        is_step=False,
    ),
    MemoryAct.PROMOTE: Act(
        name=lambda: tr("Propose as page\u2026"),
        key="P",
        fits=_is_in_world,
        unfit=_of_no_world,
        asks=asking.promotion,
        opens_dialog=True,
        runs=_promoted,
        follows=False,
        unchanged=lambda target: tr("Proposed for {page}: it waits under World").format(
            page=target.path
        ),
    ),
    MemoryAct.MAKE_FACT: Act(
        name=lambda: tr("Make a fact\u2026"),
        fits=_is_in_world,
        unfit=_of_no_world,
        asks=asking.fact,
        opens_dialog=True,
        runs=_made_fact,
        follows=False,
        said=lambda _, __: tr("Made 1 fact"),
        icon="tree-structure",
        unchanged=lambda _: tr("This fact is there already."),
    ),
    MemoryAct.CONFIRM: Act(
        name=lambda: tr("Still true"),
        runs=lambda inklings, things, _, __: _saved(inklings.memories.confirm(_refs(things))),
        follows=False,
        said=lambda count, _: tr("Still true: {memories}").format(memories=memories(count)),
        is_step=False,
    ),
    MemoryAct.PIN: _marking(
        (MemoryMark.PINNED, True),
        lambda: tr("Pin: never fades"),
        lambda: tr("Pinned {memories}"),
    ),
    MemoryAct.UNPIN: _marking(
        (MemoryMark.PINNED, False),
        lambda: tr("Unpin"),
        lambda: tr("Unpinned {memories}"),
    ),
    MemoryAct.PAUSE: _marking(
        (MemoryMark.PAUSED, True),
        lambda: tr("Pause: never retrieved"),
        lambda: tr("Paused {memories}"),
    ),
    MemoryAct.RESUME: _marking(
        (MemoryMark.PAUSED, False),
        lambda: tr_as("a memory", "Resume"),
        lambda: tr("Resumed {memories}"),
    ),
    MemoryAct.LOCK: _marking(
        (MemoryMark.LOCKED, True),
        lambda: tr("Lock: agents only propose"),
        lambda: tr("Locked {memories}"),
    ),
    MemoryAct.UNLOCK: _marking(
        (MemoryMark.LOCKED, False),
        lambda: tr("Unlock"),
        lambda: tr("Unlocked {memories}"),
    ),
    MemoryAct.FORGET: _forgetting(
        lambda: tr("Forget"), asking.surely, QKeySequence.StandardKey.Delete
    ),
    MemoryAct.FORGET_BECAUSE: _forgetting(lambda: tr("Forget with a reason\u2026"), asking.reason),
    MemoryAct.RESTORE: Act(
        name=lambda: tr("Restore"),
        is_for_forgotten=True,
        fits=lambda one: one.is_forgotten,
        unfit=lambda: tr("Nothing to restore: this is not forgotten"),
        runs=_restored,
        follows=False,
        said=lambda count, _: tr("Restored {memories}").format(memories=memories(count)),
        icon="arrow-counter-clockwise",
    ),
    MemoryAct.SCRUB: Act(
        name=lambda: tr("Delete for good\u2026"), is_for_forgotten=True, asks=asking.scrub
    ),
}


def why_not(act: MemoryAct, targets: Sequence[Chosen]) -> str:
    """Why an act would change none of these memories, of which there is one; else empty."""
    row = ACTS[act]
    if act is MemoryAct.SCRUB and len({one.ref.scope.workspace_id for one in targets}) > 1:
        return tr("Choose memories of this workspace or of your account, not of both")
    if not row.is_for_forgotten and all(one.is_forgotten for one in targets):
        return tr("Restore it first")
    return "" if any(map(row.fits, targets)) else row.unfit()


def marking_act(mark: MemoryMark, *, on: bool) -> MemoryAct:
    """The act that sets or lifts a mark."""
    return next(act for act, row in ACTS.items() if row.mark == (mark, on))
