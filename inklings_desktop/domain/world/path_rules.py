"""What a page may be called, and when two paths are one for a person."""

from __future__ import annotations

import re
import unicodedata

from inklings_desktop.domain.errors import InvalidValueError

PAGE_SUFFIXES = (".md", ".markdown", ".txt")
MAX_NAME_CHARACTERS = 120
"""Of one folder or file; file systems take 255 bytes, and a sync program adds words of its own."""
MAX_PATH_CHARACTERS = 600

_FORBIDDEN = frozenset('<>:"|?*\\')
"""Windows takes none of them, and a synced folder comes to it one day."""
_LIKE_SEPARATORS = frozenset("\u2044\u2215\u2216\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c\u2024\uff0e")
_JOINERS = "\u200c\u200d"
"""Invisible, and part of the spelling in Persian and in Indian scripts."""
_UNSEEN_CATEGORIES = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])")
_COPY = re.compile(
    r"\([^()]*\b(?:conflicted copy|case conflict)\b[^()]*\)"  # Dropbox, Nextcloud, Obsidian Sync
    r"|\.sync-conflict-\d"  # Syncthing
    r"|\.conflict(?:\.|-\d|\Z)"  # Resilio and older programs
    r"|_conflict-\d{8}-\d{6}",  # ownCloud
    re.IGNORECASE,
)


def path_key(path: str) -> str:
    """What paths are compared by: on some disks case and the form of an accent do not count."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def is_conflict_copy(path: str) -> bool:
    """Whether the name says that a sync program put the file beside another one."""
    return _COPY.search(path.rpartition("/")[2]) is not None


def title_of_name(path: str) -> str:
    """The name of a file without its folders and its ending, as a page is called by it."""
    name = path.rpartition("/")[2]
    stem, dot, _ = name.rpartition(".")
    return stem if dot and stem else name


def checked_new_path(path: str) -> str:
    """The path of a page that is to be made, below its folder, in Unicode's composed form.

    Raises:
        InvalidValueError: Of the field ``path``, because of the whole (``empty``, ``outside``,
            ``too_long``, ``suffix``: no ending of a page) or of one name in it (``too_long``,
            ``characters``: unseen, or like a separator; ``hidden``: begins with a dot;
            ``ends``: blank or dot at an end; ``reserved``: a device of Windows).
    """
    tidy = unicodedata.normalize("NFC", path)
    if not tidy:
        raise InvalidValueError("path", "empty")
    if len(tidy) > MAX_PATH_CHARACTERS:
        raise InvalidValueError("path", "too_long", MAX_PATH_CHARACTERS)
    names = tidy.split("/")
    if any(name in {"", ".", ".."} for name in names):
        raise InvalidValueError("path", "outside")
    for name in names:
        _check_name(name)
    if not tidy.casefold().endswith(PAGE_SUFFIXES):
        raise InvalidValueError("path", "suffix", ", ".join(PAGE_SUFFIXES))
    return tidy


def _check_name(name: str) -> None:
    if len(name) > MAX_NAME_CHARACTERS:
        raise InvalidValueError("path", "too_long", MAX_NAME_CHARACTERS)
    if any(_is_refused(sign) for sign in name):
        raise InvalidValueError("path", "characters")
    if name.startswith("."):
        raise InvalidValueError("path", "hidden")
    if name != name.strip() or name.endswith("."):
        raise InvalidValueError("path", "ends")
    if _DEVICE.fullmatch(name.partition(".")[0].rstrip().casefold()):
        raise InvalidValueError("path", "reserved")


def _is_refused(sign: str) -> bool:
    if sign in _FORBIDDEN or sign in _LIKE_SEPARATORS:
        return True
    return unicodedata.category(sign) in _UNSEEN_CATEGORIES and sign not in _JOINERS
