"""An import in words: lines, heads, chips and sentences; pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import Tier
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
from inklings_desktop.ui.transfer.foreign_words import format_name, read_files, where_in_files
from inklings_desktop.ui.transfer.import_state import ImportItem, ImportLine, ImportState

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.transfer.document import Fault
    from inklings_desktop.domain.transfer.import_plan import ImportRow, ImportRun
    from inklings_desktop.usecases.transfer.import_outcome import Imported

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
                "Conversations, golden questions, saved filters and proposals come back only into "
                "an empty store; 1 is left out.",
                "Conversations, golden questions, saved filters and proposals come back only into "
                "an empty store; {n} are left out.",
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
