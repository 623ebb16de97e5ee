"""Our entry in the text of a client's own file; nothing else of it changes.

The result is read back: it has to say what the text said before and our entry, nothing else, or
the text is left alone.
"""

from __future__ import annotations

import copy
import tomllib
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.access.connections import (
    SERVER_NAME,
    ClientProgram,
    configuration_text,
    entry_of,
    holder_of,
)
from inklings_desktop.domain.words.json_text import read_json, with_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.access.connections import ServerCommand


class ShapeError(ValueError):
    """What holds the servers in this text is something that cannot be added to."""


def with_entry(text: str, program: ClientProgram, server: ServerCommand) -> str:
    """The text with our entry; what else somebody wrote into that entry stays.

    Args:
        text: What the file holds; empty for one that is not there.
        program: Whose file it is.
        server: How our server is started.

    Raises:
        ShapeError: What holds the servers is something that cannot be added to.
        ValueError: The text is not in the format of the program.
        RecursionError: It is nested too deeply.
    """
    is_toml = program is ClientProgram.CODEX
    read = tomllib.loads if is_toml else read_json
    before = read(text)
    holder = holder_of(program)
    entry = entry_of(program, server.command, server.arguments)
    wanted = _merged(before, holder, entry)
    if wanted == before:
        return text
    found: Mapping[str, Any] = before.get(holder, {}).get(SERVER_NAME, {})
    if not is_toml:
        after = _with_json(text, holder, entry, found)
    elif found:
        after = _with_toml(text, holder, entry)
    else:
        after = _with_text(text, configuration_text(program, server))
    if read(after) != wanted:
        raise ShapeError
    return after


def _merged(before: object, holder: str, entry: dict[str, Any]) -> dict[str, Any]:
    wanted = copy.deepcopy(before)
    place: Any = wanted
    for key in (holder, SERVER_NAME):
        if not isinstance(place, dict):
            raise ShapeError
        place = place.setdefault(key, {})
    if not isinstance(place, dict):
        raise ShapeError
    place.update(entry)
    assert isinstance(wanted, dict)
    return wanted


def _with_json(text: str, holder: str, entry: dict[str, Any], found: Mapping[str, Any]) -> str:
    if not found:
        return with_value(text, (holder, SERVER_NAME), entry)
    for key, value in entry.items():
        if found.get(key) != value:
            text = with_value(text, (holder, SERVER_NAME, key), value)
    return text


def _with_toml(text: str, holder: str, entry: dict[str, Any]) -> str:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document: Any = tomlkit.parse(text)
        table = document[holder][SERVER_NAME]
        for key, value in entry.items():
            if table.get(key) != value:
                table[key] = value
        return tomlkit.dumps(document)
    except TOMLKitError as error:
        raise ShapeError from error


def _with_text(text: str, more: str) -> str:
    """A table of its own goes below everything else."""
    end = "\r\n" if "\r\n" in text else "\n"
    above = f"{text.rstrip()}{end}{end}" if text.strip() else ""
    return above + more.replace("\n", end) + end
