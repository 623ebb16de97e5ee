"""A second start of the window calls the first one, and never waits for long."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from inklings_desktop.relay import meeting_point
from inklings_desktop.relay.one_window import one_window

LONG_SECONDS = 20.0
SHORT_SECONDS = 0.5


@pytest.fixture(autouse=True)
def _meeting_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "m"
    folder.mkdir()
    monkeypatch.setattr(meeting_point, "_own_folder", lambda: str(folder))


def test_the_first_one_hears_what_a_second_start_wants(tmp_path: Path) -> None:
    heard: list[str] = []

    def come(text: str) -> bool:
        heard.append(text)
        return True

    with one_window(str(tmp_path)) as first:
        assert first.is_first
        first.hear(come)
        for wanted in ("inklings://memory/1a", ""):
            with one_window(str(tmp_path)) as second:
                assert not second.is_first
                assert second.call(wanted, LONG_SECONDS)
    assert heard == ["inklings://memory/1a", ""]


def test_one_that_is_just_opening_is_waited_for(tmp_path: Path) -> None:
    with one_window(str(tmp_path)) as first, one_window(str(tmp_path)) as second:
        waiting = threading.Timer(SHORT_SECONDS, first.hear, [lambda _text: True])
        waiting.start()
        assert second.call("", LONG_SECONDS)
        waiting.join()


@pytest.mark.parametrize("answers", [True, False])
def test_a_frozen_one_is_not_waited_for(tmp_path: Path, *, answers: bool) -> None:
    held = threading.Event()
    with one_window(str(tmp_path)) as first, one_window(str(tmp_path)) as second:
        if answers:
            first.hear(lambda _text: held.wait(LONG_SECONDS))
        began = time.monotonic()
        assert not second.call("", SHORT_SECONDS)
        assert time.monotonic() - began < LONG_SECONDS / 2
        held.set()


def test_after_the_first_one_the_next_is_first(tmp_path: Path) -> None:
    for _ in range(2):
        with one_window(str(tmp_path)) as window:
            assert window.is_first
            window.hear(lambda _text: True)
            with one_window(str(tmp_path)) as second:
                assert second.call("", LONG_SECONDS)


def test_another_data_root_has_a_window_of_its_own(tmp_path: Path) -> None:
    with one_window(str(tmp_path / "a")) as one, one_window(str(tmp_path / "b")) as other:
        assert one.is_first
        assert other.is_first


def test_without_a_place_of_ones_own_each_window_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> str:
        raise PermissionError

    monkeypatch.setattr(meeting_point, "_own_folder", refused)
    with one_window(str(tmp_path)) as one, one_window(str(tmp_path)) as other:
        assert one.is_first
        assert other.is_first
