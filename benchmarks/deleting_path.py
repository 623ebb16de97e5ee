"""What runs between the key and the rest when one memory is deleted; painting is left out.

    python -m benchmarks.deleting_path [--list]

Functions and modules of this program, on every thread, and the statements that are sent; with
``--list`` each of them by name. Left out as well is the look for what other programs changed: it
runs by its own clock, twice a second, whether a key was pressed or not. A comprehension is counted
as a function of its own, as Python 3.11 runs it; how many there are is said beside it.

The first *Delete* of a session counts; a later one leaves out what is made once. After it the next
memory is shown: what a step down the list runs as well is told apart.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from inklings_desktop.bootstrap import make_sample_world
from inklings_desktop.ui.window.banners.bands import LOOK_AFTER_MS
from tests.oracle.acts import ACTS, DELETE, at_rest, every_statement, key
from tests.ui.window_bench import WindowBench, drive

if TYPE_CHECKING:
    from types import CodeType, FrameType

    from tests.oracle.acts import Do

UNASKED = "open one that no agent asks about"
PACKAGE = f"{os.sep}inklings_desktop{os.sep}"
LIST = "--list"
UNCOUNTED = frozenset({"paintEvent", "paint", "_look_at_all"})
"""Neither these nor what they call."""

COMPREHENSIONS = frozenset({"<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"})


class Calls:
    """Which functions of this program were called while it counts.

    Attributes:
        is_counting: Whether calls are noted now.
        found: The functions.
    """

    def __init__(self) -> None:
        self.is_counting = False
        self.found: set[CodeType] = set()
        self._here = threading.local()

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Called by the interpreter at each call and each return."""
        code = frame.f_code
        if event not in {"call", "return"}:
            return
        depth = getattr(self._here, "uncounted", 0)
        if code.co_name in UNCOUNTED:
            self._here.uncounted = max(0, depth + (1 if event == "call" else -1))
        elif event == "call" and not depth and self.is_counting and PACKAGE in code.co_filename:
            self.found.add(code)


def tell(which: str, found: set[CodeType], n_statements: int, stepping: set[CodeType]) -> None:
    """Print the figures of one *Delete*, and what they are made of if that is asked for."""
    modules: dict[str, list[str]] = {}
    for code in found:
        modules.setdefault(code.co_filename.split(PACKAGE)[1], []).append(code.co_qualname)
    n_inside = sum(code.co_name in COMPREHENSIONS for code in found)
    print(
        f"{which}: {len(found)} functions in {len(modules)} modules, "
        f"{n_inside} of them comprehensions; {n_statements} statements"
    )
    own = found - stepping
    print(
        f"    without what a step down the list runs as well: {len(own)} functions "
        f"in {len({code.co_filename for code in own})} modules"
    )
    for name, functions in sorted(modules.items() if LIST in sys.argv else ()):
        print(f"{name} ({len(functions)}): {', '.join(sorted(functions))}")


def main() -> None:
    """Delete two memories of the sample world, one after the other."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = QApplication(sys.argv[:1])
    calls = Calls()
    threading.setprofile(calls)  # before the threads of the window begin

    async def play(bench: WindowBench) -> None:
        with every_statement() as statements:
            await asyncio.sleep(LOOK_AFTER_MS / 1_000)  # one band looks that long after a start
            await at_rest(statements)

            async def counted(act: Do) -> set[CodeType]:
                statements.clear()
                calls.found = set()
                sys.setprofile(calls)
                calls.is_counting = True
                await act(bench)
                await at_rest(statements)
                calls.is_counting = False
                sys.setprofile(None)
                return calls.found

            stepping: set[CodeType] = set()
            for _ in range(2):
                stepping |= await counted(key(Qt.Key.Key_Down))
            await ACTS[UNASKED](bench)
            await at_rest(statements)
            for which in (DELETE, f"{DELETE} after it"):
                found = await counted(ACTS[DELETE])
                tell(which, found, len(statements), stepping)
                await ACTS[UNASKED](bench)
                await at_rest(statements)

    with tempfile.TemporaryDirectory(prefix="inklings-deleting-") as name:
        root = Path(name) / "world"
        make_sample_world(root)
        drive(root, lambda _bench: None, play)
    threading.setprofile(None)
    app.quit()


if __name__ == "__main__":
    main()
