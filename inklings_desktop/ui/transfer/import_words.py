"""An import in words, also of files that are no exports of ours; pure functions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.transfer.foreign.formats import FormatId
from inklings_desktop.domain.transfer.foreign.found import LeftOut
from inklings_desktop.domain.transfer.foreign.notes import Grain
from inklings_desktop.domain.transfer.import_plan import (
    Decision,
    ImportReason,
    ImportStatus,
    RowKind,
)
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.translation import counted, decimal, grouped, lowered, tr
from inklings_desktop.ui.kit.words.consolidation_words import broken_words
from inklings_desktop.ui.kit.words.memory_facts import (
    exact_time,
    importance_figure,
    relative_age,
    tier_title,
)
from inklings_desktop.ui.transfer.import_state import ImportItem, ImportLine, ImportState, ImportTo

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.rooms.conversation import Channel
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.domain.transfer.document import Fault
    from inklings_desktop.domain.transfer.foreign.formats import Wishes
    from inklings_desktop.domain.transfer.import_plan import ImportPreview, ImportRow, ImportRun
    from inklings_desktop.usecases.transfer.import_outcome import Imported

    WishChoice = tuple[str, Wishes, bool]
    """What it is called, what it asks for, and whether that is asked for now."""

_TOLD, _TOLD_CHARACTERS = 20, 80
_NAMED = 12
"""How many fields without a place are named; the command line names them all."""


def files_named(paths: tuple[Path, ...]) -> str:
    """The one file or folder by its name, else how many there are."""
    if len(paths) == 1:
        return paths[0].name
    return counted(len(paths), "1 file", "{n} files")


def read_files(name: str, n_files: int) -> str:
    """What was read: a file by its name, a folder with how many files of it, else how many."""
    files = counted(n_files, "1 file", "{n} files")
    if not name:
        return files
    return name if n_files == 1 else f"{name} ({files})"


def targets_of(
    preview: ImportPreview,
    here: Workspace,
    workspaces: Sequence[Workspace],
    channels: Sequence[Channel],
) -> tuple[ImportTo, ...]:
    """Where the files can go; empty where they say so themselves.

    Args:
        preview: What importing them would do.
        here: The open workspace.
        workspaces: All of them.
        channels: Those of the open one.
    """
    if preview.document.foreign is None:
        named = [one for one in preview.document.sections if one.workspace is not None]
        if len(named) != 1:
            return ()
        into = tr("Into {workspace}").format(workspace=here.name)
        return (ImportTo(tr("The tiers named in the file")), ImportTo(into, into=here.id))
    others = [one for one in workspaces if one.id != here.id]
    return (
        ImportTo(here.name, place=ScopeKey.workspace(here.id)),
        *(ImportTo(f"#{one.name}", place=ScopeKey.channel(here.id, one.id)) for one in channels),
        ImportTo(tier_title(Tier.ACCOUNT), place=ScopeKey.account()),
        *(ImportTo(one.name, place=ScopeKey.workspace(one.id)) for one in others),
    )


def format_name(format_id: str) -> str:
    """What a format is called."""
    return _FORMATS[FormatId(format_id)]()


def how_sentences(state: ImportState) -> str:
    """How foreign files were read, and what of them does not come in; empty for an export."""
    document = state.preview.document
    foreign = document.foreign
    if foreign is None:
        return ""
    kinds = {FormatId(one) for one in foreign.formats}
    told = list(dict.fromkeys(rule() for one, rule in _RULES.items() if one in kinds))
    if kinds & NOTES:
        told.insert(0, _GRAINS[state.wishes.by]())
    left = [_LEFT_OUT[LeftOut(name)](n) for name, n in foreign.left_out.items()]
    if left:
        told.append(tr("Left out: {what}.").format(what=", ".join(left)))
    if document.unknown:
        more = ["\u2026"] if len(document.unknown) > _NAMED else []
        names = spelled_out(", ".join([*document.unknown[:_NAMED], *more]))
        told.append(tr("Not imported: {names}.").format(names=names))
    if foreign.is_guessed:
        names = ", ".join(foreign.encodings)
        told.append(tr("Not UTF-8; read as {encoding}.").format(encoding=names))
    n_secrets = sum(row.is_secret for row in state.file.by_status[None])
    if n_secrets:
        told.append(
            counted(
                n_secrets,
                "1 row looks like a key or password.",
                "{n} rows look like keys or passwords.",
            )
        )
    return " ".join(told)


def left_sentences(state: ImportState) -> str:
    """Each thing that is left out, with its place and how it begins; empty for none."""
    foreign = state.preview.document.foreign
    lines = []
    for one in () if foreign is None else foreign.left[:_TOLD]:
        where = ", ".join(filter(None, (one.file, _line(one.line) if one.line else "")))
        text = " ".join(one.text[:_TOLD_CHARACTERS].split())
        lines.append(spelled_out(": ".join(filter(None, (where, text)))))
    if foreign is not None and len(foreign.left) > _TOLD:
        lines.append("\u2026")
    return "\n".join(lines)


def _line(number: int) -> str:
    return tr("Line {line}").format(line=grouped(number))


def wishes_of(state: ImportState) -> tuple[tuple[str, tuple[WishChoice, ...]], ...]:
    """How the files can be read: groups of choices under their names; none for an export."""
    foreign, now = state.preview.document.foreign, state.wishes
    if foreign is None:
        return ()
    groups = []
    if {FormatId(one) for one in foreign.formats} & NOTES:
        grains = tuple((name(), replace(now, by=by), now.by is by) for by, name in _BY.items())
        groups.append((tr("One memory for each"), grains))
    if foreign.columns:
        chosen = next((name for name, role in now.columns.items() if role == "content"), "")
        named = (("", tr("Found automatically")), *((one, one) for one in foreign.columns))
        columns = tuple(
            (
                spelled_out(label),
                replace(now, columns={one: "content"} if one else {}),
                chosen == one,
            )
            for one, label in named
        )
        groups.append((tr("Text column"), columns))
    encodings = (("", tr("Found automatically")), *((one, label) for one, label in _ENCODINGS))
    groups.append(
        (
            tr("Encoding"),
            tuple(
                (label, replace(now, encoding=one), now.encoding == one) for one, label in encodings
            ),
        )
    )
    return tuple(groups)


def where_in_files(row: ImportRow) -> str:
    """The line of a row, and its file where there are several; empty where neither is known."""
    if row.origin is None:
        return ""
    file, line = spelled_out(row.origin.file), row.origin.line
    if not line:
        return file
    if not file:
        return _line(line)
    return tr("{file}, line {line}").format(file=file, line=grouped(line))


_BY: Mapping[Grain, Callable[[], str]] = {
    Grain.PARAGRAPH: lambda: tr("Paragraph"),
    Grain.SECTION: lambda: tr("Section"),
    Grain.FILE: lambda: tr("File"),
}
_ENCODINGS = (
    ("utf-8", "UTF-8"),
    ("cp1252", "Windows-1252"),
    ("cp1250", "Windows-1250"),
    ("cp1251", "Windows-1251"),
    ("koi8-r", "KOI8-R"),
    ("mac-roman", "Mac Roman"),
    ("utf-16-le", "UTF-16"),
    ("shift_jis", "Shift JIS"),
    ("gb18030", "GB 18030"),
    ("big5", "Big5"),
    ("euc-kr", "EUC-KR"),
)
_FORMATS = {
    FormatId.MARKDOWN: lambda: tr("Markdown"),
    FormatId.TEXT: lambda: tr("plain text"),
    FormatId.CSV: lambda: tr("table"),
    FormatId.MCP_MEMORY: lambda: tr("MCP memory"),
    FormatId.MEM0: lambda: tr("mem0"),
    FormatId.CHATGPT: lambda: tr("ChatGPT memories"),
    FormatId.CLAUDE: lambda: tr("Claude memories"),
    FormatId.DOCX: lambda: tr("Word document"),
    FormatId.SILLYTAVERN: lambda: tr("SillyTavern lorebook"),
    FormatId.NOVELAI: lambda: tr("NovelAI lorebook"),
    FormatId.JSON: lambda: tr("JSON"),
}
NOTES = frozenset({FormatId.MARKDOWN, FormatId.TEXT, FormatId.DOCX, FormatId.CLAUDE})
"""What is read by paragraph, section or file."""
_GRAINS: Mapping[Grain, Callable[[], str]] = {
    Grain.PARAGRAPH: lambda: tr("Each paragraph and list item is one memory."),
    Grain.SECTION: lambda: tr("Each section is one memory."),
    Grain.FILE: lambda: tr("Each file is one memory."),
}
_RULES: Mapping[FormatId, Callable[[], str]] = {
    FormatId.CSV: lambda: tr("Each row is one memory."),
    FormatId.MCP_MEMORY: lambda: tr("Each observation and each relation is one memory."),
    FormatId.SILLYTAVERN: lambda: tr(
        "Each entry is one memory; title and keys become tags, and what is switched off is paused."
    ),
    FormatId.NOVELAI: lambda: tr(
        "Each entry is one memory; title and keys become tags, and what is switched off is paused."
    ),
}
_LEFT_OUT: Mapping[LeftOut, Callable[[int], str]] = {
    LeftOut.REPEATED: lambda n: counted(n, "1 duplicate", "{n} duplicates"),
    LeftOut.EMPTY: lambda n: counted(n, "1 without a text", "{n} without a text"),
    LeftOut.HEADING: lambda n: counted(
        n, "1 heading with nothing under it", "{n} headings with nothing under them"
    ),
    LeftOut.KEYWORD: lambda n: counted(
        n, "1 keyword that cannot be a tag", "{n} keywords that cannot be tags"
    ),
    LeftOut.PICTURE: lambda n: counted(n, "1 picture", "{n} pictures"),
    LeftOut.EMBED: lambda n: counted(n, "1 note shown in another", "{n} notes shown in others"),
    LeftOut.COMMENT: lambda n: counted(n, "1 comment", "{n} comments"),
    LeftOut.DRAWING: lambda n: counted(n, "the data of 1 drawing", "the data of {n} drawings"),
    LeftOut.TEMPLATE: lambda n: counted(n, "1 template", "{n} templates"),
    LeftOut.STRAY: lambda n: counted(n, "1 byte that is not UTF-8", "{n} bytes that are not UTF-8"),
    LeftOut.OTHER_FILE: lambda n: counted(
        n,
        "1 file that is empty or unknown",
        "{n} files that are empty or unknown",
    ),
}


STATUS_ROLES = {
    ImportStatus.NEW: "accent",
    ImportStatus.DUPLICATE: "graphite",
    ImportStatus.CONFLICT: "ochre",
    ImportStatus.REFUSED: "madder",
}
_RINGS = {
    Tier.CONVERSATION: (1, "tierConversation"),
    Tier.CHANNEL: (2, "tierChannel"),
    Tier.WORKSPACE: (3, "tierWorkspace"),
    Tier.ACCOUNT: (4, "tierAccount"),
}
_SHOWN_CHARACTERS = 240


def under_title(state: ImportState) -> str:
    """What file it is, and that nothing happened yet."""
    document = state.preview.document
    if document.foreign is not None:
        n = len(state.preview.rows) - state.file.count(ImportStatus.REFUSED)
        kinds = ", ".join(map(format_name, document.foreign.formats))
        return tr("{name}, {format}: {what}. Nothing has changed yet.").format(
            name=read_files(state.file_name, document.foreign.n_files),
            format=kinds,
            what=counted(n, "1 memory", "{n} memories"),
        )
    return tr("{name}, schema version {version}, written {date}. Nothing has changed yet.").format(
        name=state.file_name,
        version=document.schema_version,
        date=day(document.exported_at),
    )


def status_label(status: ImportStatus | None) -> str:
    """The word of a chip."""
    return {
        None: tr("All"),
        ImportStatus.NEW: tr("New"),
        ImportStatus.DUPLICATE: tr("Duplicate"),
        ImportStatus.CONFLICT: tr("Conflict"),
        ImportStatus.REFUSED: tr("Refused"),
    }[status]


def foot_sentences(state: ImportState) -> tuple[str, str]:
    """What the foot promises, and what of an export is left out."""
    preview = state.preview
    if preview.is_restore:
        promise = tr("Nothing is here yet: everything comes back as it was.")
    else:
        promise = tr("Backed up first. You can undo the whole import.")
    left = []
    if preview.n_forgotten:
        left.append(
            counted(
                preview.n_forgotten,
                "1 memory is forgotten in the file and left out.",
                "{n} memories are forgotten in the file and left out.",
            )
        )
    if preview.n_beside:
        left.append(
            counted(
                preview.n_beside,
                "Conversations, golden questions, saved filters, proposals and folders of pages "
                "come back only into an empty store; 1 is left out.",
                "Conversations, golden questions, saved filters, proposals and folders of pages "
                "come back only into an empty store; {n} are left out.",
            )
        )
    if preview.document.unknown and preview.document.foreign is None:
        left.append(
            tr("Not imported: {names}.").format(
                names=spelled_out(", ".join(preview.document.unknown))
            )
        )
    return promise, " ".join(left)


def overfull_sentences(state: ImportState) -> tuple[str, str]:
    """That a place has no room for all that is chosen, and what to do; empty while it has."""
    scope = state.overfull
    if scope is None:
        return "", ""
    tier = tier_title(scope.tier)
    place = f"{tier}, {spelled_out(scope.place)}" if scope.place else tier
    title = tr("{place}: there is no room for all of this.").format(place=place)
    n_over = scope.n_over(state.chosen)
    text = tr(
        "It would have {after} memories; {cap} is the most. {leave}, or forget as many there first."
    ).format(
        after=grouped(scope.n_after(state.chosen)),
        cap=grouped(scope.cap),
        leave=counted(n_over, "Leave 1 row out", "Leave {n} rows out"),
    )
    return title, text


def import_label(state: ImportState) -> str:
    """The button: exactly how many rows would be written."""
    if state.is_writing:
        return tr("Importing\u2026")
    verb = tr("Restore {n}") if state.preview.is_restore else tr("Import {n}")
    return verb.format(n=grouped(state.n_written))


def mine_title(row: ImportRow, now: datetime) -> str:
    """What stands over my text."""
    if row.mine is None:
        return tr("Nothing similar here")
    return tr("Yours, edited {age} ago").format(age=relative_age(now - row.mine.changed_at))


def theirs_title(row: ImportRow) -> str:
    """What stands over the file's text."""
    if row.origin is not None:
        return where_in_files(row) or tr("In the file")
    if row.changed_at is None:
        return tr("In the file")
    return tr("In the file, {date}").format(date=day(row.changed_at))


def done_sentence(done: Imported) -> str:
    """What was done, for a note."""
    n_written = done.n_added + done.n_taken + done.n_entries
    if done.is_restore:
        return counted(n_written, "Restored 1 row", "Restored {n} rows")
    said = counted(n_written, "Imported 1 row", "Imported {n} rows")
    return f"{said}, {broken_words(done.n_broken)}" if done.n_broken else said


def run_sentence(run: ImportRun) -> str:
    """One import in the list of those that can be taken back."""
    parts = [exact_time(run.at), counted(run.n_added, "1 added", "{n} added")]
    if run.n_taken:
        parts.append(counted(run.n_taken, "1 replaced", "{n} replaced"))
    return ", ".join(parts)


def day(at: datetime) -> str:
    """A date as the locale writes it."""
    return exact_time(at).rpartition(",")[0]


def line_of(item: ImportItem) -> ImportLine:
    """A row as a line of the list."""
    row, decision = item.row, item.decision
    inked, tier_role = _RINGS[row.tier]
    is_conflict = row.status is ImportStatus.CONFLICT
    under = _under(row)
    what = _what(row, decision)
    choices = tuple((one.value, _CHOICES[one]()) for one in row.choices) if is_conflict else ()
    tier = tier_title(row.tier)
    status = lowered(status_label(row.status), is_noun=False)
    is_memory = row.kind is RowKind.MEMORY
    importance = importance_figure(row.importance) if is_memory else ""
    told = [tier, under, importance and tr("importance {figure}").format(figure=importance), what]
    return ImportLine(
        row.number,
        status,
        STATUS_ROLES[row.status],
        inked,
        tier_role,
        tier,
        spelled_out(row.name or _one_line(row.content)) or tr("(empty content)"),
        under,
        importance,
        decision is not Decision.KEEP,
        row.status is not ImportStatus.REFUSED and len(row.choices) > 1,
        choices,
        decision.value,
        what,
        is_conflict,
        is_memory,
        ", ".join(part for part in told if part),
    )


def _under(row: ImportRow) -> str:
    match row.reason:
        case ImportReason.FAULTS:
            number = tr("Row {number}").format(number=grouped(row.number))
            where = where_in_files(row) if row.origin is not None and row.origin.line else number
            return f"{where}: {', '.join(map(_fault, row.faults))}"
        case ImportReason.SAME_TEXT:
            return tr("Same text as your memory")
        case ImportReason.MORE_TAGS:
            return _joined(tr("Same text as your memory"), _tags(row))
        case ImportReason.FORGOTTEN_HERE:
            return tr("Forgotten by you, left out")
        case ImportReason.ALIKE:
            figure = decimal(row.likeness or 0, 2)
            return _joined(tr("{figure} alike").format(figure=figure), _which_is_newer(row))
        case ImportReason.CHANGED:
            return _joined(tr("Differs from yours"), _which_is_newer(row))
        case ImportReason.NEEDS_CONSENT:
            return tr("Named entry; it comes in only if you tick it")
        case _:
            if row.is_forgotten:
                return tr("Forgotten in the file, and stays so")
            paused = tr("paused") if row.is_paused else ""
            secret = tr("looks like a key or password") if row.is_secret else ""
            return _joined(secret, where_in_files(row), paused, _tags(row))


def _tags(row: ImportRow) -> str:
    return spelled_out(" ".join(f"#{one}" for one in row.tags))


def _which_is_newer(row: ImportRow) -> str:
    if row.mine is None or row.changed_at is None:
        return ""
    delta = row.mine.changed_at - row.changed_at
    age = relative_age(abs(delta))
    if delta.total_seconds() > 0:
        return tr("yours is newer by {age}").format(age=age)
    return tr("the file\u2019s is newer by {age}").format(age=age) if delta else ""


def _what(row: ImportRow, decision: Decision) -> str:
    if row.status is ImportStatus.REFUSED:
        return tr("Cannot be imported")
    if decision is Decision.KEEP:
        return tr("Leave out") if row.status is not ImportStatus.CONFLICT else tr("Keep mine")
    if decision is Decision.TAKE:
        is_joined = row.reason is ImportReason.MORE_TAGS
        return tr("Add its tags") if is_joined else tr("Take file")
    if row.status is ImportStatus.CONFLICT:
        return tr("Both")
    if row.reason is ImportReason.RESTORED:
        return tr("Restore as it was")
    if row.place:
        room = f"#{row.place}" if row.tier is Tier.CHANNEL else row.place
        return tr("Add to {room}").format(room=room)
    return tr("Add")


def _fault(fault: Fault) -> str:
    known = {
        ("content", "empty"): tr("content is empty"),
        ("content", "too_long"): tr("content is too long"),
        ("importance", "range"): tr("importance is not from 0 to 1"),
        ("lifetime", "tier"): tr("lifetime does not fit the tier"),
        ("vector", "norm"): tr("vector cannot be used"),
        ("tags", "too_many"): tr("too many tags"),
        ("json", "broken"): tr("this line is not sound JSON"),
        ("json", "object"): tr("this is not a JSON object"),
        ("content", "encoding"): tr("it contains half a character"),
        ("content", "nul"): tr("it contains a NUL"),
        ("relation", "missing"): tr("the relation has an end missing"),
        ("entry", "no_date"): tr("is before the first dated entry"),
    }
    words = known.get((fault.field, fault.rule))
    return words or tr("{field} cannot be used").format(field=fault.field.replace("_", " "))


def _one_line(text: str) -> str:
    return " ".join(text[:_SHOWN_CHARACTERS].split())


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


_CHOICES = {
    Decision.KEEP: lambda: tr("Keep mine"),
    Decision.TAKE: lambda: tr("Take file"),
    Decision.BOTH: lambda: tr("Both"),
}
