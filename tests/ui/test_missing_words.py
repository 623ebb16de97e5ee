"""Every stage at which a memory can fall out of a search has its sentence and its step."""

from __future__ import annotations

import pytest

from inklings_desktop.ui.memory.explain.missing_words import (
    MissingFacts,
    StepState,
    missing_facts,
    untried_steps,
)
from inklings_desktop.usecases.search.explain_missing import Missing, Stage
from tests.support.builders import a_memory

ENTRY = a_memory("Gulls keep accounts.")


def told(missing: Missing) -> MissingFacts:
    return missing_facts(missing, 200, 300)


def fell_at(facts: MissingFacts) -> int | None:
    states = [step.state for step in facts.steps]
    assert states == sorted(states, key=list(StepState).index)
    return states.index(StepState.FELL) if StepState.FELL in states else None


@pytest.mark.parametrize(
    ("missing", "title", "step"),
    [
        (Missing(Stage.NOT_HERE), "It is not in the place you searched.", 0),
        (Missing(Stage.FORGOTTEN, ENTRY), "It is forgotten, so no search finds it.", 1),
        (Missing(Stage.PAUSED, ENTRY), "It is paused, so no search finds it.", 1),
        (Missing(Stage.FILTERED, ENTRY), "The filters hide it.", 2),
        (Missing(Stage.NO_WORDS, ENTRY), "The search has no word to look for.", 3),
        (Missing(Stage.NO_MATCH, ENTRY), "The search does not match it.", 3),
        (
            Missing(Stage.BELOW_LISTS, ENTRY, keyword_rank=412),
            "It is too far down to be compared.",
            4,
        ),
        (
            Missing(Stage.FOLDED, ENTRY, folded_into="better"),
            "It is a duplicate of a better hit.",
            5,
        ),
        (Missing(Stage.BELOW_LIMIT, ENTRY, position=231), "It was found, below what is shown.", 6),
        (Missing(Stage.FOUND, ENTRY, position=4), "It is here after all: 4th in the list.", None),
    ],
)
def test_each_stage(missing: Missing, title: str, step: int | None) -> None:
    facts = told(missing)
    assert facts.title == title
    assert fell_at(facts) == step
    assert facts.ref == (ENTRY.ref if missing.entry is not None else None)


def test_every_stage_of_the_engine_is_told() -> None:
    assert {told(Missing(stage, ENTRY)).title for stage in Stage} >= {"The filters hide it."}
    assert len({told(Missing(stage, ENTRY)).title for stage in Stage}) == len(Stage)
    assert len(untried_steps()) == 7


def test_what_was_measured_is_said() -> None:
    unlike = told(Missing(Stage.NO_MATCH, ENTRY, cosine=0.05, has_vector=True, shown_from=0.25))
    assert "the meaning is too different" in unlike.text
    assert "compared by meaning yet" in told(Missing(Stage.NO_MATCH, ENTRY)).text
    both = Missing(Stage.BELOW_LISTS, ENTRY, keyword_rank=412, semantic_rank=1203, cosine=0.31)
    assert told(both).text == (
        "It is 412th by words and 1203rd by meaning (0.31 alike); the first 300 of each list are "
        "compared."
    )


def test_a_folded_memory_leads_to_the_better_hit() -> None:
    facts = told(Missing(Stage.FOLDED, ENTRY, folded_into="better"))
    assert facts.better is not None
    assert (facts.better.scope, facts.better.id) == (ENTRY.scope, "better")
