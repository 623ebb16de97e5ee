"""``import_hostile``: a file of anybody's never crashes us, never comes in by half."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from inklings_desktop.cli.import_refusals import refusal_sentence
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.ui.kit.words.import_refusals import refusal_of
from tests.support.builders import OTHER_WORKSPACE_ID
from tests.support.dumps import logical_dump
from tests.support.hostile_files import hostile_files
from tests.support.stopwatch import SLOWNESS, Stopwatch
from tests.support.transfers import TransferBench, fill, transfer_bench

FILES = 60
FILES_ENDURANCE = 1_500
SECONDS = 10.0 * SLOWNESS
MOST_KIB = 500 * 1024
PROCESS = Path("/proc/self")


def dumps(bench: TransferBench) -> list[object]:
    """Every row of every database, counters and history included."""
    return [
        logical_dump(bench.world.path(file), without=()) for file in (None, OTHER_WORKSPACE_ID)
    ] + [bench.world.directory.workspaces()]


@pytest.mark.endurance
@pytest.mark.timeout(1800)
def test_import_hostile(tmp_path: Path, reduced_or_full: Callable[[int, int], int]) -> None:
    """Every file is refused with a sentence, soon, without much memory, and nothing changes."""
    sound = tmp_path / "sound.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 4, n_memories=20)
        source.export(sound)
    slowest, already = 0.0, kib_at_most(begin_anew=True)
    with transfer_bench(tmp_path / "b", workspace_ids=(OTHER_WORKSPACE_ID,)) as bench:
        before = dumps(bench)
        for name, data in hostile_files(
            sound.read_bytes(), reduced_or_full(FILES, FILES_ENDURANCE)
        ):
            file = tmp_path / "hostile.json"
            file.write_bytes(data)
            watch = Stopwatch()
            with pytest.raises(ImportRefusedError) as refused:
                bench.preview(file)
            slowest = max(slowest, watch.seconds)
            sentence = refusal_sentence(refused.value)
            assert sentence[0].isupper(), name
            assert sentence.endswith("."), name
            assert "{" not in sentence, name
            title, text = refusal_of(refused.value)
            assert "Nothing was changed." in text or "It was not changed." in text, name
            assert not {"{", "_", "fault"} & {*title, *text.split()}, name
        assert dumps(bench) == before
        assert bench.preview(sound).rows, "the sound one still comes in"
    assert slowest < SECONDS
    assert kib_at_most() - already < MOST_KIB


def kib_at_most(*, begin_anew: bool = False) -> int:
    """Most resident memory of this process so far, or from now on; 0 where it is not told."""
    if not (PROCESS / "clear_refs").exists():
        return 0
    if begin_anew:
        (PROCESS / "clear_refs").write_text("5", "ascii")
    lines = (PROCESS / "status").read_text("utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1])
