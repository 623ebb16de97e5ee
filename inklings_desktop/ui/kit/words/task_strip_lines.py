"""The task strip's lines: what runs, waits or stopped, one line per kind of work; pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.background.tasks import TaskKind
from inklings_desktop.ui.kit.words.task_words import (
    group_name,
    group_of,
    is_large,
    problem_words,
    progress_words,
    share_of,
    short_name,
)
from inklings_desktop.usecases.background.background_work import TaskPhase

if TYPE_CHECKING:
    from collections.abc import Container

    from inklings_desktop.domain.background.tasks import TaskTarget
    from inklings_desktop.usecases.background.background_work import BackgroundStatus, TaskStatus

PAUSED = "paused"
_KINDS = (TaskKind.BACKFILL, TaskKind.CONSOLIDATION, TaskKind.CONVERSATION_CLOSE)


@dataclass(frozen=True, slots=True)
class StripLine:
    """One line.

    Attributes:
        key: Names the line: a kind of work, or ``paused``.
        icon: Its mark.
        role: Colour of the mark, and of the words of a line that warns.
        name: Which work, in one word.
        words: How it stands.
        title: Which work, in full, for screen readers.
        told: How it stands, in full, for screen readers and the tool tip.
        group: Row of the table that tells more; empty if there is none.
        share: How far it has come, 0 up to 1; None while nobody knows.
        is_running: Whether its mark turns and it can be cancelled.
        can_resume: Whether it can be told to go on.
    """

    key: str
    icon: str
    role: str
    name: str
    words: str
    title: str
    told: str
    group: str = ""
    share: float | None = None
    is_running: bool = False
    can_resume: bool = False

    @property
    def is_warning(self) -> bool:
        """Whether it stopped and a person should look."""
        return self.role == "ochre"


def strip_lines(
    status: BackgroundStatus,
    workspace_id: str,
    young: Container[TaskTarget],
    *,
    for_scrub: bool = False,
) -> tuple[StripLine, ...]:
    """What there is to say; nothing at all while nothing runs, waits for the person or stopped.

    Args:
        status: All background work, of every workspace.
        workspace_id: The open one; what stopped elsewhere is told there.
        young: Runs that have only just begun: one that is over at once shall not flicker.
        for_scrub: Whether all of it is paused for a scrub, and goes on by itself.
    """
    lines = [
        line for kind in _KINDS if (line := _line_of(kind, status, workspace_id, young)) is not None
    ]
    if status.is_paused and not any(line.is_running for line in lines):
        return (_paused_line(for_scrub=for_scrub), *(line for line in lines if line.is_warning))
    return tuple(lines)


def _line_of(
    kind: TaskKind, status: BackgroundStatus, workspace_id: str, young: Container[TaskTarget]
) -> StripLine | None:
    tasks = [one for one in status.tasks if one.target.kind is kind]
    here = [one for one in tasks if one.target.workspace_id in {workspace_id, None}]
    for one in tasks:
        if one.phase is TaskPhase.RUNNING and one.target not in young:
            return _running(one, is_here=one in here)
    for one in here:
        if one.phase is TaskPhase.FAILED or is_large(one):
            return _stopped(one)
    for one in tasks:
        if one.phase is TaskPhase.WAITS_FOR_IDLE:
            return _waiting(one)
    return None


def _running(one: TaskStatus, *, is_here: bool) -> StripLine:
    words = progress_words(one)
    told = _tr("Running, {progress}").format(progress=words)
    if not is_here:
        told = _tr("{told}, in another workspace").format(told=told)
    return StripLine(
        one.target.kind.value,
        "arrows-clockwise",
        "accent",
        short_name(one.target.kind),
        words,
        group_name(group_of(one.target)),
        told,
        group_of(one.target).value if is_here else "",
        share_of(one),
        is_running=True,
    )


def _stopped(one: TaskStatus) -> StripLine:
    if is_large(one):
        words, told = _tr("asks first"), _tr("Stopped: it would forget much, and asks first")
    else:
        words = _tr("stopped")
        told = _tr("Stopped: {reason}").format(reason=problem_words(one.problem))
    group = group_of(one.target)
    return StripLine(
        one.target.kind.value,
        "warning",
        "ochre",
        short_name(one.target.kind),
        words,
        group_name(group),
        told,
        group.value,
    )


def _waiting(one: TaskStatus) -> StripLine:
    group = group_of(one.target)
    return StripLine(
        one.target.kind.value,
        "moon",
        "inkSoft",
        short_name(one.target.kind),
        _tr("waits for idle"),
        group_name(group),
        _tr("Waits until nobody uses the keyboard or mouse for a while"),
        group.value,
    )


def _paused_line(*, for_scrub: bool) -> StripLine:
    told = _tr("Paused until the scrub is done") if for_scrub else _tr("Paused until it is resumed")
    return StripLine(
        PAUSED,
        "pause",
        "inkSoft",
        _tr("Background work"),
        _tr("paused"),
        _tr("Background work"),
        told,
        can_resume=not for_scrub,
    )


def read_only_line() -> StripLine:
    """What stands there while the disk cannot be written to."""
    return StripLine(
        PAUSED,
        "pause",
        "inkSoft",
        _tr("Background work"),
        _tr("is paused"),
        _tr("Background work"),
        _tr("Paused: the disk cannot be written to"),
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("tasks", text)
