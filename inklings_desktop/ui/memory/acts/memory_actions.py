"""What a person does to memories, one or many: use case first, then the step that takes it back."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QLocale, QObject

from inklings_desktop.domain.errors import ConflictError, InklingsError, NotFoundError
from inklings_desktop.domain.memories.memory_history import NOT_WRITTEN, version_states
from inklings_desktop.domain.memories.memory_marks import MemoryMark
from inklings_desktop.domain.memory import Lifetime, MemoryPatch, Tier
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.messages import Message, message_of
from inklings_desktop.ui.memory.acts import words as action_words
from inklings_desktop.ui.memory.acts.undo import Change, Step, UndoPresenter, changes_of
from inklings_desktop.usecases.memories.values import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.domain.memories.text_replacement import Replacement
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef, ScopeKey
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.memory.acts.chosen import Chosen, Retag
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.memories.values import VersionChange

    Action = Callable[[Sequence[MemoryRef], Mapping[str, int]], Sequence[MemoryEntry]]


MOST_TRIES = 5
READ_AT_ONCE = 1_000


def following_on(
    inklings: Inklings,
    action: Action,
    refs: Sequence[MemoryRef],
    expected: Mapping[str, int],
) -> Sequence[MemoryEntry]:
    """What the action changed, if need be in the versions of now; called on a writer.

    Args:
        action: Changes memories of one file, all or none, with the versions expected.
        refs: The memories.
        expected: Their versions as the person saw them.

    Raises:
        ConflictError: The text of one of them is another by now, or they never stood still.
        NotFoundError: One of them is gone or forgotten.
    """
    versions = dict(expected)
    for _ in range(MOST_TRIES - 1):
        try:
            return action(refs, versions)
        except ConflictError:
            for entry in _moved_on(inklings, refs, versions):
                _require_same_text(inklings, entry, expected[entry.id])
                versions[entry.id] = entry.version
    return action(refs, versions)


def _moved_on(
    inklings: Inklings, refs: Sequence[MemoryRef], versions: Mapping[str, int]
) -> list[MemoryEntry]:
    """The memories that somebody saved since, as they are now."""
    return [
        entry
        for start in range(0, len(refs), READ_AT_ONCE)
        for entry in inklings.listing.show_all(refs[start : start + READ_AT_ONCE])
        if entry.version != versions[entry.id]
    ]


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


class _Seen(Protocol):
    """Names a memory in the version that was looked at."""

    @property
    def ref(self) -> MemoryRef:
        """Scope and id."""

    @property
    def version(self) -> int:
        """Of the memory."""


S = TypeVar("S", bound=_Seen)
FORGOTTEN_AT_ONCE = 500
"""So many go between two looks at whether the person wants to stop; they take half a second."""
_REF, _STATE = attrgetter("ref"), attrgetter("ref.id", "version")
NUDGE = 0.05
"""How far one press of [ or ] moves the importance."""
_MARK_ICONS = {
    MemoryMark.PINNED: "push-pin",
    MemoryMark.PAUSED: "pause",
    MemoryMark.LOCKED: "lock-simple",
}


class MemoryActions(QObject):
    """Carries out what is asked for and hands each step to the session's undo.

    Every method says whether it was done. What fails changes nothing in the file it fails in, and
    the person is told.
    """

    def __init__(
        self,
        context: Context,
        undo: UndoPresenter,
        *,
        stored: Callable[[Sequence[MemoryEntry]], None],
        said: Callable[[str], None],
        parent: QObject | None = None,
    ) -> None:
        """Have done nothing yet.

        Args:
            undo: Gets each step.
            stored: Told of the memories that were just changed.
            said: Told a sentence about what was done where no step stands for it.
        """
        super().__init__(parent)
        self._stored, self._said = stored, said
        self._context = context
        self._background, self._inklings = context.background, context.inklings
        self._undo = undo

    # -- life ---------------------------------------------------------------------------

    async def forget(
        self,
        chosen: Sequence[Chosen],
        reason: str = "",
        goes_on: Callable[[int], bool] | None = None,
    ) -> bool:
        """Forget memories.

        Args:
            chosen: The memories.
            reason: A single line of at most 200 characters.
            goes_on: Told how many are forgotten, from 0 on, before each next part of them; where
                it says no, the rest stays. None forgets those of one file all or not at all.
        """
        async with self._undo.turn:
            done = await self._each_file(
                chosen,
                lambda refs, expected: self._inklings.memories.forget(
                    refs, reason=reason, expected=expected
                ),
                goes_on,
            )
            if done:
                words = action_words.forgot
                step = Step(words(len(done)), changes_of(done), "eraser", f"forget {reason}", words)
                self._undo.push(replace(step, forgets=True))
        return done is not None

    async def restore(self, chosen: Sequence[Chosen]) -> bool:
        """Make forgotten memories active again."""
        was: dict[str, MemoryEntry] = {}

        def restored(
            refs: Sequence[MemoryRef], expected: Mapping[str, int]
        ) -> Sequence[MemoryEntry]:
            before = self._inklings.listing.show_all(refs)
            was.update((one.id, one) for one in before)
            return self._inklings.memories.restore(refs, expected=expected)

        async with self._undo.turn:
            done = await self._each_file(chosen, restored, follows=False)
            if done:
                self._note_restored([(was[one.id], one) for one in done])
        return done is not None

    async def mark(self, chosen: Sequence[Chosen], mark: MemoryMark, *, on: bool) -> bool:
        """Pin, pause or lock memories, or lift that."""
        async with self._undo.turn:
            done = await self._each_file(
                chosen,
                lambda refs, expected: self._inklings.memories.mark(
                    refs, mark, on=on, expected=expected
                ),
            )
            if done:
                text = action_words.marked(len(done), mark, on=on)
                self._undo.push(Step(text, changes_of(done), _MARK_ICONS[mark]))
        return done is not None

    async def confirm(self, chosen: Sequence[Chosen]) -> bool:
        """Say that memories are still true; there is nothing to take back in that."""
        async with self._undo.turn:
            done = await self._each_file(
                chosen,
                lambda refs, _expected: self._inklings.memories.confirm(refs),
                follows=False,
            )
        if done:
            self._said(action_words.confirmed(len(done)))
        return done is not None

    # -- values -------------------------------------------------------------------------

    async def retag(self, chosen: Sequence[Chosen], retag: Retag) -> bool:
        """Add tags to memories and take tags from them."""
        return await self._changed(
            chosen,
            action_words.retagged,
            lambda refs, expected: self._inklings.memories.change(
                refs, add_tags=retag.adds, remove_tags=retag.removes, expected=expected
            ),
            icon="tag-simple",
        )

    async def set_lifetime(self, chosen: Sequence[Chosen], lifetime: Lifetime) -> bool:
        """Give memories a lifetime; those of the conversation tier keep theirs."""
        fitting = [one for one in chosen if one.ref.scope.tier is not Tier.CONVERSATION]
        return await self._changed(
            fitting,
            lambda count: action_words.relabelled(count, lifetime),
            lambda refs, expected: self._inklings.memories.change(
                refs, lifetime=lifetime, expected=expected
            ),
            icon="clock",
        )

    async def set_importance(self, chosen: Sequence[Chosen], importance: float) -> bool:
        """Give memories the same importance, 0 to 1."""
        return await self._changed(
            chosen,
            lambda count: action_words.reweighted(count, importance),
            lambda refs, expected: self._inklings.memories.change(
                refs, importance=importance, expected=expected
            ),
        )

    async def nudge(self, chosen: Sequence[Chosen], direction: int) -> bool:
        """Move the importance of each memory by 0.05; presses that follow are one step.

        Args:
            chosen: The memories.
            direction: 1 raises, -1 lowers.
        """
        moved = {
            one.ref.id: min(1.0, max(0.0, round(one.importance + direction * NUDGE, 4)))
            for one in chosen
        }
        moving = [one for one in chosen if moved[one.ref.id] != one.importance]
        return await self._changed(
            moving,
            action_words.reweighted,
            lambda refs, expected: self._inklings.memories.edit_each(
                [Edit(ref, MemoryPatch(importance=moved[ref.id]), expected[ref.id]) for ref in refs]
            ),
            follows=False,  # it starts from the figure on show
            merges="nudge " + " ".join(sorted(moved)) if len(moving) == 1 else "",
        )

    async def replace(self, changes: Sequence[Replacement], sought: str) -> bool:
        """Carry out a planned replacement."""
        async with self._undo.turn:
            return await self._replaced(changes, sought)

    async def _replaced(self, changes: Sequence[Replacement], sought: str) -> bool:
        after = {one.ref.id: MemoryPatch(content=one.after) for one in changes}
        done = await self._each_file(
            changes,
            lambda refs, expected: self._inklings.memories.edit_each(
                [Edit(ref, after[ref.id], expected[ref.id]) for ref in refs]
            ),
        )
        if done:
            self._undo.push(Step(action_words.replaced(len(done), sought), changes_of(done)))
        return done is not None

    # -- one memory ---------------------------------------------------------------------

    async def copy(self, ref: MemoryRef, target: ScopeKey) -> MemoryEntry | None:
        """Copy a memory into another scope; the one that says it there, None if that failed."""
        async with self._undo.turn:
            try:
                outcome = await self._background.write(
                    self._inklings.memories.copy_outcome, ref, target
                )
            except InklingsError as error:
                self._say(error)
                return None
            made = outcome.memory
            if not outcome.was_known:
                self._note_written(made, action_words.copied(target.tier))
        if outcome.was_known:
            self._said(action_words.known_there(target.tier))
        return made

    def note_saved(self, before: MemoryEntry | None, after: MemoryEntry) -> None:
        """Take note of what the editor stored.

        Args:
            before: The version it was saved over; None for a new memory.
            after: As it was stored.
        """
        if before is None:
            self._note_written(after, action_words.written(), offers=False)
        elif before.is_forgotten:
            change = replace(Change.of(after, before), before=before.version)
            self._undo.push(Step(action_words.revived(), (change,)), offers=False)
        elif after.version == before.version + 1:
            self._undo.push(Step(action_words.edited(), changes_of([after])), offers=False)

    def note_restored(self, before: MemoryEntry, after: MemoryEntry) -> None:
        """Take note of a source that was brought back beside what it was merged into."""
        self._note_restored([(before, after)])

    def note_version(self, change: VersionChange) -> None:
        """Take note of an earlier version that was brought back."""
        before, after = change.before, change.after
        icon = "clock" if before.lifetime is not after.lifetime else "pencil-simple"
        if before.content == after.content and before.tags != after.tags:
            icon = "tag-simple"
        self._undo.push(Step(action_words.brought_back(), changes_of([after]), icon))

    # -- inside -------------------------------------------------------------------------

    async def _changed(
        self,
        chosen: Sequence[Chosen],
        text_of: Callable[[int], str],
        change: Action,
        *,
        follows: bool = True,
        merges: str = "",
        icon: str = "pencil-simple",
    ) -> bool:
        if not chosen:
            return True
        async with self._undo.turn:
            done = await self._each_file(chosen, change, follows=follows)
            if done:
                step = Step(text_of(len(done)), changes_of(done), icon, merges)
                self._undo.push(step, offers=not merges)
        return done is not None

    def _note_restored(self, pairs: Sequence[tuple[MemoryEntry, MemoryEntry]]) -> None:
        """Take note of memories as they were forgotten, and as they are now."""
        changes = tuple(Change.of(after, before) for before, after in pairs)
        text = action_words.restored(len(changes))
        self._undo.push(Step(text, changes, "arrow-counter-clockwise"))

    def _note_written(self, made: MemoryEntry, text: str, *, offers: bool = True) -> None:
        change = Change(made.ref, NOT_WRITTEN, made.version)
        self._undo.push(Step(text, (change,), "arrow-counter-clockwise"), offers=offers)

    async def _each_file(
        self,
        chosen: Sequence[_Seen],
        action: Action,
        goes_on: Callable[[int], bool] | None = None,
        *,
        follows: bool = True,
    ) -> list[MemoryEntry] | None:
        """The memories that changed; None if nothing could be done.

        Args:
            chosen: The memories.
            action: Changes those of one file.
            goes_on: As ``forget`` has it.
            follows: Whether it is done as well where somebody changed figures a moment ago.
        """
        if follows:
            action = partial(following_on, self._inklings, action)
        done: list[MemoryEntry] = []
        groups = _files(chosen) if goes_on is None else _parts(_files(chosen))
        try:
            for group in groups:
                if goes_on is not None and not goes_on(len(done)):
                    break
                refs = list(map(_REF, group))
                expected = dict(map(_STATE, group))
                done += await self._background.write(action, refs, expected)
        except InklingsError as error:
            self._say(error, len(done))
            if not done:
                return None
        self._stored(done)
        return done

    def _say(self, error: InklingsError, n_done: int = 0) -> None:
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
        self._context.say(message)


def _files(things: Sequence[S]) -> list[list[S]]:
    """Things grouped by the file that holds their memories."""
    groups: dict[str | None, list[S]] = {}
    for one in things:
        groups.setdefault(one.ref.scope.workspace_id, []).append(one)
    return list(groups.values())


def _parts(groups: Sequence[Sequence[S]]) -> list[Sequence[S]]:
    """The same groups, none larger than what is forgotten at once."""
    return [
        group[start : start + FORGOTTEN_AT_ONCE]
        for group in groups
        for start in range(0, len(group), FORGOTTEN_AT_ONCE)
    ]
