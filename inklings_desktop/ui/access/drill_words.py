"""A canary drill in words: what its dialog shows, as finished texts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.canary import CanaryKind, CanaryState, DrillDoor, Room
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.entry_facts import counted, grouped
from inklings_desktop.ui.kit.words.memory_facts import exact_time, tier_title

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.canary import Canary, DrillReport, PathResult

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
        return counted(n_marks, tr("1 marker crossed to it."), tr("{n} markers crossed to it."))
    if report.unheard:
        return counted(
            len(report.unheard),
            tr("Nothing crossed, but 1 open marker was never told: its place is not proved."),
            tr("Nothing crossed, but {n} open markers were never told: not all is proved."),
        )
    return tr("None crossed.")


def note_lines(report: DrillReport) -> tuple[str, ...]:
    """What was done, and what was not."""
    lines = [
        tr(
            "{planted} markers in two workspaces and the account; {open} of them are open to it,"
            " and it was told each of those that it has to be told."
        ).format(planted=grouped(len(report.canaries)), open=grouped(report.n_open))
        if not report.unheard
        else tr("{planted} markers in two workspaces and the account; {open} are open.").format(
            planted=grouped(len(report.canaries)), open=grouped(report.n_open)
        ),
        tr("{asked} questions in {ways} ways, by the use cases and by the protocol.").format(
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
        CanaryState.PAUSED: tr("paused"),
        CanaryState.FORGOTTEN: tr("forgotten"),
        CanaryState.EARLIER: tr("earlier text of a"),
        CanaryState.DELETED: tr("deleted"),
        CanaryState.AUTHOR_ONLY: tr("the author\u2019s"),
    }[canary.state]
    room = {
        Room.NONE: "",
        Room.OWN: tr("where it takes part"),
        Room.GRANTED: tr("of a granted channel"),
        Room.STRANGE: tr("where it takes no part"),
    }[canary.room]
    where = tr("in another workspace") if canary.is_elsewhere else ""
    tier = tier_title(canary.tier).lower()
    parts = [state, kind, tr("({tier} tier)").format(tier=tier), room, where]
    return " ".join(one for one in parts if one)


def _row(one: PathResult) -> DrillRow:
    result = tr("tight")
    if one.crossed:
        result = counted(len(one.crossed), tr("1 crossed"), tr("{n} crossed"))
        result += ": " + "; ".join(_named(one.crossed))
    elif one.told_apart:
        result = counted(
            len(one.told_apart),
            tr("1 told apart from what is not there"),
            tr("{n} told apart from what is not there"),
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
