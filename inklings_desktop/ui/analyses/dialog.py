"""The dialog of analyses: which one, on what, how far it is, what it found and where."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal

from inklings_desktop.ui.analyses.state import (
    AnalysisState,
    about_words,
    input_words,
    left_out_words,
    step_words,
    title_words,
    verdict_words,
)
from inklings_desktop.ui.kit.controls.buttons import MenuButton
from inklings_desktop.ui.kit.dialogs.pieces import MARGIN
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.translation import tr, tr_as
from inklings_desktop.ui.kit.marks.meters import ShareBar
from inklings_desktop.ui.kit.page.declared import LOOK, DeclaredDialog, part
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    button,
    flow,
    hairline,
    line,
    link,
    mark,
    opening,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.agent_client.script_run import Finding, Report
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.kit.page.parts import Offers

_SIZE = QSize(760, 680)
_MOST_TYPED = 200


class AnalysisDialog(DeclaredDialog[AnalysisState]):
    """Says what is chosen and filled in above, what came of it below.

    Signals:
        filled_in: What the script calls an input, and what was typed.
        run_pressed: Run, or Stop.
        script_pressed: The text of the script is wanted, or no more.
        copy_wanted: A copy of the script is wanted.
        memory_wanted: Id of the memory that is gone to.
        page_wanted: Id of the page that is gone to.
    """

    filled_in = Signal(str, str)
    run_pressed = Signal()
    script_pressed = Signal()
    copy_wanted = Signal()
    memory_wanted = Signal(str)
    page_wanted = Signal(str)

    def __init__(self, theme: Theme, window: QWidget, choices: Offers) -> None:
        """Show nothing yet.

        Args:
            choices: Every analysis, and what is done where it is chosen.
        """
        found, top = tr("What it found"), (MARGIN, 18, MARGIN, 14)
        super().__init__(theme, window, found, size=_SIZE, top=top)
        self.setObjectName("analysisDialog")
        self._choices = choices

    def head(self, state: AnalysisState) -> tuple[str, str]:  # noqa: ARG002 - the same for all
        return (
            tr("Run analysis"),
            tr("A script reads your memories and pages. It changes nothing and needs no model."),
        )

    def told(self, state: AnalysisState) -> tuple[str, ...]:
        return (verdict_words(state), state.notice)

    def said(self, state: AnalysisState) -> tuple[tuple[Inside, ...], ...]:
        return self._top(state), tuple(self._body(state)), self._foot(state)

    def _top(self, state: AnalysisState) -> tuple[Inside, ...]:
        analysis = state.analysis
        title = title_words(analysis)
        fields = [
            below(
                words(input_words(analysis, key, label), "label", way="plain"),
                line(
                    now=state.inputs.get(key, ""),
                    name=f"input:{key}",
                    spoken=input_words(analysis, key, label),
                    how={"maxLength": _MOST_TYPED},
                    textEdited=partial(self.filled_in.emit, key),
                    returnPressed=self.run_pressed.emit,
                    enabled=not state.is_running,
                ),
                spacing=4,
                key=f"{analysis.name}:{key}",
            )
            for key, label in analysis.inputs
        ]
        return (
            across(
                opening(
                    MenuButton,
                    LOOK,
                    offers=self._choices,
                    name="analysisChoice",
                    text=title,
                    spoken=tr("Analysis: {name}").format(name=title),
                    autoDefault=False,
                    enabled=not state.is_running,
                ),
                STRETCH,
            ),
            words(about_words(analysis), visible=bool(about_words(analysis))),
            *fields,
            words(state.notice, "error", visible=bool(state.notice)),
        )

    def _body(self, state: AnalysisState) -> Iterator[Inside]:
        if state.shows_script:
            yield words(state.analysis.text, "mono", key="script")
            yield STRETCH
            return
        share = state.step.share if state.step is not None else None
        yield words(step_words(state), way="plain", visible=state.is_running)
        yield 6
        yield part(
            ShareBar,
            LOOK,
            spoken=tr("Progress"),
            accessibleDescription=f"{share or 0.0:.0%}",
            share=share or 0.0,
            visible=state.is_running and share is not None,
        )
        verdict, report = verdict_words(state), state.report
        yield words(
            tr("What it finds is listed here, each with the memories and pages it is from."),
            visible=not (verdict or state.is_running),
        )
        is_good = report is not None and report.is_ok
        sign = ("check", "accent") if is_good else ("warning-circle", "madder")
        yield mark(
            *sign, verdict, "bodyStrong", inked=False, wraps=True, name="verdict",
            visible=bool(verdict) and not state.is_running,
        )  # fmt: skip
        if report is not None and not state.is_running:
            yield from self._found(report)
        yield STRETCH

    def _found(self, report: Report) -> Iterator[Inside]:
        for number, finding in enumerate(report.findings):
            yield from (10, hairline(key=f"rule:{number}"), 10)
            yield self._finding(number, finding)
        yield 10
        left_out = left_out_words(report)
        yield words(left_out, visible=bool(left_out))
        if report.printed:
            yield words(tr("It printed:"), "label", key="printed")
            yield words(report.printed, "mono", key="printed text")

    def _finding(self, number: int, finding: Finding) -> Part:
        places = [
            link(text, partial(go.emit, key), key=f"{text}:{key}")
            for found, one, go in (
                (finding.memories, tr_as("a single one", "Memory"), self.memory_wanted),
                (finding.pages, tr("Page"), self.page_wanted),
            )
            for text, key in zip(_numbered(one, len(found)), found, strict=True)
        ]
        says = words(finding.says, "metaInk")
        inside = (says, flow(*places, gap=14)) if places else (says,)
        return below(*inside, spacing=4, key=f"finding:{number}")

    def _foot(self, state: AnalysisState) -> tuple[Inside, ...]:
        return (
            button(
                tr("Close the script") if state.shows_script else tr("Read the script"),
                self.script_pressed.emit,
                name="readScript",
            ),
            button(
                tr("Save a copy\u2026"),
                self.copy_wanted.emit,
                name="copyScript",
                toolTip=tr("A file of your own, to change and run from here"),
            ),
            STRETCH,
            button(
                tr("Stop") if state.is_running else tr("Run"),
                self.run_pressed.emit,
                kind="plain" if state.is_running else "primary",
                name="runAnalysis",
            ),
            button(tr("Done"), self.leave_requested.emit, name="analysisDone"),
        )


def _numbered(word: str, n: int) -> list[str]:
    return [word] if n == 1 else [f"{word} {number}" for number in range(1, n + 1)]
