"""What a person may set, kept readable in ``settings.toml``.

May import ``domain``. A value that cannot be used falls back to its default and is named, never
silently replaced. What writes them, and keeps them live, is ``settings_file``.
"""

from __future__ import annotations

import errno
import getpass
import os
import stat
from dataclasses import field
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.cadence import BackgroundConfig, Cadence, PruneMode
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.decay import DecayConfig, DecayPreset
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import checked_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE_NAME = "settings.toml"
DEFAULT_CAP, MAX_CAP = 10_000, 1_000_000
DEFAULT_WRITES_PER_MINUTE, MAX_WRITES_PER_MINUTE = 120, 100_000
THEMES = ("system", "light", "dark")
DENSITIES = ("comfortable", "compact")
LANGUAGES = ("system", "en", "de", "fr")
SEND_KEYS = ("enter", "ctrl_enter")
MIN_RATE = 1e-9
MAX_MINUTES = 525_600.0
MAX_SILENT_DAYS = 3_650.0
MIN_TEXT_SCALE, MAX_TEXT_SCALE = 0.9, 1.4


@dataclass(frozen=True, slots=True)
class Appearance:
    """How the window looks.

    Attributes:
        theme: ``system``, ``light`` or ``dark``.
        density: ``comfortable`` or ``compact``.
        text_scale: Multiplies every type size and row height, 0.9 to 1.4.
        reduce_motion: Whether nothing in the window moves, whatever the system says.
        check_spelling: Whether words that no dictionary knows are underlined while one writes.
        language: ``system``, or what the window speaks from the next start: one of ``LANGUAGES``.
        send_key: What sends a message: ``enter`` or ``ctrl_enter``.
    """

    theme: str = "system"
    density: str = "comfortable"
    text_scale: float = 1.0
    reduce_motion: bool = False
    check_spelling: bool = True
    language: str = "system"
    send_key: str = "enter"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a person may set.

    Attributes:
        display_name: Name in histories and events.
        appearance: Theme, density and text size.
        decay: Rates per tier.
        cap: Most active memories per scope key.
        writes_per_minute: Most writes of one client of the agent's door within a minute.
        model_id: The model that turns texts into vectors; empty for the built-in one.
        word_by_word: Whether a search compares word by word as well, which takes room on the disk.
        background: When background work is due.
        keep_running: Whether closing the window leaves the program at work.
        starts_agent: Whether the World Agent begins in an idle window, before anybody talks.
        problems: Keys whose value could not be used, with the default in force instead.
    """

    display_name: str = ""
    appearance: Appearance = field(default_factory=Appearance)
    decay: DecayConfig = field(default_factory=DecayConfig)
    cap: int = DEFAULT_CAP
    writes_per_minute: int = DEFAULT_WRITES_PER_MINUTE
    model_id: str = ""
    word_by_word: bool = True
    background: BackgroundConfig = field(default_factory=BackgroundConfig)
    keep_running: bool = False
    starts_agent: bool = True
    problems: tuple[str, ...] = ()

    @property
    def person_name(self) -> str:
        """The display name, or the system user's."""
        return self.display_name or _system_user()


def load_settings(data_dir: Path) -> Settings:
    """The settings of a data root; defaults while there is no file, or none that can be read."""
    try:
        text = text_of(data_dir / FILE_NAME).replace("\r\n", "\n")
        import tomllib  # most have no such file

        raw = tomllib.loads(text)
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError, RecursionError):  # no TOML and no UTF-8 are ValueErrors
        return Settings(problems=(FILE_NAME,))
    problems: list[str] = []
    person = _table(raw, "person", problems)
    look = _table(raw, "appearance", problems)
    memory = _table(raw, "memory", problems)
    embedding = _table(raw, "embedding", problems)
    background = _table(raw, "background", problems)
    return Settings(
        display_name=_display_name(person, problems),
        appearance=Appearance(
            _choice(look, "appearance.theme", THEMES, problems),
            _choice(look, "appearance.density", DENSITIES, problems),
            _number(look, "appearance.text_scale", 1.0, (MIN_TEXT_SCALE, MAX_TEXT_SCALE), problems),
            _flag(look, "appearance.reduce_motion", problems, default=False),
            _flag(look, "appearance.check_spelling", problems, default=True),
            _choice(look, "appearance.language", LANGUAGES, problems),
            _choice(look, "appearance.send_key", SEND_KEYS, problems),
        ),
        decay=_decay(_table(raw, "decay", problems), problems),
        cap=_whole(memory, "memory.cap", DEFAULT_CAP, MAX_CAP, problems),
        writes_per_minute=_whole(
            _table(raw, "agents", problems),
            "agents.writes_per_minute",
            DEFAULT_WRITES_PER_MINUTE,
            MAX_WRITES_PER_MINUTE,
            problems,
        ),
        model_id=_model_id(embedding, problems),
        word_by_word=_flag(embedding, "embedding.word_by_word", problems, default=True),
        background=_background(background, problems),
        keep_running=_flag(background, "background.keep_running", problems, default=False),
        starts_agent=_flag(
            _table(raw, "agent", problems), "agent.prestart", problems, default=True
        ),
        problems=tuple(problems),
    )


def text_of(path: Path) -> str:
    """The text with its line ends as they are, without the mark some editors put first.

    Raises:
        OSError: It cannot be read, or is no plain file: a pipe would be waited for without end.
    """
    with open(path, "rb", opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a plain file", str(path))
        return file.read().decode("utf-8-sig")


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _system_user() -> str:
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):  # what no name at all raises differs by platform
        return "author"


def _table(raw: Mapping[str, object], name: str, problems: list[str]) -> dict[str, object]:
    value = raw.get(name, {})
    if isinstance(value, dict):
        return value
    problems.append(name)
    return {}


def _display_name(table: Mapping[str, object], problems: list[str]) -> str:
    name = table.get("display_name", "")
    if isinstance(name, str) and not name.strip():
        return ""
    try:
        return checked_name(name, "display_name")
    except InvalidValueError:
        problems.append("person.display_name")
        return ""


def _whole(
    table: Mapping[str, object], key: str, default: int, most: int, problems: list[str]
) -> int:
    """A whole number from 1 to ``most``."""
    value = table.get(key.rpartition(".")[2], default)
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most:
        return value
    problems.append(key)
    return default


def _choice(
    table: Mapping[str, object], key: str, choices: tuple[str, ...], problems: list[str]
) -> str:
    value = table.get(key.rpartition(".")[2], choices[0])
    if isinstance(value, str) and value in choices:
        return value
    problems.append(key)
    return choices[0]


def _number(
    table: Mapping[str, object],
    key: str,
    default: float,
    bounds: tuple[float, float],
    problems: list[str],
) -> float:
    value = table.get(key.rpartition(".")[2], default)
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = bounds
        if low <= value <= high:
            return value
    problems.append(key)
    return default


def _decay(table: Mapping[str, object], problems: list[str]) -> DecayConfig:
    preset = _choice(table, "decay.preset", ("reference", "slow"), problems)
    listed = DecayPreset[preset.upper()].value
    return DecayConfig(
        **{
            tier.value: _number(
                table, f"decay.{tier.value}", listed.rate(tier), (MIN_RATE, 1.0), problems
            )
            for tier in Tier
        }
    )


def _model_id(table: Mapping[str, object], problems: list[str]) -> str:
    model_id = table.get("model", "")
    if isinstance(model_id, str):
        return model_id.strip()
    problems.append("embedding.model")
    return ""


def _background(table: Mapping[str, object], problems: list[str]) -> BackgroundConfig:
    usual = BackgroundConfig()
    minutes = _number(
        table,
        "background.backfill_minutes",
        usual.backfill_minutes,
        (0.0, MAX_MINUTES),
        problems,
    )
    silent = _number(
        table, "background.silent_days", usual.silent_days, (0.0, MAX_SILENT_DAYS), problems
    )
    backup = _number(
        table, "background.backup_hours", usual.backup_hours, (0.0, MAX_MINUTES), problems
    )
    faded = _choice(table, "background.faded", tuple(mode.value for mode in PruneMode), problems)
    return BackgroundConfig(
        backfill_minutes=minutes,
        forget_at_close=_flag(table, "background.forget_at_close", problems, default=True),
        silent_days=silent,
        backup_hours=backup,
        channel=_cadence(table, Tier.CHANNEL, usual.channel, problems),
        workspace=_cadence(table, Tier.WORKSPACE, usual.workspace, problems),
        account=_cadence(table, Tier.ACCOUNT, usual.account, problems),
        prune=PruneMode(faded),
        consolidates=_flag(table, "background.consolidate", problems, default=True),
    )


def _cadence(
    table: Mapping[str, object], tier: Tier, usual: Cadence, problems: list[str]
) -> Cadence:
    name = f"background.{tier.value}"
    own = table.get(tier.value, {})
    if not isinstance(own, dict):
        problems.append(name)
        return usual
    entries = _number(
        own, f"{name}.new_entries", usual.new_entries, (0.0, float(MAX_CAP)), problems
    )
    return Cadence(
        int(entries),
        _number(own, f"{name}.idle_minutes", usual.idle_minutes, (0.0, MAX_MINUTES), problems),
        _number(own, f"{name}.every_hours", usual.every_hours, (0.0, MAX_MINUTES), problems),
    )


def _flag(table: Mapping[str, object], key: str, problems: list[str], *, default: bool) -> bool:
    value = table.get(key.rpartition(".")[2], default)
    if isinstance(value, bool):
        return value
    problems.append(key)
    return default
