"""What the formatting actions do to Markdown source, as small changes to a text."""

import re
from collections.abc import Callable, Iterable, Iterator
from enum import Enum

from inklings_desktop.domain.plain_data import dataclass

_BREAK = "\n"
_DEEPEST_HEADING = 3
_STRONG, _EMPHASIS, _CODE, _FENCE = "**", "*", "`", "```"

_WORD_BEFORE = re.compile(r"\w+\Z")
_WORD_AFTER = re.compile(r"\w*")
_HEADING = re.compile(r"(#{1,6})[ \t]+")
_QUOTE = re.compile(r"[ \t]{0,3}> ?")
_BULLET = re.compile(r"([ \t]*)([-*+])[ \t]+")
_NUMBER = re.compile(r"([ \t]*)(\d{1,9}[.)])[ \t]+")
_LIST = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+")
_LINE_MARKS = re.compile(r"(?:[ \t]*(?:>|#{1,6}[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t]))*[ \t]*")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\(([^()\n]*)\)")
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:|www\.)\S+", re.IGNORECASE)


class MarkdownFormat(Enum):
    """What a formatting action does."""

    HEADING = "heading"
    STRONG = "strong"
    EMPHASIS = "emphasis"
    QUOTE = "quote"
    BULLETS = "bullets"
    NUMBERS = "numbers"
    LINK = "link"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class TextChange:
    """Characters from ``start`` up to ``stop`` of the old text give way to ``text``."""

    start: int
    stop: int
    text: str


@dataclass(frozen=True, slots=True)
class FormatEdit:
    """Changes in order, none overlapping, and what is selected in the text that they make."""

    changes: tuple[TextChange, ...]
    select_from: int
    select_to: int


def format_edit(text: str, start: int, stop: int, kind: MarkdownFormat) -> FormatEdit:
    """What one action does to the selection from ``start`` up to ``stop``; the next undoes it.

    Without a selection inline formats take the word at the caret, or leave their marks around
    it. Headings go round from none over three levels. Positions count characters.
    """
    return _ACTIONS[kind](text, start, stop)


def _strong(text: str, start: int, stop: int) -> FormatEdit:
    return _inline(text, start, stop, _STRONG)


def _emphasis(text: str, start: int, stop: int) -> FormatEdit:
    return _inline(text, start, stop, _EMPHASIS)


def _code(text: str, start: int, stop: int) -> FormatEdit:
    if _BREAK in text[start:stop]:
        return _fenced(text, start, stop)
    return _inline(text, start, stop, _CODE)


# -- inside a line --------------------------------------------------------------------------


def _inline(text: str, start: int, stop: int, mark: str) -> FormatEdit:
    word = (start, stop) if start < stop else _word_at(text, start)
    if word[0] == word[1]:
        return _empty_marks(text, start, mark)
    pieces = list(_pieces(text, *word)) or [word]
    found = [_marks_around(text, piece, mark) for piece in pieces]
    width = len(mark)
    changes: list[TextChange] = []
    if all(found):
        for left, right in filter(None, found):
            changes += [TextChange(left, left + width, ""), TextChange(right, right + width, "")]
    else:
        for (left, right), marked in zip(pieces, found, strict=True):
            if not marked:
                changes += [TextChange(left, left, mark), TextChange(right, right, mark)]
    if start == stop:
        caret = _moved(start, changes[:1], sticks=True)
        return FormatEdit(tuple(changes), caret, caret)
    return _edit(changes, start, stop, inside=pieces == [(start, stop)])


def _word_at(text: str, caret: int) -> tuple[int, int]:
    line_start = text.rfind(_BREAK, 0, caret) + 1
    before = _WORD_BEFORE.search(text[line_start:caret])
    after = _WORD_AFTER.match(text, caret)
    start = line_start + before.start() if before else caret
    return start, after.end() if after else caret


def _empty_marks(text: str, caret: int, mark: str) -> FormatEdit:
    """Marks with the caret between them, or no marks again."""
    if _marks_around(text, (caret, caret), mark):
        left, right = caret - len(mark), caret + len(mark)
        return FormatEdit((TextChange(left, right, ""),), left, left)
    inside = caret + len(mark)
    return FormatEdit((TextChange(caret, caret, mark + mark),), inside, inside)


def _pieces(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """What of a selection an inline mark can hold: lines without their marks and outer blanks."""
    for line_start, line_stop in _lines_of(text, start, stop):
        marks = _LINE_MARKS.match(text, line_start, line_stop)
        left = max(start, marks.end() if marks and start <= line_start else line_start)
        right = min(stop, line_stop)
        while left < right and text[left].isspace():
            left += 1
        while right > left and text[right - 1].isspace():
            right -= 1
        if left < right:
            yield left, right


def _marks_around(text: str, piece: tuple[int, int], mark: str) -> tuple[int, int] | None:
    """Where the marks stand that belong to a piece, just outside or just inside it."""
    left, right = piece
    sign, width = mark[0], len(mark)
    outside = min(_run(text, left, sign, back=True), _run(text, right, sign))
    if _counts(outside, mark):
        return left - width, right
    inside = min(_run(text, left, sign), _run(text, right, sign, back=True))
    if _counts(inside, mark) and right - left > 2 * inside:
        return left, right - width
    return None


def _run(text: str, position: int, sign: str, *, back: bool = False) -> int:
    length = 0
    while True:
        at = position - length - 1 if back else position + length
        if not 0 <= at < len(text) or text[at] != sign:
            return length
        length += 1


def _counts(run: int, mark: str) -> bool:
    """Whether so many signs in a row hold this mark: two are strong, one or three emphasise."""
    if mark == _EMPHASIS:
        return run % 2 == 1
    return run >= len(mark)


def _link(text: str, start: int, stop: int) -> FormatEdit:
    line_start = text.rfind(_BREAK, 0, start) + 1
    line_stop = _line_stop(text, start)
    for match in _LINK.finditer(text, line_start, line_stop):
        if match.start() <= start and stop <= match.end():
            changes = [
                TextChange(match.start(), match.start() + 1, ""),
                TextChange(match.end(1), match.end(), ""),
            ]
            return _edit(changes, start, stop)
    if start == stop:
        start, stop = _word_at(text, start)
    if _ADDRESS.fullmatch(text[start:stop]):
        changes = [TextChange(start, start, "[]("), TextChange(stop, stop, ")")]
        return FormatEdit(tuple(changes), start + 1, start + 1)
    changes = [TextChange(start, start, "["), TextChange(stop, stop, "]()")]
    caret = start + 1 if start == stop else stop + 3
    return FormatEdit(tuple(changes), caret, caret)


# -- whole lines ----------------------------------------------------------------------------


def _heading(text: str, start: int, stop: int) -> FormatEdit:
    spans = _marked_lines(text, start, stop)
    first = _HEADING.match(text, *spans[0])
    level = len(first.group(1)) + 1 if first else 1
    prefix = "#" * level + " " if level <= _DEEPEST_HEADING else ""
    changes = []
    for line_start, line_stop in spans:
        marks = _HEADING.match(text, line_start, line_stop)
        changes.append(TextChange(line_start, marks.end() if marks else line_start, prefix))
    return _edit(changes, start, stop)


def _quote(text: str, start: int, stop: int) -> FormatEdit:
    spans = _lines_of(text, start, stop)
    quoted = [_QUOTE.match(text, *span) for span in spans]
    if all(quoted):
        changes = [TextChange(mark.start(), mark.end(), "") for mark in quoted if mark]
    else:
        changes = [
            TextChange(left, left, "> " if right > left or len(spans) == 1 else ">")
            for left, right in spans
        ]
    return _edit(changes, start, stop)


def _bullets(text: str, start: int, stop: int) -> FormatEdit:
    return _listed(text, start, stop, _BULLET, lambda _number: "- ")


def _numbers(text: str, start: int, stop: int) -> FormatEdit:
    return _listed(text, start, stop, _NUMBER, lambda number: f"{number}. ")


def _listed(
    text: str, start: int, stop: int, own: re.Pattern[str], mark: Callable[[int], str]
) -> FormatEdit:
    """Marks every line as an item; one kind of list takes the place of the other."""
    spans = _marked_lines(text, start, stop)
    marks = [own.match(text, *span) for span in spans]
    if all(marks):
        changes = [TextChange(one.end(1), one.end(), "") for one in marks if one]
        return _edit(changes, start, stop)
    changes = []
    for number, (line_start, line_stop) in enumerate(spans, start=1):
        other = _LIST.match(text, line_start, line_stop)
        left = _after_blanks(text, line_start, line_stop) if other is None else other.end(1)
        changes.append(TextChange(left, other.end() if other else left, mark(number)))
    return _edit(changes, start, stop)


def _after_blanks(text: str, start: int, stop: int) -> int:
    while start < stop and text[start] in " \t":
        start += 1
    return start


def _fenced(text: str, start: int, stop: int) -> FormatEdit:
    """Fences on lines of their own around the lines of the selection, or none any more."""
    spans = _lines_of(text, start, stop)
    top, bottom = spans[0][0], spans[-1][1]
    first, last = text[slice(*spans[0])], text[slice(*spans[-1])]
    if first.startswith(_FENCE) and last.strip() == _FENCE and len(spans) > 1:
        changes = [TextChange(top, spans[0][1] + 1, "")]
        changes.append(TextChange(max(spans[-1][0] - 1, spans[0][1] + 1), bottom, ""))
    else:
        changes = [
            TextChange(top, top, _FENCE + _BREAK),
            TextChange(bottom, bottom, _BREAK + _FENCE),
        ]
    return _edit(changes, top, bottom)


def _marked_lines(text: str, start: int, stop: int) -> list[tuple[int, int]]:
    """Lines that take a mark: those with text, or the one empty line of the caret."""
    spans = _lines_of(text, start, stop)
    return [span for span in spans if text[slice(*span)].strip()] or spans[:1]


def _lines_of(text: str, start: int, stop: int) -> list[tuple[int, int]]:
    """Start and end of every line that a selection touches; a line it only begins is not."""
    spans = []
    at = text.rfind(_BREAK, 0, start) + 1
    while True:
        end = _line_stop(text, at)
        spans.append((at, end))
        at = end + 1
        if at >= stop or end == len(text):
            return spans


def _line_stop(text: str, position: int) -> int:
    end = text.find(_BREAK, position)
    return len(text) if end < 0 else end


def _edit(
    changes: Iterable[TextChange], start: int, stop: int, *, inside: bool = False
) -> FormatEdit:
    """The changes that change anything, with the selection carried along.

    New marks at the edges of a selection belong to it, unless it is to stay ``inside`` them; a
    caret goes behind a mark.
    """
    real = tuple(change for change in changes if change.start != change.stop or change.text)
    select_from = _moved(start, real, sticks=inside or start == stop)
    select_to = _moved(stop, real, sticks=not inside)
    return FormatEdit(real, select_from, max(select_from, select_to))


def _moved(position: int, changes: Iterable[TextChange], *, sticks: bool) -> int:
    """Where a position goes; text put in right there moves it when it ``sticks`` to the right."""
    shift = 0
    for change in changes:
        if change.start > position or (change.start == position == change.stop and not sticks):
            break
        if change.stop <= position:
            shift += len(change.text) - (change.stop - change.start)
        else:
            return change.start + shift + len(change.text)
    return position + shift


_ACTIONS: dict[MarkdownFormat, Callable[[str, int, int], FormatEdit]] = {
    MarkdownFormat.HEADING: _heading,
    MarkdownFormat.STRONG: _strong,
    MarkdownFormat.EMPHASIS: _emphasis,
    MarkdownFormat.QUOTE: _quote,
    MarkdownFormat.BULLETS: _bullets,
    MarkdownFormat.NUMBERS: _numbers,
    MarkdownFormat.LINK: _link,
    MarkdownFormat.CODE: _code,
}
