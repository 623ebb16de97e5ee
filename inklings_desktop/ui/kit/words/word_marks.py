"""Which words two texts do not share, as places in each; pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_diff import RowKind, diff_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.words.text_diff import DiffRow

Spans: TypeAlias = tuple[tuple[int, int], ...]
"""Start and length in characters, in order, apart from each other."""

_MOST_SAID = 12


@dataclass(frozen=True, slots=True)
class GroupMarks:
    """The words that differ in a group of memories that would become one.

    Attributes:
        key: Of the group.
        members: Of each memory, the words that differ from the first one's.
        text: What the group would become.
        added: The words of that text which the first memory has not.
    """

    key: str
    members: tuple[Spans, ...]
    text: str
    added: Spans

    @classmethod
    def of(cls, key: str, contents: Sequence[str], text: str) -> GroupMarks:
        """Compare the texts of a group, and what it would become; takes time with long ones."""
        best, *others = contents
        pairs = [differing(best, other) for other in others]
        first = pairs[0][0] if len(pairs) == 1 else ()
        added = differing(best, text)[1]
        return cls(key, (first, *(pair[1] for pair in pairs)), text, added)

    def fits(self, key: str, text: str) -> bool:
        """Whether this group was compared, with the text that it would become now."""
        return (self.key, self.text) == (key, text)


def differing(old: str, new: str) -> tuple[Spans, Spans]:
    """The words of each text that the other does not have in that place.

    Returns:
        Places in the old text, then places in the new one.
    """
    gone: list[tuple[int, int]] = []
    come: list[tuple[int, int]] = []
    old_at = new_at = 0
    rows = diff_lines(old, new).rows
    for before, row, after in zip((None, *rows), rows, (*rows[1:], None), strict=False):
        length = len(row.text) + len(row.end)
        if row.kind is not RowKind.ADDED:
            if row.kind is RowKind.REMOVED:
                gone += _moved(_marks(row, after, RowKind.ADDED), old_at)
            old_at += length
        if row.kind is not RowKind.REMOVED:
            if row.kind is RowKind.ADDED:
                come += _moved(_marks(row, before, RowKind.REMOVED), new_at)
            new_at += length
    return tuple(gone), tuple(come)


def marked_words(text: str, spans: Spans) -> tuple[str, ...]:
    """The words at these places, to be read aloud; the first dozen of them."""
    return tuple(text[start : start + length].strip() for start, length in spans[:_MOST_SAID])


def _marks(row: DiffRow, neighbour: DiffRow | None, other_kind: RowKind) -> Spans:
    """The words to mark on a changed line.

    A line that was rewritten comes as removed and added, one right after the other: where words
    were only added to it, the other side has none to mark.
    """
    is_rewritten = (
        neighbour is not None
        and neighbour.kind is other_kind
        and (bool(neighbour.changed) or neighbour.text == row.text)
    )
    if row.changed or is_rewritten or not row.text:
        return row.changed
    return ((0, len(row.text)),)


def _moved(spans: Sequence[tuple[int, int]], by: int) -> list[tuple[int, int]]:
    return [(start + by, length) for start, length in spans]
