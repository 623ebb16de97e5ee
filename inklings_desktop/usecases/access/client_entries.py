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
    name = _name_for(before, holder, server.workspace)
    entry = entry_of(program, server.command, server.arguments)
    wanted = _merged(before, (holder, name), entry)
    if wanted == before:
        return text
    found: Mapping[str, Any] = before.get(holder, {}).get(name, {})
    if not is_toml:
        after = _with_json(text, (holder, name), entry, found)
    elif found:
        after = _with_toml(text, (holder, name), entry)
    else:
        table = configuration_text(program, server)
        after = _with_text(text, table.replace(f".{SERVER_NAME}]", f".{name}]", 1))
    if read(after) != wanted:
        raise ShapeError
    return after


def _name_for(before: object, holder: str, workspace: str) -> str:
    """What our entry for a workspace is called: each one that the client may enter has its own."""
    entries = before.get(holder) if isinstance(before, dict) else None
    every = entries if isinstance(entries, dict) else {}
    names = (SERVER_NAME, *(f"{SERVER_NAME}-{number}" for number in range(2, len(every) + 2)))
    return next(name for name in names if _may_serve(every.get(name), workspace))


def _may_serve(entry: object, workspace: str) -> bool:
    """Whether an entry is free, or this workspace's already."""
    said = entry.get("args") if isinstance(entry, dict) else None
    if not isinstance(said, list) or "--workspace" not in said:
        return True
    return workspace in said[said.index("--workspace") + 1 :][:1]


def _merged(before: object, keys: tuple[str, str], entry: dict[str, Any]) -> dict[str, Any]:
    wanted = copy.deepcopy(before)
    place: Any = wanted
    for key in keys:
        if not isinstance(place, dict):
            raise ShapeError
        place = place.setdefault(key, {})
    if not isinstance(place, dict):
        raise ShapeError
    place.update(entry)
    assert isinstance(wanted, dict)
    return wanted


def _with_json(
    text: str, keys: tuple[str, str], entry: dict[str, Any], found: Mapping[str, Any]
) -> str:
    if not found:
        return with_value(text, keys, entry)
    for key, value in entry.items():
        if found.get(key) != value:
            text = with_value(text, (*keys, key), value)
    return text


def _with_toml(text: str, keys: tuple[str, str], entry: dict[str, Any]) -> str:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document: Any = tomlkit.parse(text)
        table = document[keys[0]][keys[1]]
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
