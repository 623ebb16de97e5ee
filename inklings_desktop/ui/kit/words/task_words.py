"""Background work in words: kinds, steps, results, reasons, lines of the strip; pure functions."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import CANCELLED, LARGE, TaskKind, TaskTarget
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.usecases.background.background_work import (
    BackgroundStatus,
    TaskPhase,
    TaskStatus,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping


BUSY = "busy"


class TaskGroup(StrEnum):
    """The rows of the table; one stands for the work on several files or channels."""

    BACKFILL = "backfill"
    CONVERSATION = "conversation"
    CHANNEL = "channel"
    WORKSPACE = "workspace"
    ACCOUNT = "account"
    BACKUP = "backup"


def group_of(target: TaskTarget) -> TaskGroup:
    """The row that stands for a piece of work."""
    if target.tier is not None:
        return TaskGroup(target.tier.value)
    return {
        TaskKind.CONVERSATION_CLOSE: TaskGroup.CONVERSATION,
        TaskKind.BACKUP: TaskGroup.BACKUP,
    }.get(target.kind, TaskGroup.BACKFILL)


def tier_of(group: TaskGroup) -> Tier | None:
    """The tier that a row is about."""
    return None if group in {TaskGroup.BACKFILL, TaskGroup.BACKUP} else Tier(group.value)


def group_name(group: TaskGroup) -> str:
    """What a row is called."""
    return {
        TaskGroup.BACKFILL: tr("Preparing for search"),
        TaskGroup.BACKUP: tr("Backups"),
        TaskGroup.CONVERSATION: tr("Consolidate conversation"),
        TaskGroup.CHANNEL: tr("Consolidate channel"),
        TaskGroup.WORKSPACE: tr("Consolidate workspace"),
        TaskGroup.ACCOUNT: tr("Consolidate account"),
    }[group]


def short_name(kind: TaskKind) -> str:
    """A kind of work in one word, for the strip."""
    return {
        TaskKind.CONSOLIDATION: tr("Consolidation"),
        TaskKind.CONVERSATION_CLOSE: tr("Conversations"),
        TaskKind.BACKUP: tr("Backup"),
        TaskKind.ACTIVITY: tr("Activity"),
    }.get(kind, tr("Embedding"))


def title_of(target: TaskTarget) -> str:
    """A piece of work in full; an activity has no row among background work."""
    is_activity = target.kind is TaskKind.ACTIVITY
    return tr("Scheduled activity") if is_activity else group_name(group_of(target))


def progress_words(status: TaskStatus) -> str:
    """How far a run has come: ``6 of 16``, or what it does while nobody can count that."""
    if status.target.kind is TaskKind.BACKUP:
        return tr("checks the copy") if status.step == "verify" else tr("copies")
    if status.total:
        return tr("{n} of {m}").format(n=grouped(status.done), m=grouped(status.total))
    if status.target.kind is TaskKind.ACTIVITY and status.done:
        return counted(status.done, "1 step", "{n} steps")
    if status.step == "compare":
        return tr("compares")
    if status.target.kind is TaskKind.CONVERSATION_CLOSE:
        return tr("clears up")
    return tr("begins")


def share_of(status: TaskStatus) -> float | None:
    """The same as a part, 0 up to 1."""
    return min(1.0, status.done / status.total) if status.total else None


def is_large(status: TaskStatus) -> bool:
    """Whether it stopped because a person has to agree first."""
    return status.phase is TaskPhase.STOPPED and status.problem == LARGE


def counts_words(counts: Mapping[str, int]) -> str:
    """What a run did: ``6 merged into 3, 2 faded, forgotten``."""
    parts = []
    if n_parents := counts.get("parent", 0):
        n_merged = counts.get("merged", 0)
        parts.append(
            counted(n_parents, "1 merged into {m}", "{n} merged into {m}").format(
                m=grouped(n_merged)
            )
        )
    words: dict[str, Callable[[int], str]] = {
        "embedded": lambda n: counted(n, "1 embedded", "{n} embedded"),
        "promoted": lambda n: counted(n, "1 promoted", "{n} promoted"),
        "pruned": lambda n: counted(n, "1 faded, forgotten", "{n} faded, forgotten"),
        "capped": lambda n: counted(n, "1 made room", "{n} made room"),
        "forgotten": lambda n: counted(n, "1 forgotten", "{n} forgotten"),
        "rested": lambda n: counted(n, "1 went quiet", "{n} went quiet"),
        "checkpoints": lambda n: counted(n, "1 checkpoint removed", "{n} checkpoints removed"),
        "runs": lambda n: counted(n, "1 old run removed", "{n} old runs removed"),
        "trace_details": lambda n: counted(n, "1 old trace removed", "{n} old traces removed"),
        "request_keys": lambda n: counted(n, "1 old key removed", "{n} old keys removed"),
        "backed_up": lambda _n: tr("backed up"),
    }
    parts += [said(n) for key, said in words.items() if (n := counts.get(key))]
    if n_broken := counts.get("broken", 0):
        # The words of a review come with all that one is made of.
        from inklings_desktop.ui.kit.words.consolidation_words import broken_words

        parts.insert(0, broken_words(n_broken))  # where room is short, the rest is cut off
    return ", ".join(parts) or tr("nothing to do")


def large_words(counts: Mapping[str, int]) -> str:
    """Why a run asks first: ``would forget 31 of 90``."""
    return tr("would forget {n} of {m}").format(
        n=grouped(counts.get("forgetting", 0)), m=grouped(counts.get("memories", 0))
    )


def problem_words(problem: str) -> str:
    """Why a run did not finish, in a few words."""
    known = {
        CANCELLED: tr("stopped by hand"),
        LARGE: tr("it would forget much"),
        BUSY: tr("continues when you are idle"),
        "bug": tr("a mistake of the program"),
        "EmbeddingUnavailableError": tr("the model failed"),
        "DimensionMismatchError": tr("the model failed"),
        "DatabaseReadOnlyError": tr("read-only"),
        "DatabaseFullError": tr("the disk is full"),
        "DatabaseBusyError": tr("another program was writing"),
        "DatabaseCorruptError": tr("the file is damaged"),
        "DatabaseTooNewError": tr("the file is from a newer Inklings"),
        "NotFoundError": tr("the workspace is gone"),
    }
    return known.get(problem, tr("the database did not answer"))


PAUSED = "paused"
_KINDS = (
    TaskKind.ACTIVITY,
    TaskKind.BACKFILL,
    TaskKind.BACKUP,
    TaskKind.CONSOLIDATION,
    TaskKind.CONVERSATION_CLOSE,
)


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
    told = tr("Running, {progress}").format(progress=words)
    if not is_here:
        told = tr("{told}, in another workspace").format(told=told)
    return StripLine(
        one.target.kind.value,
        "arrows-clockwise",
        "accent",
        short_name(one.target.kind),
        words,
        title_of(one.target),
        told,
        group_of(one.target).value if is_here and not one.target.subject else "",
        share_of(one),
        is_running=True,
    )


def _stopped(one: TaskStatus) -> StripLine:
    if is_large(one):
        words, told = tr("asks first"), tr("Stopped: it would forget a lot, and asks first")
    else:
        words = tr("stopped")
        told = tr("Stopped: {reason}").format(reason=problem_words(one.problem))
    group = group_of(one.target)
    return StripLine(
        one.target.kind.value,
        "warning",
        "ochre",
        short_name(one.target.kind),
        words,
        title_of(one.target),
        told,
        "" if one.target.subject else group.value,
    )


def _waiting(one: TaskStatus) -> StripLine:
    group = group_of(one.target)
    return StripLine(
        one.target.kind.value,
        "moon",
        "inkSoft",
        short_name(one.target.kind),
        tr("waits for idle"),
        group_name(group),
        tr("Waits until you stop typing for a while"),
        group.value,
    )


def _paused_line(*, for_scrub: bool) -> StripLine:
    told = tr("Paused until the scrub is done") if for_scrub else tr("Paused until it is resumed")
    return StripLine(
        PAUSED,
        "pause",
        "inkSoft",
        tr("Background work"),
        tr("paused"),
        tr("Background work"),
        told,
        can_resume=not for_scrub,
    )


def read_only_line() -> StripLine:
    """What stands there while the disk cannot be written to."""
    return StripLine(
        PAUSED,
        "pause",
        "inkSoft",
        tr("Background work"),
        tr("is paused"),
        tr("Background work"),
        tr("Paused: the disk cannot be written to"),
    )
