"""Requests of agents in time: what lapses, what is given back, what two windows do at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Client, ClientKind, Right
from inklings_desktop.domain.errors import DatabaseFullError, InvalidValueError, StoppedError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode, ScrubOutcome
from inklings_desktop.domain.scrub.scrub_request import (
    MAX_WAITING_PER_CLIENT,
    WINDOW_LEASE_SECONDS,
    NoWindowError,
    ScrubRequest,
    ScrubRequestEndedError,
    ScrubRequestState,
)
from inklings_desktop.usecases.ports.progress import Progress
from inklings_desktop.usecases.scrubbing.scrub import ExecuteScrub, Manifests, PreviewScrub
from inklings_desktop.usecases.scrubbing.scrub_asking import (
    AskForScrub,
    CountScrub,
    FollowScrubRequest,
    ScrubPlace,
)
from inklings_desktop.usecases.scrubbing.scrub_requests import (
    AttendScrubs,
    ConfirmScrub,
    DeclineScrub,
    ListScrubRequests,
)
from tests.support.builders import NOON, WORKSPACE_ID, a_draft, a_person, an_agent
from tests.support.fake_eraser import FakeEraser
from tests.usecases.world import World

ADA = a_person()
KEY = bytes(range(32))
SCOPE = ScopeKey.workspace(WORKSPACE_ID)
PLACE = ScrubPlace(WORKSPACE_ID, Tier.WORKSPACE)
SCRUBS = frozenset({Action.SCRUB_PREVIEW, Action.SCRUB_KEEP_NAMED, Action.SCRUB_FULL})
AGENT = an_agent(tiers=(Tier.WORKSPACE,), actions=SCRUBS)


def later(world: World, seconds: float) -> None:
    """Time goes on."""
    world.clock.now += timedelta(seconds=seconds)


class Counter:
    """The use cases over a world in memory, with a window that is open."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.eraser = FakeEraser()
        self.manifests = Manifests(
            world.store, world.directory, self.eraser, world.clock, world.settings, lambda: KEY
        )
        self.confirm_scrub = ConfirmScrub(
            self.manifests, ExecuteScrub(self.manifests, lambda: "ada_at_home")
        )
        rights = frozenset(Right(Tier.WORKSPACE, WORKSPACE_ID, action) for action in SCRUBS)
        with world.store.write(None, initiator="Ada") as unit:
            unit.clients.save(Client(AGENT.name, ClientKind.EXTERNAL, NOON, rights))
            unit.commit()
        self.attend()

    def attend(self) -> None:
        AttendScrubs(self.manifests)(ADA, "w1", is_open=True)

    def ask(self, mode: ScrubMode = ScrubMode.KEEP_NAMED) -> ScrubRequest:
        counted = CountScrub(self.manifests)(AGENT, PLACE, mode)
        return AskForScrub(self.manifests, self.world.new_id)(
            AGENT, PLACE, mode, token=counted.token, phrase=counted.phrase
        )

    def confirm(self, request: ScrubRequest, progress: Progress | None = None) -> ScrubOutcome:
        shown = PreviewScrub(self.manifests)(ADA, request.scope, request.mode)
        return self.confirm_scrub(
            ADA,
            request.id,
            token=shown.token,
            phrase=shown.phrase,
            progress=progress or Progress(),
        )

    def state(self, request: ScrubRequest) -> ScrubRequestState:
        return FollowScrubRequest(self.manifests)(AGENT, request.id).state

    def waiting(self) -> tuple[ScrubRequest, ...]:
        return ListScrubRequests(self.manifests)(ADA)


@pytest.fixture
def counter(world: World) -> Counter:
    for text in ("The sea counts.", "The keeper sleeps."):
        world.asked_by(ADA).memories.put(a_draft(text, scope=SCOPE))
    return Counter(world)


def test_a_request_lapses_after_ten_minutes_and_is_asked_anew(
    counter: Counter, world: World
) -> None:
    request = counter.ask()
    later(world, 599)
    assert (counter.state(request), counter.waiting()) == (
        ScrubRequestState.WAITING,
        (request,),
    )
    later(world, 1)
    assert (counter.state(request), counter.waiting()) == (ScrubRequestState.EXPIRED, ())
    with pytest.raises(ScrubRequestEndedError):
        counter.confirm(request)
    declined = DeclineScrub(counter.manifests)(ADA, request.id)
    assert declined.state is ScrubRequestState.EXPIRED
    counter.attend()
    again = counter.ask()
    assert again.id != request.id
    assert len(world.active(SCOPE)) == 2


def test_lapsed_requests_make_room_for_others(counter: Counter, world: World) -> None:
    counter.ask()
    counter.ask(ScrubMode.FULL)
    world.asked_by(ADA).memories.put(a_draft("Another one.", scope=SCOPE))
    counter.ask()
    assert len(counter.waiting()) == MAX_WAITING_PER_CLIENT
    world.asked_by(ADA).memories.put(a_draft("One too many.", scope=SCOPE))
    with pytest.raises(InvalidValueError):
        counter.ask()
    later(world, 600)
    counter.attend()
    assert counter.ask() in counter.waiting()
    assert len(counter.waiting()) == 1


def test_a_window_counts_for_as_long_as_it_said_last(counter: Counter, world: World) -> None:
    later(world, WINDOW_LEASE_SECONDS)
    with pytest.raises(NoWindowError):
        counter.ask()
    assert world.events(None)[-1].kind is EventKind.DENIED
    AttendScrubs(counter.manifests)(ADA, "w2", is_open=True)
    assert counter.ask().state is ScrubRequestState.WAITING


def test_of_two_windows_one_carries_it_out(counter: Counter, world: World) -> None:
    request = counter.ask()
    tried: list[ScrubRequestState] = []

    def other_window(_step: str, _done: int, _total: int) -> None:
        if not tried:
            tried.append(counter.state(request))
            with pytest.raises(ScrubRequestEndedError) as ended:
                counter.confirm_scrub(ADA, request.id, token="", phrase="")
            tried.append(ended.value.request.state)

    assert counter.confirm(request, Progress(other_window)).is_finished
    assert tried == [ScrubRequestState.CONFIRMED] * 2
    assert counter.state(request) is ScrubRequestState.EXECUTED
    assert world.kinds().count(EventKind.SCRUB_EXECUTED) == 1


@pytest.mark.parametrize("failure", ["full", "stopped"])
def test_what_failed_before_anything_was_removed_waits_on(
    failure: str, counter: Counter, world: World
) -> None:
    request = counter.ask()
    if failure == "full":
        counter.eraser.refusal = DatabaseFullError()
        with pytest.raises(DatabaseFullError):
            counter.confirm(request)
        counter.eraser.refusal = None
    else:
        with pytest.raises(StoppedError):
            counter.confirm(request, Progress(is_cancelled=lambda: True))
    assert (counter.state(request), len(world.active(SCOPE))) == (ScrubRequestState.WAITING, 2)
    assert counter.confirm(request).is_finished
    assert counter.state(request) is ScrubRequestState.EXECUTED


def test_the_log_tells_what_a_killed_window_could_not(counter: Counter, world: World) -> None:
    request = counter.ask()
    outcome = counter.confirm(request)
    with world.store.write(None, initiator="Ada") as unit:  # as if the window had died just then
        unit.scrub_requests.save(replace(request, state=ScrubRequestState.CONFIRMED))
        unit.commit()
    found = FollowScrubRequest(counter.manifests)(AGENT, request.id)
    assert (found.state, found.event_number) == (
        ScrubRequestState.EXECUTED,
        outcome.event_number,
    )


def test_one_that_was_confirmed_and_never_begun_lapses_in_the_end(
    counter: Counter, world: World
) -> None:
    request = counter.ask()
    with world.store.write(None, initiator="Ada") as unit:
        unit.scrub_requests.save(replace(request, state=ScrubRequestState.CONFIRMED))
        unit.commit()
    assert counter.state(request) is ScrubRequestState.CONFIRMED
    assert counter.waiting() == ()
    later(world, 1_200)
    assert counter.state(request) is ScrubRequestState.EXPIRED
    assert len(world.active(SCOPE)) == 2


def test_nothing_is_written_by_counting(counter: Counter, world: World) -> None:
    before = world.everything()
    figures = CountScrub(counter.manifests)(AGENT, PLACE, ScrubMode.FULL)
    assert world.everything() == before
    assert counter.eraser.calls == []
    assert (figures.n_removed, figures.n_kept) == (2, 1)
