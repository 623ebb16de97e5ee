"""The canary drill of one client: how far it is, what it came to, in words and as shown."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.domain.access.canary import (
    Canary,
    CanaryKind,
    CanaryState,
    DrillDoor,
    DrillReport,
    PathResult,
    Room,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.dialogs.pieces import MARGIN, StepBody, StepFoot, cleared
from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, vbox
from inklings_desktop.ui.kit.look.mirror import painter_on
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip, write
from inklings_desktop.ui.kit.look.translation import counted, grouped, lowered, tr, tr_as
from inklings_desktop.ui.kit.marks.labels import (
    IconLabel,
    plain_label,
    rule,
    show_parts,
    wrapped_label,
)
from inklings_desktop.ui.kit.marks.meters import ShareBar
from inklings_desktop.ui.kit.words.memory_facts import exact_time, tier_title

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from inklings_desktop.ui.kit.look.theme import Theme


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


SIZE = QSize(760, 680)
_ROW = 30
_DOOR, _ASKED, _REFUSED, _RESULT = 0.33, 0.50, 0.61, 0.66


class DrillLine(QWidget):
    """One way that was tried; with no row it is the head of the table."""

    def __init__(self, theme: Theme, row: DrillRow | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row = row
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if row is not None:
            self.setAccessibleName(row.told)
            if not row.is_tight:
                self.setToolTip(plain_tool_tip(row.result))

    def sizeHint(self) -> QSize:
        return QSize(self._theme.scaled(320), self._theme.scaled(_ROW))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the cells; figures stand at the right of their columns."""
        theme, row, width = self._theme, self._row, self.width()
        painter = painter_on(self)
        label, meta = theme.font("label"), theme.font("meta", tabular=True)
        if row is None:
            cells = (
                (tr("Way"), label),
                (tr("Door"), label),
                (tr("Asked"), label),
                (tr("Refused"), label),
                (tr("Result"), label),
            )
            roles = ["inkSoft"] * len(cells)
        else:
            cells = (
                (row.path, theme.font("mono")),
                (row.door, meta),
                (row.asked, meta),
                (row.refused, meta),
                (row.result, meta),
            )
            roles = ["ink", "inkSoft", "ink", "ink", "ink" if row.is_tight else "madder"]
        starts = (0.0, width * _DOOR, width * _ASKED, width * _REFUSED, width * _RESULT)
        for number, (text, font) in enumerate(cells):
            room = width - starts[4] if number == len(cells) - 1 else width * _DOOR - 12
            x = starts[number]
            if number in {2, 3}:
                x -= min(QFontMetricsF(font).horizontalAdvance(text), room) - 16
            write(painter, x, self.height() / 2, text, font, theme.color(roles[number]), room=room)
        painter.end()


class DrillDialog(ProcessDialog[DrillState]):
    """How far a drill is, then what it came to."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(theme, window, title="", size=SIZE)
        self.setObjectName("drillDialog")
        # Another window, such as a client's view, goes on beside it.
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._rows: tuple[DrillRow, ...] = ()
        self._report = ""
        self._said = ""
        self.verdict = named(IconLabel(theme, "bodyStrong", self), "drillVerdict")
        self._step = plain_label("", "meta", self)
        self.bar = ShareBar(theme, parent=self)
        self.bar.setAccessibleName(tr("Progress"))
        self._notes = wrapped_label("", "meta", self)
        self._table = vbox(None, spacing=0)
        copy = PushButton(theme, tr("Copy report"), icon="copy", parent=self)
        self.copy = named(copy, "drillCopy")
        self.copy.clicked.connect(self._on_copy_clicked)
        self.run = named(PushButton(theme, tr("Stop"), parent=self), "drillRun")
        finish = PushButton(theme, tr("Done"), kind="primary", parent=self)
        self.finish = named(finish, "drillDone")
        self.finish.clicked.connect(self.leave_requested)
        self._fill()
        self.fit()

    @property
    def rows(self) -> tuple[DrillRow, ...]:
        """Every way on show."""
        return self._rows

    def show_state(self, state: DrillState) -> None:
        """Show how far it is, or what it came to."""
        title = tr("Canary drill of {name}").format(name=state.client)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.show_head(
            title,
            tr("In a scratch copy: your memories are not read or changed."),
        )
        is_good = state.is_passed
        self.verdict.show_mark(
            "check" if is_good else "warning-circle", "accent" if is_good else "madder",
            state.verdict,
        )  # fmt: skip
        self._step.setText(state.step)
        self.bar.set_share(state.share)
        self.bar.setAccessibleDescription(f"{state.share:.0%}")
        self._notes.setText("\n".join(state.notes))
        show_parts(
            {
                self.verdict: bool(state.verdict),
                self._step: state.is_running,
                self.bar: state.is_running,
                self._notes: bool(state.notes),
            }
        )
        self.run.setText(tr("Stop") if state.is_running else tr("Drill again"))
        self._report = state.report
        self.copy.setEnabled(bool(state.report))
        if state.verdict and state.verdict != self._said:
            announce(self, state.verdict)
        self._said = state.verdict
        self._show_rows(state.rows)

    def _show_rows(self, rows: tuple[DrillRow, ...]) -> None:
        if rows == self._rows:
            return
        self._rows = rows
        cleared(self._table)
        for row in (None, *rows) if rows else ():
            fill(self._table, DrillLine(self._theme, row, self), rule(self))

    def _fill(self) -> None:
        about = tr(
            "Inklings plants markers everywhere in a scratch copy and asks every question "
            "this program can ask. Nothing hidden may show up in an answer, and hidden "
            "things must look as if they didn\u2019t exist."
        )
        words = wrapped_label(about, "meta", self)
        parts = (words, self._step, self.bar, self.verdict, self._notes)
        top = vbox(None, *parts, margins=(MARGIN, 18, MARGIN, 14), spacing=10)
        ways = StepBody(self._theme, tr("Ways that were tried"), self)
        fill(ways.stack, self._table, STRETCH)
        foot = StepFoot(self)
        fill(foot.row, self.copy, STRETCH, self.run, self.finish)
        self.fill(top, ways, foot)

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._report)
        announce(self, tr("Copied."))
