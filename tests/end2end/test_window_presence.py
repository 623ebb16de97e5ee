"""A window says that it is there while it is: not before, not after it was closed or killed."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.scrub.scrub_request import WINDOW_BEAT_SECONDS, WINDOW_LEASE_SECONDS
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.bundle import Inklings
from tests.support.processes import started
from tests.support.stopwatch import HANG_SECONDS

pytestmark = pytest.mark.end2end


@contextmanager
def a_window(root: Path) -> Iterator[subprocess.Popen[str]]:
    with started("tests.end2end.window_process", str(root)) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until(condition: Callable[[], bool], most: float) -> None:
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < most
        time.sleep(0.1)


def has_window(inklings: Inklings, at: datetime | None = None) -> bool:
    """What an agent's request would be told, now or at a later time if nothing happened until."""
    with inklings.parts.store.read(None) as view:
        return view.scrub_requests.has_window(at or inklings.clock())


@pytest.mark.slow
def test_a_window_counts_while_it_is_open_and_no_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    with open_inklings(tmp_path, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        inklings.workspaces.create("Saltglass")
        assert not has_window(inklings)
        with a_window(tmp_path) as process:
            wait_until(lambda: has_window(inklings), HANG_SECONDS)
            process.communicate("close\n", timeout=HANG_SECONDS)
            assert process.returncode == 0
            assert not has_window(inklings)
        with a_window(tmp_path) as process:
            wait_until(lambda: has_window(inklings), HANG_SECONDS)
            lapsed = inklings.clock() + timedelta(seconds=WINDOW_LEASE_SECONDS)
            assert not has_window(inklings, lapsed)
            wait_until(  # it says so again
                lambda: has_window(inklings, lapsed), WINDOW_BEAT_SECONDS + HANG_SECONDS
            )
            process.kill()
            process.wait(timeout=HANG_SECONDS)
            lapsed = inklings.clock() + timedelta(seconds=WINDOW_LEASE_SECONDS)
            assert not has_window(inklings, lapsed)


@pytest.mark.slow
def test_a_second_start_calls_the_first_window_and_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    with open_inklings(tmp_path, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        inklings.workspaces.create("Saltglass")
        with a_window(tmp_path) as first:
            wait_until(lambda: has_window(inklings), HANG_SECONDS)
            with a_window(tmp_path) as second:
                assert second.wait(HANG_SECONDS) == 0
            assert first.poll() is None
            first.communicate("close\n", timeout=HANG_SECONDS)
            assert first.returncode == 0


def test_restart_now_opens_the_window_anew_in_the_language_that_was_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    with open_inklings(tmp_path, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        inklings.workspaces.create("Saltglass")
    with a_window(tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        titles = []
        for word in ("speak Deutsch", "speak English", "close"):
            titles.append(json.loads(process.stdout.readline())["title"])
            process.stdin.write(f"{word}\n")
            process.stdin.flush()
        assert process.wait(HANG_SECONDS) == 0
    pages = [one.partition(",")[0] for one in titles]
    assert pages == ["Memory", "Einstellungen", "Settings"]
