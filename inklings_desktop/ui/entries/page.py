"""Joins presenters and views of the Named entries page: who says what to whom."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication

from inklings_desktop.domain.entries.named_entry import MAX_BODY_BYTES, TOTAL_SOFT_LIMIT
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.entries.deleted_entries_dialog import DeletedEntriesDialog
from inklings_desktop.ui.entries.entry.history_presenter import EntryHistoryPresenter
from inklings_desktop.ui.entries.entry.notice import (
    COMPARE,
    CONTINUE_DRAFT,
    COPY_TEXT,
    DISCARD_DRAFT,
    KEEP_MINE,
    SAVE_AGAIN,
    TAKE_THEIRS,
)
from inklings_desktop.ui.entries.entry.presenter import EntryPresenter
from inklings_desktop.ui.entries.entry.state import EntryMode
from inklings_desktop.ui.entries.entry_figures import EntryFigures
from inklings_desktop.ui.entries.new_entry_dialog import NewEntryDialog
from inklings_desktop.ui.entries.presenter import EntriesPresenter
from inklings_desktop.ui.entries.proposals import ProposalDesk
from inklings_desktop.ui.entries.questions import (
    delete_question,
    deleted_rows,
    long_total_question,
)
from inklings_desktop.ui.entries.view import EntriesView
from inklings_desktop.ui.kit.dialogs.asking import answered
from inklings_desktop.ui.kit.dialogs.unsaved_dialog import UnsavedAnswer, UnsavedDialog
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE, RailMark
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.page.destinations import ToEntry
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.kit.words.messages import too_much_pasted

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.entries.named_entry import EntryRef
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.entries.entry.state import EntryState, HistoryState
    from inklings_desktop.ui.entries.presenter import EntriesContent
    from inklings_desktop.ui.entries.proposal.state import ProposalView
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Panes


class EntriesPage(Page[None]):
    """One opened data root behind the Named entries page."""

    view: EntriesView

    def __init__(self, context: Context, parent: QWidget) -> None:
        page = self._page = EntriesView(context.theme, parent)
        super().__init__(context, page)
        background, inklings = context.background, context.inklings
        self._background = background
        self._opening = Latest(background)
        self._follow_id: str | None = None
        self._is_unsaved = False
        self._asked_about_total = False
        self._deleted_ref: EntryRef | None = None
        self.entries = EntriesPresenter(background, inklings, self)
        self.entry = EntryPresenter(background, inklings, self)
        self.history = EntryHistoryPresenter(background, inklings, self)
        self.proposals = ProposalDesk(background, inklings, page=page, parent=self)
        self.proposal = self.proposals.proposal
        self._figures = EntryFigures(self.entries, self.entry, page, self)
        self._connect_presenters()
        self._connect_views()

    async def open(self, workspace_id: str) -> None:
        """Show the named entries of a workspace; what waits for a decision first."""
        self.workspace_id = workspace_id
        self._page.toast.close_note()
        self.proposal.show_nothing()
        self.entry.set_workspace(workspace_id)
        await self.entries.open(workspace_id)
        content = self.entries.content
        if content.drafts:
            self.context.go(ENTRIES_PAGE)
        if self.entry.has_unsaved and self.entry.entry is not None:
            self._page.list.select(self.entry.entry.id, quietly=True)
            return
        drafted = [one.entry_id for one in content.drafts if content.entry(one.entry_id)]
        first = [*drafted, *(one.id for one in content.entries)]
        if first and self._page.list.select(first[0], quietly=True):
            await self._open_row(first[0])

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        self.entries.on_changes(changes)
        self._spawn(self.entry.on_changes(changes))
        self._spawn(self.proposal.on_changes(changes))

    async def may_leave(self) -> bool:
        """Whether the page may show something else; asks when that would lose text."""
        self._take_text()
        if not await self.proposals.may_leave():
            return False
        await self.entry.saved()  # what is being saved already needs no question
        if not self.entry.has_unsaved:
            return True
        question = self.tr("Save your changes to {name}?").format(name=self.entry.state.name)
        answer = await answered(UnsavedDialog(self._page.window(), question))
        if answer == UnsavedAnswer.SAVE:
            return await self._save()
        if answer == UnsavedAnswer.DISCARD:
            await self.entry.revert()
            return True
        return False

    # -- what the window asks -----------------------------------------------------------

    @property
    def has_unsaved(self) -> bool:
        """Whether the open entry holds text that closing would lose."""
        return self.entry.has_unsaved

    def on_shown(self, *, is_shown: bool) -> None:
        """The list is kept true for the rail, whether somebody looks or not."""

    def arrive(self, where: Destination) -> None:
        """Choose an entry in the list, as a click would."""
        if isinstance(where, ToEntry):
            self._page.list.select(where.entry_id)

    def only_look(self) -> None:
        """Leave out what changes an entry."""
        self._page.only_look()

    def bring_focus(self, reason: Qt.FocusReason) -> None:  # noqa: ARG002 - it is always a key
        """Bring the keyboard to the list."""
        self._page.focus_list()

    def panes(self) -> Panes:
        """What F6 goes through: the list, the editor, and what can be taken back."""
        page, by_key = self._page, Qt.FocusReason.ShortcutFocusReason
        return [
            (page.list, page.focus_list),
            (page.editor, page.focus_editor),
            (page.toast.undo, partial(page.toast.undo.setFocus, by_key)),
        ]

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The ways to look at an entry, and to write in peace."""
        return (
            KeyHint(("Ctrl 1",), self.tr("Write")),
            KeyHint(("Ctrl 2",), self.tr("Split")),
            KeyHint(("Ctrl 3",), self.tr("History")),
            KeyHint(("F11",), self.tr("focus")),
            KeyHint(("F6",), self.tr("next pane")),
        )

    # -- wishes -------------------------------------------------------------------------

    @Slot()
    def new_entry(self) -> None:
        """Ask for the name of a new companion and open it."""
        held_keys(self._page).until(self._background.spawn(self._new_entry()))

    @Slot()
    def save(self) -> None:
        """Store what was typed."""
        self._spawn(self._save())

    @Slot()
    def delete_entry(self) -> None:
        """Ask whether the open companion should go."""
        self._spawn(self._delete())

    @Slot()
    def restore_deleted(self) -> None:
        """Ask which deleted companion should come back."""
        self._spawn(self._restore_deleted())

    @Slot(object)
    def show_mode(self, mode: EntryMode) -> None:
        """Show the open entry another way."""
        self._take_text()
        self._page.show_mode(mode)
        self._show_history()

    # -- joins --------------------------------------------------------------------------

    def _connect_presenters(self) -> None:
        self.entries.content_changed.connect(self._on_content_changed)
        self.entry.state_changed.connect(self._on_state_changed)
        self.entry.drafts_changed.connect(self.entries.refresh)
        self.history.state_changed.connect(self._on_history_changed)
        self.proposal.view_changed.connect(self._on_view_changed)
        self.proposals.decided.connect(self._on_proposal_decided)
        self.proposals.edit_requested.connect(self._on_edit_proposal_requested)
        for presenter in (self.entries, self.entry, self.history, self.proposals):
            presenter.message_raised.connect(self.context.say)

    def _connect_views(self) -> None:
        page = self._page
        page.mode_chosen.connect(self.show_mode)
        page.list.row_chosen.connect(self._on_row_chosen)
        page.list.new_requested.connect(self.new_entry)
        page.list.edit_requested.connect(self._on_edit_requested)
        page.list.delete_requested.connect(self._on_delete_requested)
        page.list.restore_deleted_requested.connect(self.restore_deleted)
        page.header.delete_requested.connect(self.delete_entry)
        page.header.restore_deleted_requested.connect(self.restore_deleted)
        page.editor.edited.connect(self._on_edited)
        page.editor.editor.paste_refused.connect(self._on_paste_refused)
        page.editor.text_rested.connect(self._on_text_rested)
        page.footer.save_requested.connect(self.save)
        page.footer.revert_requested.connect(self._on_revert_requested)
        page.notice.action_requested.connect(self._on_notice_action)
        page.history.older_chosen.connect(self.history.choose_older)
        page.history.newer_chosen.connect(self.history.choose_newer)
        page.history.restore_requested.connect(self._on_restore_requested)
        page.toast.undo_requested.connect(self._on_undo_requested)
        page.actions_of.new.triggered.connect(self.new_entry)
        page.actions_of.save.triggered.connect(self.save)
        page.actions_of.delete.triggered.connect(self.delete_entry)
        page.actions_of.restore_deleted.triggered.connect(self.restore_deleted)

    def _spawn(self, action: Coroutine[Any, Any, object]) -> None:
        self._background.spawn(action)

    # -- from the presenters --------------------------------------------------------------

    @Slot(object)
    def _on_content_changed(self, content: EntriesContent) -> None:
        self._page.list.show_rows(content.rows)
        self._figures.show_shares()
        self._mark_rail(len(content.entries), len(content.proposals))
        if self._follow_id is not None and self._page.list.select(self._follow_id):
            self._follow_id = None

    def _mark_rail(self, n_entries: int, n_waiting: int) -> None:
        told = self.tr("{entries} entries, {proposals} proposals waiting")
        waiting = self.tr("{count} to decide").format(count=n_waiting) if n_waiting else ""
        self.context.mark(
            ENTRIES_PAGE,
            RailMark(
                n_entries,
                waiting,
                str(n_waiting) if n_waiting else "",
                told.format(entries=n_entries, proposals=n_waiting),
            ),
        )

    @Slot(object)
    def _on_state_changed(self, state: EntryState) -> None:
        self._page.show_entry(state)
        if state.ref is not None and self.proposal.proposal is not None:
            self.proposal.show_nothing()
        self._page.list.show_unsaved(state.ref.id if state.ref and state.is_unsaved else "")
        self._tell_unsaved()
        self._figures.follow(state)
        self._show_history()

    @Slot(object)
    def _on_history_changed(self, state: HistoryState) -> None:
        self._page.show_history(state)

    @Slot(object)
    def _on_view_changed(self, view: ProposalView) -> None:
        if view.ref is None or self.entry.entry is None:
            return
        if self.entry.has_unsaved:  # typed while the proposal was being read
            self.proposal.show_nothing()
            self._page.show_entry(self.entry.state)
        else:
            self.entry.show_nothing()

    @Slot(object)
    def _on_proposal_decided(self, proposal: Proposal) -> None:
        """Show the next proposal, or what this one was about."""
        content = self.entries.content
        left = [one.id for one in content.proposals if one.id != proposal.id]
        following = left[0] if left else proposal.target_id
        if content.entry(following) or content.proposal(following):
            self._page.list.select(following)

    @Slot(object)
    def _on_edit_proposal_requested(self, proposal: Proposal) -> None:
        self._spawn(self._edit_proposal(proposal))

    # -- from the views -------------------------------------------------------------------

    @Slot(str)
    def _on_row_chosen(self, row_id: str) -> None:
        self._opening.run(self._open_row(row_id))

    @Slot()
    def _on_edit_requested(self) -> None:
        if self._opening.is_running:  # the editor shows the entry before
            held_keys(self._page).until(self._background.spawn(self._opening.settled()))

    @Slot()
    def _on_edited(self) -> None:
        self._take_text()

    @Slot(int)
    def _on_paste_refused(self, n_bytes: int) -> None:
        self.context.say(too_much_pasted(n_bytes, MAX_BODY_BYTES))

    @Slot()
    def _on_text_rested(self) -> None:
        self._take_text()
        self._spawn(self.entry.keep_draft())

    @Slot()
    def _on_revert_requested(self) -> None:
        self._spawn(self.entry.revert())

    @Slot(str)
    def _on_notice_action(self, key: str) -> None:
        self._take_text()
        if key == CONTINUE_DRAFT:
            self.entry.continue_draft()
            self._page.focus_editor()
        elif key == COPY_TEXT:
            QGuiApplication.clipboard().setText(self.entry.state.text)
        else:
            actions = {
                COMPARE: self.entry.compare,
                DISCARD_DRAFT: self.entry.discard_draft,
                KEEP_MINE: self.entry.keep_mine,
                SAVE_AGAIN: self._save,
                TAKE_THEIRS: self.entry.take_theirs,
            }
            self._spawn(actions[key]())

    @Slot(str)
    def _on_delete_requested(self, entry_id: str) -> None:
        self._spawn(self._delete(entry_id))

    @Slot()
    def _on_restore_requested(self) -> None:
        self._spawn(self._restore())

    @Slot()
    def _on_undo_requested(self) -> None:
        ref, self._deleted_ref = self._deleted_ref, None
        if ref is not None:
            self._spawn(self._undelete(ref))

    # -- actions --------------------------------------------------------------------------

    async def _open_row(self, row_id: str) -> None:
        if row_id == self._shown_id():
            return
        if await self.may_leave():
            content = self.entries.content
            entry, proposal = content.entry(row_id), content.proposal(row_id)
            if entry is not None:
                await self.entry.open_entry(entry.ref)
            elif proposal is not None:
                await self.proposal.open(proposal.ref)
        if (shown := self._shown_id()) is not None:
            self._page.list.select(shown, quietly=True)

    async def _save(self) -> bool:
        self._take_text()
        state = self.entry.state
        if state.ref is None or not state.can_save:
            return not self.entry.has_unsaved
        total = self.entries.total_with(state.ref.id, state.text)
        if total <= TOTAL_SOFT_LIMIT:
            self._asked_about_total = False
        elif not self._asked_about_total:
            if not await answered(long_total_question(state.name, total, self._page.window())):
                return False
            self._asked_about_total = True
        return await self.entry.save()

    async def _new_entry(self) -> bool:
        """Whether the keyboard is in the new companion."""
        if not await self.may_leave():
            return False
        content = self.entries.content
        taken = {
            tier: [one.name for one in content.entries if one.tier is tier]
            for tier in (Tier.WORKSPACE, Tier.ACCOUNT)
        }
        dialog = NewEntryDialog(self._theme(), taken, self._page.window())
        if not await answered(dialog):
            return False
        made = await self.entries.create(dialog.tier, dialog.name)
        if made is not None:
            self._follow_id = made.id
            self.entries.refresh()
            await self.entries.settled()
            await self._opening.settled()
            self._page.focus_editor()
        return made is not None

    async def _delete(self, entry_id: str | None = None) -> None:
        if entry_id is not None and entry_id != self._shown_id():
            if not await self.may_leave():
                return
            self._page.list.select(entry_id, quietly=True)
            await self._open_row(entry_id)
        if not await self.may_leave():
            return
        entry = self.entry.entry
        if entry is None or entry.is_built_in:
            return
        if not await answered(delete_question(entry.name, self._page.window())):
            return
        if await self.entry.delete():
            self._deleted_ref = entry.ref
            self._page.toast.show_message(
                self.tr("Deleted {name}").format(name=entry.name),
                icon="trash",
                undo_label=self.tr("Undo"),
            )
            self.entries.refresh()
            await self.entries.settled()
            self._page.list.clear_selection()

    async def _restore_deleted(self) -> None:
        deleted = await self.entries.deleted()
        dialog = DeletedEntriesDialog(deleted_rows(deleted), self._page.window())
        if not await answered(dialog):
            return
        chosen = next((one for one in deleted if one.id == dialog.chosen_id), None)
        if chosen is not None:
            await self._undelete(chosen.ref)

    async def _undelete(self, ref: EntryRef) -> None:
        if await self.entries.undelete(ref):
            self._page.toast.close_note()
            self._follow_id = ref.id
            self.entries.refresh()

    async def _restore(self) -> None:
        number = self.history.older
        if await self.may_leave() and await self.entry.restore(number):
            self._page.toast.show_message(self.tr("Restored as a new revision."), icon="check")

    async def _edit_proposal(self, proposal: Proposal) -> None:
        await self.entry.edit_proposal(proposal)
        if self.entry.entry is not None and self.entry.entry.id == proposal.target_id:
            self._page.list.select(proposal.target_id, quietly=True)
            if self._page.mode is EntryMode.HISTORY:
                self.show_mode(EntryMode.SPLIT)
            self._page.focus_editor()

    # -- inside ---------------------------------------------------------------------------

    def _take_text(self) -> None:
        """Take over what stands in the editor."""
        if self.entry.entry is not None:
            self.entry.edit(self._page.editor.text())

    def _shown_id(self) -> str | None:
        if self.entry.entry is not None:
            return self.entry.entry.id
        return self.proposal.proposal.id if self.proposal.proposal is not None else None

    def _tell_unsaved(self) -> None:
        if self.entry.has_unsaved != self._is_unsaved:
            self._is_unsaved = self.entry.has_unsaved
            self.told.emit()

    def _show_history(self) -> None:
        if self._page.mode is EntryMode.HISTORY:
            self.history.show_entry(self.entry.found)

    def _theme(self) -> Theme:
        return self._page.theme
