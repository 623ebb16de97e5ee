"""The session's undo of what was done to memories, with the note and the menu that offer it."""

from __future__ import annotations

import asyncio
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QUndoCommand, QUndoStack
from shiboken6 import isValid

from inklings_desktop.domain.errors import ConflictError, InklingsError, NotFoundError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.import_refusals import left_by_withdrawal
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.memory.acts.table import Change
from inklings_desktop.usecases.memories.values import Reversion

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from inklings_desktop.ui.kit.marks.toast import Toast
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.usecases.bundle import Inklings


class UndoNote(QObject):
    """Undo and redo for one window, whatever page is on show."""

    def __init__(
        self,
        undo: UndoPresenter,
        *,
        toast: Toast,
        undo_action: QAction,
        redo_action: QAction,
        parent: QObject,
    ) -> None:
        """Join them.

        Args:
            undo: Knows the steps.
            toast: Offers the last of them for a while.
            undo_action: In the menu; it names what it takes back.
            redo_action: In the menu; it names what it does again.
        """
        super().__init__(parent)
        self._undo, self._toast = undo, toast
        self._wishes = (
            (undo_action, self._on_undo_requested),
            (redo_action, self._on_redo_requested),
        )
        undo_action.setProperty("bareText", tr("Undo"))  # whatever there is to undo just now
        redo_action.setProperty("bareText", tr("Redo"))
        undo.offered.connect(self._on_offered)
        undo.settled.connect(toast.close_note)
        undo.said.connect(partial(toast.show_message, icon="arrow-counter-clockwise"))
        toast.undo_requested.connect(self._on_undo_requested)
        toast.closed.connect(undo.rest)
        for action, wish in self._wishes:
            action.triggered.connect(wish)
        stack = undo.stack
        changed = (stack.undoTextChanged, stack.redoTextChanged)
        for signal in (*changed, stack.canUndoChanged, stack.canRedoChanged):
            signal.connect(self._tell)
        self._tell()

    def close(self) -> None:
        """Offer nothing any more; the data root is being closed."""
        for action, _ in self._wishes:
            action.setEnabled(False)
            action.setText(action.property("bareText"))

    def hears(self, event: QKeyEvent) -> bool:
        """Whether a key that no action took takes back what is still being done.

        An action cannot be chosen before there is something for it; a key can be that quick.
        """
        if not self._undo.is_busy:
            return False
        keys = QKeySequence(event.keyCombination())
        for action, wish in self._wishes:
            if keys in action.shortcuts() and action.isVisible() and not action.isEnabled():
                wish()
                return True
        return False

    @Slot(object)
    def _on_offered(self, step: Undoable) -> None:
        key_hint = tr("Ctrl Z")
        self._toast.show_message(
            step.text, icon=step.icon, undo_label=tr("Undo"), key_hint=key_hint
        )

    @Slot()
    def _on_undo_requested(self) -> None:
        self._undo.begin(self._undo.undo())

    @Slot()
    def _on_redo_requested(self) -> None:
        self._undo.begin(self._undo.redo())

    @Slot()
    def _tell(self) -> None:
        stack = self._undo.stack
        if not isValid(stack):  # one that is destroyed tells of it when it is half gone
            return
        texts = (stack.undoText(), stack.redoText())
        named = (tr("Undo: {what}"), tr("Redo: {what}"))
        possible = (stack.canUndo(), stack.canRedo())
        for (action, _), text, name, can in zip(self._wishes, texts, named, possible, strict=True):
            action.setEnabled(can)
            shown = name.format(what=text.replace("&", "&&"))
            action.setText(shown if can else action.property("bareText"))


class Undoable(Protocol):
    """Anything that was done and can be undone."""

    @property
    def text(self) -> str:
        """What was done, as the menu and the note name it."""

    @property
    def icon(self) -> str:
        """What stands beside that in the note."""

    @property
    def can_repeat(self) -> bool:
        """Whether it can be done again once it was undone."""

    def take_back(self, inklings: Inklings) -> str:
        """Undo it; called on a writer.

        Returns:
            What stayed as it was nevertheless, a sentence; empty if nothing did.

        Raises:
            ConflictError: Somebody changed one of its memories since; none was changed.
            NotFoundError: One of them is gone; none was changed.
        """

    def do_again(self, inklings: Inklings) -> str:
        """Do it once more; the same holds."""


@dataclass(frozen=True, slots=True)
class ImportStep:
    """A file was imported; doing that again would need the file and its preview."""

    run_id: str
    text: str
    icon: str = "download-simple"
    can_repeat: bool = False

    def take_back(self, inklings: Inklings) -> str:
        """Withdraw the import; memories changed since stay, as its use case has it."""
        return left_by_withdrawal(inklings.transfer.withdraw_import(self.run_id))

    def do_again(self, inklings: Inklings) -> str:  # noqa: ARG002 - a port
        """Refuse: such a step leaves the stack when it is undone.

        Raises:
            ConflictError: Always.
        """
        raise ConflictError("run", self.run_id)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done.

    Attributes:
        text: What was done, as the menu and the note name it.
        changes: The memories.
        icon: What stands beside that in the note.
        merges: Steps of the same word that follow at once become one; empty for none.
        counted: What several of them did together to so many memories; None where each of them
            says it for all.
        forgets: Whether its memories left the list, and come back with it.
    """

    text: str
    changes: tuple[Change, ...]
    icon: str = "pencil-simple"
    merges: str = ""
    counted: Callable[[int], str] | None = None
    forgets: bool = False
    can_repeat: bool = field(default=True, init=False)

    def take_back(self, inklings: Inklings) -> str:
        inklings.memories.revert(
            [Reversion(one.ref, one.after, one.before, one.forgotten_as) for one in self.changes]
        )
        return ""

    def do_again(self, inklings: Inklings) -> str:
        inklings.memories.revert(
            [Reversion(one.ref, one.before, one.after, one.forgotten_as) for one in self.changes]
        )
        return ""

    def joined(self, second: Undoable) -> Step | None:
        """This and a step that followed at once as one; None if they are not of one kind."""
        if not isinstance(second, Step) or not self.merges or self.merges != second.merges:
            return None
        changes = {one.ref.id: one for one in self.changes}
        for one in second.changes:
            earlier = changes.get(one.ref.id)
            if earlier is not None and earlier.after != one.before:
                return None  # somebody else's save lies between: it must not be undone as well
            before = one.before if earlier is None else earlier.before
            changes[one.ref.id] = Change(one.ref, before, one.after, one.forgotten_as)
        text = second.text if self.counted is None else self.counted(len(changes))
        return replace(second, text=text, changes=tuple(changes.values()))


MOST_STEPS = 200


class UndoPresenter(QObject):
    """Keeps the steps of one session.

    Signals:
        offered: The ``Step`` that was just done and can be undone with one press.
        settled: The offer stands no longer.
        taken_back: The step that was undone.
        said: What was undone or redone, a sentence.
    """

    offered = Signal(object)
    settled = Signal()
    taken_back = Signal(object)
    said = Signal(str)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.order = asyncio.Lock()
        """Held by one wish after the other, as they were made, from its beginning to its end."""
        self._under_way: set[asyncio.Task[Any]] = set()
        self._n_cleared = 0
        self._may_merge = False
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(MOST_STEPS)

    def begin(self, action: Coroutine[Any, Any, object]) -> None:
        """Start what can be undone, or undoes something."""
        self.wait_for(self._context.background.spawn(action))

    def wait_for(self, task: asyncio.Task[Any]) -> None:
        """Know of what can be undone soon: a press too soon waits for it."""
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    @property
    def is_busy(self) -> bool:
        """Whether something is under way that can be undone soon."""
        return bool(self._under_way)

    async def finished(self) -> None:
        """Return once everything begun so far is done."""
        if self._under_way:
            await asyncio.wait(self._under_way)

    def push(self, step: Undoable, *, offers: bool = True) -> None:
        """Remember what was done just now.

        Args:
            step: Its commit has happened.
            offers: Whether a note should offer to undo it.
        """
        last = self._last() if self._may_merge else None
        merged = last.step.joined(step) if last and isinstance(last.step, Step) else None
        if last is not None and merged is not None:
            last.step = merged
            last.setText(merged.text)
            self.stack.undoTextChanged.emit(merged.text)
        else:
            self.stack.push(_Command(step))
        self._may_merge = merges = isinstance(step, Step) and bool(step.merges)
        if offers:
            self.offered.emit(merged or step)
        else:
            self.settled.emit()  # a note that goes would end the merging
            self._may_merge = merges

    async def undo(self) -> None:
        """Undo the last step; what fails leaves everything as it is."""
        await self._move(back=True)

    async def redo(self) -> None:
        """Redo what was undone last."""
        await self._move(back=False)

    async def _move(self, *, back: bool) -> None:
        async with self.order:
            command = self._last() if back else self._next()
            if command is None:
                return
            self._may_merge = False
            self.settled.emit()
            n_cleared, step = self._n_cleared, command.step
            left = await self._carried_out(command, back=back)
            if n_cleared != self._n_cleared:
                return
            if left is not None and not step.can_repeat:
                command.setObsolete(True)
            if left is not None or command.isObsolete():
                (self.stack.undo if back else self.stack.redo)()
                if back:
                    self._shed()
            if left is None:
                return
            if back:
                self.taken_back.emit(step)
            said = (tr("Undone: {what}") if back else tr("Redone: {what}")).format(what=step.text)
            self.said.emit(f"{said}. {left}" if left else said)

    def drop_import(self, run_id: str) -> None:
        """An import was undone another way: its step offers nothing now."""
        for place in range(self.stack.count()):
            command = self._command(place)
            step = command.step if command is not None else None
            if command is not None and isinstance(step, ImportStep) and step.run_id == run_id:
                command.setObsolete(True)
        self._shed()

    @Slot()
    def rest(self) -> None:
        """The note is gone: what follows is a step of its own."""
        self._may_merge = False

    @Slot()
    def drop(self) -> None:
        """Forget every step: what they were about may be gone for good."""
        self._n_cleared += 1
        self._may_merge = False
        self.stack.clear()
        self.settled.emit()

    def _shed(self) -> None:
        """Let go of steps below that offer nothing any more, so that the menu names none."""
        while (command := self._last()) is not None and command.isObsolete():
            self.stack.undo()

    async def _carried_out(self, command: _Command, *, back: bool) -> str | None:
        """What stayed as it was nevertheless, or nothing; None if it could not be done."""
        step = command.step
        try:
            move = step.take_back if back else step.do_again
            return await self._context.background.write(move, self._context.inklings)
        except (ConflictError, NotFoundError) as error:
            command.setObsolete(True)
            too_late = _import_too_late(error) if isinstance(step, ImportStep) else None
            self._context.say(too_late or _too_late(step, back=back))
        except InklingsError as error:
            self._context.refuse(error)
        return None

    def _last(self) -> _Command | None:
        return self._command(self.stack.index() - 1)

    def _next(self) -> _Command | None:
        return self._command(self.stack.index())

    def _command(self, place: int) -> _Command | None:
        if not 0 <= place < self.stack.count():
            return None
        command = self.stack.command(place)
        return command if isinstance(command, _Command) else None


class _Command(QUndoCommand):
    """A step on Qt's stack; what it does was committed before it got there."""

    def __init__(self, step: Undoable) -> None:
        super().__init__(step.text)
        self.step = step

    def undo(self) -> None:
        """Nothing: the use case ran before the stack moved."""

    def redo(self) -> None:
        """Nothing: the use case ran before the stack moved."""


def _too_late(step: Undoable, *, back: bool) -> Message:
    title = tr("This can no longer be undone.") if back else tr("This can no longer be redone.")
    return Message(
        title,
        tr(
            "Something in \u201c{what}\u201d was changed or removed since. Everything stays as "
            "it is."
        ).format(what=step.text),
    )


def _import_too_late(error: ConflictError | NotFoundError) -> Message:
    """An import cannot be undone; the file that it came from plays no part in that."""
    title = tr("This import can no longer be undone.")
    if isinstance(error, NotFoundError):
        return Message(
            title,
            tr(
                "Its workspace was deleted or restored from a backup older than the import. "
                "Nothing was changed."
            ),
        )
    return Message(
        title, tr("It was already undone in another window or program. Nothing was changed.")
    )
