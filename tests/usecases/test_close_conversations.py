from __future__ import annotations

import pytest

from inklings_desktop.domain.access.access import Caller, RequestMark
from inklings_desktop.domain.background.cadence import BackgroundConfig
from inklings_desktop.domain.background.tasks import RunState, TaskRun, TaskState
from inklings_desktop.domain.errors import CapReachedError, ScopeDeniedError, StoppedError
from inklings_desktop.domain.memory import Curator, ScopeKey
from inklings_desktop.usecases.ports.progress import UNHEARD, Progress
from inklings_desktop.usecases.rooms.close_conversations import close_of
from tests.support.builders import WORKSPACE_ID, a_draft, a_memory, a_person, an_agent, the_clock
from tests.usecases.world import World

PERSON = a_person()


def passes(world: World, caller: Caller | None = None, progress: Progress = UNHEARD) -> TaskRun:
    world.background = BackgroundConfig(silent_days=0)
    by = world.asked_by(caller or the_clock())
    return by.conversations.forget_closed(WORKSPACE_ID, progress=progress)


def test_what_reached_a_closed_conversation_is_forgotten_and_notes_stay(world: World) -> None:
    room, still_open = world.a_conversation(), world.a_conversation()
    agent = world.an_agent_of(room, still_open)
    world.asked_by(agent).notes.write(WORKSPACE_ID, room.id, "pages", 3)
    world.asked_by(agent).conversations.idle(WORKSPACE_ID, room.id)
    (late,) = world.keep(a_memory("Late", scope=ScopeKey.conversation(WORKSPACE_ID, room.id)))
    here = world.asked_by(agent).memories.put(
        a_draft("Here", scope=ScopeKey.conversation(WORKSPACE_ID, still_open.id))
    )
    run = passes(world)
    assert run.counts == {"forgotten": 1}
    assert world.stored(late.id).forgotten_reason == "conversation_closed"
    assert not world.stored(here.id).is_forgotten
    assert world.person.notes.read(WORKSPACE_ID, room.id, "pages").value_json == "3"
    assert passes(world).counts == {"forgotten": 0}


def test_every_pass_is_noted_and_the_history_keeps_those_that_forgot_something(
    world: World,
) -> None:
    def state() -> TaskState | None:
        with world.store.read(WORKSPACE_ID) as view:
            return view.tasks.state(close_of(WORKSPACE_ID))

    assert state() is None
    passes(world)
    first = state()
    assert first is not None
    assert (first.last_run_at, first.next_due_at) == (world.clock(), None)
    rooms = [world.a_conversation(), world.a_conversation()]
    agent = world.an_agent_of(*rooms)
    for room in rooms:
        world.asked_by(agent).conversations.idle(WORKSPACE_ID, room.id)
        world.keep(a_memory("Late", scope=ScopeKey.conversation(WORKSPACE_ID, room.id)))
    world.clock.advance(hours=1)
    asked: list[tuple[str, int, int]] = []
    progress = Progress(lambda *step: asked.append(step), lambda: len(asked) == 2)
    with pytest.raises(StoppedError):
        passes(world, progress=progress)
    assert asked == [("close", 0, 2), ("close", 1, 2)]
    run = passes(world)
    assert run.counts == {"forgotten": 1}
    later = state()
    assert later is not None
    assert (later.first_seen_at, later.last_run_at) == (first.first_seen_at, world.clock())
    with world.store.read(WORKSPACE_ID) as view:
        kept = view.tasks.runs(10)
    assert [(one.state, one.counts) for one in kept] == [
        (RunState.FINISHED, {"forgotten": 1}), (RunState.STOPPED, {"forgotten": 1}),
    ]  # fmt: skip


def test_what_a_person_brought_back_stays(world: World) -> None:
    room = world.a_conversation()
    said = world.person.memories.put(
        a_draft("Said", scope=ScopeKey.conversation(WORKSPACE_ID, room.id))
    )
    world.person.conversations.idle(WORKSPACE_ID, room.id)
    world.person.memories.restore([said.ref])
    passes(world)
    assert not world.stored(said.id).is_forgotten


def test_when_the_summary_cannot_be_kept_the_memories_stay_until_the_next_pass(
    world: World,
) -> None:
    room = world.a_conversation()
    channel = ScopeKey.channel(WORKSPACE_ID, room.channel_id)
    full = world.keep(*(a_memory(f"t{n}", scope=channel, curator=Curator.AUTHOR) for n in range(5)))
    said = world.person.memories.put(
        a_draft("Said", scope=ScopeKey.conversation(WORKSPACE_ID, room.id))
    )
    with pytest.raises(CapReachedError):
        world.person.conversations.idle(WORKSPACE_ID, room.id, summary="- Nerys left Thrennay")
    passes(world)  # the conversation never closed, so nothing goes
    assert not world.stored(said.id).is_forgotten
    world.person.memories.forget([full[0].ref])
    world.person.conversations.idle(WORKSPACE_ID, room.id, summary="- Nerys left Thrennay")
    assert world.stored(said.id).is_forgotten
    assert [one.content for one in world.active(channel)][-1] == "Nerys left Thrennay"


def test_agents_are_refused(world: World) -> None:
    with pytest.raises(ScopeDeniedError):
        passes(world, an_agent())


def test_keys_of_writes_that_are_a_week_old_are_counted_among_what_went(world: World) -> None:
    mark = RequestMark("t1:0", "memory_put", "0" * 64)
    for file in (WORKSPACE_ID, None):
        with world.store.write(file, initiator="loom") as unit:
            unit.requests.keep("loom", mark, "memory.created", ("one",), world.clock())
            unit.commit()
    assert passes(world).counts == {"forgotten": 0}
    world.clock.advance(hours=8 * 24)
    counts = {"forgotten": 0, "request_keys": 2}
    assert passes(world).counts == counts
    with world.store.read(WORKSPACE_ID) as view:
        assert view.tasks.runs(1)[0].counts == counts
