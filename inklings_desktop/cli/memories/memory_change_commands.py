"""``inklings memory``: edit, copy, confirm, forget, restore, pin, pause, lock."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from inklings_desktop.cli.command import command
from inklings_desktop.cli.documents import current_document, memory_document
from inklings_desktop.cli.listening import listening
from inklings_desktop.cli.memories.memory_lines import made_room_line, row_lines, short_id
from inklings_desktop.cli.memory_options import (
    CopyOptions,
    EditOptions,
    ForgetOptions,
    ForgetWrittenOptions,
    MemoriesOptions,
    RestoreVersionOptions,
)
from inklings_desktop.cli.messages import refused, wrong_usage
from inklings_desktop.cli.output import counted, one_line, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import (
    by_file,
    find_memories,
    find_memory,
    found_about,
    place_named,
    required_workspace,
)
from inklings_desktop.cli.typed_text import edited, given_text, new_draft, secret_notes
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import MemoryState
from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memory import MemoryPatch
from inklings_desktop.domain.memory_values import checked_tags

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.bundle import Inklings

_MARKS = {
    "pin": (MemoryMark.PINNED, True, "Pinned", "Let memories no longer decay."),
    "unpin": (MemoryMark.PINNED, False, "Unpinned", "Let pinned memories decay again."),
    "pause": (
        MemoryMark.PAUSED,
        True,
        "Paused",
        "Keep memories, but let no search find them until they are resumed.",
    ),
    "resume": (MemoryMark.PAUSED, False, "Resumed", "Let paused memories be found again."),
    "lock": (MemoryMark.LOCKED, True, "Locked", "Let agents only propose changes to memories."),
    "unlock": (
        MemoryMark.LOCKED,
        False,
        "Unlocked",
        "Let agents change memories again, unless the author wrote them.",
    ),
}


def add_change_commands(memories: typer.Typer) -> None:
    """Add the commands that change memories to their group."""
    command(memories, "edit", EditOptions, edit)
    command(memories, "restore-version", RestoreVersionOptions, restore_version)
    command(memories, "copy", CopyOptions, copy)
    command(memories, "confirm", MemoriesOptions, confirm)
    command(memories, "forget", ForgetOptions, forget)
    command(memories, "forget-written", ForgetWrittenOptions, forget_written)
    command(memories, "restore", MemoriesOptions, restore)
    for name, (mark, on, verb, about) in _MARKS.items():
        command(memories, name, MemoriesOptions, _marking(mark, verb, about, on=on))


def edit(inklings: Inklings, options: EditOptions) -> Answer:
    """Change one memory; without an option its text opens in $EDITOR."""
    before = find_memory(inklings, options.id)
    _refuse_forgotten([before])
    if _changes_anything(options):
        after = _save(inklings, before, options, options.content)
    elif options.as_json:
        raise wrong_usage("Say what to change, for example with --content.")
    else:
        after = _edit_text(inklings, before, options)
    is_changed = after.version != before.version
    said = f"Saved {short_id(after.id)}, now version {after.version}."
    return Answer(
        {"memory": current_document(inklings, after), "changed": is_changed},
        [said if is_changed else f"{short_id(after.id)} is as it was: nothing changed."],
        secret_notes(after.content) if is_changed else [],
    )


def restore_version(inklings: Inklings, options: RestoreVersionOptions) -> Answer:
    """Bring back what a memory said and weighed in an earlier version, as its newest."""
    before = find_memory(inklings, options.id)
    _refuse_forgotten([before])
    expected = before.version if options.if_version is None else options.if_version
    change = inklings.memories.restore_version(
        before.ref, options.version, expected_version=expected
    )
    name = short_id(before.id)
    said = f"Version {options.version} of {name} is back, now version {change.after.version}."
    return Answer(
        {"memory": current_document(inklings, change.after), "changed": change.is_change},
        [said if change.is_change else f"{name} reads so already: nothing changed."],
    )


def copy(inklings: Inklings, options: CopyOptions) -> Answer:
    """Write what a memory says into another place as well; the memory itself stays."""
    entry = find_memory(inklings, options.id)
    _refuse_forgotten([entry])
    place = place_named(inklings, options)
    with listening(inklings) as heard:
        copied = inklings.memories.copy(entry.ref, place.scope)
    made_room = list(heard.forgotten)
    where = f"{copied.scope.tier.value} tier"
    lines = [f"{short_id(entry.id)} is in the {where} too, as {short_id(copied.id)}."]
    if made_room:
        lines.append(made_room_line(made_room))
    return Answer({"memory": current_document(inklings, copied), "made_room": made_room}, lines)


def confirm(inklings: Inklings, options: MemoriesOptions) -> Answer:
    """Say that memories are still true: their hours count from now."""
    entries = find_memories(inklings, options.ids)
    _refuse_forgotten(entries)
    done = [entry for refs in by_file(entries) for entry in inklings.memories.confirm(refs)]
    return _changed(inklings, "confirmed", "Confirmed", entries, done)


def forget(inklings: Inklings, options: ForgetOptions) -> Answer:
    """Forget memories: nothing finds them any more, and you can restore them.

    With --about, memories are listed by what they say, with those that you forgot before, and
    forgotten once you agree: at a terminal you are asked, elsewhere add --yes.
    """
    if (options.about is None) == (not options.ids):
        raise wrong_usage("Name memories by their ids, or what they are about with --about.")
    if options.about is not None:
        return _forget_about(inklings, options, options.about)
    if options.tier or options.channel or options.conversation or options.yes:
        raise wrong_usage("--tier, --channel, --conversation and --yes belong to --about.")
    entries = find_memories(inklings, options.ids or ())
    done = [
        entry
        for refs in by_file(entries)
        for entry in inklings.memories.forget(refs, reason=options.reason)
    ]
    return _changed(inklings, "forgotten", "Forgot", entries, done)


def _forget_about(inklings: Inklings, options: ForgetOptions, subject: str) -> Answer:
    now, decay = inklings.clock(), inklings.settings.decay
    found, names = found_about(inklings, options, subject)
    active, gone = found[MemoryState.ACTIVE], found[MemoryState.FORGOTTEN]
    lines = []
    for title, entries in (("Forgotten before:", gone), ("To forget:", active)):
        lines += [title] if entries else []
        for one in entries:
            lines += row_lines(one, relevance_of(one, decay, now), now, names)
    is_asked = bool(active) and not options.yes and sys.stdin.isatty() and not options.as_json
    if is_asked:
        for line in lines:
            typer.echo(visible(line), err=True)
        lines = []
    done: list[MemoryEntry] = []
    if options.yes or (is_asked and typer.confirm("Forget these?", err=True)):
        for refs in by_file(active):
            done += inklings.memories.forget(refs, reason=options.reason)
    if done:
        lines.append(f"Forgot {counted(len(done), 'memory')}. To undo: inklings memory restore ID")
    elif active and not is_asked:
        lines.append(f"Add --yes to forget {counted(len(active), 'memory')}.")
    elif not active:
        lines.append(f"Nothing to forget about {one_line(subject, 60)}.")
    documents = {
        key: [memory_document(one, relevance_of(one, decay, now)) for one in entries]
        for key, entries in (("found", active), ("forgotten_before", gone), ("forgotten", done))
    }
    return Answer(documents, lines)


def forget_written(inklings: Inklings, options: ForgetWrittenOptions) -> Answer:
    """Count what a client wrote, in the workspace and the account, and forget it with --yes."""
    workspace = required_workspace(inklings).id
    written = inklings.memories.find_written(options.client, workspace)
    name, n_free = one_line(options.client), counted(len(written.free), "memory")
    done = [
        entry
        for refs in (by_file(written.free) if options.yes else ())
        for entry in inklings.memories.forget(refs)
    ]
    lines = [f"Forgot {counted(len(done), 'memory')} that {name} wrote."]
    if not options.yes:
        lines = [f"{name} wrote {n_free}."]
        if written.n_pinned:
            lines.append(f"Of these you pinned {written.n_pinned:,}.")
        if written.free:
            lines.append("To forget what is counted here, add --yes. It can be restored.")
    if written.n_locked:
        lines.append(f"Left: {counted(written.n_locked, 'memory')} that you locked.")
    if written.n_rewritten:
        lines.append(f"Left: {counted(written.n_rewritten, 'memory')} that you rewrote.")
    return Answer(
        {
            "written": len(written.free),
            "pinned": written.n_pinned,
            "locked": written.n_locked,
            "rewritten": written.n_rewritten,
            "forgotten": [one.id for one in done],
        },
        lines,
    )


def restore(inklings: Inklings, options: MemoriesOptions) -> Answer:
    """Make forgotten memories active again."""
    entries = find_memories(inklings, options.ids)
    done = [entry for refs in by_file(entries) for entry in inklings.memories.restore(refs)]
    return _changed(inklings, "restored", "Restored", entries, done)


def _marking(
    mark: MemoryMark, verb: str, about: str, *, on: bool
) -> Callable[[Inklings, MemoriesOptions], Answer]:
    def body(inklings: Inklings, options: MemoriesOptions) -> Answer:
        entries = find_memories(inklings, options.ids)
        _refuse_forgotten(entries)
        refs = by_file(entries)
        done = [one for some in refs for one in inklings.memories.mark(some, mark, on=on)]
        return _changed(inklings, verb.lower(), verb, entries, done)

    body.__doc__ = about
    return body


def _changes_anything(options: EditOptions) -> bool:
    values = (options.content, options.importance, options.lifetime, options.tags)
    more = (options.add_tags, options.remove_tags, options.no_tags)
    return any(value is not None for value in values) or any(more)


def _save(
    inklings: Inklings, before: MemoryEntry, options: EditOptions, content: str | None
) -> MemoryEntry:
    patch = MemoryPatch(
        content=None if content is None else given_text(content),
        importance=options.importance,
        lifetime=options.lifetime,
        tags=_tags(before, options),
    )
    version = before.version if options.if_version is None else options.if_version
    return inklings.memories.update(before.ref, patch, expected_version=version)


def _tags(before: MemoryEntry, options: EditOptions) -> tuple[str, ...] | None:
    if options.no_tags:
        if options.tags or options.add_tags:
            raise wrong_usage("--no-tags does not go with --tag or --add-tag.")
        return ()
    if not (options.tags or options.add_tags or options.remove_tags):
        return None
    base = before.tags if options.tags is None else tuple(options.tags)
    removed = set(checked_tags(options.remove_tags or []))
    return (*(tag for tag in base if tag not in removed), *(options.add_tags or ()))


def _edit_text(inklings: Inklings, before: MemoryEntry, options: EditOptions) -> MemoryEntry:
    """Let the person edit the text; what was typed outlives a save that fails."""
    draft = new_draft(before.content)
    try:
        text = edited(draft, before.content)
    except BaseException:
        if draft.exists() and draft.read_bytes() == before.content.encode():
            draft.unlink()
        raise
    try:
        after = _save(inklings, before, options, text)
    except InklingsError as error:
        error.add_note(f"Your text is kept in {draft}.")
        raise
    draft.unlink()
    return after


def _refuse_forgotten(entries: Sequence[MemoryEntry]) -> None:
    forgotten = [short_id(entry.id) for entry in entries if entry.is_forgotten]
    if forgotten:
        ids = " ".join(forgotten)
        raise refused(
            "forgotten",
            f"Forgotten memories stay as they are: {ids}. Nothing was changed. Restore first "
            f"with: inklings memory restore {ids}",
        )


def _changed(
    inklings: Inklings,
    key: str,
    verb: str,
    asked: Sequence[MemoryEntry],
    done: Sequence[MemoryEntry],
) -> Answer:
    """What became of the memories that were named."""
    ids = {entry.id for entry in done}
    untouched = [entry.id for entry in asked if entry.id not in ids]
    lines = [f"{verb} {counted(len(done), 'memory')}."] if done else []
    if untouched:
        lines.append(f"Already so: {' '.join(map(short_id, untouched))}.")
    documents = [current_document(inklings, entry) for entry in done]
    return Answer({key: documents, "unchanged": untouched}, lines)
