"""Memories that differ in one word both reach the agent; of two that say the same, one does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.retrieval_quality import KeptVectors
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.embeddings.following_embedder import select_embedder
from inklings_desktop.usecases.ports.store import Embedder
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.end2end.stage import LOOM, Stage, workspace_of
from tests.support.said_twice import DIFFERENT, SAME
from tests.support.wide import mostly_wide

pytestmark = pytest.mark.end2end

ROOM_ENOUGH = 20_000
"""Tokens that hold every memory of a language."""


EVERY_DAY = ("English", "Japanese")
"""With spaces between words and without; the other languages are for the endurance run."""


@pytest.fixture(scope="module")
def model() -> Embedder:
    """The model that ships, loaded once; asked once for what is remembered in every test."""
    return KeptVectors(select_embedder(models_dir=Path("no-such-folder")), None)


@pytest.fixture
def stage(tmp_path: Path, model: Embedder) -> Iterator[Stage]:
    made = Stage(tmp_path / "root", "protocol", model)
    with made.stack:
        yield made


def handed_over(stage: Stage, query: str, mode: str) -> list[str]:
    answer = stage.client(stage.a).call("memory_read", tier="workspace", query=query, mode=mode)
    assert answer["mode"] == mode
    return [hit["content"] for hit in answer["hits"]]


@pytest.mark.parametrize("language", mostly_wide(DIFFERENT, every_day=EVERY_DAY.__contains__))
def test_both_of_two_that_differ_reach_the_agent(stage: Stage, language: str) -> None:
    pairs = DIFFERENT[language]
    stage.keep(*(text for pair in pairs for text in pair))
    hidden = [
        (query, mode)
        for pair in pairs
        for mode, queries in (("hybrid", pair), ("keyword", (" ".join(pair),)))
        for query in queries
        if not set(pair) <= set(handed_over(stage, query, mode))
    ]
    assert hidden == []


@pytest.mark.parametrize("language", mostly_wide(DIFFERENT, every_day=EVERY_DAY.__contains__))
def test_an_orientation_with_room_holds_both_of_two_that_differ(
    stage: Stage, language: str
) -> None:
    texts = [text for pair in DIFFERENT[language] for text in pair]
    stage.keep(*texts)
    for query in ("", texts[0]):
        told = stage.client(stage.a).call("memory_orient", query=query, budget_tokens=ROOM_ENOUGH)
        assert [text for text in texts if f"> {text}\n" not in told["markdown"]] == []


@pytest.mark.parametrize("mode", SearchMode)
@pytest.mark.parametrize("language", mostly_wide(SAME, every_day=EVERY_DAY.__contains__))
def test_of_two_that_say_the_same_one_is_handed_over_and_names_the_other(
    stage: Stage, language: str, mode: SearchMode
) -> None:
    scope = ScopeKey.workspace(workspace_of(stage.a))
    agent = stage.a.clients.admit(LOOM, workspace_of(stage.a))
    for one, other in SAME[language]:
        ids = {entry.id for entry in stage.keep(one, other)}
        for query in (one, other):
            hits = stage.a.as_caller(agent).search.find([scope], SearchRequest(query, mode)).hits
            (first,) = (hit for hit in hits if hit.entry.id in ids)
            assert set(first.explanation.folded) == ids - {first.entry.id}
