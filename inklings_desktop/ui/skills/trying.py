"""What stands beside a skill: a dry run of it, the traces of its runs, and what must hold."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from inklings_desktop.agent_client.launching import INSTALLING
from inklings_desktop.domain.skills.skill import MAIN_FILE
from inklings_desktop.ui.kit.controls.buttons import MenuButton
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.page.context import said
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.parts import (
    across,
    choice,
    hairline,
    line,
    link,
    opening,
    plate,
    scrolling,
    sized,
    words,
)
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.markdown.long_text_edit import Wording
from inklings_desktop.ui.skills.acting import ActingOnSkills
from inklings_desktop.ui.skills.dry_run import (
    DryRun,
    answer_findings,
    code_of,
    findings_on,
    given_of,
    run_code,
    told_dry,
)
from inklings_desktop.ui.skills.said import assertion_parts, outcome_parts, trace_part
from inklings_desktop.ui.skills.state import trace_rows, traced_path, traces_of
from inklings_desktop.ui.skills.view import TRACE_PX, TraceList

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.skills.skill import Skill
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Inside
    from inklings_desktop.ui.kit.page.parts import Offer
    from inklings_desktop.ui.skills.dry_run import CodeRun
    from inklings_desktop.ui.skills.state import SkillsContent

RUN, SAVE = "F5", "Ctrl S"
DRY, TRACES, ASSERTIONS = "dry", "traces", "assertions"
HEAD = 52
"""Height of what stands above a column, at the usual size of text."""
_ANSWER, _MOST_ROWS = 64, 8


class TryingSkills(ActingOnSkills):
    """The page without its list and its detail; nothing that is tried is written or paid.

    Attributes:
        pane: What is on show: a dry run, traces or assertions.
        given: What the dry run is given.
        answer: The answer that it checks.
        traced: Place of the file whose runs are listed; empty for all.
        trace: Id of the run that is shown whole; empty for none.
        came_out: What it came to; None before the first.
        running: Stops the code that runs; None while none does.
        is_trying: Whether this is on show where there is no room for it beside the files.
    """

    is_trying = False

    def __init__(self, context: Context, parent: QWidget) -> None:
        self.pane, self.given, self.answer = DRY, "", ""
        self.traced = self.trace = ""
        self.came_out: DryRun | None = None
        self.running: threading.Event | None = None
        super().__init__(context, parent)

    def said_pane(self, content: SkillsContent, skill: Skill) -> tuple[Inside, ...]:
        """What stands beside a skill."""
        inside = {
            DRY: lambda: self._said_dry(content, skill),
            TRACES: lambda: self._said_traces(content, skill),
            ASSERTIONS: lambda: assertion_parts(skill, partial(self.choose_file, MAIN_FILE)),
        }[self.pane]()
        return (
            plate(
                choice(
                    tr("Beside the skill"),
                    Segment(DRY, tr("Dry run")),
                    Segment(TRACES, tr("Traces")),
                    Segment(ASSERTIONS, tr("Assertions")),
                    now=self.pane,
                    wanted=self.show_pane,
                    name="skillPane",
                ),
                STRETCH,
                self.hinted(
                    *(tr("Run it dry") if self.running is None else tr("Stop"), RUN),
                    self.starts(self.run_dry),
                    kind="primary",
                    glyph="play",
                ),
                margins=(16, 0, 12, 0),
                dress=sized(fixedHeight=HEAD),
            ),
            hairline(),
            scrolling(
                *inside,
                STRETCH,
                margins=(16, 12, 16, 12),
                spacing=8,
                horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,
                place=(1,),
            ),
        )

    def _said_dry(self, content: SkillsContent, skill: Skill) -> tuple[Inside, ...]:
        came, code = self.came_out, code_of(skill.contents, self.path)
        told = "" if code is None else tr("Runs {path} in the sandbox.").format(path=code.path)
        return (
            words(tr("Try it on"), "label", way="plain"),
            line(now=self.given, name="dryInput", spoken=tr("Try it on"), textChanged=self._give),
            words(told, visible=bool(told)),
            words(tr("An answer to check, if there is one"), "label", way="plain"),
            part(
                *(Wording, LOOK),
                name="dryAnswer",
                spoken=tr("Answer"),
                said=self.answer,
                typed=self._answered,
                tabChangesFocus=True,
                dress=sized(fixedHeight=_ANSWER),
            ),
            words(tr("Running\u2026"), "metaStrong", visible=self.running is not None),
            *(
                ()
                if came is None
                else outcome_parts(came, has_model=not content.no_composer, set_up=self._set_up)
            ),
        )

    def _said_traces(self, content: SkillsContent, skill: Skill) -> tuple[Inside, ...]:
        if not content.traces:
            return (words(tr("Nobody has worked by it yet.")),)
        shown = traces_of(content.traces, skill, self.traced)
        rows = trace_rows(shown, skill, self.inklings.clock())
        whole = next((one for one in shown if one.id == self.trace), None)
        return (
            across(
                words(counted(len(rows), "1 trace", "{n} traces"), "label", way="plain"),
                opening(
                    *(MenuButton, LOOK),
                    offers=partial(self._filters, content, skill),
                    name="tracesOf",
                    text=self.traced or tr("All artifacts"),
                    spoken=tr("Traces of"),
                ),
                STRETCH,
                link(tr("Save as lines\u2026"), self.starts(self.save_traces)),
            ),
            part(
                *(TraceList, LOOK, tr("Traces")),
                name="tracesList",
                said=(rows, self.trace),
                row_chosen=self.show_trace,
                dress=sized(fixedHeight=TRACE_PX * min(len(rows), _MOST_ROWS)),
            ),
            *(() if whole is None else (trace_part(whole),)),
        )

    def _filters(self, content: SkillsContent, skill: Skill) -> Iterable[Offer]:
        yield tr("All artifacts"), partial(self.show_traces_of, "")
        paths = dict.fromkeys(traced_path(one, skill) for one in content.traces)
        for path in filter(None, paths):
            yield path, partial(self.show_traces_of, path)

    def show_traces_of(self, path: str) -> None:
        """Show the runs of one file; of all for an empty place."""
        self.traced, self.trace = path, ""
        self.say_again()

    def show_trace(self, key: str) -> None:
        """Show one run whole."""
        self.trace = key
        self.say_again()

    def choose_file(self, path: str) -> None:
        """Show a file of the skill."""
        self.path, self.is_trying = path, False
        self.say_again()

    def show_pane(self, pane: str) -> None:
        """Show a dry run, traces or assertions."""
        self.pane = pane
        self.say_again()

    def _give(self, text: str) -> None:
        self.given = text

    def _answered(self, text: str) -> None:
        self.answer = text

    async def run_dry(self) -> None:
        """Show what the skill tells for the input, and what holds of what comes of it."""
        if self.running is not None:  # a second press stops it
            self.running.set()
            return
        if (skill := self.skill) is None:
            return
        self.pane, given = DRY, self.given
        reading = self.background.read(told_dry, self.inklings, self.workspace_id, skill, given)
        if (told := await said(self.context, reading)) is None:
            return
        findings, came = answer_findings(skill, self.path, given, self.answer), None
        if (code := code_of(skill.contents, self.path)) is not None:
            came = await self._run_code(code.body)
            findings += findings_on(code, came, given) if came is not None else ()
        self.came_out = DryRun(told, findings, came)
        self.say_again()

    async def _run_code(self, text: str) -> CodeRun | None:
        self.running = threading.Event()
        self.say_again()
        given, here = given_of(self.given), (self.inklings.data_dir, self.workspace_id)
        try:
            return await run_code(*here, text, given, self.running)
        finally:
            self.running = None

    def _set_up(self) -> None:
        self.context.say(
            Message(
                tr("The sandbox is not installed"),
                tr("Install it with {line}, then restart Inklings. Everything else works.").format(
                    line=INSTALLING
                ),
            )
        )
