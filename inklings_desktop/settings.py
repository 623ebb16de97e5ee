"""What a person may set, kept readable in ``settings.toml``.

May import ``domain`` and small libraries. Hand edits, comments and unknown keys survive a save;
a value that cannot be used falls back to its default and is named, never silently replaced.
"""

from __future__ import annotations

import getpass
import os
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.decay import DecayConfig, DecayPreset
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import Tier

if TYPE_CHECKING:
    from collections.abc import Mapping

DATA_DIR_VARIABLE = "INKLINGS_DATA_DIR"
FILE_NAME = "settings.toml"
MAX_CAP = 1_000_000
THEMES = ("system", "light", "dark")
DENSITIES = ("comfortable", "compact")
MIN_TEXT_SCALE, MAX_TEXT_SCALE = 0.9, 1.4

_TEMPLATE = """\
# Settings of Inklings Desktop. Edit by hand or from the View menu; comments stay.

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
"""


@dataclass(frozen=True, slots=True)
class Appearance:
    """How the window looks.

    Attributes:
        theme: ``system``, ``light`` or ``dark``.
        density: ``comfortable`` or ``compact``.
        text_scale: Multiplies every type size and row height, 0.9 to 1.4.
    """

    theme: str = "system"
    density: str = "comfortable"
    text_scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a person may set.

    Attributes:
        display_name: Name in histories and events.
        appearance: Theme, density and text size.
        decay: Rates per tier.
        cap: Most active memories per scope key.
        problems: Keys whose value could not be used, with the default in force instead.
    """

    display_name: str = ""
    appearance: Appearance = field(default_factory=Appearance)
    decay: DecayConfig = field(default_factory=DecayConfig)
    cap: int = 10_000
    problems: tuple[str, ...] = ()

    @property
    def person_name(self) -> str:
        """The display name, or the system user's."""
        return self.display_name or _system_user()


def default_data_dir() -> Path:
    """The data root of this user: the environment's choice, else the platform's."""
    chosen = os.environ.get(DATA_DIR_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("Inklings", appauthor=False))


def sample_data_dir(data_dir: Path) -> Path:
    """The data root of the sample world beside the person's own."""
    return data_dir.with_name(f"{data_dir.name}-sample")


def load_settings(data_dir: Path) -> Settings:
    """The settings of a data root; defaults while there is no file."""
    try:
        raw = tomllib.loads((data_dir / FILE_NAME).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return Settings(problems=(FILE_NAME,))
    problems: list[str] = []
    person = _table(raw, "person", problems)
    look = _table(raw, "appearance", problems)
    memory = _table(raw, "memory", problems)
    name = person.get("display_name", "")
    if not isinstance(name, str):
        problems.append("person.display_name")
        name = ""
    return Settings(
        display_name=name.strip(),
        appearance=Appearance(
            _choice(look, "theme", THEMES, problems),
            _choice(look, "density", DENSITIES, problems),
            _number(look, "text_scale", 1.0, (MIN_TEXT_SCALE, MAX_TEXT_SCALE), problems),
        ),
        decay=_decay(_table(raw, "decay", problems), problems),
        cap=int(_number(memory, "cap", 10_000, (1, MAX_CAP), problems)),
        problems=tuple(problems),
    )


def save_appearance(data_dir: Path, appearance: Appearance) -> None:
    """Write how the window looks; everything else in the file stays as it is.

    Raises:
        OSError: The file cannot be written.
        InvalidValueError: The file is no TOML; it is left alone.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    path = data_dir / FILE_NAME
    text = path.read_text(encoding="utf-8") if path.exists() else _TEMPLATE
    try:
        document = tomlkit.parse(text)
    except TOMLKitError:
        raise InvalidValueError("settings", "toml") from None
    table = document.setdefault("appearance", tomlkit.table())
    table["theme"] = appearance.theme
    table["density"] = appearance.density
    table["text_scale"] = appearance.text_scale
    _replace_file(path, tomlkit.dumps(document))


def _replace_file(path: Path, text: str) -> None:
    """Write beside, then rename, so that no crash leaves half a file."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".settings-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _system_user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "author"


def _table(raw: Mapping[str, object], name: str, problems: list[str]) -> dict[str, object]:
    value = raw.get(name, {})
    if isinstance(value, dict):
        return value
    problems.append(name)
    return {}


def _choice(
    table: Mapping[str, object], key: str, choices: tuple[str, ...], problems: list[str]
) -> str:
    value = table.get(key, choices[0])
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
    value = table.get(key, default)
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = bounds
        if low <= value <= high:
            return value
    problems.append(key)
    return default


def _decay(table: Mapping[str, object], problems: list[str]) -> DecayConfig:
    preset = _choice(table, "preset", ("reference", "slow"), problems)
    listed = DecayPreset[preset.upper()].value
    return DecayConfig(
        **{
            tier.value: _number(table, tier.value, listed.rate(tier), (1e-9, 1.0), problems)
            for tier in Tier
        }
    )
