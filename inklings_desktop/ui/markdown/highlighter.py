"""Styles Markdown source where it stands: the words as they will look, the marks faint."""

import re
from collections.abc import Iterator
from enum import IntFlag

from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from inklings_desktop.ui.kit.look.hidden_marks import TextPositions
from inklings_desktop.ui.kit.look.theme import Theme

_LONGEST_STYLED = 6_000  # a longer line would be read again whole with every key

# Measured costs, against each other: of a character, a mark among them, and a line.
_BUDGET = 100_000
_MARK, _LINE = 8, 25
_MARKS = re.compile(r"[*_`~\[\]<>#\\]+|^[ \t]*[-+]", re.MULTILINE)
_CODE_PX = 14
_ORDINARY = 0
_LEAST_FENCE = 3
_LONGEST_FENCE = 200

_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}(?:[ \t]+|$)")
_QUOTE = re.compile(r"[ ]{0,3}>[ \t]?")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_RULE = re.compile(r"[ ]{0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_TICKS = re.compile(r"`+")
_LINK = re.compile(r"(!?\[)([^\[\]]*)(\]\([^()\s]*(?:[ \t]+\"[^\"]*\")?\))")
_BARE_LINK = re.compile(r"(<)([a-z][a-z0-9+.-]{1,31}:[^<>\s]*)(>)", re.IGNORECASE)
_DELIMITERS = re.compile(r"\*+|_+|~~")
_ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")
_RUN = re.compile(rb"(.)\1*", re.DOTALL)
_BLANK = "\x00"


class _Style(IntFlag):
    STRONG = 1
    EMPHASIS = 2
    CODE = 4
    MARK = 8
    LINK = 16
    STRUCK = 32


def is_styled(text: str) -> bool:
    """Whether a text can be styled at once; a longer one, or one all of marks, is shown plain."""
    left = _BUDGET - len(text) - _LINE * sum(map(text.count, "\r\n\u2029"))
    return left > 0 and left > _MARK * sum(map(len, _MARKS.findall(text)))


class MarkdownHighlighter(QSyntaxHighlighter):
    """Follows a document; a fence that opens or closes restyles what comes after it."""

    def __init__(self, theme: Theme, document: QTextDocument) -> None:
        super().__init__(document)
        self._theme = theme
        self._formats: dict[int, QTextCharFormat] = {}

    def highlightBlock(self, text: str) -> None:
        """Styles one line, knowing whether the line before it left a fence open."""
        before = max(_ORDINARY, self.previousBlockState())
        state, styles = _styled(text, before)
        self.setCurrentBlockState(state)
        if not any(styles):
            return
        positions = TextPositions(text)
        for run in _RUN.finditer(styles):
            style = styles[run.start()]
            if style:
                start, stop = positions.to_qt(run.start()), positions.to_qt(run.end())
                self.setFormat(start, stop - start, self._format(style))

    def restyle(self) -> None:
        """Style everything anew, after a change of the theme.

        The document reports this as a change of its contents, so its owner calls it.
        """
        self._formats.clear()
        self.rehighlight()

    def _format(self, style: int) -> QTextCharFormat:
        made = self._formats.get(style)
        if made is None:
            made = self._formats[style] = self._made_format(_Style(style))
        return made

    def _made_format(self, style: _Style) -> QTextCharFormat:
        theme = self._theme
        made = QTextCharFormat()
        if style & _Style.CODE:
            font = theme.font("mono", px=_CODE_PX)
            made.setFontFamilies(font.families())
            made.setProperty(QTextCharFormat.Property.FontPixelSize.value, font.pixelSize())
            made.setBackground(theme.color("sunken"))
        if style & _Style.MARK:
            made.setForeground(theme.color("inkFaint"))
            return made
        if style & _Style.STRONG:
            made.setFontWeight(QFont.Weight.DemiBold)
        if style & _Style.EMPHASIS:
            made.setFontItalic(True)
        if style & _Style.STRUCK:
            made.setFontStrikeOut(True)
        if style & _Style.LINK:
            made.setForeground(theme.color("lapis"))
        return made


def _styled(text: str, before: int) -> tuple[int, bytearray]:
    """The state after a line and one style per character; before is the state it begins in."""
    styles = bytearray(len(text))
    after = fence_after(text, before)
    if before or after:
        is_fence = before != after
        _paint(styles, 0, len(text), _Style.CODE | (_Style.MARK if is_fence else 0))
        return after, styles
    if len(text) <= _LONGEST_STYLED:
        _style_line(text, styles)
    return _ORDINARY, styles


def fence_after(text: str, before: int) -> int:
    """The fence that is open behind a line, as a number; 0 for none.

    Args:
        text: The line.
        before: The fence that was open before it.
    """
    fence = _FENCE.match(text)
    if before:
        return _ORDINARY if fence is not None and _closes(text, fence, before) else before
    if fence is None or ("`" in fence.group(1) and "`" in text[fence.end() :]):
        return _ORDINARY
    return _fence_state(fence)


def _fence_state(fence: re.Match[str]) -> int:
    """Which fence is open, as one number: its length, doubled, odd for tildes."""
    signs = fence.group(1)
    return 2 * min(len(signs), _LONGEST_FENCE) + (signs[0] == "~")


def _closes(text: str, fence: re.Match[str], state: int) -> bool:
    ours = _fence_state(fence)
    return ours % 2 == state % 2 and ours >= state and not text[fence.end() :].strip()


def _style_line(text: str, styles: bytearray) -> None:
    at = 0
    quote: re.Match[str] | None
    while quote := _QUOTE.match(text, at):
        _paint(styles, at, quote.end(), _Style.MARK)
        at = quote.end()
    if _RULE.match(text, at):
        _paint(styles, at, len(text), _Style.MARK)
        return
    if item := _ITEM.match(text, at):
        _paint(styles, at, item.end(), _Style.MARK)
        at = item.end()
    if heading := _HEADING.match(text, at):
        _paint(styles, at, heading.end(), _Style.MARK)
        _paint(styles, heading.end(), len(text), _Style.STRONG)
        at = heading.end()
    _style_words(" " * at + text[at:], styles)


def _style_words(text: str, styles: bytearray) -> None:
    """Code, links and emphasis, in this order: what one took, the next does not see."""
    text = _ESCAPED.sub(_BLANK * 2, text)
    for start, stop, width in _code_spans(text):
        _paint(styles, start, stop, _Style.CODE)
        _paint(styles, start, start + width, _Style.MARK)
        _paint(styles, stop - width, stop, _Style.MARK)
        text = text[:start] + _BLANK * (stop - start) + text[stop:]
    for pattern in (_LINK, _BARE_LINK):
        for link in pattern.finditer(text):
            _paint(styles, *link.span(1), _Style.MARK)
            _paint(styles, *link.span(2), _Style.LINK)
            _paint(styles, *link.span(3), _Style.MARK)
            text = text[: link.start(3)] + _BLANK * len(link.group(3)) + text[link.end(3) :]
    _style_emphasis(text, styles)


def _code_spans(text: str) -> Iterator[tuple[int, int, int]]:
    """Start, end and width of the marks of every span; a run closes with one of its length."""
    runs = list(_TICKS.finditer(text))
    later: dict[int, list[int]] = {}
    for number in reversed(range(len(runs))):
        later.setdefault(len(runs[number].group()), []).append(number)
    number = 0
    while number < len(runs):
        width = len(runs[number].group())
        same = later[width]
        while same and same[-1] <= number:
            same.pop()
        if same:
            yield runs[number].start(), runs[same[-1]].end(), width
            number = same[-1]
        number += 1


def _style_emphasis(text: str, styles: bytearray) -> None:
    """Pairs marks that open with marks that close, each sign on its own."""
    open_runs: dict[str, list[tuple[int, int]]] = {"*": [], "_": [], "~": []}
    for run in _DELIMITERS.finditer(text):
        sign = text[run.start()]
        start, stop = run.span()
        opens, closes = _flanks(text, start, stop, sign)
        if closes:
            start = _close(open_runs[sign], start, stop, sign, styles)
        if opens and start < stop:
            open_runs[sign].append((start, stop))


def _close(
    opened: list[tuple[int, int]], start: int, stop: int, sign: str, styles: bytearray
) -> int:
    """Uses up a closing run against the nearest open ones; returns where its rest begins."""
    while opened and start < stop:
        open_start, open_stop = opened.pop()
        width = min(open_stop - open_start, stop - start)
        style = _Style.STRUCK if sign == "~" else _weight_of(width)
        _paint(styles, open_stop, start, style)
        _paint(styles, open_stop - width, open_stop, _Style.MARK)
        _paint(styles, start, start + width, _Style.MARK)
        start += width
        if open_start < open_stop - width:
            opened.append((open_start, open_stop - width))
    return start


def _weight_of(width: int) -> int:
    """One sign emphasises, two are strong, three are both."""
    return (_Style.EMPHASIS if width % 2 else 0) | (_Style.STRONG if width > 1 else 0)


def _flanks(text: str, start: int, stop: int, sign: str) -> tuple[bool, bool]:
    """Whether a run of marks may open and may close."""
    before, after = text[start - 1 : start], text[stop : stop + 1]
    left, right = bool(after) and not after.isspace(), bool(before) and not before.isspace()
    before_word, after_word = before.isalnum(), after.isalnum()
    if left and right:
        # Beside punctuation a run belongs to the side that is a word.
        if not after_word and before_word:
            left = sign != "_" and after in "*_~([\"'\u201c\u2018"
        elif after_word and not before_word:
            right = sign != "_" and before in "*_~)]\"'.,;:!?\u201d\u2019"
        elif sign == "_" and before_word and after_word:
            return False, False
    return left, right


def _paint(styles: bytearray, start: int, stop: int, style: int) -> None:
    for number in range(start, stop):
        styles[number] |= style
