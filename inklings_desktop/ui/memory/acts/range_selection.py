"""A stretch of the list that Shift draws out and in again: what of it was read already."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.memory.acts.chosen import Chosen
    from inklings_desktop.ui.memory.list.content import ListContent
    from inklings_desktop.ui.memory.list.presenter import ListPresenter


class StretchReader:
    """Reads the memories of a stretch by their places, each once while the list stays the same.

    A stretch may be a tier of a hundred thousand: the next key adds or leaves out a row or a
    screen of it, and reads no more than that.
    """

    def __init__(
        self,
        memories: ListPresenter,
        chosen: Callable[[Iterable[MemoryEntry]], dict[str, Chosen]],
    ) -> None:
        """Read from this list.

        Args:
            memories: The list.
            chosen: Makes of memories what a selection keeps of them.
        """
        self._list = memories
        self._chosen = chosen
        self._content: ListContent | None = None
        self._places = range(0)
        self._found: dict[int, Chosen] = {}

    def forget(self) -> None:
        """The stretch has ended."""
        self._content, self._places, self._found = None, range(0), {}

    async def between(self, first: int, last: int) -> dict[str, Chosen] | None:
        """The memories from one place to another; None where the list changed meanwhile.

        Raises:
            InklingsError: They cannot be read.
        """
        content, wanted = self._list.content, range(first, last + 1)
        if content is not self._content or not _touch(wanted, self._places):
            self.forget()
            self._content = content
        for piece in _unread(wanted, self._places):
            entries = await self._list.entries_between(piece.start, piece.stop - 1)
            if self._list.content is not content or self._content is not content:
                return None
            made = self._chosen(entries.values())
            self._found |= {place: made[one.id] for place, one in entries.items()}
            self._places = _both(piece, self._places)
        found = (self._found[place] for place in wanted if place in self._found)
        return {one.ref.id: one for one in found}


def _touch(one: range, other: range) -> bool:
    """Whether two stretches overlap or follow upon each other."""
    return bool(other) and one.start <= other.stop and other.start <= one.stop


def _unread(wanted: range, read: range) -> list[range]:
    """What of a stretch was not read yet: above what was, and below it."""
    if not read:
        return [wanted]
    above = range(wanted.start, min(read.start, wanted.stop))
    below = range(max(read.stop, wanted.start), wanted.stop)
    return [one for one in (above, below) if one]


def _both(one: range, other: range) -> range:
    if not other:
        return one
    return range(min(one.start, other.start), max(one.stop, other.stop))
