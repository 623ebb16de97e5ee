"""What a person may set, kept readable in ``settings.toml``.

May import ``domain`` and ``agent_settings``. A value that cannot be used falls back to its default
and is named, never silently replaced. What writes them, and keeps them live, is ``settings_file``.
"""

from __future__ import annotations

import errno
import getpass
import math
import os
import stat
from dataclasses import field, fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from inklings_desktop.agent_settings import (
    CLASSES,
    MAX_COST,
    OFF,
    AgentSettings,
    Model,
    PartlyUsableError,
    Routing,
    Rows,
    preset_of,
    provider_of,
)
from inklings_desktop.domain.background.cadence import BackgroundConfig, PruneMode
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.decay import DecayConfig, DecayPreset
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import checked_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE_NAME = "settings.toml"
MIN_RATE = 1e-9
MAX_CAP = 1_000_000
MAX_MINUTES = 525_600.0
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
        language: ``system``, or what the window speaks from the next start.
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
        refuses_repeats: Whether an agent that would store what a page says is sent to the page.
        background: When background work is due.
        keep_running: Whether closing the window leaves the program at work.
        starts_agent: Whether the World Agent begins in an idle window, before anybody talks.
        agent: What is set about agents and the models behind them.
        problems: Keys whose value could not be used, with the default in force instead.
    """

    display_name: str = ""
    appearance: Appearance = field(default_factory=Appearance)
    decay: DecayConfig = field(default_factory=DecayConfig)
    cap: int = 10_000
    writes_per_minute: int = 120
    model_id: str = ""
    word_by_word: bool = True
    refuses_repeats: bool = True
    background: BackgroundConfig = field(default_factory=BackgroundConfig)
    keep_running: bool = False
    starts_agent: bool = True
    agent: AgentSettings = field(default_factory=AgentSettings)
    problems: tuple[str, ...] = ()

    @property
    def person_name(self) -> str:
        """The display name, or the system user's."""
        return self.display_name or self.system_name

    @property
    def system_name(self) -> str:
        """The system user's name, which holds while none is set."""
        return _system_user()


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words.

    Attributes:
        words: Each with what it stands for; the first is the default.
        at: Where it lies in ``Settings``; empty where that is its place in the file.
    """

    words: Mapping[str, object]
    at: str = ""

    def taken(self, value: object) -> object:
        """What a value of the file comes to.

        Raises:
            ValueError: It cannot be used.
        """
        if isinstance(value, str) and value in self.words:
            return self.words[value]
        raise ValueError(value)


@dataclass(frozen=True, slots=True)
class Number:
    """A number within bounds."""

    least: float
    most: float
    at: str = ""
    whole: bool = False

    def taken(self, value: object) -> float:
        """The number, if it is within the bounds.

        Raises:
            ValueError: It is not.
        """
        number = math.nan
        if isinstance(value, int | float) and not isinstance(value, bool):
            number = value
        if not self.least <= number <= self.most or (self.whole and number != int(number)):
            raise ValueError(value)
        return int(number) if self.whole else number


@dataclass(frozen=True, slots=True)
class Flag:
    """On or off."""

    at: str = ""

    def taken(self, value: object) -> bool:
        """The switch.

        Raises:
            ValueError: It is something else.
        """
        if isinstance(value, bool):
            return value
        raise ValueError(value)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text; blanks at its ends do not count."""

    at: str
    is_name: bool = False

    def taken(self, value: object) -> str:
        """The line without what is empty around it.

        Raises:
            ValueError: It is no line, or no name.
        """
        if isinstance(value, str) and (not self.is_name or not value.strip()):
            return value.strip()
        if self.is_name:
            return checked_name(value)
        raise ValueError(value)


Kind: TypeAlias = OneOf | Number | Flag | Line | Model | Rows


def _words(*words: str) -> dict[str, str]:
    return {one: one for one in words}


def _cadence(tier: Tier) -> dict[str, Kind]:
    return {
        f"background.{tier}.new_entries": Number(0, MAX_CAP, whole=True),
        f"background.{tier}.idle_minutes": Number(0, MAX_MINUTES),
        f"background.{tier}.every_hours": Number(0, MAX_MINUTES),
    }


SETTINGS: dict[str, Kind] = {
    "person.display_name": Line("display_name", is_name=True),
    "appearance.theme": OneOf(_words("system", "light", "dark")),
    "appearance.density": OneOf(_words("comfortable", "compact")),
    "appearance.text_scale": Number(MIN_TEXT_SCALE, MAX_TEXT_SCALE),
    "appearance.reduce_motion": Flag(),
    "appearance.check_spelling": Flag(),
    "appearance.language": OneOf(_words("system", "en", "de", "fr")),
    "appearance.send_key": OneOf(_words("enter", "ctrl_enter")),
    "memory.cap": Number(1, MAX_CAP, "cap", whole=True),
    "decay.preset": OneOf({one.name.lower(): one.value for one in DecayPreset}, "decay"),
    **{f"decay.{tier}": Number(MIN_RATE, 1) for tier in Tier},
    "agents.writes_per_minute": Number(1, 100_000, "writes_per_minute", whole=True),
    "agent.prestart": Flag("starts_agent"),
    "agent.preset": Line("agent.preset", is_name=True),
    "agent.write_policy": OneOf(_words("decide", "ask", "never")),
    "agent.turn_cost": Number(0, MAX_COST),
    "agent.daily_cost": Number(0, MAX_COST),
    **{f"agent.classes.{one}": Model() for one in CLASSES},
    **{
        f"agent.routing.{one.name}": OneOf(_words(str(one.default), *CLASSES, OFF))
        for one in fields(Routing)
    },
    "agent.providers": Rows(provider_of),
    "agent.presets": Rows(preset_of),
    "embedding.model": Line("model_id"),
    "embedding.word_by_word": Flag("word_by_word"),
    "world.refuse_repeats": Flag("refuses_repeats"),
    "background.backfill_minutes": Number(0, MAX_MINUTES),
    "background.forget_at_close": Flag(),
    "background.silent_days": Number(0, 3_650),
    "background.backup_hours": Number(0, MAX_MINUTES),
    "background.keep_running": Flag("keep_running"),
    "background.faded": OneOf({one.value: one for one in PruneMode}, "background.prune"),
    "background.consolidate": Flag("background.consolidates"),
    "background.word_merges": Flag("background.words_merges"),
    **_cadence(Tier.CHANNEL),
    **_cadence(Tier.WORKSPACE),
    **_cadence(Tier.ACCOUNT),
}
"""Every setting by its place in the file; its default is what ``Settings`` begins with."""


def value_at(settings: Settings, place: str) -> Any:
    """What is set at a place of the file."""
    return attrgetter(_at(place))(settings)


def _at(place: str) -> str:
    """Where in ``Settings`` lies what stands at a place of the file."""
    return getattr(SETTINGS[place], "at", "") or place


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
    settings, problems = Settings(), dict[str, None]()
    for place, kind in SETTINGS.items():
        table, _, key = place.rpartition(".")
        found = _table(raw, table, problems)
        if key in found:
            try:
                settings = _with(settings, _at(place), kind.taken(found[key]))
            except PartlyUsableError as error:
                settings = _with(settings, place, error.usable)
                problems[place] = None
            except (ValueError, InvalidValueError):
                problems[place] = None
    return replace(settings, problems=tuple(problems))


def _table(raw: dict[str, Any], name: str, problems: dict[str, None]) -> dict[str, Any]:
    """A table, perhaps inside another one; an empty one in the place of what is none."""
    outer, _, key = name.rpartition(".")
    found = (_table(raw, outer, problems) if outer else raw).get(key, {})
    if isinstance(found, dict):
        return found
    problems[name] = None
    return {}


def _with(whole: Any, path: str, value: object) -> Any:
    """The same with another value deep inside it."""
    name, _, rest = path.partition(".")
    return replace(whole, **{name: _with(getattr(whole, name), rest, value) if rest else value})


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
