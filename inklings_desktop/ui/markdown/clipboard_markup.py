"""The plain text of what was copied as HTML or RTF alone.

Nothing is rendered, and nothing that the markup names is loaded. Each reader goes through its text
once, whatever that is: Qt's own takes a minute for some thousand nested tags.
"""

import re
from codecs import lookup
from html import unescape
from typing import NamedTuple

_MOST_BREAKS = 2
_UNFIT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

# -- HTML -------------------------------------------------------------------------------------

_LONG_NUMBER = re.compile(r"&#[0-9]{1000,};?")
_MARKUP = re.compile(r"<(?:!--|[!?]|(/?)([A-Za-z][A-Za-z0-9:-]*))")
_IN_TAG = re.compile(r"[^\"'>]*")
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_UNSEEN = {
    name: re.compile(f"</{name}", re.IGNORECASE)
    for name in ("script", "style", "template", "title")
}
_PARAGRAPHS = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "ul", "ol", "dl", "table"}
)
_LINES = frozenset(
    {"address", "article", "aside", "body", "dd", "details", "div", "dt", "figcaption", "figure",
     "footer", "form", "head", "header", "hr", "html", "li", "main", "nav", "section", "summary",
     "tr"}
)  # fmt: skip
_CELLS = frozenset({"td", "th"})


def text_of_html(html: str) -> str:
    """What a person reads of a page: paragraphs, lines and cells stay apart."""
    page = _Page()
    at = 0
    while at < len(html):
        found = _MARKUP.search(html, at)
        page.add(_spelled(html[at : None if found is None else found.start()]))
        at = len(html) if found is None else _behind_markup(html, found, page)
    return page.text()


def _fit(text: str) -> str:
    """Only what can be kept: halves of characters put together, control characters left out."""
    halves = _UNFIT.sub("", text).encode("utf-16-le", "surrogatepass")
    return halves.decode("utf-16-le", "replace")


def _spelled(text: str) -> str:
    """The characters that entities stand for; Python reads no number of so many digits."""
    return unescape(_LONG_NUMBER.sub("\ufffd", text))


class _Page:
    """Text as it comes to stand on its lines."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._n_breaks = _MOST_BREAKS
        self._has_blank = False
        self._n_kept = 0

    def add(self, text: str) -> None:
        """Put text behind what is there; blanks count as one unless they are kept."""
        if self._n_kept:
            self._put(text.replace("\r\n", "\n").replace("\r", "\n"))
            return
        text = _BLANKS.sub(" ", text)
        self._has_blank |= text.startswith(" ")
        if words := text.strip(" "):
            self._put(words)
            self._has_blank = text.endswith(" ")

    def tag(self, name: str, *, closes: bool) -> None:
        """What a tag means for the lines."""
        if name == "br":
            self._parts.append("\n")
            self._n_breaks += 1
            self._has_blank = False
        elif name in _CELLS:
            if not closes and not self._n_breaks:
                self._parts.append("\t")
            self._has_blank = False
        elif name in _PARAGRAPHS:
            self._break(2)
        elif name in _LINES:
            self._break(1)
        if name == "pre":
            self._n_kept = max(0, self._n_kept + (-1 if closes else 1))

    def text(self) -> str:
        """Everything; a no-break space, which pages use to keep blanks apart, is a blank."""
        return _fit("".join(self._parts)).replace("\xa0", " ").strip("\n")

    def _put(self, words: str) -> None:
        if self._has_blank and not self._n_breaks:
            self._parts.append(" ")
        self._parts.append(words)
        self._n_breaks, self._has_blank = 0, False

    def _break(self, n_wanted: int) -> None:
        self._parts.append("\n" * max(0, n_wanted - self._n_breaks))
        self._n_breaks, self._has_blank = max(self._n_breaks, n_wanted), False


def _behind_markup(html: str, found: re.Match[str], page: _Page) -> int:
    """Take what begins with ``<`` for what it is; where it ends."""
    if found[2] is None:
        return _behind(html, "-->" if found[0] == "<!--" else ">", found.start())
    name, stop = found[2].lower(), _end_of_tag(html, found.end())
    if name in _UNSEEN:
        if found[1]:
            return stop
        closing = _UNSEEN[name].search(html, stop)
        return len(html) if closing is None else _behind(html, ">", closing.end())
    page.tag(name, closes=bool(found[1]))
    return stop


def _end_of_tag(html: str, at: int) -> int:
    """Behind the ``>`` of a tag; one between quotation marks does not count."""
    while True:
        inside = _IN_TAG.match(html, at)
        at = at if inside is None else inside.end()
        if at >= len(html) or html[at] == ">":
            return min(at + 1, len(html))
        closing = html.find(html[at], at + 1)
        if closing < 0:  # never closed: a character like any other
            return _behind(html, ">", at)
        at = closing + 1


def _behind(html: str, mark: str, at: int) -> int:
    found = html.find(mark, at)
    return len(html) if found < 0 else found + len(mark)


# -- RTF --------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"\\'(?P<byte>[0-9a-fA-F]{2})"
    r"|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,9})? ?"
    r"|\\(?P<sign>[^a-zA-Z'])"
    r"|(?P<brace>[{}])"
    r"|(?P<text>[^\\{}\r\n]+)"
)
_HEAD = re.compile(r"\s*\{\\rtf")
_SIGNS = {
    "par": "\n", "line": "\n", "row": "\n", "sect": "\n", "page": "\n", "tab": "\t",
    "cell": "\t", "emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018", "rquote": "\u2019",
    "ldblquote": "\u201c", "rdblquote": "\u201d", "bullet": "\u2022", "emspace": " ",
    "enspace": " ",
}  # fmt: skip
_ESCAPED = {"\\": "\\", "{": "{", "}": "}", "~": " ", "_": "-", "\n": "\n", "\r": "\n"}
_ASIDE = frozenset(
    {"fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "headerl", "headerr",
     "headerf", "footer", "footerl", "footerr", "footerf", "footnote", "annotation", "fldinst",
     "listtable", "listoverridetable", "themedata", "datastore", "xmlnstbl", "private1"}
)  # fmt: skip
_WESTERN = "cp1252"


class _Group(NamedTuple):
    """What holds between two braces.

    Attributes:
        is_aside: Whether nothing in it is text.
        n_spare: Characters behind a Unicode one that stand for it in older programs.
    """

    is_aside: bool = False
    n_spare: int = 1


def text_of_rtf(rtf: bytes) -> str:
    """What a person reads of a document; what is no RTF is empty."""
    source = rtf.decode("latin-1")
    if _HEAD.match(source) is None:
        return ""
    document = _Document()
    at = 0
    while at < len(source):
        token = _TOKEN.match(source, at)
        if token is None:  # a line end of the file, or half a sign
            at += 1
            continue
        at = token.end() + document.take(token)
    return document.text()


class _Document:
    """Text as it comes out of its groups."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._bytes = bytearray()
        self._groups = [_Group()]
        self._codec: str | None = None
        self._n_skipped = 0

    def take(self, token: re.Match[str]) -> int:
        """Read one token; how many characters behind it are no text."""
        if (brace := token["brace"]) is not None:
            self._n_skipped = 0
            if brace == "{":
                self._groups.append(self._groups[-1])
            elif len(self._groups) > 1:
                self._groups.pop()
        elif (word := token["word"]) is not None:
            number = None if token["number"] is None else int(token["number"])
            return self._take_word(word, number)
        elif token["byte"] is not None:
            self._add_bytes(bytes.fromhex(token["byte"]))
        elif token["text"] is not None:
            self._add_bytes(token["text"].encode("latin-1"))
        elif token["sign"] == "*":
            self._set_aside()
        else:
            self._add(_ESCAPED.get(token["sign"], ""))
        return 0

    def text(self) -> str:
        """Everything, with characters of two halves put together."""
        self._flush()
        return _fit("".join(self._parts)).strip("\n")

    def _take_word(self, word: str, number: int | None) -> int:
        group = self._groups[-1]
        if word == "bin":
            return max(0, number or 0)
        if word in _ASIDE:
            self._set_aside()
        elif word == "ansicpg" and number is not None and self._codec is None:
            # Once for a document: to look up a page that is not there takes its time.
            self._codec = _codec(number)
        elif word == "uc" and number is not None:
            self._groups[-1] = group._replace(n_spare=max(0, number))
        elif word == "u" and number is not None:
            self._add(chr(number & 0xFFFF))
            self._n_skipped = group.n_spare
        elif word in _SIGNS:
            self._add(_SIGNS[word])
        return 0

    def _set_aside(self) -> None:
        if not self._groups[-1].is_aside:
            self._groups[-1] = self._groups[-1]._replace(is_aside=True)

    def _add(self, text: str) -> None:
        if not self._groups[-1].is_aside and not self._skips(text):
            self._flush()
            self._parts.append(text)

    def _add_bytes(self, read: bytes) -> None:
        if self._groups[-1].is_aside:
            return
        n_skipped = min(self._n_skipped, len(read))
        self._n_skipped -= n_skipped
        self._bytes += read[n_skipped:]

    def _skips(self, text: str) -> bool:
        is_skipped = bool(text) and self._n_skipped > 0
        self._n_skipped -= is_skipped
        return is_skipped

    def _flush(self) -> None:
        self._parts.append(self._bytes.decode(self._codec or _WESTERN, "replace"))
        self._bytes.clear()


def _codec(page: int) -> str:
    """Python's name of a code page, or the western one's."""
    name = "utf-8" if page == 65001 else f"cp{page}"  # noqa: PLR2004 - Windows calls it so
    try:
        return lookup(name).name
    except LookupError:
        return _WESTERN
