"""Understands the front matter of a page, and nothing in it that could do harm.

YAML can name a value and repeat it, which makes gigabytes of a few lines, and can name types to
make objects of. Whoever writes properties needs neither: both are refused where they are met,
before anything is built.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MAX_FRONT_BYTES = 16 * 1024
MAX_DEPTH = 8

_OPENS, _CLOSES = "---", ("---", "...")
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,14})")
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]{0,8})\.[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands between the two marks at the top of a page.

    Attributes:
        n_lines: Lines of it, both marks among them; 0 where a page has none.
        values: As JSON takes them; empty if they cannot be understood.
        lines: For each key its line in the file, from 1.
        problem: The line at which it cannot be understood; None if it can.
    """

    n_lines: int
    values: Mapping[str, object]
    lines: Mapping[str, int]
    problem: int | None = None


class _RefusedError(Exception):
    """Something that front matter has no need of."""

    def __init__(self, event: Any) -> None:
        super().__init__(event)
        self.line = event.start_mark.line


def front_matter_of(lines: Sequence[str]) -> FrontMatter:
    """The front matter of a page that is given by its lines."""
    if not lines or lines[0].rstrip() != _OPENS:
        return FrontMatter(0, {}, {})
    inner = (number for number, line in enumerate(lines) if number and line.rstrip() in _CLOSES)
    last = next(inner, 0)
    if not last:
        return FrontMatter(0, {}, {})  # a rule, drawn at the top of a page
    text = "\n".join(lines[1:last])
    if len(text.encode()) > MAX_FRONT_BYTES:
        return FrontMatter(last + 1, {}, {}, problem=1)
    try:
        values, found = _read(text)
    except _RefusedError as refused:
        return FrontMatter(last + 1, {}, {}, problem=refused.line + 2)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        line = min(mark.line, last - 1) if mark is not None else 0
        return FrontMatter(last + 1, {}, {}, problem=line + 2)
    return FrontMatter(last + 1, values, {key: line + 2 for key, line in found.items()})


def words_of(values: Mapping[str, object], *keys: str) -> tuple[str, ...]:
    """The texts of the first of some keys, in any case: of a list, or parted by commas."""
    plain = {key.casefold(): value for key, value in values.items()}
    for key in keys:
        value = plain.get(key)
        if value is None or isinstance(value, dict):
            continue
        parts = value if isinstance(value, list) else str(value).split(",")
        texts = (" ".join(str(part).split()) for part in parts if part is not None)
        return tuple(text for text in texts if text)
    return ()


def _read(text: str) -> tuple[dict[str, object], dict[str, int]]:
    events = _checked(yaml.parse(text, Loader=_LOADER))
    first = next(events, None)
    if first is None or (isinstance(first, yaml.ScalarEvent) and _scalar(first) is None):
        return {}, {}
    if not isinstance(first, yaml.MappingStartEvent):
        raise _RefusedError(first)
    lines: dict[str, int] = {}
    values = _mapping(events, lines)
    if (more := next(events, None)) is not None:  # a second document
        raise _RefusedError(more)
    return values, lines


def _checked(events: Iterator[Any]) -> Iterator[Any]:
    """The events that values are made of, as long as none is refused."""
    depth = 0
    for event in events:
        is_node, is_end = (
            isinstance(event, yaml.NodeEvent),
            isinstance(event, yaml.CollectionEndEvent),
        )
        depth += isinstance(event, yaml.CollectionStartEvent) - is_end
        # An alias has an anchor as well: that of what it repeats.
        if depth > MAX_DEPTH or (is_node and (event.anchor or getattr(event, "tag", None))):
            raise _RefusedError(event)
        if is_node or is_end:
            yield event


def _mapping(events: Iterator[Any], lines: dict[str, int]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key in events:
        if isinstance(key, yaml.MappingEndEvent):
            break
        if not isinstance(key, yaml.ScalarEvent):
            raise _RefusedError(key)
        values[key.value] = _value(next(events), events)
        lines[key.value] = key.start_mark.line
    return values


def _value(event: Any, events: Iterator[Any]) -> object:
    if isinstance(event, yaml.MappingStartEvent):
        return _mapping(events, {})
    if isinstance(event, yaml.SequenceStartEvent):
        items = []
        while not isinstance(one := next(events), yaml.SequenceEndEvent):
            items.append(_value(one, events))
        return items
    return _scalar(event)


def _scalar(event: Any) -> object:
    """A single value; what YAML of old takes for a date, a clock or a yes stays as written."""
    text = event.value
    if event.style:  # in quotes, or a block of text
        return text
    if (plain := text.casefold()) in _WORDS:
        return _WORDS[plain]
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _FRACTION.fullmatch(text) else text
