"""Opening a tab asks the database the same few questions, however much it holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.ops.places import ShellPresenter
from inklings_desktop.ui.memory.list.content import ListRequest
from inklings_desktop.ui.memory.list.presenter import ListPresenter
from inklings_desktop.usecases.bundle import Inklings
from tests.support.builders import a_memory
from tests.support.sqlite_store import StatementCounter, sqlite_world
from tests.ui.presenter_bench import Bench, Heard, a_context_of

pytestmark = [pytest.mark.end2end, pytest.mark.usefixtures("qapp")]

FEW, MANY = 50, 3_000
N_ROOMS = 3
FIXED_AND_FEW = 25


@dataclass(frozen=True, slots=True)
class Filled:
    """A data root whose tiers hold the same number of memories each."""

    root: Path
    workspace: Workspace
    scopes: dict[Tier, tuple[ScopeKey, ...]]
    n_per_tier: int


def filled(root: Path, n_per_tier: int) -> Filled:
    """Fill every tier of a fresh data root, evenly over its scope keys."""
    with open_inklings(root, embedder=NullEmbedder("none")) as inklings:
        world = inklings.workspaces.create("Saltglass")
        for number in range(1, N_ROOMS):
            inklings.channels.create(world.id, f"room {number}")
        channels = inklings.places.channels(world.id)
        rooms = [inklings.conversations.start(world.id) for _ in range(N_ROOMS)]
    scopes = {
        Tier.CONVERSATION: tuple(ScopeKey.conversation(world.id, one.id) for one in rooms),
        Tier.CHANNEL: tuple(ScopeKey.channel(world.id, one.id) for one in channels),
        Tier.WORKSPACE: (ScopeKey.workspace(world.id),),
        Tier.ACCOUNT: (ScopeKey.account(),),
    }
    with sqlite_world(root, workspace_ids=()) as store:
        for tier, keys in scopes.items():
            with store.store.write(keys[0].workspace_id, initiator="Ada") as unit:
                unit.memories.add(
                    [
                        a_memory(
                            f"The {number}th tide of the {tier.value}.",
                            scope=keys[number % len(keys)],
                            importance=number % 10 / 10,
                            tags=(f"t{number % 7}",),
                        )
                        for number in range(n_per_tier)
                    ]
                )
                unit.commit()
    return Filled(root, world, scopes, n_per_tier)


@contextmanager
def every_statement_counted() -> Iterator[StatementCounter]:
    """Count what is sent to any database while this lasts."""
    counter = StatementCounter()
    event.listen(Engine, "before_cursor_execute", counter)
    try:
        yield counter
    finally:
        event.remove(Engine, "before_cursor_execute", counter)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Filled, Filled]:
    folder = tmp_path_factory.mktemp("tabs")
    return filled(folder / "few", FEW), filled(folder / "many", MANY)


def statements_for(store: Filled, *requests: ListRequest) -> list[int]:
    """How many statements each answer of the list took, asked one after the other."""
    counts = []
    with open_inklings(store.root, embedder=NullEmbedder("none")) as inklings:
        heard = Heard()

        async def ask(background: Background) -> None:
            presenter = ListPresenter(a_context_of(background, inklings))
            heard.to(presenter.content_changed)
            for request in requests:
                with every_statement_counted() as counter:
                    presenter.ask(request)
                    await presenter.settled()
                counts.append(len(counter.statements))

        assert Bench(inklings, store.workspace).run(ask) == []
    assert [content.request for content in heard.payloads] == list(requests)
    assert {content.n_memories for content in heard.payloads if not content.request.is_search} <= {
        store.n_per_tier
    }
    return counts


@pytest.mark.parametrize("sort", MemorySort)
@pytest.mark.parametrize("tier", Tier)
def test_opening_a_tab_takes_as_many_statements_at_3000_as_at_50(
    tier: Tier, sort: MemorySort, both: tuple[Filled, Filled]
) -> None:
    few, many = (
        statements_for(store, *[ListRequest(store.scopes[tier], sort=sort)] * 2) for store in both
    )

    assert few == many
    assert max(many) <= FIXED_AND_FEW


@pytest.mark.parametrize("tier", Tier)
def test_a_search_takes_a_fixed_number_of_statements_however_many_match(
    tier: Tier, both: tuple[Filled, Filled]
) -> None:
    few, many = (
        statements_for(store, *[ListRequest(store.scopes[tier], text="tide")] * 2) for store in both
    )

    # Where most matches are equal, or lie in other scope keys, the index is asked a second time.
    assert max(few) <= max(many) <= FIXED_AND_FEW


def test_the_control_plane_takes_as_many_statements_at_3000_as_at_50(
    both: tuple[Filled, Filled],
) -> None:
    counts = []
    for store in both:
        with open_inklings(store.root, embedder=NullEmbedder("none")) as inklings:
            world = store.workspace.id
            for _ in range(2):
                with every_statement_counted() as counter:
                    found = inklings.search.tiers(world)
                    looks = inklings.search.worth_a_look(world)
                counts.append(len(counter.statements))
            assert [one.n_active for one in found] == [store.n_per_tier] * 4
            assert looks[1].total == store.n_per_tier * 4  # none has a vector

    first_few, then_few, first_many, then_many = counts
    assert first_few == first_many <= FIXED_AND_FEW
    assert then_few == then_many <= first_few


def test_looking_around_takes_as_many_statements_at_3000_as_at_50(
    both: tuple[Filled, Filled],
) -> None:
    counts = []
    for store in both:
        with open_inklings(store.root, embedder=NullEmbedder("none")) as inklings:

            async def look(background: Background, inklings: Inklings = inklings) -> None:
                shell = ShellPresenter(background, inklings)
                with every_statement_counted() as counter:
                    await shell.open_workspace(None)
                assert shell.surroundings is not None
                counts.append(len(counter.statements))

            assert Bench(inklings, store.workspace).run(look) == []

    assert counts[0] == counts[1] <= FIXED_AND_FEW
