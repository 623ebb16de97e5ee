"""What is asked beside a world matches nothing in it, what is asked of it does; with the model."""

# ruff: noqa: RUF001 - the sample world has typographic quotation marks

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import make_sample_world, open_inklings
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.embeddings.following_embedder import select_embedder
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.support.builders import NOON, an_agent
from tests.support.kept_roots import copied_or_made

BESIDE = (
    "tax return 2019",
    "pizza dough",
    "zebra quantum lasagne",
    "carburettor invoice spreadsheet",
    "football world cup final",
    "kubernetes pod crash",
    "mortgage interest rate",
    "dentist appointment Tuesday",
    "python list comprehension",
    "electric car battery",
    "wifi password router",
    "vaccine booster side effects",
    "airline luggage allowance",
    "stock market crash",
    "printer out of toner",
    "gluten free bread recipe",
    "insurance claim form",
    "What is the capital of Australia?",
    "gym membership cancel",
    "crypto wallet seed phrase",
)
OF_IT = {
    "Which units are distances and time written in?": "Distances are written in tide-hands",
    "How does Pell speak?": "Pell speaks without articles",
    "Who draws the map at the front of the book?": "Lucan Reyes",
    "What colour is Captain Yev's coat?": "Captain Yev’s coat changes colour",
    "May the word magic appear?": "The word “magic” never appears",
    "Brother Amadi": "Brother Amadi never lies",
    "Is moonlight allowed?": "Moonlight is permitted twice",
    "Who is the editor?": "Imogen Vale",
    "grandmother's saying": "grandmother’s saying",
}


@pytest.fixture
def world(tmp_path: Path, kept_roots: Path) -> Iterator[Inklings]:
    """The sample world with vectors, as an agent may read it."""
    root, model = tmp_path / "world", select_embedder(models_dir=Path("no-such-folder"))
    copied_or_made(
        kept_roots / "sample_of_noon", root, lambda: make_sample_world(root, lambda: NOON)
    )
    with open_inklings(
        root, workspace="The Saltglass Cartographers", clock=lambda: NOON, embedder=model
    ) as inklings:
        assert inklings.workspace is not None
        for file in (inklings.workspace.id, None):
            while inklings.tasks.embed(file):
                pass
        yield inklings


def reads(inklings: Inklings, scopes: list[ScopeKey]) -> int:
    return sum(
        one.access_count
        for scope in scopes
        for one in inklings.listing.browse([scope], limit=200).entries
    )


def test_twenty_questions_beside_the_world_match_and_read_nothing(world: Inklings) -> None:
    assert world.workspace is not None
    place = world.workspace.id
    scopes = [ScopeKey.workspace(place), ScopeKey.account()]
    agent = world.as_caller(an_agent(workspace_id=place, tiers=Tier))
    before = reads(world, scopes)
    for asked in BESIDE:
        for scope in scopes:
            found = agent.search.read(scope, query=asked)
            assert (asked, found.mode, found.matched) == (asked, SearchMode.HYBRID, False)
            assert agent.search.read(scope, query=asked, found_only=True).memories == ()
        assert (asked, agent.search.find_open(place, asked).matched) == (asked, False)
        agent.search.find(scopes[:1], SearchRequest(asked))
        agent.orientation.orient(OrientationRequest(place, query=asked))
    assert reads(world, scopes) == before


def test_questions_of_the_world_match_what_answers_them(world: Inklings) -> None:
    assert world.workspace is not None
    place = world.workspace.id
    agent = world.as_caller(an_agent(workspace_id=place, tiers=Tier))
    for asked, said in OF_IT.items():
        found = agent.search.read(ScopeKey.workspace(place), query=asked)
        matches = [one.entry.content for one in found.memories if one.matched]
        assert any(said in one for one in matches), asked
