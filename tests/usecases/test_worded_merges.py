from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.domain.memory import AUTHOR, Curator
from inklings_desktop.usecases.consolidation.consolidation import MOST_A_RUN, WordedConsolidator
from tests.support.builders import a_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import MemoryEntry

HARBOUR = "The harbour of Vell closes at dusk."
KEYS = "Mara keeps the 3 keys of the harbour of Vell."
BOTH = "The harbour of Vell closes at dusk, and Mara keeps its 3 keys."
PLAIN = f"{HARBOUR} {KEYS}"


@dataclass
class Said:
    """A model that words every text alike."""

    text: str | None
    asked: list[Sequence[str]] = field(default_factory=list)

    def worded(self, _workspace_id: str | None, texts: Sequence[str]) -> str | None:
        self.asked.append(texts)
        return self.text


def members(**told: Any) -> list[MemoryEntry]:
    theirs: dict[str, Any] = {"curator": Curator.AGENT, "written_by": "world-agent"} | told
    return [replace(a_memory(one), **theirs) for one in (HARBOUR, KEYS)]


def test_what_the_model_words_is_taken_when_nothing_is_missing() -> None:
    said = Said(BOTH)
    assert WordedConsolidator(said).merged(members()) == BOTH
    assert said.asked == [[HARBOUR, KEYS]]


@pytest.mark.parametrize(
    "text", [None, BOTH.replace("3", "4"), BOTH.replace("closes", "never closes")]
)
def test_what_is_wrong_or_missing_is_merged_without_the_model(text: str | None) -> None:
    assert WordedConsolidator(Said(text)).merged(members()) == PLAIN


@pytest.mark.parametrize("told", [{"curator": Curator.AUTHOR}, {"written_by": AUTHOR}])
def test_the_authors_own_words_are_never_sent(told: dict[str, object]) -> None:
    said = Said(BOTH)
    assert WordedConsolidator(said).merged(members(**told)) == PLAIN
    assert said.asked == []


def test_a_duplicate_needs_no_words() -> None:
    said = Said(BOTH)
    (first, _) = members()
    assert WordedConsolidator(said).merged([first, first]) == HARBOUR
    assert said.asked == []


def test_a_model_that_failed_is_not_asked_again_in_this_run() -> None:
    said = Said(None)
    consolidator = WordedConsolidator(said)
    assert [consolidator.merged(members()) for _ in range(3)] == [PLAIN] * 3
    assert len(said.asked) == 1


def test_a_run_asks_for_so_many_texts_at_most() -> None:
    said = Said(BOTH)
    consolidator = WordedConsolidator(said)
    worded = [consolidator.merged(members()) for _ in range(MOST_A_RUN + 2)]
    assert worded == [BOTH] * MOST_A_RUN + [PLAIN] * 2
    assert len(said.asked) == MOST_A_RUN
