"""What is said around a scrub and after its last button: changes, refusals, the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseFullError,
    DatabaseReadOnlyError,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import COPIES, ScrubMode
from inklings_desktop.domain.scrub.scrub_request import ScrubRequestState
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.consolidation_words import NoticeKind, ScrubNotice
from inklings_desktop.ui.kit.words.memory_facts import name_of_writer, tier_title
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.scrub.words import (
    entries_text,
    fates_text,
    kept_count,
    scope_text,
    time_with_seconds,
)

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.domain.scrub.manifest import ScrubManifest, ScrubOutcome, ScrubReceipt
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
        tr("The scrub stopped because of a fault in this program."),
        tr("The event log says whether it was executed; what was begun ends at the next start."),
    )


# -- requests -------------------------------------------------------------------------------


def asking_title(request: ScrubRequest) -> str:
    """Who asks, and that nothing has happened."""
    return tr("{client} asks you to delete memories for good.").format(
        client=name_of_writer(request.client)
    )


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
        client=name_of_writer(request.client),
        asked=clock_time(request.asked_at),
        lapses=clock_time(request.expires_at),
    )


def ended_notice(request: ScrubRequest) -> ScrubNotice:
    """Why a request can no longer be confirmed."""
    client = name_of_writer(request.client)
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


_LONG_SECONDS = 10


def step_text(step: str) -> str:
    """What a step of the execution does."""
    return {
        "count": tr("Counting once more"),
        "remove": tr("Removing entries, vectors, notes and history"),
        "index": tr("Clearing the search index"),
        "compact": tr("Compacting the file"),
        "backups": tr("Clearing managed backups"),
        "search": tr("Searching our files for traces"),
        "done": tr("Finished"),
    }.get(step, step)


def running_title(manifest: ScrubManifest | None) -> str:
    """What is going on."""
    n_removed = manifest.n_removed if manifest else 0
    return counted(n_removed, "Removing 1 entry", "Removing {n} entries")


def removed_headline(manifest: ScrubManifest) -> str:
    """What was done, in one line."""
    text = counted(
        manifest.n_removed,
        "1 entry removed, {kept}",
        "{n} entries removed, {kept}",
    )
    return text.format(kept=kept_count(manifest))


def removed_sentence(state: ScrubState, manifest: ScrubManifest) -> str:
    """What is clear now, and what was not touched."""
    if manifest.mode is ScrubMode.RUN_STATE:
        return tr("{scope}, is clear of run state. What was said and remembered stays.").format(
            scope=scope_text(state)
        )
    if state.chosen is not None:
        return tr("Pages, named entries and other memories were not touched.")
    rest = tr("Pages and the other tiers were not touched.")
    match manifest.scope.tier:
        case Tier.WORKSPACE | Tier.ACCOUNT:
            tier = tier_title(manifest.scope.tier)
            clear = (
                tr("{tier} memory is clear apart from its named entries.")
                if manifest.kept
                else tr("{tier} memory is clear.")
            ).format(tier=tier)
        case Tier.CHANNEL | Tier.CONVERSATION:
            clear = tr("{scope}, is clear.").format(scope=scope_text(state))
    return f"{clear} {rest}"


def manifest_text(manifest: ScrubManifest) -> str:
    """The line of the result about count and removal."""
    return tr("{counted} counted, {counted} removed, 0 changed between count and removal").format(
        counted=grouped(manifest.n_removed)
    )


def took_text(seconds: float) -> str:
    """How long it took."""
    digits = 0 if seconds >= _LONG_SECONDS else 1
    return tr("{seconds} s, in one transaction").format(
        seconds=QLocale().toString(seconds, "f", digits)
    )


def proof_text(receipt: ScrubReceipt) -> str:
    """What was searched after the removal, and what was found there."""
    files = counted(receipt.n_files, "1 file", "{n} files")
    traces = counted(receipt.hits, "1 trace", "{n} traces")
    return tr("Searched {files}, {size}: {traces}.").format(
        files=files, size=size_text(receipt.n_bytes), traces=traces
    )


def receipt_backups_text(receipt: ScrubReceipt) -> str:
    """What was done to managed backups; empty when nothing was."""
    return fates_text(len(receipt.rewritten), len(receipt.deleted))


def pending_text(pending: str | None) -> str:
    """Why text may remain for the moment, and what happens next."""
    why = {
        "snapshot": tr(
            "Another program is reading an older state of this memory, so its text may remain in "
            "our files. It is cleared within seconds after that program lets go."
        ),
        "disk": tr(
            "The disk did not let our files be rewritten, so text may remain in them. Free some "
            "space; it is cleared then, or at the next start."
        ),
        "busy": tr(
            "Another program is at work on the same files, so text may remain in them. It is "
            "cleared as soon as that program is done."
        ),
        COPIES: tr(
            "Other files in the folder of Inklings still contain the text or cannot be "
            "searched. Delete them yourself:"
        ),
        "text": tr(
            "The search still found some of the text in our files. They are cleared once more."
        ),
    }
    otherwise = tr("Text may remain in our files. It is cleared as soon as that is possible.")
    return why.get(pending or "", otherwise)


def reference_text(state: ScrubState, outcome: ScrubOutcome) -> str:
    """What identifies one scrub for good, on one line."""
    parts = [
        tr("Event {number}").format(number=grouped(outcome.event_number)),
        "scrub.executed",
        tr("manifest {id}").format(id=outcome.manifest.short_id),
        scope_text(state),
        time_with_seconds(outcome.executed_at),
    ]
    if outcome.verified_number is not None:
        number = grouped(outcome.verified_number)
        parts.append(tr("verified by event {number}").format(number=number))
    return ", ".join(parts)


def size_text(n_bytes: int) -> str:
    """Bytes as a person reads them: ``3.2 MB``."""
    return QLocale().formattedDataSize(n_bytes, 1, QLocale.DataSizeFormat.DataSizeSIFormat)
