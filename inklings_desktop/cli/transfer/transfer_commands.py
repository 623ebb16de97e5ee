"""``inklings export`` and ``inklings import``: a file out, a file in, and an import taken back."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.background.golden_commands import LOOK_AT_GOLDEN
from inklings_desktop.cli.command import command
from inklings_desktop.cli.import_refusals import TOO_LARGE_TO_RETURN
from inklings_desktop.cli.keeping.keeping_documents import backup_document
from inklings_desktop.cli.memory_options import FilterOptions, TierOptions
from inklings_desktop.cli.messages import UNCHANGED, refused, wrong_usage
from inklings_desktop.cli.output import counted, local_time, one_line, table, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.progress import shown_progress
from inklings_desktop.cli.scopes import place_named, places_to_read, required_workspace
from inklings_desktop.cli.transfer.transfer_options import ExportOptions, ImportOptions
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_rows import row_of
from inklings_desktop.domain.transfer.foreign.formats import Wishes
from inklings_desktop.domain.transfer.foreign.found import LeftOut
from inklings_desktop.domain.transfer.foreign.rows import COLUMN_ROLES
from inklings_desktop.domain.transfer.import_plan import (
    Decision,
    ImportReason,
    ImportStatus,
    RowKind,
    decided,
    tight_scopes,
)
from inklings_desktop.usecases.transfer.exporting import ExportRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    import typer

    from inklings_desktop.domain.transfer.document import Left
    from inklings_desktop.domain.transfer.import_plan import (
        ImportPreview,
        ImportRow,
    )
    from inklings_desktop.usecases.bundle import Inklings

_STEPS = {
    "read": "Reading the file",
    "compare": "Comparing",
    "copy": "Copying the database first",
    "verify": "Verifying the copy",
    "write": "Writing",
}
_SHOWN_ROWS = 50
_CONTENT_COLUMNS = 48
_SHOWN_LEFT, _LEFT_COLUMNS = 5, 40


def add_transfer_commands(app: typer.Typer) -> None:
    """Add ``export`` and ``import``."""
    command(app, "export", ExportOptions, export)
    command(app, "import", ImportOptions, import_file)


def export(inklings: Inklings, options: ExportOptions) -> Answer:
    """Write memory into a file of your own.

    --tier names one tier, --all everything; without either it is one workspace as a whole.
    Forgotten memories, history, vectors and named entries go with it, and with a whole workspace
    its talk, golden questions, saved filters and proposals, so that an import into an empty store
    brings back the memory exactly as it was. Not in it: the event log, agents and their rights,
    how far an agent had come, unsaved text. The file is for your eyes only (0600), and a scrub
    cannot reach it: Inklings remembers where it was written to and says so.
    """
    if os.path.lexists(options.file) and not options.force:
        raise refused(
            "exists", f"{options.file} is there already. {UNCHANGED} Replace it with --force."
        )
    if options.markdown:
        return _markdown(inklings, options)
    with shown_progress(options, _STEPS) as progress:
        done = inklings.transfer.export(_request(inklings, options), options.file, progress)
    line = (
        f"Exported {counted(done.n_memories, 'memory')} and "
        f"{counted(done.n_named_entries, 'named entry')} to {visible(str(done.path))} "
        f"({done.n_bytes:,} bytes)."
    )
    notes = [] if done.is_noted else ["The store could not be written to, so it keeps no note."]
    if not done.comes_back:
        notes.append(TOO_LARGE_TO_RETURN)
    if done.n_unreadable:
        notes.append(
            f"Part of {counted(done.n_unreadable, 'memory')} cannot be read; "
            "\ufffd stands for what is no text."
        )
    document = {
        "path": str(done.path),
        **row_of(
            done,
            "bytes=n_bytes can_be_imported=comes_back memories=n_memories"
            " named_entries=n_named_entries workspaces=n_workspaces unreadable=n_unreadable",
        ),
    }
    return Answer({"export": document}, [line], notes)


def import_file(inklings: Inklings, options: ImportOptions) -> Answer:
    """Bring in what an export holds, or notes and memories of other programs.

    Inklings reads its own exports, Markdown, plain text, Word (.docx), CSV, JSON, novelWriter,
    lorebooks of SillyTavern and NovelAI, and memories of MCP's memory server, mem0, ChatGPT and
    Claude; --preview says what would become of each row. An export comes back into an empty store
    as it was. Anywhere else memories come in as imported, yours stay as they are unless
    --on-conflict says otherwise, and named entries stay out without --named-entries. A copy of
    every database is saved first, all of it is one step, and --withdraw undoes that step.

    Exit status: 0 done. 1 nothing of the file could be imported. 2 wrong usage.
    3 a database cannot be written to.
    """
    if (not options.files) == (options.withdraw is None):
        raise wrong_usage("Name a file, or an import with --withdraw.")
    if options.withdraw is not None:
        return _withdrawn(inklings, options.withdraw)
    with shown_progress(options, _STEPS) as progress:
        preview = inklings.transfer.preview_import(
            *(options.files or ()),
            into=options.into,
            place=_place(inklings, options),
            wishes=Wishes(
                options.read_as, options.by, options.encoding, _columns(options.column or ())
            ),
            progress=progress,
        )
        _refuse_place(preview, options)
        decisions = _decisions(preview, options)
        if options.preview:
            return _previewed(preview, decisions)
        done = inklings.transfer.apply_import(preview, decisions, progress)
    document = {
        "run": done.run_id if done.has_written else None,
        **row_of(done, "added=n_added taken=n_taken named_entries=n_entries left=n_left"),
        "refused": preview.count(ImportStatus.REFUSED),
        "forgotten_left_out": preview.n_forgotten,
        "restore": done.is_restore,
        "created": list(done.created),
        "backups": [backup_document(one) for one in done.backups],
        "unknown_fields": list(preview.document.unknown),
        **_foreign_document(preview),
    }
    verb = "Restored" if done.is_restore else "Imported"
    lines = [
        f"{verb} {counted(done.n_added, 'memory')} and {counted(done.n_entries, 'named entry')}"
        + (
            f", took the file's text for {counted(done.n_taken, 'memory')} you have"
            if done.n_taken
            else ""
        )
        + f"; {counted(done.n_left, 'row')} left out.",
        f"Undo it with: inklings import --withdraw {done.run_id[:8]}"
        if done.has_written
        else "Nothing was changed.",
    ]
    notes = _notes(inklings, preview)
    if done.n_broken:
        document["golden_questions_broken"] = done.n_broken
        lines.append(f"{counted(done.n_broken, 'golden question')} broke.")
        notes.append(LOOK_AT_GOLDEN)
    n_refused = preview.count(ImportStatus.REFUSED)
    notes = [*_refused_notes(preview), *notes]
    return Answer(
        {"import": document}, lines, notes, status=int(bool(n_refused) and not done.has_written)
    )


def _columns(named: Sequence[str]) -> dict[str, str]:
    """What each column is, by its heading."""
    found = {}
    for one in named:
        what, sign, heading = one.partition("=")
        if not sign or what.strip() not in COLUMN_ROLES:
            raise wrong_usage(
                f"Say --column WHAT=HEADING; WHAT is one of: {', '.join(COLUMN_ROLES)}."
            )
        found[heading] = COLUMN_ROLES[what.strip()]
    return found


def _refused_notes(preview: ImportPreview) -> list[str]:
    refused_rows = [one for one in preview.rows if one.status is ImportStatus.REFUSED]
    return [
        f"Row {row.number}: {_what_happens(row, Decision.KEEP)}."
        for row in refused_rows[:_SHOWN_ROWS]
    ]


def _markdown(inklings: Inklings, options: ExportOptions) -> Answer:
    if options.everything or options.tier is not None:
        raise wrong_usage("--markdown writes one whole workspace; leave --tier and --all out.")
    workspace = required_workspace(inklings)
    done = inklings.transfer.export_markdown(workspace.id, options.file)
    line = (
        f"Wrote {counted(done.n_memories, 'memory')} of {one_line(workspace.name)} to "
        f"{visible(str(done.path))} ({done.n_bytes:,} bytes)."
    )
    document = {"path": str(done.path), **row_of(done, "bytes=n_bytes memories=n_memories")}
    return Answer({"export": document}, [line])


def _request(inklings: Inklings, options: ExportOptions) -> ExportRequest:
    if options.everything and (options.tier is not None or options.workspace is not None):
        raise wrong_usage("--all goes without --tier and --workspace.")
    everything = ExportRequest(
        with_vectors=not options.no_vectors,
        with_forgotten=not options.no_forgotten,
        with_history=not options.no_history,
        with_talk=not options.no_conversations,
    )
    if options.everything:
        return everything
    if options.tier is None:
        if options.channel is not None or options.conversation is not None:
            raise wrong_usage("--channel and --conversation need --tier.")
        return replace(everything, workspaces=(required_workspace(inklings).id,))
    places = places_to_read(
        inklings,
        FilterOptions(
            tier=options.tier,
            channel=options.channel,
            conversation=options.conversation,
            archived=True,
            workspace=options.workspace,
        ),
    )
    if not places:
        kind = "channel" if options.tier is Tier.CHANNEL else "conversation"
        raise refused("nothing", f"There is no {kind} yet, so nothing was exported.")
    return replace(everything, scopes=tuple(one.scope for one in places))


def _place(inklings: Inklings, options: ImportOptions) -> ScopeKey | None:
    """Where memories go whose file names no place; None where that was not said."""
    if options.tier is Tier.CONVERSATION:
        raise wrong_usage(
            "A conversation takes no import; use --tier workspace, channel or account."
        )
    if options.into is not None and (options.tier or options.channel) is not None:
        raise wrong_usage("--into goes without --tier and --channel.")
    if options.tier is not None or options.channel is not None:
        tier = options.tier or Tier.CHANNEL
        return place_named(inklings, TierOptions(tier=tier, channel=options.channel)).scope
    here = inklings.workspace
    return None if here is None else ScopeKey.workspace(here.id)


def _refuse_place(preview: ImportPreview, options: ImportOptions) -> None:
    """Refuse a place for an export: its rows say themselves where they belong."""
    if preview.place is None and (options.tier or options.channel) is not None:
        raise wrong_usage("An Inklings export names its own tiers; leave --tier and --channel out.")


def _foreign_document(preview: ImportPreview) -> dict[str, Any]:
    """What is told of files that are no exports of ours."""
    foreign = preview.document.foreign
    if foreign is None:
        return {}
    return {
        **row_of(foreign, "formats files=n_files left_out"),
        "left_out_texts": [
            {**row_of(one, "reason text"), "file": one.file or None, "line": one.line or None}
            for one in foreign.left
        ],
        **row_of(foreign, "encoding_guessed=is_guessed encodings"),
    }


def _decisions(preview: ImportPreview, options: ImportOptions) -> dict[int, Decision]:
    found = {}
    for row in preview.rows:
        if row.kind is RowKind.NAMED_ENTRY and row.reason is not ImportReason.RESTORED:
            if options.named_entries and row.status is not ImportStatus.DUPLICATE:
                found[row.number] = row.choices[-1]
        elif row.status is ImportStatus.CONFLICT:
            found[row.number] = options.on_conflict
    return found


def _previewed(preview: ImportPreview, decisions: dict[int, Decision]) -> Answer:
    chosen = decided(preview.rows, decisions)
    file = preview.document
    n = len(preview.rows) - preview.count(ImportStatus.REFUSED)
    counts = {one.value: preview.count(one) for one in ImportStatus}
    document = {
        **row_of(file, "schema_version exported_at app_version"),
        "restore": preview.is_restore,
        "counts": counts,
        "would_write": sum(one is not Decision.KEEP for one in chosen.values()),
        "forgotten_left_out": preview.n_forgotten,
        "unknown_fields": list(file.unknown),
        "can_be_imported": not any(one.n_over(chosen) for one in tight_scopes(preview)),
        **_foreign_document(preview),
        "rows": [_row_document(row, chosen[row.number]) for row in preview.rows],
    }
    head = (
        f"Schema version {file.schema_version}, written {local_time(file.exported_at)}. "
        "Nothing has changed yet."
        if file.foreign is None
        else f"{', '.join(file.foreign.formats)}: {counted(n, 'memory')} in "
        f"{counted(file.foreign.n_files, 'file')}. Nothing has changed yet."
    )
    rows = [
        [
            str(row.number),
            row.status.value,
            row.tier.value,
            one_line(row.name or row.content, _CONTENT_COLUMNS),
            _what_happens(row, chosen[row.number]),
        ]
        for row in preview.rows[:_SHOWN_ROWS]
    ]
    lines = [head, ", ".join(f"{count:,} {word}" for word, count in counts.items()), *table(rows)]
    if len(preview.rows) > _SHOWN_ROWS:
        lines.append(f"and {len(preview.rows) - _SHOWN_ROWS:,} more; --json lists them all")
    notes = _unknown_notes(preview) + _overfull_notes(preview, chosen)
    return Answer({"preview": document}, lines, notes)


def _row_document(row: ImportRow, decision: Decision) -> dict[str, Any]:
    return {
        **row_of(
            row,
            "row=number kind status reason tier place name importance tags"
            " looks_like_secret=is_secret mine=mine.id likeness faults",
        ),
        "file": row.origin and (row.origin.file or None),
        "line": row.origin and (row.origin.line or None),
        "decision": decision.value,
    }


def _what_happens(row: ImportRow, decision: Decision) -> str:
    if row.reason is ImportReason.MORE_TAGS and decision is Decision.TAKE:
        return "add its tags to yours"
    if row.status is ImportStatus.REFUSED:
        line = f"line {row.origin.line} " if row.origin is not None and row.origin.line else ""
        return f"{line}cannot be imported: " + ", ".join(
            f"{one.field} ({one.rule.replace('_', ' ')})" for one in row.faults
        )
    if decision is Decision.KEEP:
        if row.kind is RowKind.NAMED_ENTRY and row.status is ImportStatus.NEW:
            return "left out; see --named-entries"
        if row.reason is ImportReason.FORGOTTEN_HERE:
            return "forgotten by you, left out"
        return "keep yours"
    return "take the file's" if decision is Decision.TAKE else "add"


def _withdrawn(inklings: Inklings, run_id: str) -> Answer:
    done = inklings.transfer.withdraw_import(run_id)
    document = row_of(done, "run=run_id removed=n_removed returned=n_returned left=n_left")
    line = (
        f"Undone: forgot {counted(done.n_removed, 'memory')} that the import had added and "
        f"restored {counted(done.n_returned, 'entry')}."
    )
    lines = [line]
    if done.n_left:
        lines.append(f"{counted(done.n_left, 'entry')} stayed: changed since, or built in.")
    return Answer({"withdrawal": document}, lines)


def _notes(inklings: Inklings, preview: ImportPreview) -> list[str]:
    decay = preview.document.decay
    notes = _unknown_notes(preview)
    if decay is not None and decay != inklings.settings.decay:
        notes.append("The file's decay rates differ from yours; yours stay in force.")
    return notes


def _overfull_notes(preview: ImportPreview, chosen: dict[int, Decision]) -> list[str]:
    """What would be refused for want of room, said before anybody tries."""
    return [
        f"The {one.tier.value} tier{one.place and f' ({one_line(one.place)})'} would have "
        f"{one.n_after(chosen):,} memories; {one.cap:,} is the most, so this would be refused."
        for one in tight_scopes(preview)
        if one.n_over(chosen)
    ]


def _unknown_notes(preview: ImportPreview) -> list[str]:
    names, foreign = preview.document.unknown, preview.document.foreign
    notes = [f"Not imported: {one_line(', '.join(names))}."] if names else []
    if preview.n_beside:
        notes.append(
            "Talk, golden questions, saved filters, proposals and folders of pages come back into "
            f"an empty store alone; {preview.n_beside:,} stay out."
        )
    if foreign is not None:
        for one, n in foreign.left_out.items():
            told = [_place_of(left) for left in foreign.left if left.reason == one]
            more = [f"and {n - _SHOWN_LEFT:,} more"] if n > _SHOWN_LEFT else []
            where = ", ".join([*told[:_SHOWN_LEFT], *more])
            notes.append(f"Left out: {_LEFT_OUT[LeftOut(one)][n != 1].format(n=n)} ({where}).")
        if foreign.is_guessed:
            guessed = ", ".join(foreign.encodings)
            notes.append(
                f"A file is not UTF-8 and was read as {guessed}; --encoding names another."
            )
    n_secrets = sum(row.is_secret for row in preview.rows)
    if n_secrets:
        notes.append(f"{counted(n_secrets, 'row')} may be a key or a password; look before.")
    return notes


def _place_of(left: Left) -> str:
    """Where something was left out, and how it begins."""
    where = ", ".join(filter(None, (left.file, f"line {left.line}" if left.line else "")))
    words = one_line(left.text, _LEFT_COLUMNS)
    return f"{one_line(where)}: {words}" if where and words else one_line(where) or words


_LEFT_OUT = {
    LeftOut.REPEATED: ("a duplicate of another row", "{n:,} duplicates of other rows"),
    LeftOut.EMPTY: ("one without a text", "{n:,} without a text"),
    LeftOut.HEADING: (
        "a heading with nothing under it",
        "{n:,} headings with nothing under them",
    ),
    LeftOut.KEYWORD: ("a keyword that cannot be a tag", "{n:,} keywords that cannot be tags"),
    LeftOut.PICTURE: ("a picture", "{n:,} pictures"),
    LeftOut.EMBED: ("a note shown in another", "{n:,} notes shown in others"),
    LeftOut.COMMENT: ("a comment", "{n:,} comments"),
    LeftOut.DRAWING: ("the data of a drawing", "the data of {n:,} drawings"),
    LeftOut.TEMPLATE: ("a template", "{n:,} templates"),
    LeftOut.STRAY: (
        "a byte that is not UTF-8, read as Windows-1252",
        "{n:,} bytes that are not UTF-8, read as Windows-1252",
    ),
    LeftOut.OTHER_FILE: (
        "a file that is empty, or not one Inklings reads",
        "{n:,} files that are empty, or not ones Inklings reads",
    ),
}
