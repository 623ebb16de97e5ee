"""Use cases by noun: made when they are touched, bound to whoever asks, set while they run."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientCall, ClientKind, preset_rights
from inklings_desktop.domain.background.tasks import TaskKind, TaskTarget
from inklings_desktop.domain.errors import CapReachedError, InvalidValueError, ScopeDeniedError
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.scheduler.tasks import Work
from inklings_desktop.settings import FILE_NAME
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from inklings_desktop.usecases.search.search_memories import SearchRequest
from inklings_desktop.wiring import once
from tests.architecture.fresh_interpreter import run_fresh
from tests.support.builders import FixedClock
from tests.support.stand_ins import NOUNS, verbs_of

OPENED = """
import json, sys, tempfile
from pathlib import Path
from inklings_desktop.bootstrap import open_inklings
def is_there():
    return "inklings_desktop.usecases.consolidation.consolidation" in sys.modules
with tempfile.TemporaryDirectory() as folder:
    with open_inklings(Path(folder, "root"), embed_writes=False) as inklings:
        inklings.places.workspaces()
        before = is_there()
        inklings.consolidation.run
        print(json.dumps([before, is_there()]))
"""


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def inklings(tmp_path: Path, clock: FixedClock) -> Iterator[Inklings]:
    with open_inklings(tmp_path / "root", clock=clock, embed_writes=False) as inklings:
        yield inklings


def settle(inklings: Inklings, text: str) -> None:
    """Write the settings as a person does."""
    (inklings.data_dir / FILE_NAME).write_text(text, encoding="utf-8")


def an_agent_of(inklings: Inklings, workspace_id: str) -> Inklings:
    """The use cases as an agent calls them that works there."""
    inklings.clients.grant("loom", preset_rights(ClientKind.WORLD_AGENT, workspace_id))
    return inklings.as_caller(inklings.clients.admit("loom", workspace_id))


# -- by noun -----------------------------------------------------------------------------------


def test_what_was_not_asked_for_is_not_imported() -> None:
    assert run_fresh(OPENED) == [False, True]


def test_every_thread_gets_the_same() -> None:
    begun = threading.Barrier(8)
    made: list[object] = []
    get = once(object)

    def ask() -> None:
        begun.wait()
        made.append(get())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == len(threads)
    assert len({id(one) for one in made}) == 1


def test_all_nouns_are_made_at_once_and_once(inklings: Inklings) -> None:
    listing = inklings.listing
    assert "scrub" not in vars(inklings)
    inklings.complete()
    assert set(NOUNS) <= set(vars(inklings))
    assert inklings.listing is listing
    assert len(dict(verbs_of(inklings))) > len(NOUNS)


def test_another_clock_and_another_caller_share_what_is_behind(inklings: Inklings) -> None:
    clock = object()
    beside = replace(inklings, background=clock)  # type: ignore[arg-type]
    assert beside.background is clock
    assert inklings.background is None
    assert beside.parts is inklings.parts
    assert beside.parts.adapters() is inklings.parts.adapters()


def test_whoever_asks_is_known_to_every_noun(inklings: Inklings) -> None:
    here = inklings.workspaces.create("Saltglass")
    mine = an_agent_of(inklings, here.id)
    with pytest.raises(ScopeDeniedError):
        mine.keeping.create_backup(None)
    kept = mine.memories.put(MemoryDraft(ScopeKey.workspace(here.id), "A bell."))
    assert inklings.listing.show(kept.ref).entry.written_by == "loom"


def test_there_is_no_noun_of_any_name(inklings: Inklings) -> None:
    assert not hasattr(inklings, "everything")
    assert not hasattr(inklings.memories, "forget_everything")


# -- live settings -----------------------------------------------------------------------------


def test_a_rate_that_is_set_holds_from_the_next_answer_on(
    inklings: Inklings, clock: FixedClock
) -> None:
    """For search, orientation, lists, figures: nothing is opened again."""
    here = inklings.workspaces.create("Saltglass")
    scope = ScopeKey.workspace(here.id)
    mine = an_agent_of(inklings, here.id)
    first = mine.memories.put(MemoryDraft(scope, "The tide is out.", importance=1.0))
    clock.advance(hours=100)

    def relevances() -> list[float]:
        (found, *_) = inklings.search.look([scope], SearchRequest("tide")).hits
        (read, *_) = inklings.search.get(here.id, [first.id])
        (tier,) = (one for one in inklings.search.tiers(here.id) if one.tier is scope.tier)
        told = inklings.orientation.preview(OrientationRequest(here.id))
        (sent, *_) = next(one for one in told.sections if one.tier is scope.tier).items
        return [found.explanation.relevance, read.relevance, tier.rate, sent.ranked.relevance]

    before = relevances()
    settle(inklings, "[decay]\nconversation = 1.0\nchannel = 0.5\nworkspace = 0.5\naccount = 0.5\n")
    after = relevances()
    assert all(now < then / 1.5 for now, then in zip(after, before, strict=True))
    assert after[2] == inklings.settings.decay.workspace == 0.5


def test_a_cap_that_is_set_holds_from_the_next_write_on(inklings: Inklings) -> None:
    scope = ScopeKey.workspace(inklings.workspaces.create("Saltglass").id)
    gone = inklings.memories.put(MemoryDraft(scope, "Number zero."))
    for number in range(3):
        inklings.memories.put(MemoryDraft(scope, f"Number {number + 1}."))
    inklings.memories.forget([gone.ref])
    put = inklings.memories.put
    settle(inklings, "[memory]\ncap = 3\n")
    with pytest.raises(CapReachedError):
        put(MemoryDraft(scope, "One too many."))
    with pytest.raises(CapReachedError):
        inklings.memories.restore([gone.ref])
    settle(inklings, "[memory]\ncap = 5\n")
    put(MemoryDraft(scope, "Room enough."))


def test_what_is_set_holds_for_the_next_consolidation(inklings: Inklings) -> None:
    here = inklings.workspaces.create("Saltglass")
    mine, scope = an_agent_of(inklings, here.id), ScopeKey.workspace(here.id)
    for text in ("The tide is out.", "Salt is dear.", "A bell rings.", "Gulls keep accounts."):
        mine.memories.put(MemoryDraft(scope, text))
    preview, run = inklings.consolidation.preview, inklings.consolidation.run
    assert preview(scope).cap == ()
    settle(inklings, "[memory]\ncap = 3\n")
    assert len(preview(scope, allow_large=True).cap) == 1
    assert run(scope, allow_large=True).counts["capped"] == 1


def test_how_often_a_client_may_write_is_asked_at_every_write(inklings: Inklings) -> None:
    call = ClientCall(
        "loom", inklings.clock(), "memory_put", None, None, "stored", 1, is_write=True
    )
    an_agent_of(inklings, inklings.workspaces.create("Saltglass").id)
    inklings.clients.note_call(call)
    require = inklings.clients.require_allowance
    require("loom")
    settle(inklings, "[agents]\nwrites_per_minute = 1\n")
    with pytest.raises(InvalidValueError):
        require("loom")


def test_the_clock_asks_what_is_set(inklings: Inklings) -> None:
    work, target = Work(inklings), TaskTarget(TaskKind.CONVERSATION_CLOSE, "w")
    assert work.trigger_of(target).on_event
    settle(inklings, "[background]\nforget_at_close = false\n")
    assert not work.trigger_of(target).on_event
