"""Why the configuration of another program could not be added to, as a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.domain.errors import ClientFileError

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
