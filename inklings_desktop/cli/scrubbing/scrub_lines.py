"""Manifests and outcomes of scrubs as lines for a terminal."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from inklings_desktop.cli.output import (
    counted,
    local_time,
    one_line,
    table,
    terminal_width,
    visible,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import (
    COPIES,
    BackupFate,
    ChosenScope,
    ScrubKind,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inklings_desktop.cli.scopes import Place
    from inklings_desktop.cli.scrubbing.scrub_options import ScrubOptions
    from inklings_desktop.domain.scrub.manifest import (
        Breakdown,
        ScrubManifest,
        ScrubOutcome,
        ScrubReceipt,
    )
    from inklings_desktop.domain.transfer.document import ExportNote

_ID_SHOWN = 8
_LEAST_TEXT = 20
_FATES = {BackupFate.REWRITTEN: "is rewritten without it", BackupFate.DELETED: "is deleted"}
_PENDING = {
    "snapshot": "another program is reading an older state of this memory",
    "disk": "the disk did not let our files be rewritten",
    "busy": "another program is at work on the same files",
    "text": "the search still found some of the text",
}


def manifest_lines(manifest: ScrubManifest, place: Place) -> list[str]:
    """What would go, what stays, and where copies lie."""
    where = _where(place)
    if not manifest.n_removed:
        return [f"Nothing here to remove: {where}."]
    n_removed = counted(manifest.n_removed, "entry")
    lines = [f"{n_removed} would be removed, {_kept(manifest)}. Nothing has been removed yet."]
    lines += table(
        [
            ["Scope", where],
            ["Mode", manifest.mode.value],
            ["Manifest", f"{manifest.short_id}, counted {local_time(manifest.counted_at)}"],
            ["Kinds", _kinds(manifest)],
            *([name, _listed(values)] for name, values in _breakdowns(manifest) if values),
            *([["Said in", _listed(manifest.by_workspace)]] if manifest.by_workspace else []),
            ["Kept", ", ".join(manifest.kept) or "nothing in this tier"],
            ["Untouched", _untouched(manifest)],
            ["Backups", _backups(manifest)],
        ]
    )
    lines += ["", f"First {len(manifest.sample)} of {manifest.n_removed:,}:"]
    return [*lines, *_sample_lines(manifest)]


def next_lines(manifest: ScrubManifest, options: ScrubOptions) -> list[str]:
    """The command that would remove what the manifest shows; nothing if there is nothing.

    The phrase is left for the person to put in.
    """
    if not manifest.n_removed:
        return []
    words = ["inklings", "scrub"]
    for name, value in (
        ("--data-dir", options.data_dir),
        ("--workspace", options.workspace),
        ("--tier", options.tier and options.tier.value),
        ("--conversation", options.conversation),
        ("--channel", options.channel),
        ("--mode", options.mode and options.mode.value),
        ("--about", options.about),
    ):
        if value is not None:
            words += [name, str(value)]
    words += ["--execute", "--token", manifest.token]
    until = local_time(manifest.expires_at)
    said = f"A scrub has no undo. To remove them for good, before {until}, add the phrase "
    return [
        "",
        f"{said}\u201c{manifest.phrase}\u201d:",
        f"{visible(shlex.join(words))} --confirm PHRASE",
    ]


def outcome_lines(outcome: ScrubOutcome, place: Place) -> list[str]:
    """What was done, and the proof."""
    manifest = outcome.manifest
    where = _where(place)
    rows = [
        ["Scope", where],
        ["Mode", manifest.mode.value],
        ["Manifest", f"{manifest.short_id}, {manifest.n_removed:,} counted and removed"],
        ["Event", f"{outcome.event_number:,}, scrub.executed, a permanent record"],
        ["Took", f"{outcome.seconds:.1f} s"],
    ]
    if outcome.receipt is not None:
        if backups := _receipt_backups(outcome.receipt):
            rows.append(["Backups", backups])
        rows.append(["Proof", _proof(outcome.receipt)])
    if outcome.verified_number is not None:
        rows.append(["Verified", f"by event {outcome.verified_number:,}, scrub.verified"])
    removed = counted(manifest.n_removed, "entry")
    return [f"{removed} removed, {_kept(manifest)}.", *table(rows)]


def pending_sentence(outcome: ScrubOutcome) -> str:
    """Why the removed text may still lie in our files, and what happens next."""
    if outcome.pending == COPIES:
        return (
            "Not verified: the files of Inklings are clear, but other files in its folder still "
            "contain the removed text, or can't be searched. They are named under Proof. "
            "Inklings "
            "leaves them alone: delete them yourself."
        )
    why = _PENDING.get(outcome.pending or "", "it could not be finished")
    return (
        f"Purge pending: {why}, so the removed text may remain in files of Inklings for now. "
        "Nothing has to be done: it is finished by the open window, or when Inklings is started "
        "next, as soon as that is over."
    )


def export_lines(exports: Sequence[ExportNote]) -> list[str]:
    """Where text may lie that no scrub reaches; nothing where nothing was exported."""
    if not exports:
        return []
    return [
        "",
        "Exports may still contain it and are not cleared; delete them yourself:",
        *table(
            [
                [one_line(one.path), local_time(one.at), counted(one.n_memories, "memory")]
                for one in exports
            ]
        ),
    ]


def _where(place: Place) -> str:
    tier = "" if isinstance(place.scope, ChosenScope) else f"{place.scope.tier.value} tier, "
    return f"{tier}{one_line(place.name)}"


def _kept(manifest: ScrubManifest) -> str:
    return f"{len(manifest.kept):,} kept" if manifest.kept else "none kept"


def _kinds(manifest: ScrubManifest) -> str:
    nouns = {
        ScrubKind.MEMORY.value: "memory",
        ScrubKind.FACT.value: "fact",
        ScrubKind.HOUSE_RULE.value: "house rule",
        ScrubKind.DOMAIN.value: "domain",
        ScrubKind.WORKING_MEMORY.value: "working memory",
        ScrubKind.SKILL.value: "skill",
        ScrubKind.ACTIVITY.value: "activity",
        ScrubKind.NAMED_ENTRY.value: "named entry",
        ScrubKind.WORKING_NOTE.value: "working note",
        ScrubKind.MESSAGE.value: "message",
        ScrubKind.CHECKPOINT.value: "checkpoint",
        ScrubKind.CHECKPOINT_WRITE.value: "step write",
        ScrubKind.TRACE.value: "trace",
        ScrubKind.COMPACTION.value: "short form",
    }
    parts = [counted(count, nouns[kind]) for kind, count in manifest.by_kind]
    if manifest.n_forgotten:
        parts.append(f"{manifest.n_forgotten:,} of the memories forgotten before")
    if manifest.n_proposals:
        parts.append(f"{counted(manifest.n_proposals, 'proposal')} about them as well")
    if manifest.n_questions:
        parts.append(f"{counted(manifest.n_questions, 'golden question')} about them as well")
    if manifest.n_filters:
        parts.append(f"{counted(manifest.n_filters, 'saved filter')} of this tier as well")
    if manifest.n_versions:
        parts.append(f"{counted(manifest.n_versions, 'kept version')} of pages as well")
    return ", ".join(parts)


def _breakdowns(manifest: ScrubManifest) -> tuple[tuple[str, Breakdown], ...]:
    return (
        ("Sources", manifest.by_source),
        ("Curators", manifest.by_curator),
        ("Lifetimes", manifest.by_lifetime),
    )


def _listed(values: Breakdown) -> str:
    return ", ".join(f"{value or 'none'} {count:,}" for value, count in values)


def _untouched(manifest: ScrubManifest) -> str:
    untouched = manifest.untouched
    order = [tier.value for tier in Tier]
    memories = sorted(untouched.memories, key=lambda one: order.index(one[0]))
    parts = [f"{counted(count, 'memory')} in the {tier} tier" for tier, count in memories]
    parts += [*untouched.named_entries, *untouched.workspaces, "the event log"]
    return ", ".join(parts)


def _backups(manifest: ScrubManifest) -> str:
    return ", ".join(f"{one.name} {_FATES[one.fate]}" for one in manifest.backups) or (
        "no managed backup contains any of it"
    )


def _receipt_backups(receipt: ScrubReceipt) -> str:
    parts = []
    for names, verb in ((receipt.rewritten, "rewritten"), (receipt.deleted, "deleted")):
        parts += [f"{name} {verb}" for name in names]
    return ", ".join(parts)


def _proof(receipt: ScrubReceipt) -> str:
    megabytes = receipt.n_bytes / 1_000_000
    files = counted(receipt.n_files, "file")
    said = f"searched {files}, {megabytes:,.1f} MB: {counted(receipt.hits, 'trace')}"
    return "; ".join([said, *receipt.remaining])


def _sample_lines(manifest: ScrubManifest) -> Iterable[str]:
    heads = [
        [
            one.id if one.kind is ScrubKind.WORKING_NOTE else one.id[:_ID_SHOWN],
            one.curator,
            "forgotten"
            if one.is_forgotten
            else one.kind.value.replace("_", " ")
            if one.relevance is None
            else f"{one.relevance:.2f}",
        ]
        for one in manifest.sample
    ]
    rows = table(heads) if heads else []
    width = max((len(row) for row in rows), default=0)
    room = max(terminal_width() - width - 2, _LEAST_TEXT)
    return [
        f"{row.ljust(width)}  {one_line(one.begins, room)}"
        for row, one in zip(rows, manifest.sample, strict=True)
    ]
