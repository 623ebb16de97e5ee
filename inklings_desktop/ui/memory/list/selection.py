"""Which memories are checked in the list, loaded or not, and what is read to know that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memories.listing import MemoryState
from inklings_desktop.ui.kit.ops.background import Background, Latest
from inklings_desktop.ui.memory.acts.chosen import (
    READ_AT_ONCE,
    Chosen,
    Shared,
    Tally,
    chosen_of,
    shown_all,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.ui.kit.page.context import Context
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


class SelectionPresenter(QObject):
    """Keeps a selection of memories and what it knows of each.

    Working notes and named entries are never among them: only what the list loaded as a memory
    can be checked.

    Signals:
        kind_refused: A forgotten memory was to be checked beside active ones, or the other way.
        changed: Another memory is checked, or a checked one is another now.
    """

    changed = Signal()
    kind_refused = Signal()

    def __init__(
        self, context: Context, memories: ListPresenter, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        background, inklings = context.background, context.inklings
        self._background, self._inklings = background, inklings
        self._list = memories
        self._chosen: dict[str, Chosen] = {}
        self._tally = Tally()
        self._ids: frozenset[str] | None = None
        self._beside: frozenset[str] | None = None  # checked before a stretch was begun
        self._stretch = StretchReader(memories, inklings)
        self._taking_all = Latest(background)
        self._reading = Latest(background)
        self.hidden = OutOfView(background, memories, inklings, self)
        self.changed.connect(self._compare)
        memories.content_read.connect(self._on_list_changed)

    @property
    def chosen(self) -> tuple[Chosen, ...]:
        """The checked memories, in the order in which they were checked."""
        return tuple(self._chosen.values())

    @property
    def ids(self) -> frozenset[str]:
        """Ids of the checked memories."""
        if self._ids is None:
            self._ids = frozenset(self._chosen)
        return self._ids

    @property
    def shared(self) -> Shared | None:
        """What the checked memories have in common; None when there are none."""
        return self._tally.shared() if self._chosen else None

    @property
    def out_of_view(self) -> tuple[Chosen, ...]:
        """The checked memories that the list does not hold just now."""
        return tuple(self._chosen[key] for key in self.hidden.ids if key in self._chosen)

    def __len__(self) -> int:
        return len(self._chosen)

    def __contains__(self, memory_id: object) -> bool:
        return memory_id in self._chosen

    def of(self, entry: MemoryEntry) -> Chosen:
        """A memory as a selection of its own."""
        return chosen_of(self._inklings, [entry])[entry.id]

    def toggle(self, memory_id: str) -> None:
        """Check a memory of the list, or uncheck it."""
        self._end_stretch()
        if memory_id in self._chosen:
            left = dict(self._chosen)
            self._tally.drop(left.pop(memory_id))
            self._have(left)
        else:
            self.check([memory_id])

    def check(self, memory_ids: Iterable[str]) -> None:
        """Check memories of the list; what is no memory is passed over."""
        self._end_stretch()
        found = (self._list.entry(one) for one in memory_ids)
        named = {one.id: self.of(one) for one in found if one is not None}
        fresh = self._of_one_kind(named, self._chosen)
        if named and not fresh:
            self.kind_refused.emit()
        if not fresh.keys() <= self._chosen.keys():
            self.hidden.note_listed(fresh)
            self._put(fresh)

    def uncheck_hidden(self) -> None:
        """Let go of what is checked and not in the list."""
        self._end_stretch()
        left = dict(self._chosen)
        for key in self.hidden.ids & left.keys():
            self._tally.drop(left.pop(key))
        self._have(left)

    def clear(self) -> None:
        """Check nothing."""
        self._taking_all.cancel()
        self._end_stretch()
        if self._chosen:
            self._have({}, Tally())

    def check_all(self) -> None:
        """Check everything that the list holds, loaded or not."""
        self._end_stretch()
        self._taking_all.run(self._check_all())

    @Slot(tuple, bool)
    def reach(self, memory_ids: Iterable[str], is_new: bool) -> None:  # noqa: FBT001 - a signal's
        """Check a stretch of the list in the place of the one before.

        Args:
            memory_ids: The memories of the stretch as it is now.
            is_new: Whether it was begun just now; what is checked by then stays checked.
        """
        self._taking_all.cancel()
        self._begin_stretch(is_new=is_new)
        found = (self._list.entry(one) for one in memory_ids)
        named = {one.id: self._chosen.get(one.id) or self.of(one) for one in found if one}
        self._stretch_to(named)

    @Slot(int, int, bool)
    def reach_span(self, first: int, last: int, is_new: bool) -> None:  # noqa: FBT001 - a signal's
        """Do the same between two places of the list, also where memories are still unread."""
        self._begin_stretch(is_new=is_new)
        self._taking_all.run(self._reach_span(first, last))

    async def matching(self) -> tuple[Chosen, ...]:
        """Everything that the list holds, read or not; none if it cannot be read, which is said."""
        request = self._list.request
        if request.is_search:  # what was found is loaded whole
            found = (self._list.entry(one) for one in self._list.found_ids)
            return tuple(self.of(one) for one in found if one is not None)
        return tuple(await self._background.read(matching, self._inklings, request))

    @property
    def is_taking(self) -> bool:
        """Whether more is being checked just now: everything, or a stretch that is read first."""
        return self._taking_all.is_running

    async def taken(self) -> None:
        """Return once that is checked, or not wanted any more."""
        await self._taking_all.settled()

    async def settled(self) -> None:
        """Return once everything asked for is checked and read."""
        await self._taking_all.settled()
        await self._reading.settled()
        await self.hidden.settled()

    def adopt(self, known: Mapping[str, Chosen]) -> None:
        """Take over what is known of checked memories; others are passed over."""
        if not self._chosen:
            return
        fresh = {key: one for key, one in known.items() if key in self._chosen}
        if any(self._chosen[key].version < one.version for key, one in fresh.items()):
            self._put(fresh)

    def on_changes(self, changes: MemoryChanges) -> None:
        """Look again if a commit, of this process or another, touched what is checked."""
        touched = (changes.added, changes.updated, changes.forgotten)
        if self._chosen and (
            changes.reload or any(one in self._chosen for ids in touched for one in ids)
        ):
            self._reading.run(self._read_again())

    async def _check_all(self) -> None:
        request = self._list.request
        found = await self.matching()
        every, tally = await self._background.read(_counted, found)
        if request == self._list.request and every:
            kind = next(iter(every.values())).is_forgotten
            others = {
                key: one
                for key, one in self._chosen.items()
                if key not in every and one.is_forgotten is kind
            }
            for one in others.values():
                tally.add(one)
            self.hidden.note_listed(every)
            self._have(every | others, tally)

    async def _reach_span(self, first: int, last: int) -> None:
        found = await self._stretch.between(first, last)
        if found is not None:
            self._stretch_to(found)

    def _begin_stretch(self, *, is_new: bool) -> None:
        if is_new or self._beside is None:
            self._end_stretch()
            self._beside = self.ids

    def _end_stretch(self) -> None:
        """What is checked now was not checked by drawing a stretch, or stays whatever is drawn."""
        if self._beside is not None:
            self._beside = None
            self._stretch.forget()

    def _stretch_to(self, found: Mapping[str, Chosen]) -> None:
        """Check these beside what was checked before the stretch; what it left is let go."""
        before, beside = self._chosen, self._beside or frozenset()
        kept = {key: one for key, one in before.items() if key in beside}
        fresh = self._of_one_kind(found, kept)
        if found and not fresh:
            self.kind_refused.emit()
        now = kept | {key: before.get(key, one) for key, one in fresh.items()}
        if now.keys() == before.keys():
            return
        for key in before.keys() - now.keys():
            self._tally.drop(before[key])
        for key in now.keys() - before.keys():
            self._tally.add(now[key])
        self.hidden.note_listed(fresh)
        self._have(now)

    async def _read_again(self) -> None:
        while True:
            before = self._chosen
            now, tally = await self._background.read(_looked_again, self._inklings, before)
            if self._chosen is before:  # nothing was checked or unchecked meanwhile
                break
        if now is not None:
            self._have(now, tally)

    @staticmethod
    def _of_one_kind(
        found: Mapping[str, Chosen], beside: Mapping[str, Chosen]
    ) -> dict[str, Chosen]:
        """Those that are as active or forgotten as what is checked; of a new lot the active ones.

        What can be done to the ones cannot be done to the others.
        """
        one = next(iter(beside.values()), None)
        kind = all(one.is_forgotten for one in found.values()) if one is None else one.is_forgotten
        return {key: one for key, one in found.items() if one.is_forgotten is kind}

    def _put(self, fresh: Mapping[str, Chosen]) -> None:
        for key, one in fresh.items():
            if (before := self._chosen.get(key)) is not None:
                self._tally.drop(before)
            self._tally.add(one)
        self._have({**self._chosen, **fresh})

    def _have(self, chosen: dict[str, Chosen], tally: Tally | None = None) -> None:
        """Let these be checked; what they share is counted already."""
        self._chosen, self._ids = chosen, None
        self._tally = tally or self._tally
        self.changed.emit()

    @Slot()
    def _on_list_changed(self) -> None:
        if not self._chosen:
            return
        request = self._list.request
        lists_forgotten = request.where.state is MemoryState.FORGOTTEN
        is_other_kind = lists_forgotten is not (self._tally.n_forgotten > 0)
        if is_other_kind and not request.with_set_aside:
            self.clear()
        loaded = (one for one in self._list.loaded_entries() if one.id in self._chosen)
        self.adopt(chosen_of(self._inklings, loaded))
        self._compare()

    @Slot()
    def _compare(self) -> None:
        self.hidden.compare(self.ids, lambda key: self._chosen[key].ref)


def _newer(one: Chosen, other: Chosen) -> Chosen:
    return other if other.version >= one.version else one


def _counted(found: Sequence[Chosen]) -> tuple[dict[str, Chosen], Tally]:
    """The memories by id, and what they share; runs on a reader."""
    return {one.ref.id: one for one in found}, Tally(found)


def _looked_again(
    inklings: Inklings, before: Mapping[str, Chosen]
) -> tuple[dict[str, Chosen] | None, Tally]:
    """The memories as they are now, None where nothing is another; runs on a reader."""
    fresh = chosen_of(inklings, shown_all(inklings, [one.ref for one in before.values()]))
    found = {
        key: _newer(one, fresh[key])
        for key, one in before.items()
        if key in fresh and fresh[key].is_forgotten == one.is_forgotten
    }
    return (found, Tally(found.values())) if found != before else (None, Tally())
