"""What every process in a dialog does alike: show, leave, end, and hear of work elsewhere."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from inklings_desktop.domain.errors import StoppedError
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.dialogs.pieces import StepFoot
from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.page.process import Process, reports_to
from tests.support.stopwatch import until
from tests.ui.presenter_bench import run_with_background
from tests.ui.process_bench import without_window


@dataclass(frozen=True)
class Told:
    """What the dialog says."""

    words: str = ""


class TellingDialog(ProcessDialog[Told]):
    """One sentence."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(theme, window, title="Tell", size=QSize(300, 200))
        self.words = QLabel(self)
        self.fill(self.words, StepFoot(self))

    def show_state(self, state: Told) -> None:
        """Say it."""
        self.words.setText(state.words)


class Telling(Process[Told, TellingDialog]):
    """Says what it is told; can be held back from leaving."""

    is_kept = False
    n_ended = 0

    def open(self, words: str) -> TellingDialog:
        """Show it."""
        self.state = Told(words)
        self.show_dialog(TellingDialog(self.context.theme, self.context.window))
        assert self.dialog is not None
        return self.dialog

    def may_leave(self) -> bool:
        """Not while it is kept."""
        return not self.is_kept

    def ended(self) -> None:
        """Count it."""
        self.n_ended += 1


def play(theme: Theme, scene: Callable[[Telling], Awaitable[None]]) -> None:
    """A process over an empty window."""

    async def played(background: Background) -> None:
        window = QWidget()
        window.resize(800, 600)
        window.show()
        bare, owner, _said = without_window(background, cast("Any", None))
        telling = Telling(replace(bare, theme=theme, window=window), Told(), owner)
        try:
            await scene(telling)
        finally:
            telling.close()
            window.deleteLater()

    run_with_background(played)


def test_a_dialog_shows_what_is_so_and_what_becomes_of_it(theme: Theme) -> None:
    async def scene(telling: Telling) -> None:
        dialog = telling.open("one")
        assert (dialog.words.text(), dialog.isVisible()) == ("one", True)
        telling.change(words="two")
        assert dialog.words.text() == "two"

    play(theme, scene)


def test_escape_leaves_only_what_may_be_left(theme: Theme) -> None:
    async def scene(telling: Telling) -> None:
        dialog = telling.open("one")
        telling.is_kept = True
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert (telling.dialog, dialog.isVisible(), telling.n_ended) == (dialog, True, 0)
        telling.is_kept = False
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert (telling.dialog, dialog.isVisible(), telling.n_ended) == (None, False, 1)

    play(theme, scene)


def test_an_answer_that_comes_after_the_dialog_has_gone_is_seen_by_the_next_one(
    theme: Theme,
) -> None:
    async def scene(telling: Telling) -> None:
        gone = asyncio.Event()

        async def late() -> None:
            await gone.wait()
            telling.change(words="late")

        first = telling.open("one")
        telling.starts(late)()
        telling.leave()
        gone.set()
        await until(lambda: telling.state == Told("late"))
        assert first.words.text() == "one"
        assert telling.open("two").words.text() == "two"

    play(theme, scene)


@pytest.mark.parametrize("answer", ["keep", "confirm"])
def test_a_question_lies_over_the_dialog(theme: Theme, answer: str) -> None:
    async def scene(telling: Telling) -> None:
        dialog = telling.open("one")
        asking = asyncio.ensure_future(telling.ask("Sure?", "It goes.", yes="Yes", no="No"))
        await until(lambda: bool(dialog.findChildren(ConfirmDialog)))
        (question,) = dialog.findChildren(ConfirmDialog)
        getattr(question, answer).click()
        assert await asking is (answer == "confirm")

    play(theme, scene)


def test_of_a_thousand_reports_the_first_and_the_last_of_every_step_are_heard() -> None:
    async def played(background: Background) -> None:
        heard: list[tuple[str, int, int]] = []
        progress = reports_to(lambda *report: heard.append(report))

        def work() -> None:
            for step in ("plant", "ask"):
                for done in range(1, 1_001):
                    progress.report(step, done, 1_000)

        await background.read(work)
        await until(lambda: ("ask", 1_000, 1_000) in heard)
        assert [one for one in heard if one[1] in {1, 1_000}] == [
            (step, done, 1_000) for step in ("plant", "ask") for done in (1, 1_000)
        ]
        assert len(heard) < 1_000

    run_with_background(played)


def test_work_hears_that_it_is_to_stop() -> None:
    async def played(background: Background) -> None:
        stop = threading.Event()
        progress = reports_to(lambda *_report: None, stop.is_set)
        await background.read(progress.require_wanted)
        stop.set()
        with pytest.raises(StoppedError):
            await background.read(progress.require_wanted)

    run_with_background(played)
