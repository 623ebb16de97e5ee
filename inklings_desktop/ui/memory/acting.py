"""Joins what a person does to memories, checked ones or the current one, with the views."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.words.memory_lines import found_title
from inklings_desktop.ui.memory.acts.road import Road
from inklings_desktop.ui.memory.acts.table import ACTS, MemoryAct, id_of, why_not
from inklings_desktop.ui.memory.list.selection import SelectionPresenter
from inklings_desktop.ui.memory.subject.facts import memory_text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from inklings_desktop.domain.memory import Lifetime, MemoryEntry
    from inklings_desktop.domain.rooms.conversation import WorkingNote
    from inklings_desktop.ui.memory.acts.chosen import Chosen, Retag
    from inklings_desktop.ui.memory.acts.road import Found
    from inklings_desktop.ui.memory.acts.table import Act
    from inklings_desktop.ui.memory.join import Parts


class Acting(Road):
    """Carries out acts on the checked memories, or on the current one while none is checked.

    Attributes:
        selection: What is checked.

    Signals:
        export_requested: The ``MemoryRef`` of every checked memory, as a tuple.
    """

    export_requested = Signal(tuple)

    def __init__(self, parts: Parts, parent: QObject) -> None:
        super().__init__(parts.context, parent)
        self._may_leave, self._inspector = parts.may_leave, parts.inspector
        self._subject, self._list, self._page = parts.subject, parts.listed.list, parts.listed.page
        self._was_checking = False
        self.selection = SelectionPresenter(parts.context, self._list, self)
        self.selection.changed.connect(self._show_selection)
        self.selection.kind_refused.connect(
            lambda: self._page.tell(tr("Select forgotten memories separately"))
        )
        self.selection.hidden.changed.connect(self._show_selection)
        self._list.content_read.connect(self._show_selection)
        self._subject.memory_stored.connect(self.note_saved)
        self._connect_views()

    def _connect_views(self) -> None:
        table, bar, many = self._page.table, self._page.bulk, self._inspector.many
        table.act_requested.connect(self.act)
        table.toggle_requested.connect(self.selection.toggle)
        table.reach_requested.connect(self.selection.reach)
        table.span_requested.connect(self.selection.reach_span)
        table.all_requested.connect(self.selection.check_all)
        table.escape_pressed.connect(self._on_escape_pressed)
        bar.all.clicked.connect(self.selection.check_all)
        bar.done.clicked.connect(self._on_done)
        bar.hidden.clicked.connect(self._on_hidden_requested)
        bar.retag.clicked.connect(self._inspector.focus_tags)
        for lifetimes in (bar.lifetime_requested, many.lifetime_requested):
            lifetimes.connect(partial(self._give, MemoryAct.LIFETIME))
        bar.act_requested.connect(self.act)
        bar.export.clicked.connect(
            lambda: self.export_requested.emit(tuple(one.ref for one in self.selection.chosen))
        )
        many.retag_requested.connect(self._on_retag_requested)
        many.importance_requested.connect(partial(self._give, MemoryAct.IMPORTANCE))
        self._inspector.act_requested.connect(self._on_inspector_act)

    # -- the road -------------------------------------------------------------------------------

    @Slot(object)
    def act(self, act: MemoryAct, meant: Sequence[Chosen] = ()) -> None:
        """Do something to these, else to the checked memories, else to the current one.

        Search and replace is then about everything that is listed.
        """
        is_one = not (meant or len(self.selection))
        targets = meant or self._targets()
        found: Found | None = None
        if act is MemoryAct.EDIT:
            self._bring_up()
            self._inspector.focus_editor()
            return
        if self.selection.is_taking and not meant:
            found = partial(self._taken, act)
        elif act is MemoryAct.REPLACE and is_one:
            found = self._listed
        elif act is MemoryAct.COPY_TEXT:
            self._copy(targets)
            return
        elif not targets and (act is not MemoryAct.TAGS or self._page.table.hasFocus()):
            self._say_nothing_meant()
            return
        elif act is MemoryAct.TAGS and not (targets and why_not(act, targets)):
            self._bring_up()
            self._inspector.focus_tags()
            return
        elif is_one and act is MemoryAct.FORGET and not self._subject.has_unsaved:
            # The next press, however soon, is about the next row.
            self._move_on({one.ref.id for one in targets if not one.is_forgotten})
        task = self._background.spawn(self.do(act, found or targets))
        self.undo.wait_for(task)
        if ACTS[act].opens_dialog:  # what is typed from now on is for that
            held_keys(self._page).until_asked(task)

    # -- what lies around the road --------------------------------------------------------------

    def tell(self, text: str, icon: str = "info") -> None:
        if icon == "check-circle":
            self._page.toast.show_message(text, icon=icon)
        else:
            self._page.tell(text, icon)

    async def may_leave(self) -> bool:
        return await self._may_leave()

    async def makes_way(self, leaving: Sequence[Any]) -> bool:
        ids, shown = set(map(id_of, leaving)), self._subject.current_ref
        if shown is not None and shown.id in ids and not await self._may_leave():
            return False
        self._move_on(ids)
        return True

    def _move_on(self, leaving: Collection[str]) -> None:
        """Stand beside the rows that are about to leave."""
        if leaving:
            self._page.motion.expect_leaving(leaving)
            self._page.list_cursor.select_beside(leaving)

    def note_stored(self, known: Mapping[str, Chosen], *, is_kind_changed: bool) -> None:
        self.selection.adopt(known)
        if is_kind_changed:
            self.selection.clear()

    def n_hidden(self, ids: Collection[str]) -> int:
        return len(self.selection.hidden.ids.intersection(ids))

    def edit_draft(self, row: Act, targets: Sequence[Chosen]) -> bool:
        shown, draft = self._subject.current_ref, self._subject.state.draft
        is_meant = [one.ref for one in targets] == [shown] and self._subject.has_unsaved
        if row.edits is None or draft is None or not is_meant:
            return False
        self._subject.edit(**row.edits(draft))
        return True

    # -- what it is about -----------------------------------------------------------------------

    def _targets(self) -> Sequence[Chosen]:
        if len(self.selection):
            return self.selection.chosen
        entry = self._current()
        return () if entry is None else (self.selection.of(entry),)

    def _current(self) -> MemoryEntry | None:
        """The current memory of the list, else the one in the inspector, in its newest state."""
        shown, table = self._subject.current_entry, self._page.table
        row = table.current_row()
        listed = self._list.entry(row.id) if row is not None else None
        if row is None and (table.hasFocus() or self._note() is not None):
            return None  # a key in the list is about the list
        if shown is None or (listed is not None and listed.id != shown.id):
            return listed
        return shown if listed is None or shown.version >= listed.version else listed

    async def _taken(self, act: MemoryAct) -> Sequence[Chosen]:
        """A key right after Ctrl+A is about everything, however long that takes to be checked."""
        await self.selection.taken()
        if act not in {MemoryAct.TAGS, MemoryAct.COPY_TEXT}:
            return self.selection.chosen
        if len(self.selection):
            self.act(act)
        return ()

    async def _listed(self) -> Sequence[Chosen]:
        """Everything that is listed, read or not."""
        listed = await self.selection.matching()
        if not listed:
            self._page.say_nothing_chosen()
        return listed

    @Slot()
    def forget_listed(self) -> None:
        """Forget everything that the list holds, read or not, in one step."""
        self.undo.begin(self.do(MemoryAct.FORGET, self.selection.matching))

    def is_about_forgotten(self) -> bool | None:
        """Whether an act would be about forgotten memories; None while there are none for it."""
        if (shared := self.selection.shared) is not None:
            return shared.is_forgotten
        entry = self._current()
        return None if entry is None else entry.is_forgotten

    def _note(self) -> WorkingNote | None:
        """The working note that is current."""
        return self._list.note(self._page.list_cursor.current_id() or "")

    def _say_nothing_meant(self) -> None:
        if self._note() is not None:
            self._page.say_note_touched()
        else:
            self._page.say_nothing_chosen()

    def _bring_up(self) -> None:
        """Show the current row in the inspector now if it is still being read."""
        row_id, shown = self._page.list_cursor.current_id(), self._subject.current_ref
        if row_id is None or len(self.selection) or self._subject.has_unsaved:
            return
        entry, note = self._list.entry(row_id), self._list.note(row_id)
        if entry is not None and entry.ref != shown:
            self._subject.open_at_once(entry)
        elif note is not None and shown is not None and self.here is not None:
            self._subject.open_note(note, self.here.conversation(note.conversation_id))

    def _copy(self, targets: Sequence[Chosen]) -> None:
        """Copy texts; those that the list has not loaded are read first."""
        entries = [self._list.entry(one.ref.id) for one in targets]
        if not targets and (note := self._note()) is not None:
            self._put([memory_text(note)])
        elif not targets:
            self._say_nothing_meant()
        elif None in entries:
            self.undo.begin(self._read_and_copy(targets))
        else:
            self._put([one.content for one in entries if one is not None])

    async def _read_and_copy(self, targets: Sequence[Chosen]) -> None:
        read = self.context.inklings.listing.show_all
        entries = await self._background.read(read, [one.ref for one in targets])
        self._put([one.content for one in entries])

    def _put(self, texts: Sequence[str]) -> None:
        if texts:
            QGuiApplication.clipboard().setText("\n\n".join(texts))
            said = counted(len(texts), "Copied the text", "Copied {n} texts")
            self._page.tell(said, "copy")

    # -- from the views -------------------------------------------------------------------------

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
            can_show_hidden=self._can_show_hidden,
        )
        self._inspector.show_many(shared)
        lines = self._list.lines_of(ids) if ids else ()
        self._inspector.many.found.show_lines(found_title(self._list.request.sought), lines)
        was_checking, self._was_checking = self._was_checking, bool(ids)
        current = self._page.list_cursor.current_id()
        if was_checking and not ids and current is not None:
            # What became current meanwhile opens now.
            self._page.list_cursor.row_chosen.emit(current)

    @Slot(object)
    def _on_inspector_act(self, act: MemoryAct) -> None:
        if (entry := self._subject.current_entry) is not None:
            self.act(act, (self.selection.of(entry),))

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

    @property
    def _can_show_hidden(self) -> bool:
        """Whether the list without search and filters holds every checked memory."""
        scopes = self._list.request.scopes
        return all(one.ref.scope in scopes for one in self.selection.out_of_view)

    @Slot()
    def _on_hidden_requested(self) -> None:
        """Show what is checked and out of view, or let go of it where the list cannot show it."""
        hidden = self.selection.out_of_view
        if hidden and self._can_show_hidden:
            self._page.clear_filters_requested.emit()
            self._background.spawn(self._reveal(hidden[0].ref.id))
        else:
            self.selection.uncheck_hidden()
            self._page.focus_list()

    async def _reveal(self, memory_id: str) -> None:
        await self._list.settled()
        self._page.list_cursor.select(memory_id)
        self._page.focus_list()

    @Slot(object)
    def _on_retag_requested(self, retag: Retag) -> None:
        async def retagged() -> None:
            if await self.do(MemoryAct.TAGS, self.selection.chosen, retag):
                self._inspector.many.settle(retag)  # what failed can be applied again

        self.undo.begin(retagged())

    def _give(self, act: MemoryAct, value: Lifetime | float) -> None:
        """Change all checked memories, once what was asked for before is done."""
        self.undo.begin(self.do(act, self.selection.chosen, value))
