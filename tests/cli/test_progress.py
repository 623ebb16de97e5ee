from __future__ import annotations

import io
import json
import signal
import sys
import threading

import pytest

from inklings_desktop.cli.messages import failure_of
from inklings_desktop.cli.options import LongOptions
from inklings_desktop.cli.progress import shown_progress
from inklings_desktop.domain.errors import StoppedError
from inklings_desktop.usecases.ports.progress import Progress

WORDS = {"copy": "Copying"}


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def work(progress: Progress) -> None:
    progress.report("copy", 1, 2)
    progress.report("copy", 2, 2)
    progress.report("verify", 0, 0)


def test_scripts_get_one_json_document_per_step_on_stderr(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with shown_progress(LongOptions(as_json=True, progress=True), WORDS) as progress:
        work(progress)

    said = capsys.readouterr()
    assert said.out == ""
    assert [json.loads(line) for line in said.err.splitlines()] == [
        {"step": "copy", "done": 1, "total": 2},
        {"step": "copy", "done": 2, "total": 2},
        {"step": "verify", "done": 0, "total": None},
    ]


def test_plain_lines_name_the_step_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress(LongOptions(progress=True), WORDS) as progress:
        work(progress)

    assert capsys.readouterr().err.splitlines() == ["Copying: 1 of 2", "Copying: 2 of 2", "verify"]


@pytest.mark.parametrize("as_json", [False, True])
def test_nothing_is_said_unasked_where_nobody_looks(
    *, as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with shown_progress(LongOptions(as_json=as_json), WORDS) as progress:
        work(progress)

    assert capsys.readouterr().err == ""


def test_a_terminal_gets_a_bar_that_is_gone_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    with shown_progress(LongOptions(), WORDS) as progress:
        work(progress)

    drawn = terminal.getvalue().split("\r\x1b[K")
    assert drawn[1] == f"[{'#' * 12}{'-' * 12}] Copying: 1 of 2"
    assert drawn[2] == f"[{'#' * 24}] Copying: 2 of 2"
    assert drawn[-1] == ""


def test_the_first_interrupt_asks_and_the_second_one_interrupts() -> None:
    # Tests that were started in the background inherit deaf ears; this program does not.
    started_with = signal.signal(signal.SIGINT, signal.default_int_handler)
    before = signal.getsignal(signal.SIGINT)

    with shown_progress(LongOptions(), WORDS) as progress:
        assert not progress.is_cancelled()
        signal.raise_signal(signal.SIGINT)
        assert progress.is_cancelled()
        with pytest.raises(StoppedError):
            progress.require_wanted()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    assert signal.getsignal(signal.SIGINT) == before
    signal.signal(signal.SIGINT, started_with)


def test_another_thread_leaves_the_signals_alone() -> None:
    found: list[bool] = []

    def run() -> None:
        with shown_progress(LongOptions(), WORDS) as progress:
            found.append(progress.is_cancelled())

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()

    assert found == [False]


def test_stopped_work_ends_as_an_interrupted_program() -> None:
    failure = failure_of(StoppedError())

    assert (failure.kind, failure.status) == ("stopped", 130)
