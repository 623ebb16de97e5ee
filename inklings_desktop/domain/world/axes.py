"""The four axes of what a page says, read from the page itself whenever they are shown.

They are stored nowhere: an author who writes ``status: canon`` has said it once. Each value tells
where it was read, so that a person can correct it there.
"""

from __future__ import annotations

import re
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from inklings_desktop.domain.world.pages import FolderRules

OPEN = "open"
KNOWN = {
    "origin": ("author", "agent", "import"),
    "lifecycle": ("idea", "draft", "canon", "retired"),
    "weight": ("minor", "normal", "core"),
    "standing": ("settled", OPEN, "contested"),
}
"""The values of each axis; a word of an author's that means none of them is shown as it is."""

_DEFAULTS = {"origin": "author", "lifecycle": "draft", "weight": "normal", "standing": "settled"}
_KEYS = {
    "origin": ("origin",),
    "lifecycle": ("lifecycle", "status", "state"),
    "weight": ("weight", "importance"),
    "standing": ("standing",),
}
_CORE_TAG, _TODO_TAG = "core", "todo"
_OPEN_CALLOUTS = ("question", "help", "faq", "todo")
"""Obsidian has three names for a question."""
_CALLOUT = re.compile(r"^[ ]{0,3}>[ \t]*\[!([A-Za-z-]+)\]", re.MULTILINE)
_TAG = re.compile(r"(?<![\w#&/])#([^\W\d][\w/-]*)")


class AxisSource(StrEnum):
    """Where the value of an axis was read."""

    KEY = "key"
    RULE = "rule"
    TAG = "tag"
    CALLOUT = "callout"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class AxisValue:
    """The value of one axis, and why it is that.

    Attributes:
        value: One of ``KNOWN``, or the author's own word as it is written.
        source: Where it was read.
        name: The key, tag, callout or pattern of paths that says it; empty for the others.
        written: The word that stands there; empty where none does.
        line: Of the key in the file, from 1; None where it is not known.
        path: Of the page.
    """

    value: str
    source: AxisSource
    name: str = ""
    written: str = ""
    line: int | None = None
    path: str = ""


@dataclass(frozen=True, slots=True)
class Axes:
    """Origin, lifecycle, weight and standing of a page or a block."""

    origin: AxisValue
    lifecycle: AxisValue
    weight: AxisValue
    standing: AxisValue


def axes_of(
    front: Mapping[str, object],
    tags: Collection[str],
    block_marks: Collection[str],
    rules: FolderRules,
    *,
    path: str = "",
    front_lines: Mapping[str, int] | None = None,
) -> Axes:
    """Each axis from the first place that says it, else its default.

    Args:
        front: Front matter of the page; keys count in any case.
        tags: Of the page, without ``#``.
        block_marks: Of the block, by ``marks_of``; none where the whole page is meant.
        rules: Of the folder.
        path: Of the page below its folder.
        front_lines: For each key of the front matter its line, from 1.
    """
    reading = _Reading(front, rules, path)
    found = {axis: reading.by_key(axis, front_lines or {}) for axis in KNOWN}
    if found["weight"] is None and (tag := _same_word(_CORE_TAG, tags)):
        found["weight"] = AxisValue("core", AxisSource.TAG, tag, tag, path=path)
    found["standing"] = _standing(tags, block_marks, path) or found["standing"]
    return Axes(*(found[axis] or reading.otherwise(axis) for axis in KNOWN))


def marks_of(text: str) -> tuple[str, ...]:
    """The callouts of a block as ``!question``, then its tags as ``#todo``; in small letters."""
    callouts = (f"!{one.casefold()}" for one in _CALLOUT.findall(text))
    return (*callouts, *(f"#{one.casefold()}" for one in _TAG.findall(text)))


def is_below(path: str, pattern: str) -> bool:
    """Whether a pattern such as ``Archive/**`` means this path; a star means any folders too."""
    plain = pattern.strip("/").casefold()
    return any(fnmatchcase(path.casefold(), one) for one in (plain, plain.removeprefix("**/")))


class _Reading:
    """What a page and its folder say of each axis."""

    def __init__(self, front: Mapping[str, object], rules: FolderRules, path: str) -> None:
        self._front = {key.casefold(): (key, value) for key, value in front.items()}
        self._rules, self._path = rules, path

    def by_key(self, axis: str, lines: Mapping[str, int]) -> AxisValue | None:
        for wanted in _KEYS[axis]:
            key, value = self._front.get(wanted, ("", None))
            if written := _word(value):
                meant = self._meant(axis, written)
                return AxisValue(meant, AxisSource.KEY, key, written, lines.get(key), self._path)
        return None

    def otherwise(self, axis: str) -> AxisValue:
        """What the first rule of the folder says that means this page; else the default."""
        for pattern, values in self._rules.folders.items():
            if (written := values.get(axis)) and is_below(self._path, pattern):
                meant = self._meant(axis, written)
                return AxisValue(meant, AxisSource.RULE, pattern, written, None, self._path)
        return AxisValue(_DEFAULTS[axis], AxisSource.DEFAULT, path=self._path)

    def _meant(self, axis: str, written: str) -> str:
        """The value that a word means by the folder's rules, else by itself."""
        plain = written.casefold()
        for word, value in self._rules.axes.get(axis, {}).items():
            if word.casefold() == plain:
                return value
        return plain if plain in KNOWN[axis] else written


def _standing(tags: Collection[str], block_marks: Collection[str], path: str) -> AxisValue | None:
    for callout in _OPEN_CALLOUTS:
        if f"!{callout}" in block_marks:
            return AxisValue(OPEN, AxisSource.CALLOUT, callout, callout, path=path)
    in_block = [one.removeprefix("#") for one in block_marks if one.startswith("#")]
    if tag := _same_word(_TODO_TAG, [*in_block, *tags]):
        return AxisValue(OPEN, AxisSource.TAG, tag, tag, path=path)
    return None


def _same_word(wanted: str, tags: Collection[str]) -> str:
    return next((one for one in tags if one.casefold() == wanted), "")


def _word(value: object) -> str:
    """A value of front matter as the one word it stands for; of several the first."""
    if isinstance(value, list | tuple):
        value = next(iter(value), None)
    if value is None or isinstance(value, dict):
        return ""
    return " ".join(str(value).split())


def explained_axis(axis: AxisValue) -> str:
    """The value with where it was read, for the command line and for agents."""
    match axis.source:
        case AxisSource.KEY:
            line = "" if axis.line is None else f"line {axis.line} of "
            why = f"`{axis.name}: {axis.written}`, {line}{axis.path}"
        case AxisSource.RULE:
            why = f"the folder's rule for {axis.name}"
        case AxisSource.TAG:
            why = f"tag #{axis.name}"
        case AxisSource.CALLOUT:
            why = f"callout {axis.name}"
        case AxisSource.DEFAULT:
            why = "nothing says otherwise"
    return f"{axis.value}: {why}"
