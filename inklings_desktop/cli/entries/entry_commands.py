"""``inklings entry``: list, show, edit, new, history, diff, restore, delete, undelete."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.cli.command import command, group
from inklings_desktop.cli.entries.entry_lines import (
    body_lines,
    change_lines,
    entry_document,
    entry_lines,
    head_document,
    revision_document,
    revision_lines,
)
from inklings_desktop.cli.entries.entry_options import (
    DeleteEntryOptions,
    DiffEntryOptions,
    EditEntryOptions,
    EntryOptions,
    EntryTier,
    ListEntriesOptions,
    NewEntryOptions,
    RestoreEntryOptions,
    ShowEntryOptions,
)
from inklings_desktop.cli.entries.proposal_commands import add_proposal_commands
from inklings_desktop.cli.messages import wrong_usage
from inklings_desktop.cli.output import counted
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import required_workspace
from inklings_desktop.cli.typed_text import STDIN, edited, file_text, new_draft, secret_notes
from inklings_desktop.domain.entries.named_entry import SOUL, about_tokens
from inklings_desktop.domain.errors import InklingsError, NotFoundError

if TYPE_CHECKING:
    import typer

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.usecases.bundle import Inklings


def entry_group() -> typer.Typer:
    """Every command about named entries."""
    entries = group("entry", "VOICE, SOUL and companions: what the agent always reads.")
    command(entries, "list", ListEntriesOptions, list_entries)
    command(entries, "show", ShowEntryOptions, show)
    command(entries, "edit", EditEntryOptions, edit)
    command(entries, "new", NewEntryOptions, new)
    command(entries, "history", EntryOptions, history)
    command(entries, "diff", DiffEntryOptions, diff)
    command(entries, "restore", RestoreEntryOptions, restore)
    command(entries, "delete", DeleteEntryOptions, delete)
    command(entries, "undelete", EntryOptions, undelete)
    add_proposal_commands(entries)
    return entries


def list_entries(inklings: Inklings, options: ListEntriesOptions) -> Answer:
    """List the named entries of the workspace and the account."""
    workspace_id = _workspace_id(inklings)
    ask = inklings.entries.list_deleted if options.deleted else inklings.entries.list
    entries = ask(workspace_id)
    lines = entry_lines(entries, inklings.clock())
    if not options.deleted:
        standing = [entry for entry in entries if entry.is_standing]
        n_characters = sum(entry.n_characters for entry in standing)
        lines.append(
            f"Always in context: {counted(n_characters, 'character')}, "
            f"about {counted(about_tokens(n_characters), 'token')}."
        )
    documents = [entry_document(entry) for entry in entries]
    return Answer({"entries": documents}, lines or ["No companion is deleted."])


def show(inklings: Inklings, options: ShowEntryOptions) -> Answer:
    """Show one named entry with its body."""
    entry = _found(inklings, options)
    document, body = entry_document(entry), entry.body
    if options.revision is not None:
        revision = inklings.entries.show_revision(entry.ref, options.revision)
        document, body = document | revision_document(revision), revision.body
    lines = body_lines(body)
    if options.to_file is not None:
        with Path(options.to_file).open("xb") as file:
            file.write(body.encode("utf-8"))
        lines = [f"Wrote {entry.name} to {options.to_file}."]
    notes = ["This is the template; the agent does not get it."] if entry.is_template else []
    if entry.is_unreadable:
        notes.append(
            "Part of it can't be read, and agents don't get it. Write it again, or restore a "
            "revision."
        )
    return Answer({"entry": document}, lines, notes)


def edit(inklings: Inklings, options: EditEntryOptions) -> Answer:
    """Save another body; without a file or - it opens in $EDITOR."""
    before = _found(inklings, options)
    version = before.version if options.if_version is None else options.if_version
    source = _source(options.stdin, options.from_file)
    if source is not None:
        body = file_text(source)
        after = inklings.entries.save(before.ref, body, expected_version=version)
    elif options.as_json:
        raise wrong_usage("Say where the body comes from: --from-file FILE, or - for stdin.")
    else:
        after = _edit_body(inklings, before, version)
    return _saved(before, after)


def new(inklings: Inklings, options: NewEntryOptions) -> Answer:
    """Add a companion, empty unless a file or - is given."""
    source = _source(options.stdin, options.from_file)
    body = "" if source is None else file_text(source)
    is_account = options.tier is EntryTier.ACCOUNT
    workspace_id = None if is_account else required_workspace(inklings).id
    entry = inklings.entries.create(options.tier.tier, workspace_id, options.name, body)
    said = f"Created {entry.name} in the {entry.tier.value} tier."
    return Answer({"entry": entry_document(entry)}, [said], secret_notes(entry.body))


def history(inklings: Inklings, options: EntryOptions) -> Answer:
    """List the revisions of a named entry, the newest first."""
    shown = inklings.entries.show(_found(inklings, options).ref)
    documents = [head_document(head) for head in shown.revisions]
    return Answer({"revisions": documents}, revision_lines(shown.revisions))


def diff(inklings: Inklings, options: DiffEntryOptions) -> Answer:
    """Show what changed from one revision to another, word by word."""
    entry = _found(inklings, options)
    newest = entry.version if options.newer is None else options.newer
    older, newer = (
        inklings.entries.show_revision(entry.ref, number) for number in (options.older, newest)
    )
    lines = change_lines(older.body, newer.body)
    document = {
        "older": revision_document(older),
        "newer": revision_document(newer),
        "lines": lines,
    }
    title = f"{entry.name}: revision {older.number} to {newer.number}"
    return Answer(document, [title, *(lines or ["They read the same."])])


def restore(inklings: Inklings, options: RestoreEntryOptions) -> Answer:
    """Bring an earlier body back, as a new revision."""
    before = _found(inklings, options)
    version = before.version if options.if_version is None else options.if_version
    after = inklings.entries.restore_revision(before.ref, options.number, expected_version=version)
    return _saved(before, after)


def delete(inklings: Inklings, options: DeleteEntryOptions) -> Answer:
    """Take a companion away; entry undelete brings it back."""
    before = _found(inklings, options)
    version = before.version if options.if_version is None else options.if_version
    entry = inklings.entries.delete(before.ref, expected_version=version)
    said = f"Deleted {entry.name}. Restore it with: inklings entry undelete {entry.name}"
    return Answer({"entry": entry_document(entry)}, [said])


def undelete(inklings: Inklings, options: EntryOptions) -> Answer:
    """Bring a deleted companion back, the latest deleted of that name."""
    deleted = inklings.entries.list_deleted(_workspace_id(inklings))
    name = _typed_name(options.name)
    tiers = {None} if options.tier is None else {options.tier.tier}
    found = [one for one in deleted if one.name == name and ({None, one.tier} & tiers)]
    if not found:
        raise NotFoundError("deleted_entry", options.name)
    if len({one.tier for one in found}) > 1:
        raise wrong_usage("Both tiers have a deleted companion of this name; add --tier.")
    entry = inklings.entries.undelete(found[0].ref)
    return Answer({"entry": entry_document(entry)}, [f"{entry.name} is back."])


def _workspace_id(inklings: Inklings) -> str | None:
    return None if inklings.workspace is None else inklings.workspace.id


def _found(inklings: Inklings, options: EntryOptions) -> NamedEntry:
    name = _typed_name(options.name)
    tier = None if options.tier is None else options.tier.tier
    is_account = options.tier is EntryTier.ACCOUNT or name == SOUL
    if inklings.workspace is None and not is_account:
        required_workspace(inklings)
    return inklings.entries.find(_workspace_id(inklings), name, tier)


def _typed_name(name: str) -> str:
    """People type small letters; names have none."""
    return name.upper() if name.isascii() else name


def _source(stdin: str | None, from_file: str | None) -> str | None:
    """Where the body comes from: a file, ``-``, or None for neither."""
    if stdin is not None and (stdin != STDIN or from_file is not None):
        raise wrong_usage("Give the body with --from-file FILE, or with - on stdin.")
    return stdin or from_file


def _edit_body(inklings: Inklings, before: NamedEntry, version: int) -> NamedEntry:
    """Let the person edit the body; what was typed outlives a save that fails."""
    draft = new_draft(before.body)
    try:
        body = edited(draft, before.body)
    except BaseException:
        if draft.exists() and draft.read_bytes() == before.body.encode():
            draft.unlink()
        raise
    try:
        after = inklings.entries.save(before.ref, body, expected_version=version)
    except InklingsError as error:
        error.add_note(f"Your text is kept in {draft}.")
        raise
    draft.unlink()
    return after


def _saved(before: NamedEntry, after: NamedEntry) -> Answer:
    is_changed = after.version != before.version
    said = (
        f"Saved {after.name}, now revision {after.version}."
        if is_changed
        else f"{after.name} is as it was: nothing changed."
    )
    notes = secret_notes(after.body) if is_changed else []
    return Answer({"entry": entry_document(after), "changed": is_changed}, [said], notes)
