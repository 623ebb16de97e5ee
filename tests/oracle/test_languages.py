"""No word is cut off in any language: at the largest text, and in the smallest window."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import qVersion

from inklings_desktop.ui.kit.look.theme import MAX_TEXT_SCALE
from tests.end2end.state_tours import states
from tests.oracle.pose import MIRRORED, PSEUDO, SMALLEST, Pose
from tests.oracle.records import (
    DRAWING_SECONDS,
    LANGUAGES,
    LEFT,
    RECORDED_WITH,
    draw,
    picture_differences,
    recorded_poses,
)

POSES = (
    *recorded_poses(),
    Pose(text_scale=MAX_TEXT_SCALE),
    Pose(size=SMALLEST),
    Pose(PSEUDO),
    Pose(MIRRORED),
)


def cut_off(folder: Path) -> list[str]:
    """What was cut off in every state of a folder, a line each."""
    return [
        f"{path.stem}: {line}"
        for path in sorted(folder.glob("*.cut"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def differences(folder: Path, pose: Pose) -> list[str]:
    """What looks otherwise than it was recorded, of the states that were."""
    lines = LANGUAGES.read_text(encoding="utf-8").splitlines(keepends=True)
    of_this = [
        one.removeprefix(f"{pose.name}/") for one in lines if one.startswith(f"{pose.name}/")
    ]
    known = {line.split(" ")[0] for line in of_this}
    for path in folder.glob("*.png"):
        if path.stem not in known:
            path.unlink()
    return picture_differences(folder, "".join(of_this), LEFT / pose.name)


@pytest.mark.end2end
@pytest.mark.endurance
@pytest.mark.timeout(len(POSES) * DRAWING_SECONDS)
def test_no_word_is_cut_off_and_each_language_looks_as_recorded(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    is_short = not reduced_or_full(0, 1)
    cut, differing = [], []
    for pose in (Pose("de", size=SMALLEST),) if is_short else POSES:
        folder = tmp_path / pose.name
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
        differing += differences(folder, pose)
    assert cut == []
    if (qVersion(), sys.platform) != (RECORDED_WITH, "linux"):
        pytest.skip("another Qt or system than these were recorded with")
    assert differing == []
