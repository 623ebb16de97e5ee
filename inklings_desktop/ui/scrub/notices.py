"""What has to be said while one is in the scrub dialog: what changed, what was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseFullError,
    DatabaseReadOnlyError,
)
from inklings_desktop.ui.kit.words.consolidation_words import NoticeKind, ScrubNotice
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from inklings_desktop.domain.errors import InklingsError


def changed_notice() -> ScrubNotice:
    """Memory changed under the person's hands."""
    return ScrubNotice(
        NoticeKind.NEWS, _tr("Memory changed since the count."), _tr("Here is the new one.")
    )


def renewed_notice() -> ScrubNotice:
    """The count had become too old, and nothing had changed."""
    return ScrubNotice(
        NoticeKind.NEWS,
        _tr("The count was more than five minutes old."),
        _tr("It was made again and nothing has changed. Nothing was removed yet."),
    )


def problem_notice(error: InklingsError, *, removing: bool) -> ScrubNotice:
    """Why a count or an execution did not happen; nothing was removed."""
    nothing = _tr("Nothing was removed.")
    match error:
        case DatabaseFullError() if removing:
            title, text = _tr("The disk is full."), _tr("Free some space, then try again.")
        case DatabaseReadOnlyError():
            title = _tr("The disk cannot be written to.")
            text = _tr("Make the data folder writable, then try again.")
        case DatabaseBusyError():
            title = _tr("Another program is writing just now.")
            text = _tr("Try again in a moment.")
        case _:
            message = message_of(error)
            title, text = f"{message.title.rstrip('.')}.", ""
    return ScrubNotice(NoticeKind.PROBLEM, title, f"{nothing} {text}".strip())


def broken_off_notice() -> ScrubNotice:
    """The program itself made a mistake while it was removing."""
    return ScrubNotice(
        NoticeKind.PROBLEM,
        _tr("The scrub was broken off by a mistake of this program."),
        _tr("The event log says whether it was executed; what was begun ends at the next start."),
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("scrub", text)
