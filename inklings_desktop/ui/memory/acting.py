"""Joins what a person does to memories, checked ones or the current one, with the views."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from inklings_desktop.domain.memory import Lifetime, MemoryEntry, Tier
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.why.found_lines import found_title
from inklings_desktop.ui.memory.acts.chosen import id_of
from inklings_desktop.ui.memory.acts.memory_actions import NUDGE, MemoryActions
from inklings_desktop.ui.memory.acts.table import MARKING_ACTS, MemoryAct
from inklings_desktop.ui.memory.acts.undo import UndoPresenter
from inklings_desktop.ui.memory.acts.words import why_not
from inklings_desktop.ui.memory.asked_acts import AskedActs, UnseenChoice
from inklings_desktop.ui.memory.list.selection import SelectionPresenter
from inklings_desktop.ui.memory.subject.facts import memory_text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.memory.acts.chosen import Chosen, Retag
    from inklings_desktop.ui.memory.inspector.view import InspectorView
    from inklings_desktop.ui.memory.list.presenter import ListPresenter
    from inklings_desktop.ui.memory.subject.presenter import InspectorPresenter
    from inklings_desktop.ui.memory.view import MemoryView


MOST_STORED = 5_000
"""So many of the memories changed last are known in their newest state."""
ASKING_ACTS = frozenset({MemoryAct.FORGET_BECAUSE, MemoryAct.REPLACE, MemoryAct.COPY_TO})
"""What begins with a dialog."""


class Acting(QObject):
    """Carries out acts on the checked memories, or on the current one while none is checked.

    Signals:
        export_requested: The ``MemoryRef`` of every checked memory, as a tuple.
    """

    export_requested = Signal(tuple)

    def __init__(
        self,
        context: Context,
        *,
        subject: InspectorPresenter,
        memories: ListPresenter,
        page: MemoryView,
        inspector: InspectorView,
        may_leave: Callable[[], Awaitable[bool]],
        parent: QObject,
    ) -> None:
        """Join them.

        Args:
            page: Shows the list.
            inspector: Shows the memory, or what the checked ones share.
            may_leave: Whether the inspector may show something else; asks if text would be lost.
        """
        super().__init__(parent)
        self._context = context
        self._here: Surroundings | None = None
        self._subject, self._list = subject, memories
        self._page, self._inspector = page, inspector
        self._was_checking = False
        self._stored: dict[str, Chosen] = {}
        self.undo = UndoPresenter(context, self)
        self._turn = self.undo.order
        self.actions = MemoryActions(
            context, self.undo, stored=self._on_stored, said=self._on_said, parent=self
        )
        self.selection = SelectionPresenter(context, memories, self)
        self._unseen = UnseenChoice(context.background, self.selection, memories, page, self)
        self.asked = AskedActs(
            context,
            actions=self.actions,
            selection=self.selection,
            subject=subject,
            unseen=self._unseen,
            page=page,
            may_leave=may_leave,
            parent=self,
        )
        self.selection.changed.connect(self._show_selection)
        self.selection.kind_refused.connect(self._on_kind_refused)
        self.selection.hidden.changed.connect(self._show_selection)
        memories.content_changed.connect(self._show_selection)
        subject.memory_stored.connect(self.actions.note_saved)
        self._connect_views()

    @Slot(object)
    def show_surroundings(self, here: Surroundings) -> None:
        """Know what the open workspace holds: where memories can be copied to."""
        self._here = here

    @Slot(object)
    def act(self, act: MemoryAct) -> None:
        """Do something to the checked memories, else to the current one.

        Search and replace is then about everything that is listed.
        """
        if self.selection.is_taking:
            self._begin(act, self._act_once_taken(act))
            return
        if act is MemoryAct.REPLACE and not len(self.selection):
            self._begin(act, self._replace_listed())
            return
        targets = self._targets()
        if act is MemoryAct.TAGS and not (targets and why_not(act, targets)):
            self._bring_up()
            self._inspector.focus_tags()
        elif act is MemoryAct.COPY_TEXT and not targets:
            note = self._list.note(self._page.list_cursor.current_id() or "")
            self._copy([memory_text(note)] if note is not None else [])
        elif act is MemoryAct.COPY_TEXT and (texts := self._loaded_texts(targets)):
            self._copy(texts)
        elif targets:
            is_one = not (len(self.selection) or targets[0].is_forgotten)
            if act is MemoryAct.FORGET and is_one and not self._subject.has_unsaved:
                # The next press, however soon, is about the next row.
                self.asked.move_on(set(map(id_of, targets)))
            self._begin(act, self._act(act, targets))
        elif self._list.note(self._page.list_cursor.current_id() or "") is not None:
            self._page.say_note_touched()
        else:
            self._page.say_nothing_chosen()

    async def _act_once_taken(self, act: MemoryAct) -> None:
        """A key right after Ctrl+A is about everything, however long that takes to be checked."""
        async with self._turn:
            await self.selection.taken()
            if len(self.selection) and act is not MemoryAct.TAGS:
                await self._carry_out_if_possible(act, self.selection.chosen)
        if len(self.selection) and act is MemoryAct.TAGS:
            self.act(act)

    async def _replace_listed(self) -> None:
        """Search and replace in everything that is listed, read or not."""
        async with self._turn:
            if listed := await self.selection.matching():
                await self._carry_out_if_possible(MemoryAct.REPLACE, listed)
            else:
                self._page.say_nothing_chosen()

    async def forget_listed(self) -> None:
        """Forget everything that the list holds, read or not, in one step."""
        async with self._turn:
            await self.asked.forget(await self.selection.matching())

    def is_about_forgotten(self) -> bool | None:
        """Whether an act would be about forgotten memories; None while there are none for it."""
        if (shared := self.selection.shared) is not None:
            return shared.is_forgotten
        entry = self._current()
        return None if entry is None else entry.is_forgotten

    # -- joins --------------------------------------------------------------------------

    def _connect_views(self) -> None:
        table, bar, many = self._page.table, self._page.bulk, self._inspector.many
        table.act_requested.connect(self._on_table_act)
        table.toggle_requested.connect(self.selection.toggle)
        table.reach_requested.connect(self.selection.reach)
        table.span_requested.connect(self.selection.reach_span)
        table.all_requested.connect(self.selection.check_all)
        table.escape_pressed.connect(self._on_escape_pressed)
        bar.all.clicked.connect(self.selection.check_all)
        bar.done.clicked.connect(self._on_done)
        bar.retag.clicked.connect(self._inspector.focus_tags)
        bar.lifetime_requested.connect(self._on_lifetime_requested)
        bar.act_requested.connect(self.act)
        bar.export.clicked.connect(
            lambda: self.export_requested.emit(tuple(one.ref for one in self.selection.chosen))
        )
        many.retag_requested.connect(self._on_retag_requested)
        many.lifetime_requested.connect(self._on_lifetime_requested)
        many.importance_requested.connect(self._on_importance_requested)
        self._inspector.act_requested.connect(self._on_inspector_act)

    def _targets(self) -> tuple[Chosen, ...]:
        if len(self.selection):
            return self.selection.chosen
        entry = self._current()
        return () if entry is None else (self.selection.of(entry),)

    def _bring_up(self) -> bool:
        """Show the current row in the inspector now if it is still being read; whether it was."""
        row_id, shown = self._page.list_cursor.current_id(), self._subject.current_ref
        if row_id is None or len(self.selection) or self._subject.has_unsaved:
            return False
        entry, note = self._list.entry(row_id), self._list.note(row_id)
        if entry is not None and entry.ref != shown:
            self._subject.open_at_once(entry)
        elif note is not None and shown is not None and self._here is not None:
            self._subject.open_note(note, self._here.conversation(note.conversation_id))
        else:
            return False
        return True

    def _current(self) -> MemoryEntry | None:
        """The current memory of the list, else the one in the inspector, in its newest state."""
        shown = self._subject.current_entry
        row = self._page.table.current_row()
        listed = self._list.entry(row.id) if row is not None else None
        if shown is None or (listed is not None and listed.id != shown.id):
            return listed
        return shown if listed is None or shown.version >= listed.version else listed

    # -- acts ---------------------------------------------------------------------------

    def _begin(self, act: MemoryAct, doing: Coroutine[Any, Any, None]) -> None:
        """Start an act; what is typed right after one that asks is for its dialog."""
        task = self.undo.begin(doing)
        if act in ASKING_ACTS:
            held_keys(self._page).until_asked(task)

    async def _act(self, act: MemoryAct, targets: tuple[Chosen, ...]) -> None:
        """One act after the other: a key pressed twice means what the first press left."""
        async with self._turn:
            await self._carry_out_if_possible(act, targets)

    async def _carry_out_if_possible(self, act: MemoryAct, targets: tuple[Chosen, ...]) -> None:
        newest = tuple(map(self._newest, targets))
        if reason := why_not(act, newest):
            self._page.tell(reason)
        else:
            await self._carry_out(act, newest)

    def _newest(self, one: Chosen) -> Chosen:
        """A target as our own last act left it, where the list has not heard of that yet."""
        stored = self._stored.get(one.ref.id)
        return stored if stored is not None and stored.version > one.version else one

    async def _carry_out(self, act: MemoryAct, targets: tuple[Chosen, ...]) -> None:
        marking = MARKING_ACTS.get(act)
        asking: dict[MemoryAct, Callable[[Sequence[Chosen]], Awaitable[object]]] = {
            MemoryAct.FORGET: self.asked.forget,
            MemoryAct.FORGET_BECAUSE: self.asked.forget_because,
            MemoryAct.REPLACE: self.asked.replace,
            MemoryAct.SCRUB: self.asked.scrub,
        }
        if marking is not None:
            await self.actions.mark(targets, marking[0], on=marking[1])
        elif act is MemoryAct.LIFETIME:
            await self._switch_lifetime(targets)
        elif act in {MemoryAct.RAISE, MemoryAct.LOWER}:
            await self._nudge(targets, 1 if act is MemoryAct.RAISE else -1)
        elif act is MemoryAct.CONFIRM:
            await self.actions.confirm(targets)
        elif act is MemoryAct.COPY_TEXT:
            await self._copy_texts(targets)
        elif act in asking:
            await asking[act](targets)
        elif act is MemoryAct.COPY_TO and self._here is not None:
            await self.asked.copy_to(targets[0], self._here)
        elif act is MemoryAct.RESTORE:
            forgotten = [one for one in targets if one.is_forgotten]
            if forgotten and await self.actions.restore(forgotten):
                self.selection.clear()

    async def _switch_lifetime(self, targets: Sequence[Chosen]) -> None:
        fitting = [one for one in targets if one.ref.scope.tier is not Tier.CONVERSATION]
        if not fitting:
            return
        is_long = all(one.lifetime is Lifetime.LONG_TERM for one in fitting)
        lifetime = Lifetime.SHORT_TERM if is_long else Lifetime.LONG_TERM
        if self._is_being_edited(fitting):
            draft = self._subject.state.draft
            is_long = draft is not None and draft.lifetime is Lifetime.LONG_TERM
            self._subject.edit(lifetime=Lifetime.SHORT_TERM if is_long else Lifetime.LONG_TERM)
            return
        await self.actions.set_lifetime(fitting, lifetime)

    async def _nudge(self, targets: Sequence[Chosen], direction: int) -> None:
        draft = self._subject.state.draft
        if self._is_being_edited(targets) and draft is not None:
            moved = round(draft.importance + direction * NUDGE, 4)
            self._subject.edit(importance=min(1.0, max(0.0, moved)))
            return
        await self.actions.nudge(targets, direction)

    def _is_being_edited(self, targets: Sequence[Chosen]) -> bool:
        """Whether the one target is open with unsaved changes: then the key changes the draft."""
        shown = self._subject.current_ref
        return len(targets) == 1 and targets[0].ref == shown and self._subject.has_unsaved

    async def _copy_texts(self, targets: Sequence[Chosen]) -> None:
        inklings = self._context.inklings
        entries = await self._context.background.read(
            inklings.listing.show_all, [one.ref for one in targets]
        )
        self._copy([one.content for one in entries])

    def _loaded_texts(self, targets: Sequence[Chosen]) -> list[str]:
        """The texts of these memories; none unless all of them are in the list."""
        entries = [self._list.entry(one.ref.id) for one in targets]
        texts = [one.content for one in entries if one is not None]
        return texts if len(texts) == len(targets) else []

    def _copy(self, texts: Sequence[str]) -> None:
        if texts:
            QGuiApplication.clipboard().setText("\n\n".join(texts))
            said = counted(len(texts), "Copied the text", "Copied {n} texts")
            self._page.tell(said, "copy")

    # -- from the views -------------------------------------------------------------------

    @Slot()
    def _show_selection(self) -> None:
        if not len(self.selection) and not self._was_checking:
            return
        shared, ids = self.selection.shared, self.selection.ids
        self._page.show_selection(
            shared,
            ids,
            self._list.content,
            n_hidden=len(self.selection.hidden.ids),
            can_show_hidden=self._unseen.can_show,
        )
        self._inspector.show_many(shared)
        lines = self._list.lines_of(ids) if ids else ()
        self._inspector.many.found.show_lines(found_title(self._list.request.sought), lines)
        was_checking, self._was_checking = self._was_checking, bool(ids)
        current = self._page.list_cursor.current_id()
        if was_checking and not ids and current is not None:
            # What became current meanwhile opens now.
            self._page.list_cursor.row_chosen.emit(current)

    @Slot()
    def _on_kind_refused(self) -> None:
        self._page.tell(tr("Select forgotten memories separately"))

    @Slot(object)
    def _on_table_act(self, act: MemoryAct) -> None:
        if act is not MemoryAct.EDIT:
            self.act(act)
        else:
            self._bring_up()
            self._inspector.focus_editor()

    @Slot(object)
    def _on_inspector_act(self, act: MemoryAct) -> None:
        entry = self._subject.current_entry
        if entry is not None:
            self._begin(act, self._act(act, (self.selection.of(entry),)))

    @Slot()
    def _on_escape_pressed(self) -> None:
        search = self._page.header.search
        if search.text():
            search.set_text("")  # the keyboard stays where it is
        else:
            self._on_done()

    @Slot()
    def _on_done(self) -> None:
        self.selection.clear()
        self._page.focus_list()

    def _on_stored(self, entries: Sequence[MemoryEntry]) -> None:
        if len(self._stored) > MOST_STORED:
            self._stored.clear()
        self._stored |= (known := self.selection.all_of(entries))
        if len(self.selection):
            self.selection.adopt(known)

    @Slot(object)
    def _on_retag_requested(self, retag: Retag) -> None:
        async def retagged(chosen: Sequence[Chosen]) -> bool:
            is_done = await self.actions.retag(chosen, retag)
            if is_done:  # what failed can be put right and applied again
                self._inspector.many.settle(retag)
            return is_done

        self._give(retagged)

    @Slot(object)
    def _on_lifetime_requested(self, lifetime: Lifetime) -> None:
        self._give(lambda chosen: self.actions.set_lifetime(chosen, lifetime))

    @Slot(float)
    def _on_importance_requested(self, importance: float) -> None:
        self._give(lambda chosen: self.actions.set_importance(chosen, importance))

    def _on_said(self, text: str) -> None:
        self._page.toast.show_message(text, icon="check-circle")

    def _give(self, change: Callable[[Sequence[Chosen]], Awaitable[bool]]) -> None:
        """Change all checked memories, once what was asked for before is done."""

        async def give(targets: tuple[Chosen, ...]) -> None:
            async with self._turn:
                await change(tuple(map(self._newest, targets)))

        self.undo.begin(give(self.selection.chosen))
