"""Manifests, outcomes and receipts as JSON documents; scripts hold on to these names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.documents import time_text
from inklings_desktop.domain.scrub.manifest import ChosenScope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.scrub.manifest import (
        Breakdown,
        ScrubManifest,
        ScrubOutcome,
        ScrubReceipt,
        ScrubSample,
    )
    from inklings_desktop.domain.transfer.document import ExportNote


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
