"""What has to be said around a scrub: what changed, what was refused, and who asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseFullError,
    DatabaseReadOnlyError,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.domain.scrub.scrub_request import ScrubRequestState
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.words.consolidation_words import NoticeKind, ScrubNotice
from inklings_desktop.ui.kit.words.memory_facts import tier_title
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.scrub.words import entries_text

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.domain.scrub.scrub_request import ScrubRequest
    from inklings_desktop.ui.scrub.state import ScrubState


def changed_notice() -> ScrubNotice:
    """Memory changed under the person's hands."""
    return ScrubNotice(
        NoticeKind.NEWS, tr("Memory changed since the count."), tr("Here is the new one.")
    )


def renewed_notice() -> ScrubNotice:
    """The count had become too old, and nothing had changed."""
    return ScrubNotice(
        NoticeKind.NEWS,
        tr("The count was more than five minutes old."),
        tr("It was made again and nothing has changed. Nothing was removed yet."),
    )


def problem_notice(error: InklingsError, *, removing: bool) -> ScrubNotice:
    """Why a count or an execution did not happen; nothing was removed."""
    nothing = tr("Nothing was removed.")
    match error:
        case DatabaseFullError() if removing:
            title, text = tr("The disk is full."), tr("Free some space, then try again.")
        case DatabaseReadOnlyError():
            title = tr("The disk cannot be written to.")
            text = tr("Make the data folder writable, then try again.")
        case DatabaseBusyError():
            title = tr("Another program is writing just now.")
            text = tr("Try again in a moment.")
        case _:
            message = message_of(error)
            title, text = f"{message.title.rstrip('.')}.", ""
    return ScrubNotice(NoticeKind.PROBLEM, title, f"{nothing} {text}".strip())


def broken_off_notice() -> ScrubNotice:
    """The program itself made a mistake while it was removing."""
    return ScrubNotice(
        NoticeKind.PROBLEM,
        tr("The scrub was broken off by a mistake of this program."),
        tr("The event log says whether it was executed; what was begun ends at the next start."),
    )


# -- requests -------------------------------------------------------------------------------


def asking_title(request: ScrubRequest) -> str:
    """Who asks, and that nothing has happened."""
    return tr("{client} asks you to scrub memory.").format(client=request.client)


def asking_text(request: ScrubRequest, place: str, n_more: int) -> str:
    """What would go from where, until when, and whether others wait behind it.

    Args:
        request: The request.
        place: Name of the workspace, channel or conversation; empty for the account.
        n_more: Requests behind it.
    """
    tier = tier_title(request.scope.tier)
    where = f"{tier}, {place}" if place else tier
    said = tr("{entries} from {where}, {mode}. Lapses at {time}.").format(
        entries=entries_text(request.n_removed),
        where=where,
        mode=_mode(request),
        time=clock_time(request.expires_at),
    )
    if not n_more:
        return said
    more = counted(n_more, "1 more request waits.", "{n} more requests wait.")
    return f"{said} {more}"


def asking_notice(request: ScrubRequest) -> ScrubNotice:
    """What the dialog says of the request that it is about, above the count."""
    if request.state is not ScrubRequestState.WAITING:
        return ended_notice(request)
    return ScrubNotice(
        NoticeKind.NEWS,
        asking_title(request),
        tr("Asked at {asked}, lapses at {lapses}. Only what you confirm here is removed.").format(
            asked=clock_time(request.asked_at), lapses=clock_time(request.expires_at)
        ),
    )


def notice_of(state: ScrubState) -> ScrubNotice | None:
    """What the dialog says above a count: what happened last, else who asks for this."""
    if state.notice is not None or state.request is None:
        return state.notice
    return asking_notice(state.request)


def asked_by_text(request: ScrubRequest) -> str:
    """Who asked and until when it holds, in one line."""
    return tr("{client}, at {asked}; lapses at {lapses}").format(
        client=request.client,
        asked=clock_time(request.asked_at),
        lapses=clock_time(request.expires_at),
    )


def ended_notice(request: ScrubRequest) -> ScrubNotice:
    """Why a request can no longer be confirmed."""
    client = request.client
    again = tr("Nothing was removed. It can count and ask again.")
    match request.state:
        case ScrubRequestState.CHANGED:
            title = tr("Memory changed since {client} asked.").format(client=client)
        case ScrubRequestState.EXPIRED:
            title = tr("The request of {client} has lapsed.").format(client=client)
        case ScrubRequestState.WITHDRAWN:
            title = tr("{client} may no longer ask for this.").format(client=client)
            again = tr("Nothing was removed.")
        case ScrubRequestState.EXECUTED:
            title = tr("This was carried out already.")
            again = tr("The event log says when, and by whom.")
        case _:
            title = tr("This request was answered in another window.")
            again = tr("Nothing was removed from here.")
    return ScrubNotice(NoticeKind.NEWS, title, again)


def clock_time(at: datetime) -> str:
    """An instant on the wall clock of this machine: ``10:36``."""
    return f"{on_the_wall(at):%H:%M}"


def _mode(request: ScrubRequest) -> str:
    if request.mode is ScrubMode.RUN_STATE:
        return tr("run state alone")
    if request.scope.tier not in {Tier.WORKSPACE, Tier.ACCOUNT}:
        return tr("everything in it")
    if request.mode is ScrubMode.FULL:
        return tr("named entries included")
    return tr("keeping named entries")
