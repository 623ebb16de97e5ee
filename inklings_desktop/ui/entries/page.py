"""The Named entries page: the list, the entry in the editor, and its history."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication

from inklings_desktop.domain.entries.named_entry import MAX_BODY_BYTES, TOTAL_SOFT_LIMIT
from inklings_desktop.domain.entries.proposals import UNDECIDED
from inklings_desktop.domain.links import Link, LinkKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.entries.dialogs import (
    DeletedEntriesDialog,
    NewEntryDialog,
    deleted_rows,
    may_be_long,
    may_delete,
)
from inklings_desktop.ui.entries.editing import EntryEditing
from inklings_desktop.ui.entries.opened import EntryHistory, EntryMode
from inklings_desktop.ui.entries.rows import (
    EntriesContent,
    context_shares,
    entry_list_rows,
    rail_mark,
)
from inklings_desktop.ui.entries.view import (
    COMPARE,
    CONTINUE_DRAFT,
    COPY_TEXT,
    DISCARD_DRAFT,
    KEEP_MINE,
    SAVE_AGAIN,
    TAKE_THEIRS,
    EntriesView,
)
from inklings_desktop.ui.kit.dialogs.ask import answered
from inklings_desktop.ui.kit.dialogs.ask_dialog import UnsavedAnswer, UnsavedDialog
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE, INBOX_PAGE
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.page.context import refuse, said
from inklings_desktop.ui.kit.page.destinations import ToEntry
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.kit.words.messages import too_much_pasted
from inklings_desktop.ui.markdown.spelling import SpellingMarks

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Coroutine
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.entries.named_entry import EntryRef
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.entries.opened import OpenEntry
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Panes


class EntriesPage(Page[EntriesContent]):
    """One opened data root behind the Named entries page.

    Attributes:
        content: What the list shows; kept true for the rail, whether somebody looks or not.
        entry: The entry in the editor.
        history: Its revisions.

    Signals:
        content_changed: ``EntriesContent`` after a new answer.
    """

    content_changed = Signal(object)
    watches = About.ENTRIES | About.TYPING
    view: EntriesView
    content: EntriesContent

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, EntriesView(context.theme, parent))
        self.content = EntriesContent()
        self._opening = Latest(self.background)
        self._follow_id: str | None = None
        self._is_unsaved = False
        self._asked_about_total = False
        self._deleted_ref: EntryRef | None = None
        self.entry = EntryEditing(context, show=self._show_entry, drafts_changed=self.read_again)
        self.history = EntryHistory(context, self.view.history.show_state)
        self._connect()

    def link(self) -> Link | None:
        """What leads back to the named entry on show."""
        shown = self.entry.shown
        return Link(LinkKind.ENTRY, shown.ref.id) if shown is not None else None

    def _connect(self) -> None:
        view, actions = self.view, self.view.actions_of
        view.header.modes.choice_changed.connect(lambda key: self.show_mode(EntryMode(key)))
        for action, mode in (
            (actions.write, EntryMode.WRITE),
            (actions.split, EntryMode.SPLIT),
            (actions.history, EntryMode.HISTORY),
        ):
            action.triggered.connect(partial(self.show_mode, mode))
        actions.new.triggered.connect(self.new_entry)
        actions.delete.triggered.connect(self.delete_entry)
        actions.restore_deleted.triggered.connect(self.restore_deleted)
        for wish in (actions.save.triggered, view.footer.save.clicked):
            wish.connect(self.save)
        view.footer.revert.clicked.connect(self.starts(self.entry.revert))
        view.list.row_chosen.connect(lambda row_id: self._opening.run(self._open_row(row_id)))
        view.list.edit_requested.connect(self._on_edit_requested)
        view.list.delete_requested.connect(lambda entry_id: self.spawn(self._delete(entry_id)))
        view.editor.edited.connect(self._take_text)
        view.editor.editor.paste_refused.connect(
            lambda n_bytes: self.context.say(too_much_pasted(n_bytes, MAX_BODY_BYTES))
        )
        view.editor.editor.text_rested.connect(self._on_text_rested)
        if not self.inklings.caller.is_agent:
            self.spelling = SpellingMarks(self.context, view.editor.editor, self)
        view.notice.action_requested.connect(self._on_notice_action)
        view.history.older_chosen.connect(self.history.choose_older)
        view.history.newer_chosen.connect(self.history.choose_newer)
        view.history.restore.clicked.connect(self.starts(self._restore))
        view.list.proposals_requested.connect(lambda: self.context.go(INBOX_PAGE))
        view.toast.undo_requested.connect(self._on_undo_requested)

    # -- the list ---------------------------------------------------------------------------

    async def open(self, workspace_id: str) -> None:
        self.workspace_id = workspace_id
        self.view.toast.close_note()
        self.entry.leave_workspace()
        self.read_again()
        await self.settled()
        content = self.content
        if content.drafts:
            self.context.go(ENTRIES_PAGE)
        if self.entry.has_unsaved and self.entry.entry is not None:
            self.view.list.select(self.entry.entry.id, quietly=True)
            return
        drafted = [one.entry_id for one in content.drafts if content.entry(one.entry_id)]
        first = [*drafted, *(one.id for one in content.entries)]
        if first and self.view.list.select(first[0], quietly=True):
            await self._open_row(first[0])

    def read_content(self) -> EntriesContent:
        inklings, workspace_id = self.inklings, self.workspace_id
        caller, now = inklings.caller, inklings.clock()
        entries = inklings.entries.list(workspace_id)
        shares = context_shares(entries)
        if caller.is_agent:  # what waits for the author, and what was typed, is the author's alone
            return EntriesContent(entry_list_rows(entries, (), (), now), shares, entries)
        proposals = inklings.proposals.list(workspace_id, states=UNDECIDED)
        drafts = inklings.drafts.find(workspace_id)
        rows = entry_list_rows(entries, proposals, drafts, now)
        return EntriesContent(rows, shares, entries, proposals, drafts)

    def show_content(self, content: EntriesContent) -> None:
        """Show the list, and what is always read; the rail tells how many there are."""
        self.view.list.show_rows(content.rows)
        self.view.show_shares(content.shares)
        self.entry.show_again()
        self.context.mark(ENTRIES_PAGE, rail_mark(content))
        if self._follow_id is not None and self.view.list.select(self._follow_id):
            self._follow_id = None
        self.content_changed.emit(content)

    def show_failure(self, error: InklingsError) -> None:
        refuse(self.context, error)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        is_drafted = changes.entries or changes.drafts_dropped
        is_listed = is_drafted or changes.proposals or changes.reload
        if is_listed and changes.workspace_id in {None, self.workspace_id}:
            self.read_again()
        self.spawn(self.entry.on_changes(changes))

    # -- what the window asks ---------------------------------------------------------------

    @property
    def has_unsaved(self) -> bool:
        """Whether the open entry holds text that closing would lose."""
        return self.entry.has_unsaved

    async def may_leave(self) -> bool:
        """Whether the page may show something else; asks when that would lose text."""
        self._take_text()
        await self.entry.saved()  # what is being saved already needs no question
        entry = self.entry.entry
        if entry is None or not self.entry.has_unsaved:
            return True
        question = tr("Save your changes to {name}?").format(name=entry.name)
        answer = await answered(UnsavedDialog(self.view.window(), question))
        if answer == UnsavedAnswer.SAVE:
            return await self._save()
        if answer == UnsavedAnswer.DISCARD:
            await self.entry.revert()
            return True
        return False

    def arrive(self, where: Destination) -> None:
        """Choose an entry in the list, as a click would; with what an agent proposes for it."""
        if isinstance(where, ToEntry) and where.proposal is not None:
            self.spawn(self._edit_proposal(where.proposal))
        elif isinstance(where, ToEntry):
            self.view.list.select(where.entry_id)

    def only_look(self) -> None:
        self.view.only_look()

    def bring_focus(self, reason: Qt.FocusReason) -> None:  # noqa: ARG002 - it is always a key
        self.view.focus_list()

    def panes(self) -> Panes:
        """What F6 goes through: the list, the editor, and what can be taken back."""
        view, by_key = self.view, Qt.FocusReason.ShortcutFocusReason
        return [
            (view.list, view.focus_list),
            (view.editor, view.focus_editor),
            (view.toast.undo, partial(view.toast.undo.setFocus, by_key)),
        ]

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The ways to look at an entry, and to write in peace."""
        return (
            KeyHint(("Ctrl 1",), tr("Write")),
            KeyHint(("Ctrl 2",), tr("Split")),
            KeyHint(("Ctrl 3",), tr("History")),
            KeyHint(("F11",), tr("focus")),
            KeyHint(("F6",), tr("next pane")),
        )

    def spawn(self, action: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start what a person asked for; a refusal is said in the words of this page."""
        return self.background.spawn(action, on_refused=partial(refuse, self.context))

    # -- wishes -----------------------------------------------------------------------------

    @Slot()
    def new_entry(self) -> None:
        """Ask for the name of a new companion and open it."""
        held_keys(self.view).until(self.spawn(self._new_entry()))

    @Slot()
    def save(self) -> None:
        """Store what was typed."""
        self.spawn(self._save())

    @Slot()
    def delete_entry(self) -> None:
        """Ask whether the open companion should go."""
        self.spawn(self._delete())

    @Slot()
    def restore_deleted(self) -> None:
        """Ask which deleted companion should come back."""
        self.spawn(self._restore_deleted())

    def show_mode(self, mode: EntryMode) -> None:
        """Show the open entry another way."""
        self._take_text()
        self.view.show_mode(mode)
        self._show_history()

    # -- shown ------------------------------------------------------------------------------

    def _show_entry(self, shown: OpenEntry | None) -> None:
        self.view.show_entry(shown)
        self.view.list.show_unsaved(shown.entry.id if shown and shown.is_unsaved else "")
        if self.entry.has_unsaved != self._is_unsaved:
            self._is_unsaved = self.entry.has_unsaved
            self.told.emit()
        self._show_history()

    def _show_history(self) -> None:
        if self.view.mode is EntryMode.HISTORY:
            self.history.show_entry(self.entry.shown)

    # -- from the view ----------------------------------------------------------------------

    @Slot()
    def _take_text(self) -> None:
        if self.entry.entry is not None:
            self.entry.edit(self.view.editor.text())

    @Slot()
    def _on_edit_requested(self) -> None:
        if self._opening.is_running:  # the editor shows the entry before
            held_keys(self.view).until(self.spawn(self._opening.settled()))

    @Slot()
    def _on_text_rested(self) -> None:
        self._take_text()
        self.spawn(self.entry.keep_draft())

    @Slot(str)
    def _on_notice_action(self, key: str) -> None:
        self._take_text()
        if key == CONTINUE_DRAFT:
            self.entry.continue_draft()
            self.view.focus_editor()
        elif key == COPY_TEXT:
            QGuiApplication.clipboard().setText(self.view.editor.text())
        else:
            actions = {
                COMPARE: self.entry.compare,
                DISCARD_DRAFT: self.entry.discard_draft,
                KEEP_MINE: self.entry.keep_mine,
                SAVE_AGAIN: self._save,
                TAKE_THEIRS: self.entry.take_theirs,
            }
            self.spawn(actions[key]())

    @Slot()
    def _on_undo_requested(self) -> None:
        ref, self._deleted_ref = self._deleted_ref, None
        if ref is not None:
            self.spawn(self._undelete(ref))

    # -- actions ----------------------------------------------------------------------------

    async def _open_row(self, row_id: str) -> None:
        if row_id == self._shown_id():
            return
        if await self.may_leave():
            entry = self.content.entry(row_id)
            if entry is not None:
                await self.entry.open_entry(entry.ref)
        if (shown := self._shown_id()) is not None:
            self.view.list.select(shown, quietly=True)

    def _shown_id(self) -> str | None:
        return self.entry.entry.id if self.entry.entry is not None else None

    async def _save(self) -> bool:
        self._take_text()
        shown = self.entry.shown
        if shown is None or not shown.can_save:
            return not self.entry.has_unsaved
        total = self.content.total_with(shown.entry.id, shown.text)
        if total <= TOTAL_SOFT_LIMIT:
            self._asked_about_total = False
        elif not self._asked_about_total:
            if not await may_be_long(shown.entry.name, total, self.view.window()):
                return False
            self._asked_about_total = True
        return await self.entry.save()

    async def _new_entry(self) -> bool:
        if not await self.may_leave():
            return False
        taken = {
            tier: [one.name for one in self.content.entries if one.tier is tier]
            for tier in (Tier.WORKSPACE, Tier.ACCOUNT)
        }
        dialog = NewEntryDialog(self.context.theme, taken, self.view.window())
        if not await answered(dialog):
            return False
        create = self.inklings.entries.create
        made = await self.background.write(create, dialog.tier, self.workspace_id, dialog.name)
        self._follow_id = made.id
        self.read_again()
        await self.settled()
        await self._opening.settled()
        self.view.focus_editor()
        return True

    async def _delete(self, entry_id: str | None = None) -> None:
        if entry_id is not None and entry_id != self._shown_id():
            if not await self.may_leave():
                return
            self.view.list.select(entry_id, quietly=True)
            await self._open_row(entry_id)
        if not await self.may_leave():
            return
        entry = self.entry.entry
        if entry is None or entry.is_built_in or entry_id not in {None, entry.id}:
            return  # the one that was meant is gone meanwhile
        if not await may_delete(entry.name, self.view.window()):
            return
        if await self.entry.delete():
            self._deleted_ref = entry.ref
            self.view.toast.show_message(
                tr("Deleted {name}").format(name=entry.name),
                icon="trash",
                undo_label=tr("Undo"),
            )
            self.read_again()
            await self.settled()
            self.view.list.clear_selection()

    async def _restore_deleted(self) -> None:
        list_deleted = self.inklings.entries.list_deleted
        asked = self.background.read(list_deleted, self.workspace_id)
        deleted = await said(self.context, asked) or ()
        dialog = DeletedEntriesDialog(deleted_rows(deleted), self.view.window())
        if not await answered(dialog):
            return
        chosen = next((one for one in deleted if one.id == dialog.chosen_id), None)
        if chosen is not None:
            await self._undelete(chosen.ref)

    async def _undelete(self, ref: EntryRef) -> None:
        await self.background.write(self.inklings.entries.undelete, ref)
        self.view.toast.close_note()
        self._follow_id = ref.id
        self.read_again()

    async def _restore(self) -> None:
        number = self.history.older
        if await self.may_leave() and await self.entry.restore(number):
            self.view.toast.show_message(tr("Restored as a new revision."), icon="check")

    async def _edit_proposal(self, proposal: Proposal) -> None:
        if not await self.may_leave():
            return
        await self.entry.edit_proposal(proposal)
        if self.entry.entry is not None and self.entry.entry.id == proposal.target_id:
            self.view.list.select(proposal.target_id, quietly=True)
            if self.view.mode is EntryMode.HISTORY:
                self.show_mode(EntryMode.SPLIT)
            self.view.focus_editor()
