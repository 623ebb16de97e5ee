"""What a selection reads of the list: a stretch that Shift draws, and what is out of view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memories.listing import MemoryState
from inklings_desktop.ui.kit.ops.background import Background, Latest
from inklings_desktop.ui.memory.acts.chosen import READ_AT_ONCE, Chosen, chosen_of, shown_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from inklings_desktop.domain.memory import MemoryRef
    from inklings_desktop.ui.memory.list.content import ListContent, ListRequest
    from inklings_desktop.ui.memory.list.presenter import ListPresenter
    from inklings_desktop.usecases.bundle import Inklings


class StretchReader:
    """Reads the memories of a stretch by their places, each once while the list stays the same.

    A stretch may be a tier of a hundred thousand: the next key adds or leaves out a row or a
    screen of it, and reads no more than that.
    """

    def __init__(self, memories: ListPresenter, inklings: Inklings) -> None:
        self._list, self._inklings = memories, inklings
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
            made = chosen_of(self._inklings, entries.values())
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


class OutOfView(QObject):
    """Compares a selection with the list, reading what the list has not loaded.

    Signals:
        changed: Other memories are out of view now.
    """

    changed = Signal()

    def __init__(
        self, background: Background, memories: ListPresenter, inklings: Inklings, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._background, self._list, self._inklings = background, memories, inklings
        self._reading = Latest(background)
        self._asked: object = None
        self._inside: set[str] = set()
        self._outside: set[str] = set()
        self.ids: frozenset[str] = frozenset()

    def note_listed(self, memory_ids: Iterable[str]) -> None:
        """Know that the list as it is asked for now holds these, loaded or not."""
        self._forget_other(self._list.request)
        self._inside.update(memory_ids)

    def compare(self, ids: frozenset[str], ref_of: Callable[[str], MemoryRef]) -> None:
        """Compare a selection, which may be a whole tier, with what the list shows now."""
        content = self._list.content
        if content is None or not ids:
            self._reading.cancel()
            self._show(frozenset())
            return
        request = content.request
        self._forget_other(request)
        loaded = {one.id for one in self._list.loaded_entries()}
        missing = ids - loaded
        if request.is_search or len(loaded) >= content.n_memories:
            self._show(missing)  # the list is loaded whole
            return
        unknown = {one: ref_of(one) for one in missing - self._inside - self._outside}
        if unknown:
            self._reading.run(self._look(unknown, request, missing))
        self._show(missing & self._outside)

    async def settled(self) -> None:
        """Return once everything is compared."""
        await self._reading.settled()

    async def _look(
        self, unknown: Mapping[str, MemoryRef], request: ListRequest, missing: frozenset[str]
    ) -> None:
        try:
            outside = await self._background.read(self._those_outside, unknown, request)
        except InklingsError:
            return  # the list itself says that it cannot be read
        if self._asked == _asked(request):
            self._outside |= outside
            self._inside |= unknown.keys() - outside
            self._show(missing & self._outside)

    def _those_outside(self, refs: Mapping[str, MemoryRef], request: ListRequest) -> set[str]:
        """Which of these the list does not hold; runs on a reader."""
        if not request.with_memories:
            return set(refs)
        where = request.where
        if where.attention is not None or where.sequences is not None:
            return refs.keys() - {one.ref.id for one in matching(self._inklings, request)}
        is_forgotten = where.state is MemoryState.FORGOTTEN
        inside = {
            entry.id
            for entry in shown_all(self._inklings, list(refs.values()))
            if entry.scope in request.scopes
            and entry.is_forgotten is is_forgotten
            and where.admits(entry)
        }
        return refs.keys() - inside

    def _forget_other(self, request: ListRequest) -> None:
        if self._asked != _asked(request):
            self._asked = _asked(request)
            self._inside.clear()
            self._outside.clear()

    def _show(self, ids: frozenset[str]) -> None:
        if ids != self.ids:
            self.ids = ids
            self.changed.emit()


def _asked(request: ListRequest) -> object:
    """What decides which memories a list holds; not their order."""
    return (request.scopes, request.where, request.text, request.with_memories, request.elsewhere)


def matching(inklings: Inklings, request: ListRequest) -> list[Chosen]:
    """Everything that a list holds, page by page; runs on a reader."""
    found: list[Chosen] = []
    cursor = None
    while request.with_memories:
        page = inklings.listing.browse(
            request.scopes, where=request.where, sort=request.sort, limit=READ_AT_ONCE, after=cursor
        )
        decay = inklings.settings.decay
        found += [Chosen.of(entry, decay, page.as_of) for entry in page.entries]
        cursor = page.next
        if cursor is None:
            break
    return found
