"""What is read aloud when a piece of background work ends; pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.background.tasks import CANCELLED, TaskKind
from inklings_desktop.ui.kit.words.task_words import (
    counts_words,
    group_name,
    group_of,
    is_large,
    large_words,
    problem_words,
    progress_words,
)
from inklings_desktop.usecases.background.background_work import TaskPhase

if TYPE_CHECKING:
    from inklings_desktop.usecases.background.background_work import TaskStatus


def ending_sentence(
    status: TaskStatus, *, was_wanted: bool, is_elsewhere: bool = False, is_paused: bool = False
) -> str:
    """How a run ended; empty where nobody asked for it and nothing was done.

    Args:
        status: How it stands after the end.
        was_wanted: Whether a person asked for this run.
        is_elsewhere: Whether another program is doing it, so that it never began here.
        is_paused: Whether all background work is, so that no time brings the rest.
    """
    name = group_name(group_of(status.target))
    if is_elsewhere:
        if not was_wanted:
            return ""
        return _tr("{name}: another Inklings program is at it.").format(name=name)
    if status.phase is TaskPhase.FAILED:
        return _tr("{name} stopped: {reason}. It is tried again in 30 minutes.").format(
            name=name, reason=problem_words(status.problem)
        )
    if is_large(status):
        return _tr("{name} {what} and asks first. Nothing was changed.").format(
            name=name, what=large_words(status.counts)
        )
    if status.problem == CANCELLED:
        if status.target.kind is TaskKind.BACKFILL and status.total and is_paused:
            return _tr(
                "Embedding stopped after {progress}. The rest follows when background work goes on."
            ).format(progress=progress_words(status))
        if status.target.kind is TaskKind.BACKFILL and status.total:
            return _tr(
                "Embedding stopped after {progress}. The rest will be tried in 30 minutes."
            ).format(progress=progress_words(status))
        return _tr("Stopped. The tier is as it was after the last finished batch.")
    if was_wanted or any(status.counts.values()):
        return _tr("{name} finished: {what}").format(name=name, what=counts_words(status.counts))
    return ""


def _tr(text: str) -> str:
    return QCoreApplication.translate("tasks", text)
