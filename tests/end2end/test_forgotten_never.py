"""What is forgotten is found by no path, not even by the words it lent to its neighbours."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memories.listing import MemoryFilter, MemorySort, MemoryState
from inklings_desktop.domain.memory import Lifetime, MemoryDraft, MemoryPatch, ScopeKey, Tier
from inklings_desktop.domain.words.query_text import SearchMode
from tests.end2end.index_words import indexed_words
from tests.end2end.readings import found_by, listed
from tests.end2end.wanderer import TOKEN, a_wanderer, token_of
from tests.support.builders import an_agent
from tests.support.fake_embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memories.vectors import FloatMatrix
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.conversation import Conversation
    from inklings_desktop.usecases.bundle import Inklings
    from tests.end2end.wanderer import Place, Wanderer

pytestmark = pytest.mark.end2end

STEPS = 150
WALKS, WALKS_ENDURANCE = 1, 67
LOOKED_FOR = 3
CANARY, BEFORE, AFTER = "zvq1", "zvq2", "zvq3"
SHARED = "keeper tides"
CAP = 3


class Shore:
    """One conversation with a canary between two neighbours, all written by an agent."""

    def __init__(self, inklings: Inklings, tier: Tier) -> None:
        self.inklings = inklings
        self.world = inklings.workspaces.create("Saltglass")
        self.agent = an_agent(workspace_id=self.world.id)
        self.room = inklings.conversations.start(self.world.id)
        self.scope = self._scope(tier, self.room)
        self.before, self.canary, self.after = (
            self.put(token) for token in (BEFORE, CANARY, AFTER)
        )

    @property
    def person(self) -> Caller:
        """The author."""
        return self.inklings.caller

    @property
    def database(self) -> Path:
        """The workspace's file."""
        return self.inklings.data_dir / "workspaces" / self.world.id / "agents.db"

    def put(self, token: str) -> MemoryEntry:
        """Remember something that was said in the conversation."""
        draft = MemoryDraft(
            self.scope,
            f"The keeper counts {token} tides.",
            source=token,
            tags=(token,),
            source_conversation=self.room.id,
        )
        return self.inklings.as_caller(self.agent).memories.put(draft)

    def _scope(self, tier: Tier, room: Conversation) -> ScopeKey:
        if tier is Tier.CONVERSATION:
            return ScopeKey.conversation(self.world.id, room.id)
        if tier is Tier.CHANNEL:
            return ScopeKey.channel(self.world.id, room.channel_id)
        return ScopeKey.workspace(self.world.id)


@contextmanager
def a_shore(root: Path, tier: Tier = Tier.WORKSPACE, *, cap: int = 10_000) -> Iterator[Shore]:
    root.mkdir(exist_ok=True)
    (root / "settings.toml").write_text(f"[memory]\ncap = {cap}\n", encoding="utf-8")
    with open_inklings(root, embedder=FakeEmbedder(), embed_writes=False) as inklings:
        yield Shore(inklings, tier)


def paths_to(
    inklings: Inklings,
    callers: Sequence[Caller],
    scope: ScopeKey,
    database: Path,
    entry: MemoryEntry,
) -> list[str]:
    """The paths by which a memory can still be found."""
    token, found = token_of(entry), []
    for caller in callers:
        for mode in SearchMode:
            for text in (token, SHARED, entry.content):
                hits = found_by(inklings, caller, [scope], text, mode)
                if entry.id in hits or any(token in content for content in hits.values()):
                    found.append(f"{mode.value} search by {caller.kind.value} for {text}")
        for sort in MemorySort:
            pages = listed(inklings, caller, [scope], sort)
            if any(entry.id == one.id for page in pages for one in page.entries):
                found.append(f"list by {sort.value}")
            if pages[0].total != sum(len(page.entries) for page in pages):
                found.append("count of the list")
        facets = inklings.as_caller(caller).listing.facets([scope])
        if token in dict(facets.tags) or token in dict(facets.sources):
            found.append("facets")
        if caller.is_agent and _is_shown(inklings, caller, entry):
            found.append("show to an agent")
    if token in indexed_words(database):
        found.append("full-text index")
    return found


def _is_shown(inklings: Inklings, agent: Caller, entry: MemoryEntry) -> bool:
    try:
        inklings.as_caller(agent).listing.show(entry.ref)
    except NotFoundError:
        return False
    return True


def by_person(shore: Shore) -> None:
    shore.inklings.as_caller(shore.person).memories.forget([shore.canary.ref], reason="wrong")


def by_agent(shore: Shore) -> None:
    shore.inklings.as_caller(shore.agent).memories.forget([shore.canary.ref])


def after_an_edit(shore: Shore) -> None:
    patch = MemoryPatch(content=f"The keeper recounts {CANARY} tides.", lifetime=Lifetime.LONG_TERM)
    shore.inklings.as_caller(shore.person).memories.update(
        shore.canary.ref, patch, expected_version=1
    )
    shore.inklings.as_caller(shore.person).memories.forget([shore.canary.ref])


def with_its_neighbours(shore: Shore) -> None:
    refs = [entry.ref for entry in (shore.before, shore.canary, shore.after)]
    shore.inklings.as_caller(shore.person).memories.forget(refs)


WAYS = {"person": by_person, "agent": by_agent, "edited": after_an_edit, "all": with_its_neighbours}


@pytest.mark.parametrize("is_embedded", [True, False], ids=["embedded", "not embedded"])
@pytest.mark.parametrize("way", WAYS)
def test_no_path_leads_to_what_was_forgotten(way: str, is_embedded: bool, tmp_path: Path) -> None:  # noqa: FBT001  a parameter of the test
    with a_shore(tmp_path) as shore:
        inklings, callers = shore.inklings, (shore.person, shore.agent)
        place = (inklings, callers, shore.scope, shore.database)
        if is_embedded:
            inklings.as_caller(shore.person).tasks.embed(shore.world.id)
        n_paths = len(paths_to(*place, shore.canary))
        assert n_paths > 20

        WAYS[way](shore)

        assert paths_to(*place, shore.canary) == []
        left = inklings.as_caller(shore.person).listing.count(shore.world.id).of(shore.scope)
        assert left == (0 if way == "all" else 2)
        with pytest.raises(InvalidValueError):
            inklings.as_caller(shore.agent).listing.browse(
                [shore.scope], where=MemoryFilter(state=MemoryState.FORGOTTEN)
            )
    with open_inklings(tmp_path, embedder=FakeEmbedder()) as inklings:
        assert paths_to(inklings, callers, shore.scope, shore.database, shore.canary) == []

        restored = inklings.memories.restore([shore.canary.ref])

        assert [entry.id for entry in restored] == [shore.canary.id]
        inklings.tasks.embed(shore.world.id)
        (entry,) = restored
        assert len(paths_to(inklings, callers, shore.scope, shore.database, entry)) == n_paths


@pytest.mark.requirement("conversation-cleared")
@pytest.mark.parametrize("verb", ["idle", "archive"])
def test_no_path_leads_to_what_a_closed_conversation_held(verb: str, tmp_path: Path) -> None:
    with a_shore(tmp_path, Tier.CONVERSATION) as shore:
        inklings, callers = shore.inklings, (shore.person, shore.agent)
        inklings.as_caller(shore.person).tasks.embed(shore.world.id)
        if verb == "idle":
            inklings.as_caller(shore.agent).conversations.idle(shore.world.id, shore.room.id)
        else:
            inklings.as_caller(shore.agent).conversations.archive(
                shore.world.id, shore.room.id, force=True
            )
        for entry in (shore.before, shore.canary, shore.after):
            assert paths_to(inklings, callers, shore.scope, shore.database, entry) == []


@pytest.mark.parametrize("tier", [Tier.CHANNEL, Tier.WORKSPACE])
def test_no_path_leads_to_what_made_room_at_the_cap(tier: Tier, tmp_path: Path) -> None:
    with a_shore(tmp_path, tier, cap=CAP) as shore:
        inklings, callers = shore.inklings, (shore.person, shore.agent)
        inklings.as_caller(shore.person).tasks.embed(shore.world.id)
        shore.put("zvq4")
        shore.put("zvq5")
        for entry in (shore.before, shore.canary):
            assert paths_to(inklings, callers, shore.scope, shore.database, entry) == []
        left = {
            token_of(one)
            for page in listed(inklings, shore.person, [shore.scope])
            for one in page.entries
        }
        assert left == {AFTER, "zvq4", "zvq5"}


def test_what_was_forgotten_is_never_embedded_again(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    with open_inklings(tmp_path, embedder=embedder, embed_writes=False) as inklings:
        shore = Shore(inklings, Tier.WORKSPACE)
        by_person(shore)

        inklings.as_caller(shore.person).tasks.embed(shore.world.id)
        inklings.as_caller(shore.person).tasks.embed(shore.world.id, ids=[shore.canary.id])

        assert {TOKEN.findall(text)[0] for batch in embedder.asked for text in batch} == {
            BEFORE,
            AFTER,
        }
    newer = FakeEmbedder(model_id="newer")
    with open_inklings(tmp_path, embedder=newer, embed_writes=False) as inklings:
        assert inklings.tasks.embed(shore.world.id) == 2
        assert not any(CANARY in text for text in chain(*newer.asked))
        assert inklings.listing.facets([shore.scope]).without_embedding == 0


def test_a_memory_forgotten_while_its_text_is_embedded_gets_no_vector(tmp_path: Path) -> None:
    class ForgettingEmbedder(FakeEmbedder):
        def embed(self, texts: Sequence[str]) -> FloatMatrix:
            by_person(shore)
            return FakeEmbedder.embed(self, texts)

    with open_inklings(tmp_path, embedder=ForgettingEmbedder(), embed_writes=False) as inklings:
        shore = Shore(inklings, Tier.WORKSPACE)
        assert inklings.as_caller(shore.person).tasks.embed(shore.world.id) == 2
        callers = (shore.person, shore.agent)
        assert paths_to(inklings, callers, shore.scope, shore.database, shore.canary) == []
        shown = inklings.as_caller(shore.person).listing.show(shore.canary.ref)
        assert shown.entry.embedding_model is None


@pytest.mark.endurance
@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_no_walk_through_the_verbs_finds_what_was_forgotten(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    left_out = []
    for seed in range(reduced_or_full(WALKS, WALKS_ENDURANCE)):
        with a_wanderer(tmp_path / str(seed), seed=seed, n_workspaces=2) as walk:
            for _ in range(STEPS):
                n_asked = len(walk.embedder.asked)
                place = walk.step()
                gone = place.tokens(forgotten=True) | place.replaced
                assert gone.isdisjoint(_asked(walk, n_asked)), walk.trail
                _assert_that_nothing_gone_is_found(walk, place, gone)
            left_out.append(walk.never_done())
    assert set.intersection(*left_out) == set()


def _assert_that_nothing_gone_is_found(walk: Wanderer, place: Place, gone: set[str]) -> None:
    kept = place.tokens(forgotten=False)
    assert indexed_words(walk.root / database_of(place)) == kept, walk.trail
    for caller in (walk.person, place.agent):
        assert walk.listed(place, caller) == _ids(place, forgotten=False), walk.trail
    caller = walk.anyone(place)
    for token in walk.sample(gone, LOOKED_FOR):
        assert token not in _found(walk, place, caller, token), walk.trail
    for token in walk.sample(kept, 1):
        assert token in _found(walk, place, caller, token), walk.trail
    for entry in place.memories(forgotten=True)[-LOOKED_FOR:]:
        assert not _is_shown(walk.inklings, place.agent, entry), walk.trail
    assert _counted(walk, place) == len(kept), walk.trail


def database_of(place: Place) -> str:
    return "agents.db" if place.workspace_id is None else f"{place.folder}agents.db"


def _ids(place: Place, *, forgotten: bool) -> set[str]:
    return {entry.id for entry in place.memories(forgotten=forgotten)}


def _asked(walk: Wanderer, since: int) -> set[str]:
    """Tokens of the memories, not of the questions, that were embedded since."""
    texts = chain(*walk.embedder.asked[since:])
    return {token for text in texts for token in TOKEN.findall(text)}


def _found(walk: Wanderer, place: Place, caller: Caller, token: str) -> set[str]:
    """Tokens of everything that a search for one of them finds."""
    return {
        found
        for scopes in place.tiers()
        for mode in SearchMode
        for content in found_by(walk.inklings, caller, scopes, token, mode).values()
        for found in TOKEN.findall(content)
    }


def _counted(walk: Wanderer, place: Place) -> int:
    """How many memories the counts and the facets speak of; both must agree."""
    counts = walk.inklings.as_caller(walk.person).listing.count(place.workspace_id)
    n_counted = sum(counts.of(*scopes) for scopes in place.tiers())
    n_by_curator = sum(
        count
        for scopes in place.tiers()
        for _, count in walk.inklings.as_caller(walk.person).listing.facets(scopes).curators
    )
    assert n_counted == n_by_curator, walk.trail
    return n_counted
