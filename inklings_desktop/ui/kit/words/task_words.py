"""Background work in words: kinds, steps, results, reasons; pure functions."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.background.tasks import CANCELLED, LARGE, TaskKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.words.entry_facts import grouped
from inklings_desktop.usecases.background.background_work import TaskPhase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.background.tasks import TaskTarget
    from inklings_desktop.usecases.background.background_work import TaskStatus

BUSY = "busy"


class TaskGroup(StrEnum):
    """The rows of the table; one stands for the work on several files or channels."""

    BACKFILL = "backfill"
    CONVERSATION = "conversation"
    CHANNEL = "channel"
    WORKSPACE = "workspace"
    ACCOUNT = "account"


def group_of(target: TaskTarget) -> TaskGroup:
    """The row that stands for a piece of work."""
    if target.tier is not None:
        return TaskGroup(target.tier.value)
    is_close = target.kind is TaskKind.CONVERSATION_CLOSE
    return TaskGroup.CONVERSATION if is_close else TaskGroup.BACKFILL


def tier_of(group: TaskGroup) -> Tier | None:
    """The tier that a row is about."""
    return None if group is TaskGroup.BACKFILL else Tier(group.value)


def group_name(group: TaskGroup) -> str:
    """What a row is called."""
    return {
        TaskGroup.BACKFILL: _tr("Embedding backfill"),
        TaskGroup.CONVERSATION: _tr("Consolidate conversation"),
        TaskGroup.CHANNEL: _tr("Consolidate channel"),
        TaskGroup.WORKSPACE: _tr("Consolidate workspace"),
        TaskGroup.ACCOUNT: _tr("Consolidate account"),
    }[group]


def short_name(kind: TaskKind) -> str:
    """A kind of work in one word, for the strip."""
    if kind is TaskKind.CONSOLIDATION:
        return _tr("Consolidation")
    return _tr("Conversations") if kind is TaskKind.CONVERSATION_CLOSE else _tr("Embedding")


def progress_words(status: TaskStatus) -> str:
    """How far a run has come: ``6 of 16``, or what it does while nobody can count that."""
    if status.total:
        return _tr("{n} of {m}").format(n=grouped(status.done), m=grouped(status.total))
    if status.step == "compare":
        return _tr("compares")
    if status.target.kind is TaskKind.CONVERSATION_CLOSE:
        return _tr("clears up")
    return _tr("begins")


def share_of(status: TaskStatus) -> float | None:
    """The same as a part, 0 up to 1."""
    return min(1.0, status.done / status.total) if status.total else None


def is_large(status: TaskStatus) -> bool:
    """Whether it stopped because a person has to agree first."""
    return status.phase is TaskPhase.STOPPED and status.problem == LARGE


def counts_words(counts: Mapping[str, int]) -> str:
    """What a run did: ``6 merged into 3, 2 pruned``."""
    parts = []
    if n_parents := counts.get("parent", 0):
        n_merged = counts.get("merged", 0)
        parts.append(_tr("{n} merged into {m}").format(n=grouped(n_parents), m=grouped(n_merged)))
    parts += [
        words.format(n=grouped(counts[key]))
        for key, words in (
            ("embedded", _tr("{n} embedded")),
            ("promoted", _tr("{n} promoted")),
            ("pruned", _tr("{n} pruned")),
            ("capped", _tr("{n} made room")),
            ("forgotten", _tr("{n} forgotten")),
            ("rested", _tr("{n} fell silent")),
        )
        if counts.get(key)
    ]
    if n_broken := counts.get("broken", 0):
        # The words of a review come with all that one is made of.
        from inklings_desktop.ui.kit.words.consolidation_words import broken_words

        parts.insert(0, broken_words(n_broken))  # where room is short, the rest is cut off
    return ", ".join(parts) or _tr("nothing to do")


def large_words(counts: Mapping[str, int]) -> str:
    """Why a run asks first: ``would forget 31 of 90``."""
    return _tr("would forget {n} of {m}").format(
        n=grouped(counts.get("forgetting", 0)), m=grouped(counts.get("memories", 0))
    )


def problem_words(problem: str) -> str:
    """Why a run did not finish, in a few words."""
    known = {
        CANCELLED: _tr("stopped by hand"),
        LARGE: _tr("it would forget much"),
        BUSY: _tr("goes on when you are idle"),
        "bug": _tr("a mistake of the program"),
        "EmbeddingUnavailableError": _tr("the model failed"),
        "DimensionMismatchError": _tr("the model failed"),
        "DatabaseReadOnlyError": _tr("read-only"),
        "DatabaseFullError": _tr("the disk is full"),
        "DatabaseBusyError": _tr("another program was writing"),
        "DatabaseCorruptError": _tr("the file is damaged"),
        "DatabaseTooNewError": _tr("the file is from a newer Inklings"),
        "NotFoundError": _tr("the workspace is gone"),
    }
    return known.get(problem, _tr("the database did not answer"))


def _tr(text: str) -> str:
    return QCoreApplication.translate("tasks", text)
