"""What is said of a database that cannot be read as a whole; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.ui.messages import Message
from inklings_desktop.ui.presenters.entry_facts import counted, day_label
from inklings_desktop.ui.widgets.banner import BannerAction, BannerContent

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.backup import Backup
    from inklings_desktop.usecases.damage import ReadableExported

OPEN_COPY, EXPORT_READABLE = "openCopy", "exportReadable"


def last_copy_sentence(made_at: datetime) -> str:
    """That nothing was repaired, and how old the last good copy is."""
    return _tr("Nothing has been repaired yet. The last good copy is from {date}.").format(
        date=day_label(made_at)
    )


def damage_banner(
    copy: Backup | None, *, name: str = "", is_account: bool = False
) -> BannerContent:
    """Part of a database could not be read.

    Args:
        copy: Its last good copy; None when there is none.
        name: The workspace, if it is another one than the one on show.
        is_account: Whether it is the account's database.
    """
    whose = ""
    if is_account:
        whose = _tr("It is the database of your account, which every workspace uses.")
    elif name:
        whose = _tr("It is the workspace {name}.").format(name=name)
    if copy is None:
        state = _tr("Nothing has been repaired yet. There is no good copy of it.")
    else:
        state = last_copy_sentence(copy.created_at)
    actions = [BannerAction(EXPORT_READABLE, _tr("Export what can be read"))]
    if copy is not None:
        actions.insert(0, BannerAction(OPEN_COPY, _tr("Open the copy")))
    return BannerContent(
        "madder",
        _tr("Part of the database could not be read."),
        f"{whose} {state}".strip(),
        tuple(actions),
        icon="warning-octagon",
    )


def copy_question(copy: Backup, name: str) -> tuple[str, str]:
    """What is asked before a copy takes the place of a damaged database; question and text."""
    question = _tr("Open the copy from {date}?").format(date=day_label(copy.created_at))
    text = _tr(
        "It takes the place of the database of {name}. What was written since is not in it. The "
        "damaged database is kept beside the copies, byte for byte; what can be read of it can be "
        "exported before."
    ).format(name=name)
    return question, text


def opened_sentence(copy: Backup) -> str:
    """A copy has taken the place of a damaged database."""
    return _tr("The copy from {date} is open; the damaged database is kept").format(
        date=day_label(copy.created_at)
    )


def nothing_readable() -> Message:
    """Not one row of a damaged database could be had."""
    return Message(
        _tr("Nothing in the database could be read."),
        _tr("No file was written. The damaged database was left as it is."),
        is_environment=True,
    )


def exported_words(done: ReadableExported) -> Message:
    """What is in the file, and what could not be read."""
    n_memories = done.exported.n_memories
    what = counted(n_memories, _tr("1 memory"), _tr("{n} memories"))
    title = _tr("Exported {what} to {name}").format(what=what, name=done.exported.path.name)
    if done.is_whole:
        return Message(title, _tr("Everything in the database could be read."), icon="check")
    if done.n_missing:
        missing = counted(
            done.n_missing,
            _tr("1 memory could not be read."),
            _tr("{n} memories could not be read."),
        )
    else:
        missing = _tr("Something else in it could not be read.")
    kept = _tr("The damaged database was left as it is.")
    return Message(title, f"{missing} {kept}")


def _tr(text: str) -> str:
    return QCoreApplication.translate("damage", text)
