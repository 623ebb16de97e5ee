from __future__ import annotations

import threading
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.usecases.bundle import OtherUseCases
from inklings_desktop.usecases.first_use_cases import FirstUseCases
from tests.architecture.fresh_interpreter import run_fresh

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.usecases.bundle import Inklings

OPENED = """
import json, sys, tempfile
from pathlib import Path
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.usecases.bundle import OtherUseCases
def is_there():
    return "inklings_desktop.usecases.consolidation.consolidate" in sys.modules
with tempfile.TemporaryDirectory() as folder:
    with open_inklings(Path(folder, "root"), embed_writes=False) as inklings:
        inklings.list_workspaces(inklings.caller)
        before = is_there()
        inklings.run_consolidation
        print(json.dumps([before, is_there()]))
"""


@pytest.fixture
def inklings(tmp_path: Path) -> Iterator[Inklings]:
    with ExitStack() as stack:
        yield stack.enter_context(open_inklings(tmp_path / "root", embed_writes=False))


def test_what_was_not_asked_for_is_not_imported() -> None:
    assert run_fresh(OPENED) == [False, True]


def test_every_thread_gets_the_same_use_case(inklings: Inklings) -> None:
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(inklings.put_memory)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == len(threads)
    assert {id(one) for one in found} == {id(inklings.put_memory)}


def test_all_are_made_once_and_the_first_ones_stay(inklings: Inklings) -> None:
    listing = inklings.browse_memories
    inklings.complete()
    made = inklings.put_memory
    inklings.complete()
    assert inklings.put_memory is made
    assert inklings.browse_memories is listing
    whole = replace(inklings, is_read_only=True)
    assert whole.put_memory is made
    whole.complete()
    assert whole.is_read_only


def test_a_clock_makes_nothing(inklings: Inklings) -> None:
    calls: list[str] = []

    def made() -> Inklings:
        calls.append("made")
        inklings.complete()
        return inklings

    first = {name: getattr(inklings, name) for name in FirstUseCases.__dataclass_fields__}
    begun = inklings.begun(FirstUseCases(**first), OtherUseCases(made))
    clock = object()
    with_clock = begun.with_background(clock)  # type: ignore[arg-type]
    assert with_clock.background is clock
    assert begun.background is None
    assert calls == []
    assert with_clock.put_memory is begun.put_memory
    assert calls == ["made"]
    assert begun.with_background(clock).put_memory is begun.put_memory  # type: ignore[arg-type]


def test_there_is_no_use_case_of_any_name(inklings: Inklings) -> None:
    assert not hasattr(inklings, "forget_everything")
