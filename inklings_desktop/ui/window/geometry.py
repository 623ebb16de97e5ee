"""Where the window stood, what was read and used last in it: ``window.ini`` of the data root."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QMainWindow

_MINIMUM = (960, 600)
_DEFAULT = (1440, 900)
_SCREEN_SHARE = 0.9
_FILE = "window.ini"
_KEY = "geometry"
_READING_KEY = "memory/reading"
_RECENT_KEY = "palette/recent"


def restore_geometry(window: QMainWindow, data_dir: Path) -> None:
    """Give a window its last place, or the default size where there is none that fits."""
    window.setMinimumSize(*_MINIMUM)
    stored = _settings(data_dir).value(_KEY)
    if isinstance(stored, QByteArray) and window.restoreGeometry(stored):
        return
    screen = window.screen().availableGeometry()
    width, height = _DEFAULT
    if screen.width() < width or screen.height() < height:
        width = round(screen.width() * _SCREEN_SHARE)
        height = round(screen.height() * _SCREEN_SHARE)
    window.resize(max(width, _MINIMUM[0]), max(height, _MINIMUM[1]))


def save_geometry(window: QMainWindow, data_dir: Path) -> None:
    """Remember a window's place; a data root that is gone stays gone."""
    if data_dir.is_dir():
        _settings(data_dir).setValue(_KEY, window.saveGeometry())


def stored_reading(data_dir: Path) -> str:
    """Id of the memory that was read last; empty if there is none."""
    stored = _settings(data_dir).value(_READING_KEY)
    return stored if isinstance(stored, str) else ""


def save_reading(data_dir: Path, memory_id: str) -> None:
    """Remember which memory is being read; empty for none."""
    if data_dir.is_dir():
        _settings(data_dir).setValue(_READING_KEY, memory_id)


def stored_recent(data_dir: Path) -> tuple[str, ...]:
    """Keys of the commands and pages used last, the latest first."""
    stored = _settings(data_dir).value(_RECENT_KEY)
    found = stored if isinstance(stored, list) else [stored] if isinstance(stored, str) else []
    return tuple(one for one in found if isinstance(one, str))


def save_recent(data_dir: Path, keys: tuple[str, ...]) -> None:
    """Remember which commands and pages were used last."""
    if data_dir.is_dir():
        _settings(data_dir).setValue(_RECENT_KEY, list(keys))


def _settings(data_dir: Path) -> QSettings:
    return QSettings(str(data_dir / _FILE), QSettings.Format.IniFormat)
