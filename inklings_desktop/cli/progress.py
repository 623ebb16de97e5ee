"""How far long work has come: a bar on a terminal, a JSON line per step for scripts.

Both go to stderr, so that stdout holds the one answer. Ctrl+C asks the work to stop at its next
step; a second one does not wait for that.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from inklings_desktop.cli.output import one_line, visible
from inklings_desktop.usecases.ports.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import FrameType
    from typing import TextIO

    from inklings_desktop.cli.options import LongOptions
    from inklings_desktop.usecases.ports.progress import Upgrade

BAR_COLUMNS = 24
_LINE_COLUMNS = 78
_CLEAR_LINE = "\r\x1b[K"


@contextmanager
def shown_progress(options: LongOptions, words: Mapping[str, str]) -> Iterator[Progress]:
    """What to hand to long work, for as long as it lasts.

    Args:
        options: ``--json --progress`` prints a JSON line per step; without ``--json`` a bar is
            drawn on a terminal, and ``--progress`` prints plain lines anywhere else.
        words: What the stable word of each step is called; a missing one is shown as it is.
    """
    teller: _Lines | _Bar | _Silence
    if options.as_json:
        teller = _Lines(sys.stderr, words, as_json=True) if options.progress else _Silence()
    elif sys.stderr.isatty():
        teller = _Bar(sys.stderr, words)
    else:
        teller = _Lines(sys.stderr, words, as_json=False) if options.progress else _Silence()
    with stop_asked() as stop:
        try:
            yield Progress(teller.report, stop.is_set)
        finally:
            teller.close()


def say_upgrade(upgrade: Upgrade | None) -> None:
    """Say on stderr how far a file of an earlier version has come."""
    if upgrade is None:
        return
    name = "the account" if upgrade.name is None else f"\u201c{visible(upgrade.name)}\u201d"
    done = f"step {upgrade.step} of {upgrade.n_steps}, safe copy made"
    how_far = done if upgrade.step else "making a safe copy first"
    sys.stderr.write(f"Bringing {name} to the new format: {how_far}.\n")
    sys.stderr.flush()


class _Silence:
    """Nobody looks."""

    def report(self, step: str, done: int, total: int) -> None:
        """Says nothing."""

    def close(self) -> None:
        """Leaves nothing behind."""


class _Lines:
    """One line per report."""

    def __init__(self, stream: TextIO, words: Mapping[str, str], *, as_json: bool) -> None:
        self._stream = stream
        self._words = words
        self._as_json = as_json

    def report(self, step: str, done: int, total: int) -> None:
        """One line, at once."""
        if self._as_json:
            line = json.dumps({"step": step, "done": done, "total": total or None})
        else:
            line = _sentence(self._words.get(step, step), done, total)
        self._stream.write(f"{line}\n")
        self._stream.flush()

    def close(self) -> None:
        """Every line has been written."""


class _Bar:
    """One line that is drawn over and over, and gone in the end."""

    def __init__(self, stream: TextIO, words: Mapping[str, str]) -> None:
        self._stream = stream
        self._words = words
        self._is_drawn = False

    def report(self, step: str, done: int, total: int) -> None:
        """Draw it anew."""
        filled = round(BAR_COLUMNS * min(done / total, 1.0)) if total else 0
        bar = "#" * filled + "-" * (BAR_COLUMNS - filled)
        sentence = _sentence(self._words.get(step, step), done, total)
        line = one_line(f"[{bar}] {sentence}", _LINE_COLUMNS)
        self._stream.write(f"{_CLEAR_LINE}{line}")
        self._stream.flush()
        self._is_drawn = True

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._is_drawn:
            self._stream.write(_CLEAR_LINE)
            self._stream.flush()
            self._is_drawn = False


def _sentence(word: str, done: int, total: int) -> str:
    return f"{word}: {done:,} of {total:,}" if total else word


@contextmanager
def stop_asked() -> Iterator[threading.Event]:
    """Set by the first Ctrl+C; the second one interrupts at once, as it always would."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = signal.getsignal(signal.SIGINT)

    def ask(_number: int, _frame: FrameType | None) -> None:
        asked.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)
