"""Why a file cannot be imported, as sentences for the window; never a word of what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from inklings_desktop.domain.transfer.document import (
    MAX_FILE_BYTES,
    SCHEMA_VERSION,
)
from inklings_desktop.ui.kit.look.translation import counted, tr

if TYPE_CHECKING:
    from inklings_desktop.domain.transfer.document import ImportRefusedError
    from inklings_desktop.usecases.transfer.withdraw_import import Withdrawn


_FOREIGN = frozenset(
    {"unknown", "empty", "no_memory", "other_format", "broken_json", "several", "nowhere"}
    | {"too_many_files", "no_notes", "broken_zip", "other_program", "no_encoding"}
    | {"other_encoding"}
)
_NOT_OURS = frozenset({"not_ours", "not_json", "encoding", "no_file"})


def refusal_of(error: ImportRefusedError) -> tuple[str, str]:
    """What is wrong, and what to do."""
    title, text = _sentences(error)
    return title, text or tr("Nothing was changed.")


def return_sentences() -> tuple[str, str]:
    """That a file that was just written is too large to be read again, and what to do."""
    return (
        tr("This export is too large to come back"),
        tr(
            "It was written, and other programs can read it; Inklings imports files of up to "
            "{n} MiB. Export one tier at a time or without vectors, or keep a backup."
        ).format(n=MAX_FILE_BYTES // 1024 // 1024),
    )


def _sentences(error: ImportRefusedError) -> tuple[str, str]:
    if error.reason in _NOT_OURS:
        return tr("This file is not an Inklings export"), ""
    limit = QLocale().toString(round(error.limit)) if error.limit is not None else ""
    if error.reason in _FOREIGN:
        return _foreign(error, limit)
    match error.reason:
        case "newer":
            return (
                tr(
                    "This export uses schema version {found}; this version reads {supported}."
                ).format(found=limit, supported=SCHEMA_VERSION),
                tr("Nothing was changed. Update Inklings to read it."),
            )
        case "too_large":
            return (
                tr("This is more than {n} MiB").format(n=MAX_FILE_BYTES // 1024 // 1024),
                tr("Nothing was changed. Bring it in parts, or export it without vectors."),
            )
        case "changed":
            return (
                tr("Memory changed since this preview was made"),
                tr("Nothing was changed. Look at the rows again, then import."),
            )
        case "overfull":
            return (
                tr("This would bring in more memories than there is room for"),
                tr(
                    "Nothing was changed. There is room for {limit}: choose fewer rows, "
                    "or forget some memories first."
                ).format(limit=limit),
            )
        case "replaces_most":
            return (
                tr("This would replace more than nine tenths of what is here"),
                tr("Nothing was changed. Keep more of your own rows."),
            )
        case "second_voice" | "second_soul":
            return (
                tr("This file has a second {name}").format(name=error.reason[7:].upper()),
                tr(
                    "Nothing was changed. There can be only one: number {first} and "
                    "another{where}. Remove one of the two from the file, or export it "
                    "again."
                ).format(first=limit, where=_place(error)),
            )
        case "into":
            return tr("This file contains several workspaces; they cannot go into one"), ""
        case _:
            return (
                tr("This file is not a sound Inklings export"),
                " ".join([_fault(error), tr("Nothing was changed.")]),
            )


def _foreign(error: ImportRefusedError, limit: str) -> tuple[str, str]:
    """What is wrong with a file that is no export of ours."""
    match error.reason:
        case "empty":
            return tr("This file is empty"), ""
        case "no_memory":
            return tr("There is no text in this file that could be a memory"), ""
        case "broken_json":
            return (
                tr("This file is not sound JSON"),
                tr("It breaks off or is mistyped in line {line}. Nothing was changed.").format(
                    line=limit
                ),
            )
        case "broken_zip":
            return tr("This file is broken, or locked with a password"), ""
        case "other_program":
            return (
                tr("Inklings can\u2019t read this file: {kind}").format(kind=error.where),
                tr("It was not changed. Save it as Markdown or plain text first."),
            )
        case "no_encoding" | "other_encoding":
            return tr("This file is not of the encoding {name}").format(name=error.where), ""
        case "several":
            return (
                tr("Import an Inklings export alone"),
                tr("Nothing was changed. Import {name} without the other files.").format(
                    name=error.where
                ),
            )
        case "nowhere":
            return tr("There is no workspace that these memories could go to"), ""
        case "too_many_files":
            return tr("These are more than {limit} files").format(limit=limit), tr(
                "Nothing was changed. Import fewer at a time."
            )
        case "no_notes":
            return tr("Inklings can\u2019t read anything in this folder"), ""
        case _:
            return (
                tr("Inklings can\u2019t read this file"),
                tr(
                    "It was not changed. Inklings reads its own exports, Markdown, plain text, "
                    "Word (.docx), CSV, JSON, novelWriter, lorebooks of SillyTavern and NovelAI, "
                    "and memories of MCP\u2019s memory server, mem0, ChatGPT and Claude."
                ),
            )


def _fault(error: ImportRefusedError) -> str:
    """What is wrong inside the file, and where as far as that is known."""
    words = {
        "too_deep": tr("It is nested deeper than an export can be{where}."),
        "too_many": tr("It has more parts than one import can take{where}."),
        "duplicate_key": tr("A field appears twice{where}."),
        "number": tr("A number in it cannot be used{where}."),
        "characters": tr("It contains a NUL or half a character{where}."),
        "type": tr("A value has the wrong type{where}."),
        "missing": tr("A field is missing in it{where}."),
        "foreign": tr("It points to something that is not in it{where}."),
        "id": tr("An id in it is not valid{where}."),
        "repeated": tr("The same id or name appears twice{where}."),
        "time": tr("A time in it is not a valid time of 1970 or later, in UTC{where}."),
        "word": tr("A word in it is not one that Inklings knows{where}."),
        "order": tr("Its revisions do not follow one another{where}."),
        "look_alike": tr("A named entry in it looks like VOICE or SOUL and is neither{where}."),
        "base64": tr("A vector in it cannot be read{where}."),
        "too_long": tr("A text in it is too long{where}."),
        "decision": tr("This cannot be done with that row{where}."),
    }
    known = words.get(error.reason, tr("A value in it cannot be used{where}."))
    return known.format(where=_place(error))


def _place(error: ImportRefusedError) -> str:
    return f" ({error.where.replace('.', ', ')})" if error.where else ""


def withdrawal_sentence(done: Withdrawn) -> str:
    """What became of the import, for a note."""
    gone = counted(
        done.n_removed,
        "Undone: an import of 1 memory",
        "Undone: an import of {n} memories",
    )
    left = left_by_withdrawal(done)
    return f"{gone}. {left}" if left else gone


def left_by_withdrawal(done: Withdrawn) -> str:
    """What stayed, because somebody changed it since or because it is built in."""
    if not done.n_left:
        return ""
    return counted(
        done.n_left,
        "1 stays: it was changed since, or is built in.",
        "{n} stay: they were changed since, or are built in.",
    )
