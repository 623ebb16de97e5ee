r"""Patterns that a stranger wrote, looked for in time that grows with the text and no faster.

The usual engine goes back and tries again, which one line of a pattern turns into hours. This one
keeps every way through at once. It understands characters, ``.``, classes, ``\d \w \s``, groups,
``|``, ``* + ? {m,n}``, ``^`` and ``$``; whatever looks back or around is refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.errors import InvalidValueError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_PATTERN = 500
MAX_STATES = 2_000
"""Of the pattern with its counted repetitions written out."""
MAX_DEPTH = 20
"""Groups in groups."""

_REPEATED = re.compile(r"\{(\d{1,3})(?:(,)(\d{0,3}))?\}")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\\[])*\]")
_ESCAPES = frozenset("dDwWsSntr")
_AHEAD, _BEHIND = "$", "^"


class _Piece(NamedTuple):
    """A part of the pattern: where it begins, and the open ends that the next part is joined to."""

    start: int
    ends: list[tuple[int, int]]


class LinearPattern:
    """One pattern; a state has a test of one character, or up to two ways on without any."""

    def __init__(self, pattern: str) -> None:
        """Understand it.

        Raises:
            InvalidValueError: It is too long, or none of this kind.
        """
        if len(pattern) > MAX_PATTERN:
            raise InvalidValueError("pattern", "too_long", MAX_PATTERN)
        self._rest, self._at, self._depth = pattern, 0, 0
        self._tests: list[Callable[[str], object] | str | None] = []
        self._next: list[list[int]] = []
        whole = self._either()
        if self._at < len(pattern):
            raise _none_such()
        self._join(whole.ends, self._state(None))
        self._start, self._end = whole.start, len(self._tests) - 1

    def is_in(self, text: str) -> bool:
        """Whether it is found anywhere in a text."""
        here: set[int] = set()
        for position in range(len(text) + 1):
            here = self._reached({*here, self._start}, position, len(text))
            if self._end in here:
                return True
            if position < len(text):
                one = text[position]
                here = {
                    self._next[state][0]
                    for state in here
                    if callable(test := self._tests[state]) and test(one)
                }
        return False

    def _reached(self, states: Iterable[int], position: int, n: int) -> set[int]:
        found: set[int] = set()
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            if state in found:
                continue
            found.add(state)
            test = self._tests[state]
            if (
                callable(test)
                or (test == _BEHIND and position)
                or (test == _AHEAD and position < n)
            ):
                continue
            waiting += self._next[state]
        return found

    def _state(self, test: Callable[[str], object] | str | None, *onward: int) -> int:
        if len(self._tests) >= MAX_STATES:
            raise InvalidValueError("pattern", "too_long", MAX_STATES)
        self._tests.append(test)
        self._next.append(list(onward))
        return len(self._tests) - 1

    def _join(self, ends: Iterable[tuple[int, int]], to: int) -> None:
        for state, place in ends:
            self._next[state][place] = to

    def _peek(self) -> str:
        return self._rest[self._at : self._at + 1]

    def _either(self) -> _Piece:
        piece = self._row()
        while self._peek() == "|":
            self._at += 1
            other = self._row()
            start = self._state(None, piece.start, other.start)
            piece = _Piece(start, [*piece.ends, *other.ends])
        return piece

    def _row(self) -> _Piece:
        start = self._state(None, -1)
        piece = _Piece(start, [(start, 0)])
        while (one := self._peek()) and one not in "|)":
            piece = self._then(piece, self._repeated())
        return piece

    def _then(self, one: _Piece, other: _Piece) -> _Piece:
        self._join(one.ends, other.start)
        return _Piece(one.start, other.ends)

    def _repeated(self) -> _Piece:
        began = self._at
        piece = self._one()
        ended = self._at
        found = _REPEATED.match(self._rest, self._at)
        sign = self._peek()
        if found is not None:
            self._at = found.end()
            least = int(found[1])
            most = least if not found[2] else int(found[3]) if found[3] else None
            if most is not None and most < least:
                raise _none_such()
            piece = self._counted(piece, (began, ended), least, most)
        elif sign and sign in "*+?":
            self._at += 1
            piece = self._looped(piece, sign)
        else:
            return piece
        if self._peek() and self._peek() in "*+?{":  # twice, or the lazy forms
            if self._peek() != "?":
                raise _none_such()
            self._at += 1  # which of the finds is shortest is nobody's question here
        return piece

    def _looped(self, piece: _Piece, sign: str) -> _Piece:
        fork = self._state(None, piece.start, -1)
        if sign == "?":
            return _Piece(fork, [*piece.ends, (fork, 1)])
        self._join(piece.ends, fork)
        return _Piece(piece.start if sign == "+" else fork, [(fork, 1)])

    def _counted(
        self, first: _Piece, written: tuple[int, int], least: int, most: int | None
    ) -> _Piece:
        """The same piece several times: it is read again for each of them."""
        after, fresh = self._at, iter([first])
        nothing = self._state(None, -1)
        whole = _Piece(nothing, [(nothing, 0)])

        def again() -> _Piece:
            found = next(fresh, None)
            if found is None:
                self._at = written[0]
                found = self._one()
            return found

        for _ in range(least):
            whole = self._then(whole, again())
        if most is None:
            whole = self._then(whole, self._looped(again(), "*"))
        else:
            for _ in range(most - least):
                whole = self._then(whole, self._looped(again(), "?"))
        self._at = after
        return whole

    def _one(self) -> _Piece:
        one = self._peek()
        if one == "(":
            return self._group()
        if one in _BEHIND + _AHEAD:
            self._at += 1
            state = self._state(one, -1)
            return _Piece(state, [(state, 0)])
        if one in "*+?{":
            raise _none_such()
        if one == "[":
            found = _CLASS.match(self._rest, self._at)
            text = found[0] if found else ""
        elif one == "\\":
            text = self._rest[self._at : self._at + 2]
            if text == "\\" or (text[1].isalnum() and text[1] not in _ESCAPES):
                raise _none_such()
        else:
            text = one
        if not text:
            raise _none_such()
        self._at += len(text)
        try:
            test = re.compile(text, re.DOTALL).fullmatch
        except re.error as error:
            raise _none_such() from error
        state = self._state(test, -1)
        return _Piece(state, [(state, 0)])

    def _group(self) -> _Piece:
        self._at += 1
        if self._rest.startswith("?", self._at):
            if not self._rest.startswith("?:", self._at):
                raise _none_such()
            self._at += 2
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _none_such()
        piece = self._either()
        if self._peek() != ")":
            raise _none_such()
        self._at += 1
        self._depth -= 1
        return piece


def _none_such() -> InvalidValueError:
    return InvalidValueError("pattern", "form")
