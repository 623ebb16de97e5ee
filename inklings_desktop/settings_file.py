"""The file of the settings while it is used: always as it stands, written without loss.

May import ``settings``, ``domain`` and small libraries. Hand edits, comments and unknown keys
survive a save.
"""

from __future__ import annotations

import os
import re
from collections.abc import MutableMapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from inklings_desktop.domain.errors import InvalidValueError, OutsideFileError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.settings import FILE_NAME, load_settings, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inklings_desktop.settings import Appearance, Settings

Value: TypeAlias = "str | float | bool | None"
Row: TypeAlias = "Mapping[str, str | list[str] | dict[str, str]]"

_AT_LINE = re.compile(r"at line (\d+)")
_HEADER = re.compile(r"\s*\[{1,2}([^\[\]]+)\]")

_TEMPLATE = """\
# Settings of Inklings Desktop. Edit by hand, or on the Settings page; comments stay, and what
# you change holds at once.

[person]
# Name shown in histories and events; empty means the name of the system user.
display_name = ""

[appearance]
# system, light or dark
theme = "system"
# comfortable (two lines of text per row) or compact (one)
density = "comfortable"
# 0.9 to 1.4
text_scale = 1.0
# true: nothing in the window moves, whatever the system says
reduce_motion = false
# false: nothing is underlined while you write
check_spelling = true
# system, en (English), de (German) or fr (French); the window speaks it from the next start
language = "system"
# enter or ctrl_enter: what sends a message in a conversation
send_key = "enter"

[decay]
# Share of relevance left after one hour, per tier; 1.0 never fades.
# "reference" or "slow", or give all four rates below.
preset = "reference"
# conversation = 1.0
# channel = 0.990
# workspace = 0.995
# account = 0.998

[memory]
# Most active memories per conversation, channel, workspace or account, up to 1000000.
cap = 10000

[agent]
# Where you have let the World Agent in, its process begins once the window has been idle for ten
# seconds, so that its first answer is there sooner; false: when you look at its page.
prestart = true
# What the World Agent does about memories: "decide" which to write, "ask" about each, or "never".
write_policy = "decide"
# What a turn and a day may cost until you are asked, in the provider's currency; 0 for no limit.
turn_cost = 0.5
daily_cost = 5.0

# Which models do its work, as "provider/model"; without any it goes by rules. Where one is not
# set, the next better one does its work.
[agent.classes]
frontier = ""
fast = ""
cheap = ""

[agents]
# Most writes of one client within a minute.
writes_per_minute = 120

[embedding]
# Which installed model turns texts into vectors; empty for the built-in one.
model = ""
# Whether a search compares word by word as well: it finds better, and takes up to two
# thirds as much room on the disk again.
word_by_word = true

[world]
# Whether an agent that would store what a page of yours says is sent to the page instead.
refuse_repeats = true

[background]
# Minutes between two searches for memories without a vector; 0 for never.
backfill_minutes = 30
# Whether what a closed conversation left behind is forgotten.
forget_at_close = true
# After so many days of silence a conversation rests and you are asked what becomes of its
# memories; 0 for never.
silent_days = 14
# A minute after every start, and then every so many hours, what has changed is backed up; 0 for
# never. Of these backups the newest of 12 days, 10 weeks and 9 months stay.
backup_hours = 4
# Whether closing the window leaves it working, with an icon in the system's tray.
keep_running = false
# Short-term memories that have all but faded: list them for "review", "prune" or "keep" them.
faded = "review"
# false: memories are consolidated only when you ask for it, whatever is set below.
consolidate = true
# true: the model that you chose for it under "Agents and models" words merged texts, and is sent
# what they say for that; never what you wrote.
word_merges = false

# When memories are consolidated: after so many new ones, once nobody touched anything for so many
# minutes, and at least every so many hours. 0 switches a trigger off.
[background.channel]
new_entries = 12
idle_minutes = 0
every_hours = 24

[background.workspace]
new_entries = 40
idle_minutes = 10
every_hours = 168

[background.account]
new_entries = 20
idle_minutes = 10
every_hours = 336
"""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the file that cannot be used.

    Attributes:
        key: Its place in the file, ``background.faded``; the file's name if all of it is no TOML.
        line: Counted from 1; 0 if unknown.
    """

    key: str
    line: int = 0


class LiveSettings:
    """The settings of an opened data root: whoever asks gets those that hold now.

    A hand edit, and what another process saves, holds from the next call on; while the file is no
    TOML, as in the middle of an edit, what held before goes on.
    """

    def __init__(self, data_dir: Path) -> None:
        """Read them.

        Args:
            data_dir: The data root.
        """
        self._data_dir = data_dir
        self._path = data_dir / FILE_NAME
        self._read = (_stamp(self._path), load_settings(data_dir))

    def __call__(self) -> Settings:
        """What is set now; a look at the file's date unless it changed."""
        before, settings = self._read
        stamp = _stamp(self._path)
        if stamp != before:
            found = load_settings(self._data_dir)
            if found.problems == (FILE_NAME,):
                found = replace(settings, problems=found.problems)
            settings = found
            self._read = (stamp, settings)
        return settings

    def save(self, values: Mapping[str, Value]) -> None:
        """As ``save_values``.

        Raises:
            OutsideFileError: The file cannot be written.
            InvalidValueError: The file is no TOML; it is left alone.
        """
        self._write(lambda: save_values(self._data_dir, values))

    def put_row(self, place: str, row: Row) -> None:
        """As ``put_row``; it raises what ``save`` raises."""
        self._write(lambda: put_row(self._data_dir, place, row))

    def remove_row(self, place: str, id_: str) -> None:
        """As ``remove_row``; it raises what ``save`` raises."""
        self._write(lambda: remove_row(self._data_dir, place, id_))

    def _write(self, write: Callable[[], None]) -> None:
        try:
            write()
        except OSError as error:
            raise OutsideFileError(self._path, str(error), is_reading=False) from error

    def problems(self) -> tuple[Problem, ...]:
        """What in the file cannot be used, by line."""
        return tuple(_placed(self._path, key) for key in self().problems)


def _stamp(path: Path) -> tuple[int, int, int]:
    """Another one for another text: a save puts a new file in the place of the old one."""
    try:
        status = path.stat()
    except OSError:
        return (0, 0, 0)
    return (status.st_ino, status.st_mtime_ns, status.st_size)


def save_values(data_dir: Path, values: Mapping[str, Value]) -> None:
    """Write some settings; everything else in the file stays as it is, comments included.

    Args:
        data_dir: The data root.
        values: By their place in the file, ``background.channel.every_hours``; None takes the
            key out, so that its default holds.

    Raises:
        OSError: The file cannot be written.
        InvalidValueError: The file is no TOML, or has no table in this place; it is left alone.
    """

    def change(document: MutableMapping[str, Any]) -> None:
        for place, value in values.items():
            tables, _, key = place.rpartition(".")
            table = _table_in(document, tables)
            if value is None:
                table.pop(key, None)
            else:
                table[key] = value

    _edit(data_dir, change)


def put_row(data_dir: Path, place: str, row: Row) -> None:
    """Write a row of a list of tables: in the place of the one with its id, or behind the last.

    Args:
        data_dir: The data root.
        place: The list, ``agent.providers``.
        row: Its keys, ``id`` among them; others that it has in the file stay.

    Raises:
        OSError: The file cannot be written.
        InvalidValueError: The file is no TOML, or has no list in this place; it is left alone.
    """

    def change(document: MutableMapping[str, Any]) -> None:
        import tomlkit

        rows = _rows_in(document, place)
        found = next((one for one in rows if one.get("id") == row["id"]), None)
        if found is None:
            is_on_one_line = not isinstance(rows, tomlkit.items.AoT)
            rows.append(tomlkit.inline_table() if is_on_one_line else tomlkit.table())
            found = rows[-1]
        for key, value in row.items():
            inline = tomlkit.inline_table()
            found[key] = inline | value if isinstance(value, dict) else value

    _edit(data_dir, change)


def remove_row(data_dir: Path, place: str, id_: str) -> None:
    """Take the row with an id out of a list of tables; nothing where there is none.

    Raises:
        OSError: The file cannot be written.
        InvalidValueError: The file is no TOML, or has no list in this place; it is left alone.
    """

    def change(document: MutableMapping[str, Any]) -> None:
        rows = _rows_in(document, place)
        for number in reversed(range(len(rows))):
            if rows[number].get("id") == id_:
                del rows[number]

    _edit(data_dir, change)


def _edit(data_dir: Path, change: Callable[[MutableMapping[str, Any]], None]) -> None:
    """Change the file; everything else in it stays as it is, comments included."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    path = data_dir / FILE_NAME
    try:
        document = tomlkit.parse(text_of(path) if path.exists() else _TEMPLATE)
    except (TOMLKitError, ValueError, RecursionError):
        raise InvalidValueError("settings", "toml") from None
    change(document)
    _replace_file(path, tomlkit.dumps(document))


def _table_in(document: MutableMapping[str, Any], place: str) -> MutableMapping[str, Any]:
    """The table in a place of the file, made where it is missing."""
    import tomlkit

    table: object = document
    for name in place.split("."):
        if isinstance(table, MutableMapping):
            table = table.setdefault(name, tomlkit.table())
    if not isinstance(table, MutableMapping):
        raise InvalidValueError("settings", "toml")
    return table


def _rows_in(document: MutableMapping[str, Any], place: str) -> list[Any]:
    """The list of tables in a place of the file, made where it is missing."""
    import tomlkit

    tables, _, key = place.rpartition(".")
    rows = _table_in(document, tables).setdefault(key, tomlkit.aot())
    if not isinstance(rows, list) or not all(isinstance(one, MutableMapping) for one in rows):
        raise InvalidValueError("settings", "toml")
    return rows


def appearance_values(appearance: Appearance) -> dict[str, Value]:
    """How the window looks, as ``save_values`` takes it."""
    return {f"appearance.{key}": value for key, value in asdict(appearance).items()}


def _placed(path: Path, key: str) -> Problem:
    """Where in the file a setting stands that cannot be used."""
    import tomllib

    try:
        text = text_of(path)
        if key == FILE_NAME:
            tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        found = _AT_LINE.search(str(error))
        return Problem(key, int(found[1]) if found else text.count("\n") + 1)
    except (OSError, ValueError, RecursionError):
        return Problem(key)
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = header[1].strip()
            name = table
        elif "=" in line:
            name = ".".join(filter(None, (table, line.partition("=")[0].strip(" \t\"'"))))
        else:
            continue
        if name == key:
            return Problem(key, number)
    return Problem(key)


def _replace_file(path: Path, text: str) -> None:
    """Write beside, then rename, so that no crash leaves half a file."""
    import tempfile

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".settings-{os.getpid()}-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
