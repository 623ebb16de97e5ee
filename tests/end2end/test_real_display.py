"""The program on a real display, driven by keys and through the accessibility bus."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.end2end.real_display import a_real_display, missing_tools
from tests.support.processes import REPOSITORY

MISSING = missing_tools()
pytestmark = [
    pytest.mark.end2end,
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]
TEXT = "The lamp of Saltglass burns whale oil."
IN_SAMPLE = ("--workspace", "The Saltglass Cartographers", "--limit", "200")
# What was said in this world goes with a scrub of it, and counts as entries.
N_MESSAGES_OF_WORLD = 2
N_BESIDE_FACTS = 13
"""Four that were superseded, six domains, three pages that agents keep: they go with it."""


def test_a_memory_is_written_found_forgotten_and_brought_back_by_keys_alone(
    tmp_path: Path,
) -> None:
    with a_real_display(tmp_path) as person:
        person.activates("Inklings")
        person.sees("push button", "Start my own", "focused")
        person.keys("2")
        person.sees("label", "What is your world called?")
        person.types("Saltglass")
        person.keys("Return")
        person.sees("label", "How should this world sound?")
        person.keys("space", "ctrl+Return")
        person.sees("push button", "World Agent: Talk to it", "focused")
        person.presses("push button", "Open Saltglass")
        person.sees("label", "Nothing is remembered here yet")
        person.keys("ctrl+n")
        person.sees("text", "Memory text", "focused")
        person.types(TEXT)
        person.keys("ctrl+s")
        person.until(lambda: person.kept() == [TEXT])
        person.sees("label", "All changes saved")

        person.keys("ctrl+f")
        person.sees("text", "Search workspace memories", "focused")
        person.types("lamp")
        person.sees("label", "1 found")
        person.keys("Escape", "Escape")
        person.sees_no_more("label", "1 found")
        person.focuses("table", "Workspace memories")
        person.keys("Down")
        person.sees("table cell", TEXT, "selected")
        person.keys("Delete")
        person.until(lambda: person.kept() == [])
        person.sees("push button", "Undo")
        person.keys("ctrl+z")
        person.until(lambda: person.kept() == [TEXT])
        person.keys("ctrl+q")
        assert person.ended() == 0


def test_a_screen_reader_names_every_control_of_every_page(sample_world: Path) -> None:
    with a_real_display(sample_world) as person:
        person.activates("Inklings")
        person.sees("page tab", "Workspace, ")
        for key, title in (
            ("alt+2", "Named entries"),
            ("alt+3", "Next turn preview"),
            ("alt+4", "Control plane"),
            ("alt+1", "Memory"),
        ):
            person.keys(key)
            person.sees("frame", title)
            person.until(lambda: person.nameless() == [])


def test_a_scrub_by_hand_needs_the_typed_words(sample_world: Path) -> None:
    with a_real_display(sample_world) as person:
        person.activates("Inklings")
        person.sees("page tab", "Workspace, ")
        n_memories = len(person.kept(*IN_SAMPLE))
        person.keys("alt+4")
        person.sees("frame", "Control plane")
        person.presses("push button", "Scrub memory")
        person.presses("radio button", "Workspace")
        person.presses("push button", "Count what would go")
        person.presses("push button", "Continue to confirm")
        n_entries = n_memories + N_MESSAGES_OF_WORLD + N_BESIDE_FACTS
        scrub = ("push button", f"Scrub {n_entries} entries")
        person.presses("check box", "I have read the manifest")
        person.focuses("text", "Confirmation phrase")
        person.types(f"scrub workspace {n_entries + 1}")
        person.sees(*scrub)
        assert not person.can_press(*scrub)
        assert len(person.kept(*IN_SAMPLE)) == n_memories

        person.keys("ctrl+a")
        person.types(f"scrub workspace {n_entries}")
        person.presses(*scrub)
        person.sees("label", "Scrub finished")
        assert person.kept(*IN_SAMPLE) == []


# Asks, then claims the selection that a compositor owns, and asks again.
ASKS_FOR_A_COMPOSITOR = """
import ctypes, ctypes.util
from PySide6.QtGui import QGuiApplication, QWindow
from inklings_desktop.ui.kit.look import veil as compositor

app = QGuiApplication([])
before = compositor.shows_through()
window = QWindow()
window.create()
xcb = ctypes.CDLL(ctypes.util.find_library("xcb"))
xcb.xcb_connect.restype = ctypes.c_void_p
server = ctypes.c_void_p(xcb.xcb_connect(None, None))
atom = compositor._asked_atom(xcb, server.value, b"_NET_WM_CM_S0")
xcb.xcb_set_selection_owner(server, ctypes.c_uint(window.winId()), ctypes.c_uint(atom), 0)
xcb.xcb_flush(server)
compositor._asked_owner(xcb, server.value, atom)
print(before, compositor.shows_through())
"""


def test_what_a_window_shows_through_is_asked_of_the_display(tmp_path: Path) -> None:
    with a_real_display(tmp_path) as person:
        said = subprocess.run(
            [sys.executable, "-c", ASKS_FOR_A_COMPOSITOR],
            env=person.variables,
            cwd=REPOSITORY,
            check=True,
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert said.stdout.split() == ["False", "True"]
