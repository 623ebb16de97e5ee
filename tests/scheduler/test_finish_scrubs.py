from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from inklings_desktop.domain.access.access import Caller
from inklings_desktop.domain.errors import DatabaseBusyError, StoppedError
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.scrub.manifest import PendingScrub, ResumedScrub, ScrubMode
from inklings_desktop.scheduler.finish_scrubs import FinishScrubs
from inklings_desktop.usecases.ports.progress import Progress
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.fake_eraser import NOTHING_LEFT
from tests.support.stopwatch import HANG_SECONDS

SCRUB = PendingScrub(ScopeKey.workspace(WORKSPACE_ID), ScrubMode.FULL, 7, NOON, 3)
SCRUBBED = MemoryChanges(WORKSPACE_ID, reload=True)


class FakeResume:
    """Answers with one thing after the other; there is no work left after the last."""

    def __init__(self, *answers: str | Exception | None) -> None:
        self.answers = list(answers)
        self.n_calls = 0
        self.callers: list[Caller] = []
        self.is_done = threading.Event()
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.was_called = threading.Event()

    def has_work(self) -> bool:
        if not self.answers:
            self.is_done.set()
        return bool(self.answers)

    def __call__(self, caller: Caller, progress: Progress) -> tuple[ResumedScrub, ...]:
        self.n_calls += 1
        self.callers.append(caller)
        self.was_called.set()
        while not self.may_go_on.wait(0.01):
            progress.require_wanted()
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        receipt = None if answer else NOTHING_LEFT
        return (ResumedScrub(SCRUB, None if answer else 8, receipt, answer),)


@pytest.fixture
def running() -> Iterator[list[FinishScrubs]]:
    started: list[FinishScrubs] = []
    yield started
    for one in started:
        one.close(drain_seconds=0.0)


def finisher(resume: FakeResume, running: list[FinishScrubs], retry: float = 0.01) -> FinishScrubs:
    made = FinishScrubs(resume, retry_seconds=retry)
    running.append(made)
    return made


def test_without_work_nothing_runs(running: list[FinishScrubs]) -> None:
    before = set(threading.enumerate())

    finisher(FakeResume(), running).start()

    assert set(threading.enumerate()) <= before


def test_it_tries_until_all_is_finished_and_ends(running: list[FinishScrubs]) -> None:
    resume = FakeResume("snapshot", "snapshot", "busy", None)

    finisher(resume, running).start()

    assert resume.is_done.wait(HANG_SECONDS)
    assert resume.n_calls == 4
    assert {caller.kind.value for caller in resume.callers} == {"clock"}


@pytest.mark.parametrize("trouble", [DatabaseBusyError(), StoppedError()])
def test_an_error_is_no_reason_to_give_up(trouble: Exception, running: list[FinishScrubs]) -> None:
    resume = FakeResume(trouble, None)

    finisher(resume, running).start()

    assert resume.is_done.wait(HANG_SECONDS)


def test_a_scrub_that_was_left_open_is_taken_up(running: list[FinishScrubs]) -> None:
    resume = FakeResume()
    one = finisher(resume, running)
    one.start()
    one.on_changes(MemoryChanges(WORKSPACE_ID, added=("m1",)))
    assert resume.n_calls == 0

    resume.is_done.clear()
    resume.answers.append("snapshot")
    one.on_changes(SCRUBBED)
    one.on_changes(SCRUBBED)

    assert resume.is_done.wait(HANG_SECONDS)
    assert resume.n_calls == 1


def test_it_leaves_the_first_second_to_whoever_executes(running: list[FinishScrubs]) -> None:
    resume = FakeResume("snapshot")

    finisher(resume, running, retry=60.0).on_changes(SCRUBBED)

    assert not resume.was_called.wait(0.05)


def test_closing_ends_the_wait_at_once(running: list[FinishScrubs]) -> None:
    resume = FakeResume("snapshot", "snapshot")
    one = finisher(resume, running, retry=60.0)
    one.start()
    assert resume.was_called.wait(HANG_SECONDS)

    one.close(drain_seconds=60.0)

    assert resume.n_calls == 1
    one.on_changes(SCRUBBED)
    assert resume.n_calls == 1


def test_closing_lets_an_attempt_end_only_as_long_as_agreed(running: list[FinishScrubs]) -> None:
    resume = FakeResume("snapshot")
    resume.may_go_on.clear()
    one = finisher(resume, running)
    one.start()
    assert resume.was_called.wait(HANG_SECONDS)

    one.close(drain_seconds=0.05)

    assert resume.answers == ["snapshot"]
