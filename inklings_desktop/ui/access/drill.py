"""The canary drill of one client: how it is led, how far it is, what it came to in words."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Slot
from PySide6.QtGui import QGuiApplication

from inklings_desktop.domain.access.canary import (
    Canary,
    CanaryKind,
    CanaryState,
    DrillDoor,
    DrillReport,
    PathResult,
    Room,
)
from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.access.cards import Cell, Columns, cells
from inklings_desktop.ui.kit.dialogs.pieces import MARGIN
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.translation import counted, grouped, lowered, tr, tr_as
from inklings_desktop.ui.kit.marks.meters import ShareBar
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.declared import LOOK, DeclaredDialog, part
from inklings_desktop.ui.kit.page.parts import button, hairline, mark, words
from inklings_desktop.ui.kit.page.process import Process, reports_to
from inklings_desktop.ui.kit.words.memory_facts import exact_time, tier_title
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from PySide6.QtCore import QObject

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.usecases.ports.progress import Progress


_MOST_NAMED = 2


@dataclass(frozen=True, slots=True)
class DrillRow:
    """One way to ask, and what came of it.

    Attributes:
        path: Name of the use case, tool or resource.
        door: By which door.
        asked: How often.
        refused: How often that was refused.
        result: ``tight``, or what crossed.
        is_tight: Whether nothing crossed.
        told: The row in one sentence.
    """

    path: str
    door: str
    asked: str
    refused: str
    result: str
    is_tight: bool
    told: str


@dataclass(frozen=True, slots=True)
class DrillState:
    """What the dialog shows.

    Attributes:
        client: Whose rights are tried.
        is_running: Whether a drill is under way.
        share: How far it is, 0 up to 1.
        step: What it does now.
        verdict: What it came to, in one sentence; empty before the end.
        is_passed: Whether that is good.
        notes: What was done, and what to know of it.
        rows: Every way that was tried; where something crossed first.
        report: The same as a text to copy; empty before the end.
    """

    client: str = ""
    is_running: bool = False
    share: float = 0.0
    step: str = ""
    verdict: str = ""
    is_passed: bool = False
    notes: tuple[str, ...] = ()
    rows: tuple[DrillRow, ...] = ()
    report: str = ""


def drill_state(report: DrillReport, workspace: str, at: datetime) -> DrillState:
    """All that a drill came to."""
    return DrillState(
        report.client,
        verdict=verdict_words(report),
        is_passed=report.is_passed,
        notes=note_lines(report),
        rows=drill_rows(report),
        report=report_text(report, workspace, at),
    )


def step_words(step: str) -> str:
    """What a drill does now."""
    if step == "plant":
        return tr("Planting markers in every place\u2026")
    if step == "done":
        return tr("Reading the answers\u2026")
    return tr("Asking: {path}").format(path=step)


def verdict_words(report: DrillReport) -> str:
    """What it came to."""
    if report.crossed:
        n_marks = len({one for path in report.crossed for one in (*path.crossed, *path.told_apart)})
        return counted(n_marks, "1 marker crossed to it.", "{n} markers crossed to it.")
    if report.unheard:
        return counted(
            len(report.unheard),
            "Nothing leaked, but one open marker was never shown: its place is not proved.",
            "Nothing leaked, but {n} open markers were never shown: not all is proved.",
        )
    return tr("Nothing leaked.")


def note_lines(report: DrillReport) -> tuple[str, ...]:
    """What was done, and what was not."""
    lines = [
        tr(
            "{planted} markers were planted, {open} of them open to it; those were "
            "answered correctly."
        ).format(planted=grouped(len(report.canaries)), open=grouped(report.n_open))
        if not report.unheard
        else tr("{planted} markers in two workspaces and the account; {open} are open.").format(
            planted=grouped(len(report.canaries)), open=grouped(report.n_open)
        ),
        tr("{asked} attempts in {ways} ways.").format(
            asked=grouped(report.n_asked), ways=grouped(len(report.paths))
        ),
    ]
    if not report.has_meaning:
        lines.append(tr("Without a model: words were compared, meaning was not."))
    return tuple(lines)


def drill_rows(report: DrillReport) -> tuple[DrillRow, ...]:
    """Every way that was tried; where something crossed first."""
    return tuple(_row(one) for one in sorted(report.paths, key=lambda one: one.is_tight))


def report_text(report: DrillReport, workspace: str, at: datetime) -> str:
    """All of it as plain text, for a file or a letter."""
    lines = [
        tr("Canary drill of {client} in {workspace}, {time}").format(
            client=report.client, workspace=workspace, time=exact_time(at)
        ),
        verdict_words(report),
        *note_lines(report),
        "",
    ]
    rows = drill_rows(report)
    width = max((len(one.path) for one in rows), default=0)
    for one in rows:
        asked = tr("{n} asked, {m} refused").format(n=one.asked, m=one.refused)
        lines.append(f"{one.path.ljust(width)}  {one.door}: {asked}: {one.result}")
    if report.unheard:
        lines += ["", tr("Open and never told:"), *_named(report.unheard)]
    return "\n".join(lines) + "\n"


def door_word(door: DrillDoor) -> str:
    """By which door it was asked."""
    return {DrillDoor.USE_CASES: tr("use case"), DrillDoor.PROTOCOL: tr("MCP")}[door]


def canary_words(canary: Canary) -> str:
    """Where a marker lay."""
    kind = {
        CanaryKind.MEMORY: tr("memory"),
        CanaryKind.NOTE: tr("working note"),
        CanaryKind.MESSAGE: tr("message"),
        CanaryKind.ENTRY: tr("named entry"),
        CanaryKind.CHANNEL: tr("channel"),
        CanaryKind.CONVERSATION: tr("conversation"),
        CanaryKind.WORKSPACE: tr("workspace"),
        CanaryKind.PROPOSAL: tr("proposal"),
        CanaryKind.TYPING: tr("unsaved typing"),
        CanaryKind.SAVED_FILTER: tr("saved filter"),
        CanaryKind.GOLDEN_QUESTION: tr("golden question"),
        CanaryKind.PAGE: tr("page"),
    }[canary.kind]
    state = {
        CanaryState.PLAIN: "",
        CanaryState.PRIVATE_OWN: tr("its own private"),
        CanaryState.PRIVATE_OTHER: tr("another agent\u2019s private"),
        CanaryState.PAUSED: tr_as("before a noun", "paused"),
        CanaryState.FORGOTTEN: tr_as("before a noun", "forgotten"),
        CanaryState.EARLIER: tr("earlier text of a"),
        CanaryState.DELETED: tr_as("before a noun", "deleted"),
        CanaryState.AUTHOR_ONLY: tr("the author\u2019s"),
    }[canary.state]
    room = {
        Room.NONE: "",
        Room.OWN: tr("where it takes part"),
        Room.GRANTED: tr("of a granted channel"),
        Room.STRANGE: tr("where it takes no part"),
    }[canary.room]
    where = tr("in another workspace") if canary.is_elsewhere else ""
    tier = lowered(tier_title(canary.tier))
    parts = [state, kind, tr("({tier} tier)").format(tier=tier), room, where]
    return " ".join(one for one in parts if one)


def _row(one: PathResult) -> DrillRow:
    result = tr("tight")
    if one.crossed:
        result = counted(len(one.crossed), "1 crossed", "{n} crossed")
        result += ": " + "; ".join(_named(one.crossed))
    elif one.told_apart:
        result = counted(
            len(one.told_apart),
            "1 told apart from what is not there",
            "{n} told apart from what is not there",
        )
        result += ": " + "; ".join(_named(one.told_apart))
    asked, refused = grouped(one.n_asked), grouped(one.n_refused)
    told = tr("{path}, {door}, {asked} asked, {refused} refused, {result}").format(
        path=one.path, door=door_word(one.door), asked=asked, refused=refused, result=result
    )
    return DrillRow(one.path, door_word(one.door), asked, refused, result, one.is_tight, told)


def _named(canaries: Iterable[Canary]) -> Sequence[str]:
    """The sorts of places, the most frequent first."""
    sorts = Counter(canary_words(one) for one in canaries).most_common()
    named = [word for word, _ in sorts[:_MOST_NAMED]]
    return [*named, tr("and others")] if len(sorts) > _MOST_NAMED else named


_SIZE = QSize(760, 680)
_WAYS = Columns(((0.0, None), (0.33, None), (0.50, 16), (0.61, 16), (0.66, None)), 30, 0, 12)


class DrillDialog(DeclaredDialog[DrillState]):
    """How far a drill is, then what it came to."""

    def __init__(self, process: DrillProcess) -> None:
        context, top = process.context, (MARGIN, 18, MARGIN, 14)
        ways = tr("Ways that were tried")
        super().__init__(context.theme, context.window, ways, size=_SIZE, top=top)
        self.setObjectName("drillDialog")
        self._process = process

    def head(self, state: DrillState) -> tuple[str, str]:
        return (
            tr("Canary drill of {name}").format(name=state.client),
            tr("In a scratch copy: your memories are not read or changed."),
        )

    def told(self, state: DrillState) -> tuple[str, ...]:
        return (state.verdict,)

    def said(self, state: DrillState) -> tuple[tuple[Inside, ...], ...]:
        sign = ("check", "accent") if state.is_passed else ("warning-circle", "madder")
        top = (
            words(
                tr(
                    "Inklings plants markers everywhere in a scratch copy and asks every question "
                    "this program can ask. Nothing hidden may show up in an answer, and hidden "
                    "things must look as if they didn\u2019t exist."
                )
            ),
            words(state.step, way="plain", visible=state.is_running),
            part(
                ShareBar,
                LOOK,
                spoken=tr("Progress"),
                accessibleDescription=f"{state.share:.0%}",
                share=state.share,
                visible=state.is_running,
            ),
            mark(
                *sign,
                state.verdict,
                "bodyStrong",
                inked=False,
                name="drillVerdict",
                visible=bool(state.verdict),
            ),
            words("\n".join(state.notes), visible=bool(state.notes)),
        )
        foot = (
            button(
                tr("Copy report"),
                self._copy,
                icon="copy",
                name="drillCopy",
                enabled=bool(state.report),
            ),
            STRETCH,
            button(
                tr("Stop") if state.is_running else tr("Drill again"),
                self._process.run,
                name="drillRun",
            ),
            button(tr("Done"), self.leave_requested.emit, kind="primary", name="drillDone"),
        )
        return top, (*_table(state.rows), STRETCH), foot

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._process.state.report)
        announce(self, tr("Copied."))


def _table(rows: tuple[DrillRow, ...]) -> Iterator[Part]:
    """Every way that was tried below the names of the columns; nothing before the end."""
    head = (tr("Way"), tr("Door"), tr("Asked"), tr("Refused"), tr("Result"))
    if rows:
        yield cells(_WAYS, *(Cell(one, "inkSoft", "label") for one in head))
        yield hairline()
    for row in rows:
        yield cells(
            _WAYS,
            Cell(row.path, style="mono"),
            Cell(row.door, "inkSoft"),
            Cell(row.asked),
            Cell(row.refused),
            Cell(row.result, "ink" if row.is_tight else "madder"),
            spoken=row.told,
            tip="" if row.is_tight else row.result,
        )
        yield hairline()


class DrillProcess(Process[DrillState, DrillDialog]):
    """One client's rights in one workspace, tried in every way."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, DrillState(), parent)
        self._running = Latest(context.background)
        self._workspace_id = ""

    def open(self, client: str, workspace_id: str) -> None:
        """Begin a drill and show it; nothing while one is on show."""
        if self.dialog is not None:
            return
        self._workspace_id = workspace_id
        self.state = DrillState(client)
        self.run()
        self.show_dialog(DrillDialog(self))

    @Slot()
    def run(self) -> None:
        """Begin anew; a second press gives it up."""
        client = self.state.client
        if self.state.is_running:
            self._running.cancel()
            self.show(DrillState(client, verdict=tr("Stopped. Nothing was proved.")))
            return
        self.show(DrillState(client, is_running=True, step=step_words("plant")))
        self._running.run(self._run(client))

    def ended(self) -> None:
        self._running.cancel()

    async def settled(self) -> None:
        """Return once nothing is under way."""
        await self._running.settled()

    async def _run(self, client: str) -> None:
        stop = threading.Event()
        progress = reports_to(partial(self._on_progress, stop), stop.is_set)
        try:
            state = await self.background.read(self._drilled, client, progress)
        except StoppedError:
            return
        except InklingsError as error:
            state = DrillState(client, verdict=message_of(error).title)
        finally:
            # Cancelling only stops the wait: the thread has to hear of it too.
            stop.set()
        self.show(state)

    def _drilled(self, client: str, progress: Progress) -> DrillState:
        """What a drill came to; runs on a reader."""
        inklings, workspace_id = self.inklings, self._workspace_id
        found = inklings.clients.run_drill(client, workspace_id, progress)
        workspace = inklings.workspaces.find(workspace_id)
        return drill_state(found, workspace.name, inklings.clock())

    def _on_progress(self, stop: threading.Event, step: str, done: int, total: int) -> None:
        if self.state.is_running and not stop.is_set():
            share = done / total if total else 0.0
            self.show(replace(self.state, share=share, step=step_words(step)))
