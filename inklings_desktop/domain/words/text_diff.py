"""What changed between two texts: by line, and by word inside lines that were rewritten.

Lines are compared with their line ends, so a text whose only change is its last line break
differs from the one before. Whatever the texts, the work stays near their length: where two
passages have too much in common to be compared word by word, they stand as removed and added
in whole.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from difflib import SequenceMatcher
from enum import Enum
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_TOKEN = re.compile(rf"[{_CJK}]|(?:(?![{_CJK}])[\w\u0300-\u036f'\u2019])+|\s+|.", re.DOTALL)

_ALIKE = 0.35  # share of common words from which two lines count as one line rewritten
_LINE_BUDGET = 150_000  # steps in search of repeated lines that stayed, in one diff
_WORD_BUDGET = 2_000_000  # comparisons of words in one diff
_PAIRING_LIMIT = 1_600  # lines times lines of a passage in which rewritten ones are looked for


class RowKind(Enum):
    """What became of a line."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One line of either text.

    ``old_number`` and ``new_number`` count lines from 1 and are ``None`` on the side that lacks
    the line. ``end`` is the line end as written, empty on a last line without one;
    ``end_changed`` says that it is (part of) what changed. ``changed`` marks words as start and
    length in characters; none on a changed line means that the whole line is new or gone.
    """

    kind: RowKind
    old_number: int | None
    new_number: int | None
    text: str
    end: str
    changed: tuple[tuple[int, int], ...] = ()
    end_changed: bool = False


@dataclass(frozen=True, slots=True)
class TextDiff:
    """Every line of both texts in reading order, what was removed before what replaced it."""

    rows: tuple[DiffRow, ...]
    n_added: int
    n_removed: int

    @property
    def has_changes(self) -> bool:
        """Whether the two texts differ at all."""
        return bool(self.n_added or self.n_removed)

    def changes(self) -> tuple[tuple[int, int], ...]:
        """Runs of changed rows as first row and row after the last, in order."""
        runs: list[tuple[int, int]] = []
        first: int | None = None
        for number, row in enumerate(self.rows):
            if row.kind is RowKind.SAME:
                if first is not None:
                    runs.append((first, number))
                first = None
            elif first is None:
                first = number
        if first is not None:
            runs.append((first, len(self.rows)))
        return tuple(runs)

    def near_changes(self, n_around: int) -> tuple[int, ...]:
        """Numbers of the changed rows and of so many around each, in order."""
        near: set[int] = set()
        for number, row in enumerate(self.rows):
            if row.kind is not RowKind.SAME:
                near.update(range(number - n_around, number + n_around + 1))
        return tuple(sorted(number for number in near if 0 <= number < len(self.rows)))

    def only_near_changes(self, n_around: int) -> TextDiff:
        """The same without the rows that are further from every change."""
        near = tuple(self.rows[number] for number in self.near_changes(n_around))
        return TextDiff(near, self.n_added, self.n_removed)


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    end: str


@dataclass(slots=True)
class _Budget:
    """How many comparisons are left; what would go beyond is not compared."""

    lines: int = _LINE_BUDGET
    words: int = _WORD_BUDGET

    def takes_lines(self, cost: int) -> bool:
        if cost > self.lines:
            return False
        self.lines -= cost
        return True

    def takes_words(self, cost: int) -> bool:
        if cost > self.words:
            return False
        self.words -= cost
        return True


def diff_lines(old: str, new: str) -> TextDiff:
    """The change from one text to the other.

    The rows that are not removed, joined with their line ends, are the new text; those that are
    not added are the old one.
    """
    before, after = _lines(old), _lines(new)
    known: dict[_Line, int] = {}
    old_ids, new_ids = (
        [known.setdefault(line, len(known)) for line in side] for side in (before, after)
    )
    budget = _Budget()
    # Where both texts stop without a line end nobody changed that.
    tells_end = _stops_short(old) is not _stops_short(new)
    rows: list[DiffRow] = []
    i = j = 0
    for start, other, length in _matches(old_ids, new_ids, budget):
        rows += _changed_rows(before[i:start], after[j:other], (i, j), budget, tells_end=tells_end)
        rows += [
            DiffRow(RowKind.SAME, start + k + 1, other + k + 1, line.text, line.end)
            for k, line in enumerate(before[start : start + length])
        ]
        i, j = start + length, other + length
    rows += _changed_rows(before[i:], after[j:], (i, j), budget, tells_end=tells_end)
    kinds = Counter(row.kind for row in rows)
    return TextDiff(tuple(rows), kinds[RowKind.ADDED], kinds[RowKind.REMOVED])


def word_changes(old: str, new: str) -> tuple[tuple[slice, slice], ...]:
    """The words that stand in place of others: where in the old text, and where in the new one.

    Either may be empty. Two texts too long to be compared are one change.
    """
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    if not _Budget().takes_words(len(a) * len(b)):
        return ((slice(0, len(old)), slice(0, len(new))),)
    ends, new_ends = ([0, *accumulate(map(len, one))] for one in (a, b))
    return tuple(
        (slice(ends[i], ends[j]), slice(new_ends[k], new_ends[m]))
        for kind, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
        if kind != "equal"
    )


def _stops_short(text: str) -> bool:
    return not text.endswith(("\n", "\r"))


def _lines(text: str) -> list[_Line]:
    found = [_Line(*match.groups()) for match in _LINE.finditer(text)]
    # After a last line end the pattern finds one more line, of nothing.
    while found and not (found[-1].text or found[-1].end):
        found.pop()
    return found


def _matches(old: list[int], new: list[int], budget: _Budget) -> list[tuple[int, int, int]]:
    """Runs of lines that stayed: start in the old text, start in the new text, length.

    Lines come as numbers, equal ones as the same number.
    """
    found: list[tuple[int, int, int]] = []
    waiting = [(0, len(old), 0, len(new))]
    while waiting:
        i, i_end, j, j_end = waiting.pop()
        n_head = 0
        while i < i_end and j < j_end and old[i] == new[j]:
            i, j, n_head = i + 1, j + 1, n_head + 1
        if n_head:
            found.append((i - n_head, j - n_head, n_head))
        n_tail = 0
        while i < i_end and j < j_end and old[i_end - 1] == new[j_end - 1]:
            i_end, j_end, n_tail = i_end - 1, j_end - 1, n_tail + 1
        if n_tail:
            found.append((i_end, j_end, n_tail))
        if i == i_end or j == j_end:
            continue
        anchors = _anchors(old, new, (i, i_end, j, j_end))
        if anchors:
            corners = [(i, j), *anchors, (i_end, j_end)]
            waiting += [(here[0], there[0], here[1], there[1]) for here, there in pairwise(corners)]
        else:
            found += _close_matches(old[i:i_end], new[j:j_end], i, j, budget)
    return sorted(found)


def _anchors(
    old: list[int], new: list[int], window: tuple[int, int, int, int]
) -> list[tuple[int, int]]:
    """Lines that occur once on either side and keep their order, as many as possible."""
    i, i_end, j, j_end = window
    n_old, n_new = Counter(old[i:i_end]), Counter(new[j:j_end])
    place = {new[k]: k for k in range(j, j_end) if n_new[new[k]] == 1}
    pairs = [(k, place[old[k]]) for k in range(i, i_end) if n_old[old[k]] == 1 and old[k] in place]
    return _rising(pairs)


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs whose second numbers rise; the first ones already do."""
    ends: list[int] = []
    at: list[int] = []
    previous: list[int] = []
    for number, (_, second) in enumerate(pairs):
        spot = bisect_left(ends, second)
        previous.append(at[spot - 1] if spot else -1)
        ends[spot : spot + 1] = [second]
        at[spot : spot + 1] = [number]
    chain: list[tuple[int, int]] = []
    number = at[-1] if at else -1
    while number >= 0:
        chain.append(pairs[number])
        number = previous[number]
    return chain[::-1]


def _close_matches(
    old: list[int], new: list[int], i: int, j: int, budget: _Budget
) -> list[tuple[int, int, int]]:
    """Lines that stayed where all of them repeat, by the shortest way from old to new.

    Myers' greedy search: with every removed or added line more, how far each diagonal reaches.
    Where the way is longer than the budget, nothing counts as having stayed.
    """
    reach: dict[int, int] = {1: 0}
    # Of each round only what the way back asks for: diagonals -n - 1 up to n + 1.
    trace: list[list[int]] = []
    for n_changes in range(len(old) + len(new) + 1):
        if not budget.takes_lines(n_changes + 1):
            return []
        trace.append([reach.get(k, -1) for k in range(-n_changes - 1, n_changes + 2)])
        for diagonal in range(-n_changes, n_changes + 1, 2):
            x, _ = _start(trace[-1], diagonal, n_changes)
            y = x - diagonal
            while x < len(old) and y < len(new) and old[x] == new[y]:
                x, y = x + 1, y + 1
            reach[diagonal] = x
            if x >= len(old) and y >= len(new):
                return _kept(trace, x, y, i, j)
    return []


def _start(reach: list[int], diagonal: int, n_changes: int) -> tuple[int, bool]:
    """Where a diagonal begins in this round, and whether by an added line."""
    middle = diagonal + n_changes + 1
    below, above = reach[middle - 1], reach[middle + 1]
    is_added = diagonal == -n_changes or (diagonal != n_changes and below < above)
    return (above if is_added else below + 1), is_added


def _kept(trace: list[list[int]], x: int, y: int, i: int, j: int) -> list[tuple[int, int, int]]:
    """The runs of equal lines on the way found, read from its end."""
    runs = []
    for n_changes in reversed(range(len(trace))):
        diagonal = x - y
        start, is_added = _start(trace[n_changes], diagonal, n_changes)
        if x > start:
            runs.append((start + i, start - diagonal + j, x - start))
        x = start if is_added else start - 1
        y = start - diagonal - (1 if is_added else 0)
    return runs


def _changed_rows(
    old: Sequence[_Line],
    new: Sequence[_Line],
    at: tuple[int, int],
    budget: _Budget,
    *,
    tells_end: bool,
) -> Iterator[DiffRow]:
    """A passage that was rewritten: lines that belong together stand together."""
    i, j = at
    k = m = 0
    for first, second in [*_pairs(old, new), (len(old), len(new))]:
        yield from (_removed(old[k], i + k, tells_end=tells_end) for k in range(k, first))
        yield from (_added(new[m], j + m, tells_end=tells_end) for m in range(m, second))
        if first < len(old):
            yield from _rewritten(old[first], new[second], i + first, j + second, budget)
        k, m = first + 1, second + 1


def _removed(line: _Line, index: int, *, tells_end: bool) -> DiffRow:
    is_told = tells_end and not line.end
    return DiffRow(RowKind.REMOVED, index + 1, None, line.text, line.end, (), is_told)


def _added(line: _Line, index: int, *, tells_end: bool) -> DiffRow:
    is_told = tells_end and not line.end
    return DiffRow(RowKind.ADDED, None, index + 1, line.text, line.end, (), is_told)


def _rewritten(old: _Line, new: _Line, i: int, j: int, budget: _Budget) -> Iterator[DiffRow]:
    gone, come = _word_spans(old.text, new.text, budget)
    ends_differ = old.end != new.end
    yield DiffRow(RowKind.REMOVED, i + 1, None, old.text, old.end, gone, ends_differ)
    yield DiffRow(RowKind.ADDED, None, j + 1, new.text, new.end, come, ends_differ)


def _pairs(old: Sequence[_Line], new: Sequence[_Line]) -> list[tuple[int, int]]:
    """Which old line became which new one, in order, by the words they share."""
    if len(old) == len(new) == 1:
        return [(0, 0)] if _likeness(_words(old[0]), _words(new[0])) >= _ALIKE else []
    if not old or not new or len(old) * len(new) > _PAIRING_LIMIT:
        return []
    words = [_words(line) for line in old], [_words(line) for line in new]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    likeness = [[_likeness(a, b) for b in words[1]] for a in words[0]]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            together = likeness[i][j] + best[i + 1][j + 1] if likeness[i][j] >= _ALIKE else 0.0
            best[i][j] = max(together, best[i + 1][j], best[i][j + 1])
    pairs = []
    i = j = 0
    while i < len(old) and j < len(new):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            pairs.append((i, j))
            i, j = i + 1, j + 1
    return pairs


def _words(line: _Line) -> Counter[str]:
    return Counter(token for token in _TOKEN.findall(line.text) if not token.isspace())


def _likeness(old: Counter[str], new: Counter[str]) -> float:
    """Share of words in common, 0 up to 1; two lines without words are alike."""
    total = old.total() + new.total()
    return 2 * (old & new).total() / total if total else 1.0


def _word_spans(
    old: str, new: str, budget: _Budget
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    if not budget.takes_words(len(a) * len(b)):
        return (), ()
    gone: list[tuple[int, int]] = []
    come: list[tuple[int, int]] = []
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    for kind, a_from, a_to, b_from, b_to in matcher.get_opcodes():
        if kind != "equal":
            _mark(gone, a, a_from, a_to)
            _mark(come, b, b_from, b_to)
    return tuple(gone), tuple(come)


def _mark(spans: list[tuple[int, int]], tokens: list[str], start: int, stop: int) -> None:
    """Adds the words from ``start`` up to ``stop``; two with only a blank between become one."""
    if start == stop:
        return
    at = sum(map(len, tokens[:start]))
    length = sum(map(len, tokens[start:stop]))
    if spans:
        last_start, last_length = spans[-1]
        between = "".join(tokens)[last_start + last_length : at]
        if between.isspace() or not between:
            spans[-1] = (last_start, at + length - last_start)
            return
    spans.append((at, length))
