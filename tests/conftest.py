"""What every test stands on: no display, strict warnings, nothing left running."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import is_hypothesis_test, settings

from tests.support.kept_roots import copied_or_made, copy_root
from tests.support.outside import WAYS_OUT, reaches_outside
from tests.support.wide import EVERY_DAY, examples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

os.environ["QT_QPA_PLATFORM"] = "offscreen"
# What the machine's owner has chosen for themselves is no matter of the tests.
os.environ["LC_ALL"] = "C.UTF-8"
for chosen in (
    *("INKLINGS_DATA_DIR", "LANGUAGE", "VISUAL", "EDITOR", "COLUMNS", "NO_COLOR", "FORCE_COLOR"),
    *("QT_SCALE_FACTOR", "QT_FONT_DPI", "QT_STYLE_OVERRIDE", "QT_QPA_PLATFORMTHEME"),
    "PYTHONDONTWRITEBYTECODE",  # hundreds of processes would compile the program again
):
    os.environ.pop(chosen, None)
sys.dont_write_bytecode = False

# A deadline of every example would judge the machine; what must be quick has a test that says so.
settings.register_profile(EVERY_DAY, deadline=None, max_examples=examples(100, EVERY_DAY))
settings.register_profile("endurance", deadline=None, max_examples=100)

LEAK_GRACE_SECONDS = 10.0
YOUNG_COLLECTIONS = 75
FEW_OBJECTS = 5_000
MEMORY_DISK = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own in it
MEMORY_DISK_BYTES = 2 << 30

# Thousands of stores are made and thrown away: no disk needs to hear of it where there is room.
if MEMORY_DISK.is_dir() and shutil.disk_usage(MEMORY_DISK).free > MEMORY_DISK_BYTES:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY_DISK))


def _stay_here(event: str, arguments: tuple[Any, ...], ways: frozenset[str] = WAYS_OUT) -> None:
    # One of ten thousand that a window causes; an argument, since it is asked at the very end, too.
    if event in ways:
        outside = reaches_outside(event, arguments)
        assert not outside, f"{event}: no test reaches for another machine"


sys.addaudithook(_stay_here)


def pytest_configure(config: pytest.Config) -> None:
    """Try as many examples of each property as this run has time for."""
    settings.load_profile(EVERY_DAY if config.getoption("markexpr") != "endurance" else "endurance")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the wide cases to the endurance run, unless others are chosen by their marks.

    That run tries all examples of every property, too. A model is asked only where it is named.
    """
    wide = [item for item in items if item.get_closest_marker("wide")]
    properties = [item for item in items if is_hypothesis_test(getattr(item, "obj", None))]
    for item in (*wide, *properties):
        item.add_marker(pytest.mark.endurance)
    chosen = config.getoption("markexpr")
    left_out = set() if chosen else set(wide)
    if "llm" not in chosen:
        left_out |= {item for item in items if item.get_closest_marker("llm")}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish() -> None:
    """Keep what stays for the whole run out of every collection, which would look at it again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def no_thread_is_left_behind() -> Iterator[None]:
    """Fail a test that ends with a thread of ours still running."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + LEAK_GRACE_SECONDS
    left = _ours(before)
    while left and time.monotonic() < deadline:
        left[0].join(0.05)
        left = _ours(before)
    assert not left, f"threads still running: {[thread.name for thread in left]}"


@pytest.fixture(autouse=True)
def garbage_is_collected_here() -> Iterator[None]:
    """Collect on this thread alone, as the window does: a worker must never destroy a widget."""
    gc.disable()
    yield
    if gc.get_count()[0] < FEW_OBJECTS:
        return  # it comes with what the next test leaves
    if gc.get_count()[2] > YOUNG_COLLECTIONS:
        gc.collect()
    else:
        gc.collect(1)


@pytest.fixture(scope="session")
def kept_roots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where data roots lie that many tests begin with, those of all workers."""
    base = tmp_path_factory.getbasetemp()
    kept = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kept"
    kept.mkdir(exist_ok=True)
    return kept


@pytest.fixture(scope="session")
def built_sample(tmp_path_factory: pytest.TempPathFactory, kept_roots: Path) -> Path:
    """The sample world, built once; nobody opens it here, as that would change it."""
    from inklings_desktop.bootstrap import make_sample_world

    root = tmp_path_factory.mktemp("sample") / "world"
    copied_or_made(kept_roots / "sample", root, lambda: make_sample_world(root))
    return root


@pytest.fixture
def sample_world(built_sample: Path, tmp_path: Path) -> Path:
    """A sample world of this test's own, in ``world``, with its pages beside it."""
    copy_root(built_sample, tmp_path / "world")
    return tmp_path / "world"


@pytest.fixture
def reduced_or_full(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """Chooses n of a named test: the first figure, or the second under ``-m endurance``."""
    is_endurance_run = request.config.getoption("markexpr") == "endurance"

    def chosen(reduced: int, full: int) -> int:
        return full if is_endurance_run else reduced

    return chosen


def _ours(before: set[threading.Thread]) -> list[threading.Thread]:
    """Threads begun since; those Qt or a library made (dummies) are not ours to join."""
    return [
        thread
        for thread in threading.enumerate()
        if thread not in before and thread.is_alive() and not thread.name.startswith("Dummy")
    ]
