"""No word is cut off in any language: at the largest text, and in the smallest window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inklings_desktop.ui.kit.look.language import LANGUAGE_NAMES
from inklings_desktop.ui.kit.look.theme import MAX_TEXT_SCALE
from tests.end2end.state_tours import states
from tests.oracle.pose import MIRRORED, PSEUDO, Pose
from tests.oracle.records import DRAWING_SECONDS, draw

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SMALLEST = (960, 600)
LARGE = [Pose(one, MAX_TEXT_SCALE) for one in LANGUAGE_NAMES]
SMALL = [Pose(one, 1.0, SMALLEST) for one in LANGUAGE_NAMES]
POSES = [*LARGE, *SMALL, Pose(PSEUDO), Pose(MIRRORED)]


def cut_off(folder: Path) -> list[str]:
    """What was cut off in every state of a folder, a line each."""
    return [
        f"{path.stem}: {line}"
        for path in sorted(folder.glob("*.cut"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


@pytest.mark.end2end
@pytest.mark.endurance
@pytest.mark.timeout(len(POSES) * DRAWING_SECONDS)
def test_no_word_is_cut_off_in_any_language(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    is_short = not reduced_or_full(0, 1)
    cut = []
    for pose in (Pose("de", 1.0, SMALLEST),) if is_short else POSES:
        folder = tmp_path / f"{pose.voice}-{pose.text_scale}-{pose.size[0]}"
        draw(folder, is_short=is_short, pose=pose)
        drawn = {path.stem.removesuffix("-light") for path in folder.glob("*-light.png")}
        assert drawn == set(states(tmp_path, is_short=is_short))
        # Two fifths longer and the smallest window at once is more than any language asks.
        is_made_up = pose.voice == PSEUDO
        cut += [
            f"{folder.name} {line}"
            for line in cut_off(folder)
            if not (is_made_up and "-minimum:" in line)
        ]
    assert cut == []
