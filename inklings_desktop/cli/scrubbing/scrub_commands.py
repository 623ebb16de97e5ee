"""``inklings scrub``: look first, then remove for good; and its JSON documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.command import command
from inklings_desktop.cli.documents import time_text
from inklings_desktop.cli.memory_options import TierOptions
from inklings_desktop.cli.messages import REFUSED, UNCHANGED, wrong_usage
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.progress import shown_progress
from inklings_desktop.cli.scopes import Place, found_about, place_named, required_workspace
from inklings_desktop.cli.scrubbing.scrub_lines import (
    export_lines,
    manifest_lines,
    next_lines,
    outcome_lines,
    pending_sentence,
)
from inklings_desktop.cli.scrubbing.scrub_options import ScrubOptions
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import ChosenScope, ManifestChangedError, ScrubMode

if TYPE_CHECKING:
    from collections.abc import Sequence

    import typer

    from inklings_desktop.domain.scrub.manifest import (
        Breakdown,
        ScrubManifest,
        ScrubOutcome,
        ScrubReceipt,
        ScrubSample,
    )
    from inklings_desktop.domain.transfer.document import ExportNote
    from inklings_desktop.usecases.bundle import Inklings


def manifest_document(manifest: ScrubManifest) -> dict[str, Any]:
    """Everything a dry run found, with the token and the phrase that an execution asks for."""
    scope, untouched = manifest.scope, manifest.untouched
    return {
        "id": manifest.short_id,
        "digest": manifest.digest,
        "tier": scope.tier.value,
        "workspace_id": scope.workspace_id,
        "scope_key": scope.key,
        "chosen": list(scope.ids) if isinstance(scope, ChosenScope) else None,
        "mode": manifest.mode.value,
        "counted_at": time_text(manifest.counted_at),
        "removed": manifest.n_removed,
        "by_kind": _counts(manifest.by_kind),
        "by_tier": _counts(manifest.by_tier),
        "by_source": _counts(manifest.by_source),
        "by_curator": _counts(manifest.by_curator),
        "by_lifetime": _counts(manifest.by_lifetime),
        "messages_by_workspace": _counts(manifest.by_workspace),
        "forgotten": manifest.n_forgotten,
        "proposals": manifest.n_proposals,
        "golden_questions": manifest.n_questions,
        "saved_filters": manifest.n_filters,
        "page_versions": manifest.n_versions,
        "kept": list(manifest.kept),
        "untouched": {
            "memories": _counts(untouched.memories),
            "named_entries": list(untouched.named_entries),
            "workspaces": list(untouched.workspaces),
        },
        "backups": [
            {
                "name": one.name,
                "created_at": time_text(one.created_at),
                "fate": one.fate.value,
            }
            for one in manifest.backups
        ],
        "sample": [_sample_document(one) for one in manifest.sample],
        "token": manifest.token,
        "phrase": manifest.phrase,
        "expires_at": time_text(manifest.expires_at),
    }


def outcome_document(outcome: ScrubOutcome) -> dict[str, Any]:
    """What an execution did; ``receipt`` and ``verified_event`` are null while it is pending."""
    return {
        "finished": outcome.is_finished,
        "pending": outcome.pending,
        "event": outcome.event_number,
        "executed_at": time_text(outcome.executed_at),
        "seconds": outcome.seconds,
        "verified_event": outcome.verified_number,
        "receipt": outcome.receipt and receipt_document(outcome.receipt),
        "manifest": manifest_document(outcome.manifest),
    }


def receipt_document(receipt: ScrubReceipt) -> dict[str, Any]:
    """The proof: what was searched, and what was found."""
    return {
        "files": receipt.n_files,
        "bytes": receipt.n_bytes,
        "needles": receipt.n_needles,
        "hits": receipt.hits,
        "remaining": list(receipt.remaining),
        "backups_rewritten": list(receipt.rewritten),
        "backups_deleted": list(receipt.deleted),
        "hmac": receipt.hmac,
    }


def exports_document(exports: Sequence[ExportNote]) -> list[dict[str, Any]]:
    """Files of exports that may hold the text; no scrub clears them."""
    return [
        {"path": one.path, "exported_at": time_text(one.at), "memories": one.n_memories}
        for one in exports
    ]


def _sample_document(sample: ScrubSample) -> dict[str, Any]:
    return {
        "id": sample.id,
        "kind": sample.kind.value,
        "begins": sample.begins,
        "curator": sample.curator,
        "relevance": sample.relevance,
        "forgotten": sample.is_forgotten,
    }


def _counts(values: Breakdown) -> dict[str, int]:
    return dict(values)


_STEPS = {
    "count": "Counting once more",
    "remove": "Removing",
    "index": "Clearing the search index",
    "compact": "Compacting the file",
    "backups": "Clearing managed backups",
    "search": "Searching our files for traces",
    "done": "Finished",
}
_CHANGED = f"Memory changed since the dry run. {UNCHANGED} Here is the new one."


def add_scrub_command(app: typer.Typer) -> None:
    """Add ``scrub``."""
    command(app, "scrub", ScrubOptions, scrub)


def scrub(inklings: Inklings, options: ScrubOptions) -> Answer:
    """Clear one tier for good: one conversation, one channel, the workspace or the account.

    Without --execute this is a dry run: it shows what would go, forgotten memories included, and
    prints the token and the phrase that an execution asks for. --execute removes exactly that:
    the rows, then the text from every file of Inklings, managed backups included, and searches
    those files for it. A scrub has no undo and its record stays in the event log.

    --about clears only memories that say these words, forgotten ones included, with what was
    noted, proposed and said of them: in the workspace, or in the one tier named.

    --mode run_state clears of one conversation what an agent's runs left: checkpoints, traces, and
    what messages tell of tools. What was said and remembered stays.

    Exit status: 0 done. 1 refused and nothing was changed (wrong phrase, token older than five
    minutes, memory changed since: the new dry run is printed), or removed but not verified yet,
    because another program still reads an older state; that is finished by itself. 2 wrong
    usage. 3 the disk is full or cannot be written to; nothing was removed.
    """
    place, mode = _chosen(inklings, options)
    if not options.execute:
        manifest = inklings.scrub.preview(place.scope, mode)
        return _shown(inklings, manifest, place, options)
    return _executed(inklings, place, mode, options)


def _chosen(inklings: Inklings, options: ScrubOptions) -> tuple[Place, ScrubMode]:
    _check_usage(options)
    tier, about = options.tier, options.about
    if about is None:
        if tier is None or options.mode is None:
            raise wrong_usage("Name what to clear with --tier and what to spare with --mode.")
        where = TierOptions(tier=tier, channel=options.channel, conversation=options.conversation)
        return place_named(inklings, where), options.mode
    if options.mode is not None:
        raise wrong_usage("--mode does not belong to --about: named entries stay.")
    tiers = [one for one in Tier if one is not Tier.ACCOUNT]
    found, _ = found_about(inklings, options, about, tiers)
    ids = [one.id for entries in found.values() for one in entries]
    file = None if tier is Tier.ACCOUNT else required_workspace(inklings).id
    return Place(ChosenScope.of(file, ids), f"memories about {about}"), ScrubMode.KEEP_NAMED


def _executed(inklings: Inklings, place: Place, mode: ScrubMode, options: ScrubOptions) -> Answer:
    try:
        with shown_progress(options.long, _STEPS) as progress:
            outcome = inklings.scrub.execute(
                place.scope,
                mode,
                token=options.token or "",
                phrase=options.confirm or "",
                progress=progress,
            )
    except ManifestChangedError as error:
        return _changed(inklings, error.manifest, place, options)
    is_finished = outcome.is_finished
    exports = inklings.transfer.list_exports(place.scope)
    return Answer(
        {"outcome": outcome_document(outcome), "exports": exports_document(exports)},
        [*outcome_lines(outcome, place), *export_lines(exports)],
        [] if is_finished else [pending_sentence(outcome)],
        status=0 if is_finished else REFUSED,
    )


def _shown(
    inklings: Inklings, manifest: ScrubManifest, place: Place, options: ScrubOptions
) -> Answer:
    exports = inklings.transfer.list_exports(place.scope)
    lines = [
        *manifest_lines(manifest, place),
        *export_lines(exports),
        *next_lines(manifest, options),
    ]
    document = {"manifest": manifest_document(manifest), "exports": exports_document(exports)}
    return Answer(document, lines)


def _changed(
    inklings: Inklings, manifest: ScrubManifest, place: Place, options: ScrubOptions
) -> Answer:
    """Nothing was removed; what it would be now, with a token of its own."""
    error = {"kind": "manifest_changed", "message": _CHANGED}
    shown = _shown(inklings, manifest, place, options)
    return Answer({"error": error, **shown.document}, shown.lines, [_CHANGED], status=REFUSED)


def _check_usage(options: ScrubOptions) -> None:
    """Refuse half a confirmation before anything is opened for it."""
    given = [options.token is not None, options.confirm is not None]
    if options.execute and not all(given):
        raise wrong_usage(
            "--execute needs --token and --confirm, as a dry run prints them. See inklings scrub "
            "--help."
        )
    if any(given) and not options.execute:
        raise wrong_usage("--token and --confirm belong to --execute.")
