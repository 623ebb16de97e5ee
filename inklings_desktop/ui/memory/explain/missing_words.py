"""What became of a memory in a search, in a person's words."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import decimal, grouped, tr
from inklings_desktop.ui.kit.why.facts import ordinal
from inklings_desktop.usecases.search.explain_missing import Stage

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryRef
    from inklings_desktop.usecases.search.explain_missing import Missing


@dataclass(frozen=True, slots=True)
class MissingCandidate:
    """A memory that a person may miss.

    Attributes:
        id: Of the memory.
        text: What it says, on one line.
        remark: What is special about it, such as that it is forgotten; usually empty.
    """

    id: str
    text: str
    remark: str = ""


class StepState(Enum):
    """How a memory fared at one step of a search."""

    PASSED = "passed"
    FELL = "fell"
    UNTRIED = "untried"


@dataclass(frozen=True, slots=True)
class MissingStep:
    """One step on the way into the list."""

    name: str
    state: StepState


@dataclass(frozen=True, slots=True)
class MissingFacts:
    """The answer to the question why a memory is not among the hits.

    Attributes:
        title: What happened, in a sentence.
        text: What that means, or what can be done.
        steps: The way into the list, as far as the memory came.
        ref: The memory; None when there is none here.
        better: The hit that it stands behind.
    """

    title: str
    text: str
    steps: tuple[MissingStep, ...]
    ref: MemoryRef | None = None
    better: MemoryRef | None = None


_FELL_AT = {
    Stage.NOT_HERE: 0,
    Stage.FORGOTTEN: 1,
    Stage.PAUSED: 1,
    Stage.FILTERED: 2,
    Stage.NO_WORDS: 3,
    Stage.NO_MATCH: 3,
    Stage.BELOW_LISTS: 4,
    Stage.FOLDED: 5,
    Stage.BELOW_LIMIT: 6,
    Stage.FOUND: 7,
}


def missing_facts(missing: Missing, limit: int, list_length: int) -> MissingFacts:
    """The answer for a person.

    Args:
        missing: As the engine returned it.
        limit: Most hits of the search.
        list_length: How many of each list were ranked.
    """
    title, text = _told(missing, limit, list_length)
    entry = missing.entry
    better = None
    if entry is not None and missing.folded_into is not None:
        better = type(entry.ref)(entry.scope, missing.folded_into)
    fell_at = _FELL_AT[missing.stage]
    return MissingFacts(
        title,
        text,
        tuple(MissingStep(name, _state(place, fell_at)) for place, name in enumerate(_steps())),
        entry.ref if entry is not None else None,
        better,
    )


def untried_steps() -> tuple[MissingStep, ...]:
    """The way into the list before any memory is chosen."""
    return tuple(MissingStep(name, StepState.UNTRIED) for name in _steps())


def _steps() -> tuple[str, ...]:
    return (
        tr("Kept in the place that is searched"),
        tr("Active: neither forgotten nor paused"),
        tr("Let through by the filters"),
        tr("Matched by a word or by meaning"),
        tr("High enough in a list to be compared"),
        tr("Not folded into a better hit"),
        tr("Within the hits that are shown"),
    )


def _state(place: int, fell_at: int) -> StepState:
    if place < fell_at:
        return StepState.PASSED
    return StepState.FELL if place == fell_at else StepState.UNTRIED


def _told(missing: Missing, limit: int, list_length: int) -> tuple[str, str]:
    match missing.stage:
        case Stage.NOT_HERE:
            return tr("It is not in the place you searched."), tr(
                "It may be in another tier or room, or not exist."
            )
        case Stage.FORGOTTEN:
            return tr("It is forgotten, so no search finds it."), tr("Restore it to find it again.")
        case Stage.PAUSED:
            return tr("It is paused, so no search finds it."), tr(
                "It is found again once it is resumed."
            )
        case Stage.FILTERED:
            return tr("The filters hide it."), tr("Clear them to search everything here.")
        case Stage.NO_WORDS:
            return tr("The search has no word to look for."), ""
        case Stage.NO_MATCH:
            return tr("The search does not match it."), _no_match(missing)
        case Stage.BELOW_LISTS:
            return tr("It is too far down to be compared."), tr(
                "It is {places}; the first {n} of each list are compared."
            ).format(places=_places(missing), n=grouped(list_length))
        case Stage.FOLDED:
            return tr("It is a duplicate of a better hit."), tr("It is grouped with that one.")
        case Stage.BELOW_LIMIT:
            place = ordinal(missing.position) if missing.position is not None else ""
            return tr("It was found, below what is shown."), tr(
                "It comes {place}; the first {n} are shown. Add words to narrow the search."
            ).format(place=place, n=grouped(limit))
        case Stage.FOUND:
            place = ordinal(missing.position) if missing.position is not None else ""
            return tr("It is here after all: {place} in the list.").format(place=place), ""


def _no_match(missing: Missing) -> str:
    if missing.cosine is not None and missing.shown_from is None:
        return tr(
            "No word matches, and this search model can\u2019t tell if it is close enough."
        ).format(figure=decimal(missing.cosine, 2))
    if missing.cosine is not None and missing.shown_from is not None:
        return tr("No word matches, and the meaning is too different.").format(
            figure=decimal(missing.cosine, 2), least=decimal(missing.shown_from, 2)
        )
    if not missing.has_vector:
        return tr("No word matches, and it can\u2019t be compared by meaning yet.")
    return tr("No word matches, and meaning was not compared.")


def _places(missing: Missing) -> str:
    parts = []
    if missing.keyword_rank is not None:
        parts.append(tr("{place} by words").format(place=ordinal(missing.keyword_rank)))
    if missing.semantic_rank is not None:
        alike = decimal(missing.cosine or 0.0, 2)
        parts.append(
            tr("{place} by meaning ({figure} alike)").format(
                place=ordinal(missing.semantic_rank), figure=alike
            )
        )
    return tr(" and ").join(parts)
