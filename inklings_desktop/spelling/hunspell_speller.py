"""Dictionaries of Hunspell: those that the system keeps, and the one that comes with the library.

Nothing is downloaded. Where the library is not installed there is no dictionary, and nothing is
checked.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hunspell import Hunspell

MOST_SUGGESTED = 6
_LONGEST_WORD = 60


class HunspellSpeller:
    """Looks words up; a dictionary is read when it is first asked for."""

    def __init__(self, folders: Collection[Path] | None = None) -> None:
        """Know where dictionaries may lie.

        Args:
            folders: Where to look, the first one that has a language wins; None for the places of
                this system.
        """
        self._folders = folders
        self._lock = threading.Lock()
        self._opened: dict[str, Hunspell | None] = {}

    def languages(self) -> tuple[str, ...]:
        """Those with a dictionary, as ``de_DE``; each dictionary under one name."""
        return tuple(self._places)

    def known(self, language: str, words: Collection[str]) -> frozenset[str]:
        """Which of these words are right, or cannot be judged by this dictionary."""
        with self._lock:
            speller = self._speller(language)
            return frozenset(one for one in words if speller is None or _is_right(speller, one))

    def suggestions(self, language: str, word: str) -> tuple[str, ...]:
        with self._lock:
            speller = self._speller(language)
            if speller is None or len(word) > _LONGEST_WORD:
                return ()
            try:
                found: tuple[str, ...] = speller.suggest(_plain(word))
            except (UnicodeError, ValueError):
                return ()
            return found[:MOST_SUGGESTED]

    @functools.cached_property
    def _places(self) -> dict[str, Path]:
        folders = tuple(_folders_of_system()) if self._folders is None else self._folders
        found: dict[str, Path] = {}
        known: set[Path] = set()
        for folder in folders:
            files = (one for one in folder.glob("*.dic") if one.with_suffix(".aff").is_file())
            for file in sorted(files, key=lambda one: (one.is_symlink(), one.name)):
                whole = file.resolve()
                if whole in known:
                    continue  # de_BE is de_DE by another name
                known.add(whole)
                found.setdefault(file.stem, folder)
        return found

    def _speller(self, language: str) -> Hunspell | None:
        if language not in self._opened:
            self._opened[language] = self._read(language)
        return self._opened[language]

    def _read(self, language: str) -> Hunspell | None:
        folder = self._places.get(language)
        if folder is None:
            return None
        try:
            from hunspell import Hunspell, HunspellFilePathError
        except ImportError:
            return None
        try:
            return Hunspell(language, hunspell_data_dir=str(folder))
        except (HunspellFilePathError, UnicodeError, OSError):
            return None


def _folders_of_system() -> Iterator[Path]:
    """Where dictionaries of this system lie, and the folder that comes with the library."""
    package = importlib.util.find_spec("hunspell")
    if package is None or not package.submodule_search_locations:
        return
    yield from map(Path, filter(None, os.environ.get("DICPATH", "").split(os.pathsep)))
    home = Path.home()
    if sys.platform == "darwin":
        yield from (home / "Library/Spelling", Path("/Library/Spelling"))
    elif sys.platform != "win32":
        yield home / ".local/share/hunspell"
        for top in ("/app/share", "/usr/local/share", "/usr/share"):
            yield from (Path(top, "hunspell"), Path(top, "myspell"), Path(top, "myspell/dicts"))
    yield Path(package.submodule_search_locations[0]) / "dictionaries"


def _is_right(speller: Hunspell, word: str) -> bool:
    if len(word) > _LONGEST_WORD:
        return True
    try:
        return bool(speller.spell(_plain(word)))
    except (UnicodeError, ValueError):
        return True  # not of an alphabet that the dictionary has


def _plain(word: str) -> str:
    """A word with the apostrophe that dictionaries have."""
    return word.replace("\u2019", "'")
