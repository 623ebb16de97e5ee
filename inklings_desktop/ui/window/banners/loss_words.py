"""What is said of writes that were stored and are no longer in their file; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.ui.kit.panes.banner import BannerAction, BannerContent
from inklings_desktop.ui.kit.words.entry_facts import counted
from inklings_desktop.ui.kit.words.memory_facts import exact_time
from inklings_desktop.ui.kit.words.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.log.lost_writes import LostWrites
    from inklings_desktop.domain.rooms.workspace import Workspace

    Lost = Sequence[tuple[Workspace | None, LostWrites]]

WHAT, KNOWN = "whatIsLost", "lossKnown"


def loss_banner(found: Lost) -> BannerContent:
    """An older copy of a file came back, or the end of its WAL was lost.

    Args:
        found: What is missing in each file, the account's under None; not empty.
    """
    places = ", ".join(_place(world) for world, _ in found)
    text = _tr("Missing in {places}. Perhaps an older copy of the file was put back.")
    return BannerContent(
        "madder",
        _title(found),
        text.format(places=places),
        (BannerAction(WHAT, _tr("What is missing")), BannerAction(KNOWN, _tr("I know"))),
        icon="warning-octagon",
    )


def loss_message(found: Lost) -> Message:
    """How much, since when, and where it may still be."""
    told = [_told(world, lost) for world, lost in found]
    go_on = _tr(
        "Press \u201cI know\u201d to go on without what is missing; the event log keeps the loss "
        "on record."
    )
    commands = [
        (_place(world), f"inklings backup restore {lost.backup}")
        for world, lost in found
        if lost.backup is not None
    ]
    return Message(_title(found), "\n\n".join([*told, go_on]), details=tuple(commands))


def _title(found: Lost) -> str:
    return counted(
        sum(lost.n_writes for _, lost in found),
        _tr("1 write that was stored is missing."),
        _tr("{n} writes that were stored are missing."),
    )


def _told(world: Workspace | None, lost: LostWrites) -> str:
    what = counted(lost.n_writes, _tr("1 write"), _tr("{n} writes"))
    said = _tr("In {place}: {what}, stored between {since} and {until}.").format(
        place=_place(world),
        what=what,
        since=exact_time(lost.since),
        until=exact_time(lost.until),
    )
    if lost.backup is None:
        said += " " + _tr("No backup holds any of them.")
    else:
        held = _tr("The backup {name} holds {n} of them; the command in the details restores it.")
        said += " " + held.format(name=lost.backup, n=lost.n_in_backup)
    if lost.n_scrubs:
        said += " " + counted(
            lost.n_scrubs,
            _tr("1 scrub is undone: what it removed may be back, and has to be scrubbed again."),
            _tr(
                "{n} scrubs are undone: what they removed may be back, and has to be scrubbed "
                "again."
            ),
        )
    return said


def _place(world: Workspace | None) -> str:
    return _tr("your account") if world is None else world.name


def _tr(text: str) -> str:
    return QCoreApplication.translate("losses", text)
