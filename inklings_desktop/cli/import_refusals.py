"""Why a file cannot be imported, or another program's not added to, as a sentence for the terminal.

Never a word of what the file says is in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.transfer.document import (
    MAX_FILE_BYTES,
    SCHEMA_VERSION,
)

if TYPE_CHECKING:
    from inklings_desktop.domain.errors import ClientFileError
    from inklings_desktop.domain.transfer.document import ImportRefusedError

_SENTENCES = {
    "no_place": "It is not known where this program keeps its configuration.",
    "no_folder": "{path} has no folder yet: start that program once, then try again.",
    "unreadable": "{path} is not in the format that its program reads, so nothing is added to it.",
    "shape": "Inklings can't add to the list of servers in {path}: it has an unusual form.",
    "foreign": "{path} is a link or a file of somebody else, or no plain file; it was left alone.",
    "too_large": "{path} is too large to be a configuration; it was left alone.",
    "changed": "{path} was changed in between. Look at the difference again, then write it.",
}


def client_file_sentence(error: ClientFileError) -> str:
    """What is in the way, and that the text can always be added by hand."""
    sentence = _SENTENCES[error.reason].format(path=error.path)
    return f"{sentence} To add it by hand: inklings mcp config CLIENT --for PROGRAM."


TOO_LARGE_TO_RETURN = (
    f"This file is larger than {MAX_FILE_BYTES // 1024 // 1024} MiB, so Inklings cannot import it "
    "again. Export in parts (--workspace, --tier) or without vectors (--no-vectors), or keep a "
    "backup: inklings backup create"
)

_READS = (
    "its own exports (.inklings.json), Markdown, plain text, Word (.docx), CSV, JSON, novelWriter, "
    "lorebooks of SillyTavern and NovelAI, memories of MCP's memory server, mem0, ChatGPT and "
    "Claude, and folders or zips of these"
)
_REFUSALS = {
    "unknown": (
        f"Inklings can't read this file{{where}}. It reads {_READS}. --format reads "
        "a text as one of them."
    ),
    "empty": "This file is empty{where}.",
    "no_memory": "There is no text in this file that could be a memory.",
    "other_format": "This file is not of the format that was named with --format.",
    "broken_json": ("This file is not JSON{where}: it breaks off or is mistyped in line {limit}."),
    "broken_zip": "This file is broken, or locked with a password{where}.",
    "other_program": (
        "Inklings can't read this file{where}. Save it as Markdown or plain text first. It reads "
        f"{_READS}."
    ),
    "no_encoding": "There is no encoding of this name{where}.",
    "other_encoding": (
        "This file is not of the encoding that was named{where}: line {limit} does not fit."
    ),
    "several": "This is an Inklings export{where}; import it alone, without other files.",
    "nowhere": (
        "Say where these memories go: --workspace NAME, or --tier account. There is not one "
        "workspace alone."
    ),
    "too_many_files": "These are more than {limit} files. Import fewer at a time.",
    "no_notes": "This folder has nothing that Inklings can read.",
    "too_large": (
        f"This is more than {MAX_FILE_BYTES // 1024 // 1024} MiB. Import it in parts; export in "
        "parts (--workspace, --tier) or without vectors (--no-vectors)."
    ),
    "no_file": "This is not a file.",
    "not_json": "This file is not an Inklings export: it is not JSON{where}.",
    "not_ours": "This file is not an Inklings export.",
    "encoding": "This file is not an Inklings export: it is not UTF-8{where}.",
    "newer": (
        "This export needs schema version {limit}; this version of Inklings reads "
        f"{SCHEMA_VERSION}. Update this program."
    ),
    "too_deep": "This file is nested deeper than {limit} levels.",
    "too_many": "This file has more parts than one import can take{where}.",
    "duplicate_key": "A field is in this file twice{where}.",
    "number": "A number in this file cannot be used{where}.",
    "characters": "This file contains NUL or half a character{where}.",
    "type": "A value in this file is of the wrong type{where}.",
    "missing": "A field is missing in this file{where}.",
    "foreign": "This file points to something that is not in it{where}.",
    "id": "An id in this file is none{where}.",
    "repeated": "The same id or name is in this file twice{where}.",
    "second_voice": (
        "This file has a second VOICE{where}. A workspace has one, and number {limit} of its "
        "named entries is it already. Take one of the two out of the file, or export it again."
    ),
    "second_soul": (
        "This file has a second SOUL{where}. The account has one, and number {limit} of its "
        "named entries is it already. Take one of the two out of the file, or export it again."
    ),
    "time": "A time in this file is not RFC 3339 in UTC, 1970 or later{where}.",
    "word": "A word in this file is not one that Inklings knows{where}.",
    "order": "The revisions in this file do not follow one another{where}.",
    "look_alike": "A named entry in this file looks like VOICE or SOUL and is neither{where}.",
    "base64": "A vector in this file cannot be read{where}.",
    "too_long": "A text in this file is too long{where}.",
    "into": "This file has several workspaces; they can't go into one.",
    "changed": "Memory changed since the preview. Look at it again.",
    "overfull": (
        "The {where} tier has no room for all of this: a place in it can have {limit} at most. "
        "Import less, forget some there first, or raise memory.cap in settings.toml."
    ),
    "replaces_most": "This would replace more than nine tenths of what is here ({limit}).",
    "decision": "This cannot be done with that row{where}.",
}


def refusal_sentence(error: ImportRefusedError) -> str:
    """Why a file cannot be imported; never a word of what it says."""
    is_place = error.reason == "overfull"
    where = f" ({error.where})" if error.where and not is_place else error.where
    known = _REFUSALS.get(error.reason)
    if known is None:
        return f"This file is not a sound Inklings export: a value cannot be used{where}."
    limit = f"{error.limit:,.0f}" if error.limit is not None else ""
    return known.format(where=where, limit=limit)
