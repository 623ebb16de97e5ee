"""Activities: made by the author, begun once, caught up once, paused when they keep failing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.background.activities import (
    MAX_PROMPT_BYTES,
    WORLD_AGENT,
    Activity,
    ActivityDraft,
    Budget,
    Errand,
    Outcome,
    RunEnd,
)
from inklings_desktop.domain.background.schedules import schedule_of
from inklings_desktop.domain.background.tasks import RunState
from inklings_desktop.domain.entries.proposals import ProposalKind, ProposalState
from inklings_desktop.domain.errors import (
    AlreadyRunningError,
    ConflictError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
    StoppedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.usecases.ports.progress import UNHEARD, Progress
from tests.support.builders import WORKSPACE_ID, a_memory, the_clock
from tests.support.gated import gated
from tests.usecases.world import World

PROMPT = "Report contradictions as pairs of quotations."
DAILY = schedule_of({"daily": "10:30"}, "UTC")
WEEKLY = ActivityDraft("Weekly continuity", PROMPT, "map-room", DAILY, Budget(20, 120, 500_000))
DONE = RunEnd(Outcome.DONE)
BROKEN = RunEnd(Outcome.FAILED, "agent_gone")


@dataclass
class PlayedRunner:
    """Answers as it is told, and keeps what it was asked."""

    end: RunEnd = DONE
    there: bool = True
    asked: list[tuple[str, Budget]] = field(default_factory=list)
    errands: list[Errand] = field(default_factory=list)
    meanwhile: Callable[[], object] = lambda: None

    def is_there(self, agent: str = WORLD_AGENT) -> bool:
        return self.there and agent == WORLD_AGENT

    def carry_out(self, errand: Errand, progress: Progress) -> RunEnd:
        self.asked.append((errand.conversation_id, errand.budget))
        self.errands.append(errand)
        self.meanwhile()
        if progress.is_put_off():
            raise StoppedError
        return RunEnd(Outcome.STOPPED) if progress.is_cancelled() else self.end


@pytest.fixture
def runner(world: World) -> PlayedRunner:
    """The agent of this world; the morning of 10 March 2026 begins."""
    world.clock.now = datetime(2026, 3, 10, 8, 0, tzinfo=UTC)
    world.adapters.activities = PlayedRunner()
    return world.adapters.activities  # type: ignore[no-any-return]


def made(world: World, draft: ActivityDraft = WEEKLY) -> Activity:
    return world.person.activities.make(WORKSPACE_ID, draft)


def now_is(world: World, said: str) -> None:
    world.clock.now = datetime.fromisoformat(said).replace(tzinfo=UTC)


def run_by_clock(world: World, activity: Activity, progress: Progress = UNHEARD) -> RunState:
    run = world.asked_by(the_clock()).activities.run(
        WORKSPACE_ID, activity.id, trigger="interval", progress=progress
    )
    return run.state


def of(world: World, activity: Activity) -> Activity:
    return world.person.activities.get(WORKSPACE_ID, activity.id).activity


def prompts(world: World, activity: Activity) -> list[str]:
    runs = world.person.activities.runs(WORKSPACE_ID, activity.id)
    return [
        world.person.messages.list(WORKSPACE_ID, one.conversation_id)[0][0].parts_json
        for one in runs
    ]


def test_what_is_made_is_listed_with_its_next_time(world: World, runner: PlayedRunner) -> None:
    activity = made(world)
    (view,) = world.person.activities.list(WORKSPACE_ID)
    assert view.activity == activity
    assert (view.channel, view.is_channel_open, view.last) == ("map-room", True, None)
    assert activity.next_due_at == datetime(2026, 3, 10, 10, 30, tzinfo=UTC)
    assert activity.created_by == world.person.caller.signs_as
    assert world.kinds()[-1] is EventKind.ACTIVITY_SAVED
    assert runner.asked == []


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        (replace(WEEKLY, name=" "), "name"),
        (replace(WEEKLY, prompt="\u200b"), "prompt"),
        (replace(WEEKLY, prompt="x" * (MAX_PROMPT_BYTES + 1)), "prompt"),
        (replace(WEEKLY, schedule=schedule_of({"daily": "10:30"}, "Atlantis")), "timezone"),
    ],
)
def test_what_cannot_be_kept_is_refused(
    world: World, runner: PlayedRunner, draft: ActivityDraft, named: str
) -> None:
    with pytest.raises(InvalidValueError) as refused:
        made(world, draft)
    assert refused.value.field == named
    assert world.person.activities.list(WORKSPACE_ID) == ()
    assert runner.asked == []


def test_a_name_is_taken_once(world: World, runner: PlayedRunner) -> None:
    made(world)
    with pytest.raises(ConflictError):
        made(world, replace(WEEKLY, name="WEEKLY continuity"))
    assert len(world.person.activities.list(WORKSPACE_ID)) == 1
    assert runner.there


def test_only_the_author_makes_one(world: World, runner: PlayedRunner) -> None:
    agent = gated(world, actions=frozenset({Action.READ, Action.WRITE}))
    for caller in (agent, the_clock()):
        with pytest.raises(ScopeDeniedError):
            world.asked_by(caller).activities.make(WORKSPACE_ID, WEEKLY)
    assert world.person.activities.list(WORKSPACE_ID) == ()
    assert runner.asked == []


def test_a_run_is_a_conversation_with_the_prompt_in_it(world: World, runner: PlayedRunner) -> None:
    activity = made(world)
    now_is(world, "2026-03-10T10:30")
    assert run_by_clock(world, activity) is RunState.FINISHED
    [(room, budget)] = runner.asked
    conversation = world.person.conversations.get(WORKSPACE_ID, room)
    assert conversation.title == "Weekly continuity, 2026-03-10"
    assert conversation.channel_id == world.map_room.id
    assert budget == WEEKLY.budget
    assert prompts(world, activity) == [f'[{{"kind": "text", "text": "{PROMPT}"}}]']
    (run,) = world.person.activities.runs(WORKSPACE_ID, activity.id)
    assert (run.conversation_id, run.outcome) == (room, Outcome.DONE)
    after = of(world, activity)
    assert after.next_due_at == datetime(2026, 3, 11, 10, 30, tzinfo=UTC)
    assert (after.last_outcome, after.missed) == (Outcome.DONE, 0)
    assert EventKind.ACTIVITY_RAN in world.kinds()
    with world.store.read(WORKSPACE_ID) as view:
        assert view.conversations.participants(room) == {"world-agent"}


def test_activity_catch_up_however_many_were_missed_one_run_makes_up_for_them(
    world: World, runner: PlayedRunner
) -> None:
    activity = made(world)
    now_is(world, "2026-03-17T12:00")
    assert run_by_clock(world, activity) is RunState.FINISHED
    assert "(Missed 8 times since 2026-03-10 10:30." in prompts(world, activity)[0]
    after = of(world, activity)
    assert (after.missed, after.next_due_at) == (8, datetime(2026, 3, 18, 10, 30, tzinfo=UTC))
    run_by_clock(world, activity)  # another clock that had seen it due
    assert len(runner.asked) == 1


def test_a_missed_run_waits_for_the_day(world: World, runner: PlayedRunner) -> None:
    activity = made(world)
    now_is(world, "2026-03-12T02:00")
    with pytest.raises(AlreadyRunningError) as put_off:
        run_by_clock(world, activity)
    assert put_off.value.until == datetime(2026, 3, 12, 6, 30, tzinfo=UTC)
    (situation,) = world.asked_by(the_clock()).activities.due(WORKSPACE_ID)
    assert situation.due_at == put_off.value.until
    assert runner.asked == []


def test_two_clocks_one_run(world: World, runner: PlayedRunner) -> None:
    activity = made(world)
    now_is(world, "2026-03-10T10:30")

    def another_clock() -> None:
        with pytest.raises(AlreadyRunningError):
            run_by_clock(world, activity)

    runner.meanwhile = another_clock
    run_by_clock(world, activity)
    assert len(runner.asked) == 1


def test_a_program_that_dies_goes_on_with_the_same_run(world: World, runner: PlayedRunner) -> None:
    activity = made(world)
    now_is(world, "2026-03-10T10:30")
    with pytest.raises(StoppedError):  # as when the window closes: all that a kill leaves is there
        run_by_clock(world, activity, Progress(is_put_off=lambda: True))
    assert of(world, activity).last_outcome is Outcome.RUNNING
    now_is(world, "2026-03-10T11:00")
    (situation,) = world.asked_by(the_clock()).activities.due(WORKSPACE_ID)
    assert situation.left_behind
    assert run_by_clock(world, activity) is RunState.FINISHED
    assert [room for room, _ in runner.asked] == [runner.asked[0][0]] * 2
    assert len(prompts(world, activity)) == 1
    assert of(world, activity).last_outcome is Outcome.DONE
    (situation,) = world.asked_by(the_clock()).activities.due(WORKSPACE_ID)
    assert not situation.left_behind


def test_a_run_that_somebody_went_on_with_is_over(world: World, runner: PlayedRunner) -> None:
    activity = made(world)
    now_is(world, "2026-03-10T10:30")
    with pytest.raises(StoppedError):
        run_by_clock(world, activity, Progress(is_put_off=lambda: True))
    (run,) = world.person.activities.runs(WORKSPACE_ID, activity.id)
    with world.store.write(WORKSPACE_ID, initiator="test") as unit:  # the author, in the window
        unit.activities.end_run(run.id, Outcome.DONE, "", world.clock())
        unit.commit()
    assert run_by_clock(world, activity) is RunState.FINISHED
    assert len(runner.asked) == 1
    assert of(world, activity).last_outcome is Outcome.DONE


def test_three_failures_in_a_row_pause_it(world: World, runner: PlayedRunner) -> None:
    activity = made(world)
    runner.end = BROKEN
    for day in range(10, 13):
        assert of(world, activity).enabled
        now_is(world, f"2026-03-{day}T10:30")
        assert run_by_clock(world, activity) is RunState.FAILED
    after = of(world, activity)
    assert (after.enabled, after.next_due_at) == (False, None)
    assert after.last_outcome is Outcome.PAUSED
    assert world.kinds().count(EventKind.ACTIVITY_FAILED) == 3
    assert world.events()[-1].marks["outcome"] == "paused"
    again = world.person.activities.switch(WORKSPACE_ID, activity.id, on=True)
    assert (again.enabled, again.last_outcome) == (True, Outcome.FAILED)


def test_a_success_in_between_counts_from_the_beginning(world: World, runner: PlayedRunner) -> None:
    activity = made(world)
    for day, end in enumerate((BROKEN, BROKEN, DONE, BROKEN, BROKEN), start=10):
        runner.end = end
        now_is(world, f"2026-03-{day}T10:30")
        run_by_clock(world, activity)
    assert of(world, activity).enabled


def test_a_failure_is_an_answer_that_nobody_read(world: World, runner: PlayedRunner) -> None:
    activity = made(world)
    runner.end = BROKEN
    now_is(world, "2026-03-10T10:30")
    run_by_clock(world, activity)
    (run,) = world.person.activities.runs(WORKSPACE_ID, activity.id)
    assert world.person.messages.heads(WORKSPACE_ID)[run.conversation_id].n_unread == 1
    assert (run.outcome, run.problem) == (Outcome.FAILED, "agent_gone")


def test_a_person_stops_it_and_it_runs_again_the_next_time(
    world: World, runner: PlayedRunner
) -> None:
    activity = made(world)
    now_is(world, "2026-03-10T10:30")
    assert run_by_clock(world, activity, Progress(is_cancelled=lambda: True)) is RunState.STOPPED
    after = of(world, activity)
    assert (after.last_outcome, after.enabled) == (Outcome.STOPPED, True)
    assert after.next_due_at == datetime(2026, 3, 11, 10, 30, tzinfo=UTC)
    assert runner.asked


def test_run_now_leaves_the_next_time_alone(world: World, runner: PlayedRunner) -> None:
    activity = made(world)
    world.person.activities.run(WORKSPACE_ID, activity.name)
    assert of(world, activity).next_due_at == activity.next_due_at
    assert len(runner.asked) == 1


def test_one_that_is_off_runs_by_hand_alone(world: World, runner: PlayedRunner) -> None:
    activity = made(world)
    off = world.person.activities.switch(WORKSPACE_ID, activity.id, on=False)
    assert (off.enabled, off.next_due_at) == (False, None)
    now_is(world, "2026-03-20T10:30")
    assert world.asked_by(the_clock()).activities.due(WORKSPACE_ID) == ()
    run_by_clock(world, activity)
    assert runner.asked == []
    world.person.activities.run(WORKSPACE_ID, activity.id)
    assert len(runner.asked) == 1
    on = world.person.activities.switch(WORKSPACE_ID, activity.id, on=True)
    assert on.next_due_at == datetime(2026, 3, 21, 10, 30, tzinfo=UTC)


def test_a_once_is_due_no_more(world: World, runner: PlayedRunner) -> None:
    once = schedule_of({"once": "2026-03-10T10:30"}, "UTC")
    activity = made(world, replace(WEEKLY, schedule=once))
    now_is(world, "2026-03-10T10:31")
    run_by_clock(world, activity)
    run_by_clock(world, activity)
    assert len(runner.asked) == 1
    assert of(world, activity).next_due_at is None


def test_so_many_new_memories_of_its_channel_bring_it(world: World, runner: PlayedRunner) -> None:
    activity = made(world, replace(WEEKLY, schedule=schedule_of({"after_new": 2})))
    scope = ScopeKey.channel(WORKSPACE_ID, world.map_room.id)
    later = world.clock() + timedelta(hours=1)
    world.keep(a_memory("One", scope=scope, created_at=later))
    run_by_clock(world, activity)
    assert runner.asked == []
    world.keep(a_memory("Two", scope=scope, created_at=later))
    now_is(world, "2026-03-10T10:00")
    (situation,) = world.asked_by(the_clock()).activities.due(WORKSPACE_ID)
    assert (situation.n_new, situation.after_new, situation.due_at) == (2, 2, None)
    run_by_clock(world, activity)
    assert len(runner.asked) == 1


def test_nothing_begins_without_an_agent_or_in_an_archived_channel(
    world: World, runner: PlayedRunner
) -> None:
    activity, clock = made(world), world.asked_by(the_clock())
    runner.there = False
    assert clock.activities.due(WORKSPACE_ID) == ()
    runner.there = True
    assert len(clock.activities.due(WORKSPACE_ID)) == 1
    world.person.channels.archive(WORKSPACE_ID, world.map_room.id)
    assert clock.activities.due(WORKSPACE_ID) == ()
    with pytest.raises(InvalidValueError):
        world.person.activities.run(WORKSPACE_ID, activity.id)
    assert not world.person.activities.list(WORKSPACE_ID)[0].is_channel_open


def test_an_edit_is_of_what_was_seen(world: World, runner: PlayedRunner) -> None:
    activity = made(world)
    hourly = replace(WEEKLY, schedule=schedule_of({"every_minutes": 60}), channel="general")
    edited = world.person.activities.edit(WORKSPACE_ID, activity, hourly)
    assert edited.channel_id == world.general.id
    assert edited.next_due_at == world.clock() + timedelta(hours=1)
    with pytest.raises(ConflictError):
        world.person.activities.edit(WORKSPACE_ID, activity, WEEKLY)
    run_by_clock(world, edited)  # not due yet
    assert runner.asked == []
    now_is(world, "2026-03-10T09:00")
    run_by_clock(world, edited)
    again = world.person.activities.edit(WORKSPACE_ID, edited, replace(hourly, name="Hourly"))
    assert again.last_outcome is Outcome.DONE


def test_what_is_deleted_can_be_put_back_with_its_runs(world: World, runner: PlayedRunner) -> None:
    activity = made(world)
    world.person.activities.run(WORKSPACE_ID, activity.id)
    gone = world.person.activities.delete(WORKSPACE_ID, activity.name)
    with pytest.raises(NotFoundError):
        world.person.activities.get(WORKSPACE_ID, activity.id)
    assert world.person.activities.put_back(WORKSPACE_ID, gone) == gone
    assert len(world.person.activities.runs(WORKSPACE_ID, gone.id)) == len(runner.asked) == 1


def test_one_that_is_deleted_while_it_runs_is_gone(world: World, runner: PlayedRunner) -> None:
    activity = made(world)
    runner.meanwhile = lambda: world.person.activities.delete(WORKSPACE_ID, activity.id)
    world.person.activities.run(WORKSPACE_ID, activity.id)
    assert world.person.activities.list(WORKSPACE_ID) == ()
    assert len(runner.asked) == 1


def proposer(world: World) -> Caller:
    return gated(world, actions=frozenset({Action.READ, Action.PROPOSE}))


def test_an_agent_asks_and_the_author_makes_it(world: World, runner: PlayedRunner) -> None:
    asked = world.asked_by(proposer(world)).activities
    proposal = asked.propose(WORKSPACE_ID, WEEKLY, "Chapters change every week.")
    assert (proposal.kind, proposal.target_name) == (ProposalKind.ACTIVITY, WEEKLY.name)
    assert asked.list(WORKSPACE_ID) == ()
    accepted = world.person.proposals.accept(proposal.ref)
    assert accepted.state is ProposalState.ACCEPTED
    (view,) = asked.list(WORKSPACE_ID)
    activity = view.activity
    assert (activity.id, activity.prompt) == (accepted.target_id, PROMPT)
    assert (activity.schedule, activity.budget) == (DAILY, WEEKLY.budget)
    assert activity.created_by == world.person.caller.signs_as
    assert runner.asked == []


def test_what_an_agent_may_not_ask(world: World, runner: PlayedRunner) -> None:
    made(world)
    asked = world.asked_by(proposer(world)).activities
    secret = replace(WEEKLY, name="Keys", prompt="Use sk-ant-api03-" + "x1Y2" * 20)
    for draft, named in ((WEEKLY, "name"), (secret, "prompt")):
        with pytest.raises(InvalidValueError) as refused:
            asked.propose(WORKSPACE_ID, draft, "Why not?")
        assert refused.value.field == named
    reader = gated(world, actions=frozenset({Action.READ}))
    with pytest.raises(ScopeDeniedError):
        world.asked_by(reader).activities.propose(WORKSPACE_ID, WEEKLY, "Why not?")
    assert world.person.proposals.list(WORKSPACE_ID) == ()
    assert runner.asked == []
