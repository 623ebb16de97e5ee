"""What a window remembers from one time to the next, in ``window.ini`` of its data root."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE
from inklings_desktop.ui.kit.words.places import BEGINNING, Place

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QMainWindow

_MINIMUM = (960, 600)
_SCREEN_SHARE = 0.9
_FILE = "window.ini"
_KEY = "geometry"
_READING_KEY = "memory/reading"
_WORKSPACE_KEY, _PAGE_KEY = "last/workspace", "last/page"
_TIER_KEY, _ROOM_KEY = "last/tier", "last/room"
_RECENT_KEY = "palette/recent"
_IMPORT_KEY = "welcome/import"


@dataclass(frozen=True, slots=True)
class LastTime:
    """Where a person was when the window closed.

    Attributes:
        workspace_id: The open workspace; empty for none.
        page_id: The page on show.
        place: Where in the workspace they were looking.
        memory_id: The memory that they read; empty for none.
    """

    workspace_id: str = ""
    page_id: str = MEMORY_PAGE
    place: Place = BEGINNING
    memory_id: str = ""


def restore_geometry(window: QMainWindow, data_dir: Path) -> None:
    """Give a window its last place, or nine tenths of the screen where there is none that fits."""
    window.setMinimumSize(*_MINIMUM)
    stored = _settings(data_dir).value(_KEY)
    if isinstance(stored, QByteArray) and window.restoreGeometry(stored):
        return
    screen = window.screen().availableGeometry()
    wanted = screen.size() * _SCREEN_SHARE
    window.resize(wanted.expandedTo(window.minimumSize()))
    frame = window.frameGeometry()
    frame.moveCenter(screen.center())
    window.move(frame.topLeft())


def save_geometry(window: QMainWindow, data_dir: Path) -> None:
    """Remember a window's place; a data root that is gone stays gone."""
    if data_dir.is_dir():
        _settings(data_dir).setValue(_KEY, window.saveGeometry())


def stored_last_time(data_dir: Path) -> LastTime:
    """Where the person was; at the beginning where nothing is known, or nothing of today."""
    settings = _settings(data_dir)

    def text(key: str) -> str:
        stored = settings.value(key)
        return stored if isinstance(stored, str) else ""

    tier = text(_TIER_KEY)
    place = Place(Tier(tier), text(_ROOM_KEY) or None) if tier in set(Tier) else BEGINNING
    return LastTime(text(_WORKSPACE_KEY), text(_PAGE_KEY) or MEMORY_PAGE, place, text(_READING_KEY))


def save_last_time(data_dir: Path, last: LastTime) -> None:
    """Remember where the person is; a data root that is gone stays gone."""
    if not data_dir.is_dir():
        return
    settings = _settings(data_dir)
    for key, value in (
        (_WORKSPACE_KEY, last.workspace_id),
        (_PAGE_KEY, last.page_id),
        (_TIER_KEY, last.place.tier.value),
        (_ROOM_KEY, last.place.room or ""),
        (_READING_KEY, last.memory_id),
    ):
        settings.setValue(key, value)


def stored_recent(data_dir: Path) -> tuple[str, ...]:
    """Keys of the commands and pages used last, the latest first."""
    stored = _settings(data_dir).value(_RECENT_KEY)
    found = stored if isinstance(stored, list) else [stored] if isinstance(stored, str) else []
    return tuple(one for one in found if isinstance(one, str))


def save_recent(data_dir: Path, keys: tuple[str, ...]) -> None:
    """Remember which commands and pages were used last."""
    if data_dir.is_dir():
        _settings(data_dir).setValue(_RECENT_KEY, list(keys))


def expects_import(data_dir: Path) -> bool:
    """Whether a first world was being made for files that had not come into it."""
    return _settings(data_dir).contains(_IMPORT_KEY)


def expect_import(data_dir: Path, *, is_open: bool) -> None:
    """Remember, past a kill, that a world is made for files; or that they came, or never will."""
    settings = _settings(data_dir)
    if is_open:
        settings.setValue(_IMPORT_KEY, 1)
    else:
        settings.remove(_IMPORT_KEY)
    settings.sync()


def _settings(data_dir: Path) -> QSettings:
    return QSettings(str(data_dir / _FILE), QSettings.Format.IniFormat)
