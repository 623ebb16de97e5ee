"""What was recorded, how it is recorded anew, and what differs from it now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PySide6.QtGui import QImage

from inklings_desktop.settings import MAX_TEXT_SCALE
from inklings_desktop.ui.kit.look.translation import ENGLISH, LANGUAGE_NAMES
from tests.oracle.drawing import SHORT
from tests.oracle.fingerprints import differing, fingerprint, marked
from tests.oracle.pose import SMALLEST, Pose
from tests.oracle.spoken_tree import joined
from tests.support.processes import REPOSITORY

RECORDED_WITH = "6.11.3"
"""The Qt of the pictures; every other draws some letters a little otherwise."""
HERE = Path(__file__).parent
PICTURES, TREES, STATEMENTS, LANGUAGES = (
    HERE / name for name in ("pictures.txt", "accessible.txt", "statements.txt", "languages.txt")
)
LEFT = REPOSITORY / "build" / "oracle"
"""Gets what differs, for eyes."""
DRAWING_SECONDS = 1_200


def draw(folder: Path, *, is_short: bool = False, pose: Pose | None = None) -> None:
    """Draw every state, or some, into a folder, in a process of its own.

    Args:
        folder: An empty one.
        is_short: Whether some are enough.
        pose: In which language, text size and window; as they are recorded if None.

    Raises:
        subprocess.CalledProcessError: It failed; its own words are on standard error.
    """
    how = pose or Pose()
    width, height = how.size
    options = ["--voice", how.voice, "--text-scale", str(how.text_scale)]
    options += ["--size", f"{width}x{height}", *([SHORT] if is_short else [])]
    subprocess.run(
        [sys.executable, "-m", "tests.oracle.drawing", str(folder), *options],
        check=True,
        cwd=REPOSITORY,
        timeout=DRAWING_SECONDS,
    )


def pictures_told(folder: Path) -> str:
    """A line for each picture of a folder: name, size and hashes."""
    paths = sorted(folder.glob("*.png"))
    return "".join(f"{path.stem} {fingerprint(QImage(str(path)))}\n" for path in paths)


def languages_told(folder: Path) -> str:
    """The same of some states in each language, at the largest text and in the smallest window."""
    told = []
    for pose in recorded_poses():
        drawn = folder / pose.name
        draw(drawn, is_short=True, pose=pose)
        told += [f"{pose.name}/{line}" for line in pictures_told(drawn).splitlines(keepends=True)]
    return "".join(told)


def recorded_poses() -> tuple[Pose, ...]:
    """Every other language, at the largest text and in the smallest window."""
    others = [code for code in LANGUAGE_NAMES if code != ENGLISH]
    return (
        *(Pose(code, text_scale=MAX_TEXT_SCALE) for code in others),
        *(Pose(code, size=SMALLEST) for code in others),
    )


def trees_told(folder: Path) -> str:
    """What a screen reader finds in every state of a folder."""
    paths = sorted(folder.glob("*.txt"))
    return joined({path.stem: path.read_text(encoding="utf-8") for path in paths})


def picture_differences(folder: Path, recorded: str, left: Path = LEFT) -> list[str]:
    """What differs, a line each; every picture that does is left with its places marked.

    Args:
        folder: The pictures of now.
        recorded: What ``pictures_told`` said before.
        left: Gets the marked pictures; made when there is one.
    """
    before = dict(line.split(" ", 1) for line in recorded.splitlines())
    now = {path.stem: path for path in sorted(folder.glob("*.png"))}
    said = [f"{name} is no longer drawn" for name in sorted(before.keys() - now)]
    said += [f"{name} was not recorded" for name in sorted(now.keys() - before)]
    for name in sorted(now.keys() & before):
        picture = QImage(str(now[name]))
        if places := differing(picture, before[name]):
            left.mkdir(parents=True, exist_ok=True)
            path = left / f"{name}.png"
            marked(picture, places).save(str(path))
            where = ", ".join(f"{one.x()},{one.y()}" for one in places[:3])
            said.append(f"{name} differs in {len(places)} tiles, first at {where}: {path}")
    return said
