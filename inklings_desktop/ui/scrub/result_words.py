"""The sentences of the scrub dialog after its last button: what is done, what was, the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.memory_facts import tier_title
from inklings_desktop.ui.scrub.words import (
    fates_text,
    kept_count,
    scope_text,
    time_with_seconds,
)

if TYPE_CHECKING:
    from inklings_desktop.domain.scrub.manifest import ScrubManifest, ScrubOutcome, ScrubReceipt
    from inklings_desktop.ui.scrub.state import ScrubState

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
