"""Why a file cannot be imported, as sentences for the window; never a word of what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

from inklings_desktop.domain.transfer.document import (
    MAX_FILE_BYTES,
    SCHEMA_VERSION,
)

if TYPE_CHECKING:
    from inklings_desktop.domain.transfer.document import ImportRefusedError

_NOT_OURS = frozenset({"not_ours", "not_json", "encoding", "no_file"})


def refusal_of(error: ImportRefusedError) -> tuple[str, str]:
    """What is wrong, and what to do."""
    title, text = _sentences(error)
    return title, text or _tr("Nothing was changed.")


def return_sentences() -> tuple[str, str]:
    """That a file that was just written is too large to be read again, and what to do."""
    return (
        _tr("This export is too large to come back"),
        _tr(
            "It was written, and other programs can read it; Inklings imports files of up to "
            "{n} MiB. Export one tier at a time or without vectors, or keep a backup."
        ).format(n=MAX_FILE_BYTES // 1024 // 1024),
    )


def _sentences(error: ImportRefusedError) -> tuple[str, str]:
    if error.reason in _NOT_OURS:
        return _tr("This file is not an Inklings export"), ""
    limit = QLocale().toString(round(error.limit)) if error.limit is not None else ""
    match error.reason:
        case "newer":
            return (
                _tr(
                    "This export uses schema version {found}; this version reads {supported}."
                ).format(found=limit, supported=SCHEMA_VERSION),
                _tr("Nothing was changed. Update Inklings to read it."),
            )
        case "too_large":
            return (
                _tr("This file is larger than {n} MiB").format(n=MAX_FILE_BYTES // 1024 // 1024),
                _tr("Nothing was changed. Export it in parts, or without vectors."),
            )
        case "changed":
            return (
                _tr("Memory changed since this preview was made"),
                _tr("Nothing was changed. Look at the rows again, then import."),
            )
        case "overfull":
            return (
                _tr("This would bring in more memories than a place may hold"),
                _tr(
                    "Nothing was changed. One place holds {limit} at most; choose fewer rows, or "
                    "forget some of what is there."
                ).format(limit=limit),
            )
        case "replaces_most":
            return (
                _tr("This would replace more than nine tenths of what is here"),
                _tr("Nothing was changed. Keep more of your own rows."),
            )
        case "second_voice" | "second_soul":
            return (
                _tr("This file holds a second {name}").format(name=error.reason[7:].upper()),
                _tr(
                    "Nothing was changed. Only one can stand there: number {first} of the same "
                    "named entries is it already, and here is another{where}. Take one of the two "
                    "out of the file, or export it again."
                ).format(first=limit, where=_place(error)),
            )
        case "into":
            return _tr("This file holds several workspaces; they cannot go into one"), ""
        case _:
            return (
                _tr("This file is not a sound Inklings export"),
                " ".join([_fault(error), _tr("Nothing was changed.")]),
            )


def _fault(error: ImportRefusedError) -> str:
    """What is wrong inside the file, and where as far as that is known."""
    words = {
        "too_deep": _tr("It is nested deeper than an export can be{where}."),
        "too_many": _tr("It holds more parts than an export can have{where}."),
        "duplicate_key": _tr("A field stands in it twice{where}."),
        "number": _tr("A number in it cannot be used{where}."),
        "characters": _tr("It holds a NUL or half a character{where}."),
        "type": _tr("A value in it is of the wrong type{where}."),
        "missing": _tr("A field is missing in it{where}."),
        "foreign": _tr("It points to something that is not in it{where}."),
        "id": _tr("An id in it is none{where}."),
        "repeated": _tr("The same id or name stands in it twice{where}."),
        "time": _tr("A time in it is not one in UTC, 1970 or later{where}."),
        "word": _tr("A word in it is not one that Inklings knows{where}."),
        "order": _tr("Its revisions do not follow one another{where}."),
        "base64": _tr("A vector in it cannot be read{where}."),
        "too_long": _tr("A text in it is too long{where}."),
        "decision": _tr("This cannot be done with that row{where}."),
    }
    known = words.get(error.reason, _tr("A value in it cannot be used{where}."))
    return known.format(where=_place(error))


def _place(error: ImportRefusedError) -> str:
    return f" ({error.where.replace('.', ', ')})" if error.where else ""


def _tr(text: str) -> str:
    return QCoreApplication.translate("import_refusals", text)
