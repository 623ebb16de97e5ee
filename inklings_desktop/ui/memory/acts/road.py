"""The one road of every act on memories: newest state, why not, ask, write, what takes it back.

What an act is stands in ``acts.table``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLocale, QObject, Slot

from inklings_desktop.domain.errors import ConflictError, InklingsError, NotFoundError
from inklings_desktop.domain.memories.memory_history import NOT_WRITTEN, version_states
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.messages import Message, message_of
from inklings_desktop.ui.memory.acts.chosen import chosen_of, shown_all
from inklings_desktop.ui.memory.acts.table import ACTS, Change, MemoryAct, why_not
from inklings_desktop.ui.memory.acts.undo import Step, UndoPresenter

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.memory.acts.chosen import Chosen
    from inklings_desktop.ui.memory.acts.table import Act, Done
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.memories.values import VersionChange

    Found = Callable[[], Awaitable[Sequence[Chosen]]]

MOST_STORED = 5_000
"""So many of the memories changed last are known in their newest state."""
MOST_TRIES = 5
FORGOTTEN_AT_ONCE = 500
"""So many go between two looks at whether the person wants to stop; they take half a second."""


class Road(QObject):
    """Carries out acts; whoever has a list and an inspector says what they have to do with it.

    Attributes:
        undo: Takes back what was done.
        here: Where memories can be copied to.
        typed: What was typed into a dialog and came to nothing; it is offered again.
    """

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.context, self._background = context, context.background
        self.here: Surroundings | None = None
        self.typed: dict[object, Any] = {}
        self._stored: dict[str, Chosen] = {}
        self.undo = UndoPresenter(context, self)

    # -- what lies around it --------------------------------------------------------------------

    def tell(self, text: str, icon: str = "info") -> None:  # noqa: ARG002 - a hook
        """Say a sentence in passing."""
        self.context.tell(text)

    async def may_leave(self) -> bool:
        """Whether what is open may be left; asks if text would be lost."""
        return True

    async def makes_way(self, leaving: Sequence[Any]) -> bool:  # noqa: ARG002 - a hook
        """Let go of memories that are about to be forgotten; whether that may be."""
        return True

    def n_hidden(self, ids: Collection[str]) -> int:  # noqa: ARG002 - a hook
        """How many of these the person does not see."""
        return 0

    def edit_draft(self, row: Act, targets: Sequence[Chosen]) -> bool:  # noqa: ARG002 - a hook
        """Change what is unsaved of the one target instead of it; whether that was done."""
        return False

    def note_stored(self, known: Mapping[str, Chosen], *, is_kind_changed: bool) -> None:
        """Memories are as they are now, perhaps forgotten or restored."""

    # -- the road -------------------------------------------------------------------------------

    async def do(
        self,
        act: MemoryAct,
        targets: Sequence[Chosen] | Found,
        value: Any = None,
        goes_on: Callable[[int], bool] | None = None,
    ) -> bool:
        """Newest state, why not, ask, write, the step that takes it back; whether it was done.

        What fails changes nothing in the file it fails in, and the person is told.

        Args:
            act: What is to be done.
            targets: The memories; or what finds them, once all that was begun before is done.
            value: What is to be set; None where the person is asked, or nothing is needed.
            goes_on: Told how many are done, from 0 on, before each next part of them; where it
                says no, the rest stays. None does those of one file all or not at all.
        """
        row = ACTS[act]
        async with self.undo.order:
            found = await targets() if callable(targets) else targets
            newest = [self._newest(one) for one in found]
            if newest and (reason := why_not(act, newest)):
                self.tell(reason)
                return False
            if value is None and self.edit_draft(row, newest):
                return False
            things: Sequence[Any] = [one for one in newest if row.fits(one)]
            if things and value is None and row.asks is not None:
                things, value = await row.asks(self, things) or ((), None)
            if not things or (row.forgets and not await self.makes_way(things)):
                return False
            done: Done = []
            try:
                for part in _parts(things, FORGOTTEN_AT_ONCE if goes_on else len(things)):
                    if goes_on is not None and not goes_on(len(done)):
                        break
                    done += await self._background.write(
                        written, row, self.context.inklings, part, value
                    )
            except InklingsError as error:
                self._say(error, len(done))
                if not done:
                    return False
            self._note_done(row, things, value, done)
            return True

    def _note_done(self, row: Act, things: Sequence[Any], value: Any, done: Done) -> None:
        """Know what became of it, and how it is taken back."""
        if len(self._stored) > MOST_STORED:
            self._stored.clear()
        known = chosen_of(self.context.inklings, (entry for entry, _ in done))
        self._stored |= known
        self.typed.pop(row.asks, None)
        merges = row.merges(things, value)

        def said(count: int) -> str:
            return row.said(count, value)

        if done and row.is_step:
            changes = tuple(change for _, change in done)
            step = Step(said(len(done)), changes, row.icon, merges, said, row.forgets)
            self.undo.push(step, offers=row.forgets or not merges)
        elif text := said(len(done)) if done else row.unchanged(value):
            self.tell(text, "check-circle")
        self.note_stored(known, is_kind_changed=row.is_for_forgotten)

    def _newest(self, one: Chosen) -> Chosen:
        """A target as our own last act left it, where the list has not heard of that yet."""
        stored = self._stored.get(one.ref.id)
        return stored if stored is not None and stored.version > one.version else one

    def _say(self, error: InklingsError, n_done: int) -> None:
        """Tell why it failed; the files before the one that failed keep what was done in them."""
        message = message_of(error)
        if isinstance(error, ConflictError | NotFoundError):
            message = Message(
                tr("One of these memories was changed since."),
                tr("Nothing was changed. Look at the list, then try again."),
            )
        if n_done:
            text = tr(
                "Done before that: {count}. Undo takes care of those; the others did not change."
            ).format(count=QLocale().toString(n_done))
            message = replace(message, text=text)
        self.context.say(message)

    # -- done elsewhere, taken back here --------------------------------------------------------

    @Slot(object, object)
    def note_saved(self, before: MemoryEntry | None, after: MemoryEntry) -> None:
        """Take note of what the editor stored over a version; None before a new memory."""
        if before is None:
            change = Change(after.ref, NOT_WRITTEN, after.version)
            step = Step(tr("Wrote 1 memory"), (change,), "arrow-counter-clockwise")
        elif before.is_forgotten:
            change = replace(Change.of(after, before), before=before.version)
            step = Step(tr("Restored and edited 1 memory"), (change,))
        elif after.version == before.version + 1:
            step = Step(tr("Edited 1 memory"), (Change.of(after),))
        else:
            return
        self.undo.push(step, offers=False)

    def note_restored(self, before: MemoryEntry, after: MemoryEntry) -> None:
        """Take note of a source that was brought back beside what it was merged into."""
        row = ACTS[MemoryAct.RESTORE]
        self.undo.push(Step(row.said(1, None), (Change.of(after, before),), row.icon))

    def note_version(self, change: VersionChange) -> None:
        """Take note of an earlier version that was brought back."""
        before, after = change.before, change.after
        icon = "clock" if before.lifetime is not after.lifetime else "pencil-simple"
        if before.content == after.content and before.tags != after.tags:
            icon = "tag-simple"
        self.undo.push(Step(tr("Restored an earlier version"), (Change.of(after),), icon))


def written(row: Act, inklings: Inklings, things: Sequence[Any], value: Any) -> Done:
    """What an act changed, if need be in the versions of now; called on a writer.

    Raises:
        ConflictError: The text of one of them is another by now, or they never stood still.
        NotFoundError: One of them is gone or forgotten.
    """
    seen = {one.ref.id: one.version for one in things}
    versions = dict(seen)
    for _ in range(MOST_TRIES - 1 if row.follows else 0):
        try:
            return row.runs(inklings, things, versions, value)
        except ConflictError:
            for entry in shown_all(inklings, [one.ref for one in things]):
                if entry.version != versions[entry.id]:
                    _require_same_text(inklings, entry, seen[entry.id])
                    versions[entry.id] = entry.version
    return row.runs(inklings, things, versions, value)


def _require_same_text(inklings: Inklings, entry: MemoryEntry, seen_version: int) -> None:
    """Return only if a memory says what it said.

    Raises:
        ConflictError: It does not.
        NotFoundError: It is gone.
    """
    shown = inklings.listing.show(entry.ref)
    states = version_states(shown.entry, shown.history)
    before = next((state for state in states if state.number == seen_version), None)
    if before is None or before.content != shown.entry.content:
        raise ConflictError("memory", entry.id, seen_version, entry.version)


def _parts(things: Sequence[Any], most: int) -> list[Sequence[Any]]:
    """Things by the file that holds their memories, so many at once."""
    files: dict[str | None, list[Any]] = {}
    for one in things:
        files.setdefault(one.ref.scope.workspace_id, []).append(one)
    return [
        group[start : start + most]
        for group in files.values()
        for start in range(0, len(group), most)
    ]
