"""What keeps facts straight: retcons, folding, search without a model, and a copied folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.domain.knowledge.domains import OTHER_ROLE, Permission
from inklings_desktop.domain.knowledge.facts import FactState
from inklings_desktop.domain.memories.listing import MemoryFilter, MemorySort
from inklings_desktop.domain.memory import MemoryKind, ScopeKey
from inklings_desktop.storage.workspaces.workspace_directory import SqliteWorkspaceDirectory
from inklings_desktop.usecases.knowledge.values import FactDraft, FactSearch, PolicyDraft
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.fake_world_index import link
from tests.support.sqlite_store import sqlite_world
from tests.usecases.test_derivations import PAGE, Stage
from tests.usecases.test_search_memories import embed_all
from tests.usecases.world import World

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
LEFT, RIGHT = "Nerys is left-handed.", "Nerys is right-handed."


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """A workspace with a folder of one page, and a domain."""
    with sqlite_world(tmp_path) as world:
        made = Stage(world, link(world))
        made.edit(PAGE)
        world.person.domains.create(WORKSPACE_ID, "Canon")
        yield made


def test_retcon_marks_fact_and_rule(stage: Stage) -> None:
    facts, policies = stage.world.person.facts, stage.world.person.policies
    draft = FactDraft("Canon", "Nerys/eyes", "Her eyes are grey.", sources=("Nerys#Looks",))
    fact = facts.put(WORKSPACE_ID, draft).fact.memory
    wanted = PolicyDraft("Canon", "Keep her eyes in view.", (fact.id,))
    rule = policies.put(WORKSPACE_ID, wanted).memory
    assert facts.show(fact.ref).state is FactState.CURRENT

    stage.edit(PAGE.replace("grey", "green"))

    assert facts.show(fact.ref).state is FactState.SOURCE_CHANGED
    assert not policies.show(rule.ref).rests_on_superseded
    facts.supersede(fact.ref, "Her eyes are green.", reason="chapter 9")
    assert policies.show(rule.ref).rests_on_superseded


def stated(world: World, *texts: str) -> None:
    """A domain with these facts, and vectors of all of them."""
    world.person.domains.create(WORKSPACE_ID, "Canon")
    for number, text in enumerate(texts):
        world.person.facts.put(WORKSPACE_ID, FactDraft("Canon", f"topic {number}", text))
    embed_all(world)


def test_fold_keeps_disagreeing(world: World) -> None:
    """Their vectors are one, and yet each of them is a hit of its own."""
    world.embedder.same = {"right": "left"}
    stated(world, LEFT, RIGHT)
    hits = world.person.search.find([SCOPE], SearchRequest("Nerys handed")).hits
    assert {one.entry.content for one in hits} == {LEFT, RIGHT}
    assert [one.explanation.folded for one in hits] == [(), ()]
    found = world.person.facts.search(WORKSPACE_ID, FactSearch("Nerys handed"))
    assert len(found) == 2


def test_a_fact_is_found_by_words_and_by_meaning_at_once(world: World) -> None:
    world.embedder.same = {"lefty": "left"}
    stated(world, "Nerys is left.", "The lamp is lit.")
    [both] = world.person.facts.search(WORKSPACE_ID, FactSearch("Nerys"))
    assert (both.explanation.keyword_rank, both.explanation.semantic_rank) == (1, 1)
    [meant] = world.person.facts.search(WORKSPACE_ID, FactSearch("lefty"))
    assert (meant.explanation.keyword_rank, meant.explanation.semantic_rank) == (None, 1)


def test_fts_only_fact_search(world: World) -> None:
    stated(world, LEFT, "The lamp is lit.")
    world.embedder.is_available = False
    [hit] = world.person.facts.search(WORKSPACE_ID, FactSearch("Nerys"))
    assert hit.view.fact.memory.content == LEFT
    assert (hit.explanation.keyword_rank, hit.explanation.semantic_rank) == (1, None)


def test_a_list_of_one_kind_by_relevance_hides_what_is_closed(world: World) -> None:
    stated(world, LEFT)
    world.person.domains.create(WORKSPACE_ID, "Secrets")
    world.person.domains.set_default(WORKSPACE_ID, "Secrets", Permission.NONE)
    world.person.facts.put(WORKSPACE_ID, FactDraft("Secrets", "Nerys", "Nerys drowned."))
    world.keep(a_memory("A note."))
    where = MemoryFilter(kinds=frozenset({MemoryKind.FACT}))

    def listed(visible_to: frozenset[str] | None) -> set[str]:
        with world.store.read(WORKSPACE_ID) as view:
            page = view.memories.page(
                [SCOPE],
                where=where,
                sort=MemorySort.RELEVANCE,
                limit=9,
                after=None,
                decay=world.decay,
                as_of=NOON,
                visible_to=visible_to,
            )
        return {one.content for one in page.entries}

    assert listed(None) == {LEFT, "Nerys drowned."}
    with world.store.read(WORKSPACE_ID) as view:
        walls = view.knowledge.gates(["external"])["external"].walls
    assert listed(walls) == {LEFT}


def test_copied_folder_grants_nothing(tmp_path: Path) -> None:
    rights = preset_rights(ClientKind.EXTERNAL, WORKSPACE_ID)
    with sqlite_world(tmp_path / "mine") as mine:
        domains = mine.person.domains
        secrets = domains.create(WORKSPACE_ID, "Secrets")
        domains.set_default(WORKSPACE_ID, "Secrets", Permission.NONE)
        domains.create_role(WORKSPACE_ID, "editor")
        domains.grant(WORKSPACE_ID, "editor", secrets.id, Permission.WRITE)
        mine.person.clients.grant("bot", rights)
        domains.assign("bot", WORKSPACE_ID, "editor", default=True)
        folder = mine.path().parent
    shutil.copytree(folder, tmp_path / "copied")

    with sqlite_world(tmp_path / "theirs", workspace_ids=()) as theirs:
        taken = SqliteWorkspaceDirectory(theirs.databases).adopt(tmp_path / "copied")
        assert taken.id == WORKSPACE_ID
        theirs.person.clients.grant("bot", rights)
        matrix = theirs.person.domains.matrix(WORKSPACE_ID)

    assert matrix.clients == {OTHER_ROLE: ("bot",)}
    assert matrix.cells["editor", secrets.id].permission is Permission.WRITE
    assert matrix.cells[OTHER_ROLE, secrets.id].permission is Permission.NONE
