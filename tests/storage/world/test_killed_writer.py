"""A program that is killed while it changes a page, before each step that touches the disk."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.storage.world.page_writer import LocalPageWriter
from tests.storage.world.dying_writer import ACTS, NEW, OLD, OTHER, PAGE
from tests.support.dying import DONE, KILLED, a_killer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.dying import Killer

MOST_STEPS = 100


@pytest.fixture(scope="module")
def kill() -> Iterator[Killer]:
    with a_killer("tests.storage.world.dying_writer") as kill:
        yield kill


@pytest.mark.parametrize(
    ("what", "way"),
    [("change", "exchange"), ("change", "without"), ("create", "exchange"), ("move", "exchange")],
)
def test_a_killed_writer_leaves_a_whole_page_and_accepting_again_works(
    kill: Killer, tmp_path: Path, what: str, way: str
) -> None:
    root, kept = tmp_path / "isles", tmp_path / "kept"
    again = LocalPageWriter(wait=lambda _seconds: None)
    n_killed, end = 0, KILLED
    while end == KILLED:
        shutil.rmtree(root, ignore_errors=True)
        kept.unlink(missing_ok=True)
        (root / "places").mkdir(parents=True)
        (root / PAGE).write_text(OLD, encoding="utf-8")
        end, _ = kill("accept", 0, root, what, str(n_killed + 1), way)
        n_killed += end == KILLED
        said = pages(root)
        # A page that moves may have both names for a moment, and never none.
        assert said.keys() <= {PAGE, OTHER}
        assert set(said.values()) <= {OLD, NEW}
        if what == "change":
            assert said[PAGE] == OLD or kept.read_text(encoding="utf-8") == OLD
        assert OLD in said.values() or what == "change"
        ACTS[what](again, str(root))
        after = {"change": {PAGE: NEW}, "create": {PAGE: OLD, OTHER: NEW}, "move": {OTHER: OLD}}
        assert pages(root) == after[what]
        assert n_killed < MOST_STEPS
    assert (end, n_killed > 5) == (DONE, True)
    assert [one.name for one in root.rglob(".*")] == []  # the last one lived, and tidied up


def pages(root: Path) -> dict[str, str]:
    """Every page that the author sees, by its path."""
    seen = [one for one in root.rglob("*.md") if not one.name.startswith(".")]
    return {one.relative_to(root).as_posix(): one.read_text(encoding="utf-8") for one in seen}
