"""What happens to one named entry in the editor.

Text that a person typed is replaced only when that person asks for it: news from outside never
touches it, a save that fails leaves it where it is, and what rests is kept as a draft that
outlives the program.
"""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.named_entry import EntryRef, EntryWithRevisions, NamedEntry
from inklings_desktop.domain.errors import (
    ConflictError,
    DatabaseFullError,
    InklingsError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.entries.calls import (
    entry_with_draft,
    restored,
    stored_again,
    stored_by_accepting,
    stored_over,
)
from inklings_desktop.ui.entries.opened import OpenEntry
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.page.context import refuse, said
from inklings_desktop.ui.kit.words.entry_facts import entry_message
from inklings_desktop.ui.kit.words.memory_facts import author_caution
from inklings_desktop.ui.markdown.diff_view import Comparison

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.usecases.bundle import Inklings


class EntryEditing:
    """Shows and edits one entry at a time; knows no widgets.

    Showing something else drops unsaved text: whoever asks for that looks at ``has_unsaved``
    first and lets the person choose. Opening the entry that is already shown never drops
    anything.
    """

    def __init__(
        self,
        context: Context,
        *,
        show: Callable[[OpenEntry | None], None],
        drafts_changed: Callable[[], None],
    ) -> None:
        """Show nothing yet.

        Args:
            show: Shows what is to be seen of the entry, whenever that is something else.
            drafts_changed: Told that a draft was dropped.
        """
        self._context = context
        self._background, self._inklings = context.background, context.inklings
        self._show_shown, self._drafts_changed = show, drafts_changed
        self._shown: OpenEntry | None = None
        self._n_requests = 0
        self._serials = count()
        self._storing = asyncio.Lock()
        self._fails_to_keep = False

    # -- what is shown ------------------------------------------------------------------

    @property
    def has_unsaved(self) -> bool:
        """Whether showing something else would lose what a person typed."""
        return self._shown is not None and self._shown.is_unsaved

    def unsaved_in(self, workspace_id: str) -> tuple[str, str] | None:
        """Name and typed text of the entry on show, if it is unsaved and of this workspace."""
        shown = self._shown
        if shown is None or not shown.is_unsaved or shown.entry.workspace_id != workspace_id:
            return None
        return shown.entry.name, shown.text

    @property
    def entry(self) -> NamedEntry | None:
        """The entry that is shown, as it was last read."""
        return self._shown.entry if self._shown else None

    @property
    def shown(self) -> OpenEntry | None:
        """All that is to be seen of the entry that is shown."""
        return self._shown

    def leave_workspace(self) -> None:
        """Show nothing, unless it is unsaved text of the account: that has not lost its entry."""
        shown = self._shown
        if shown is None or not shown.is_unsaved or shown.entry.workspace_id is not None:
            self.show_nothing()

    def show_nothing(self) -> None:
        """Show no entry."""
        self._show(None)

    async def open_entry(self, ref: EntryRef) -> None:
        """Show an entry; any later request overtakes this one."""
        if self._shown is not None and self._shown.entry.ref == ref:
            await self._look_again(self._shown)
            return
        opened = await self._read(ref)
        if opened is not None:
            self._show(opened)

    async def edit_proposal(self, proposal: Proposal) -> None:
        """Show the proposed body of an entry in its editor; a save accepts it.

        A draft of an earlier run must be decided on first: it is shown instead.
        """
        opened = await self._read(
            EntryRef(proposal.tier, proposal.workspace_id, proposal.target_id)
        )
        if opened is None:
            return
        if opened.offered is None:
            opened.proposal = proposal
            opened.text = proposal.text
        self._show(opened)

    # -- editing ------------------------------------------------------------------------

    def edit(self, text: str) -> None:
        """Take over what a person typed."""
        shown = self._shown
        if shown is None or not shown.is_editable or shown.text == text:
            return
        shown.text = text
        shown.error = ""
        self._emit()

    async def revert(self) -> None:
        """Drop what was typed: back to the stored version, or to nothing if that is gone."""
        shown = self._shown
        if shown is None:
            return
        if shown.is_gone:
            self.show_nothing()
        else:
            shown.entry = shown.newer or shown.entry
            shown.settle(is_undoable=True)
            self._emit()
        await self._drop_draft(shown)

    async def save(self) -> bool:
        """Store what was typed.

        Returns:
            Whether nothing is left unsaved. After a refusal the text is still in the editor and
            the state says what is wrong, or a message was raised.
        """
        async with self._storing:
            shown = self._shown
            if shown is None or not shown.can_save:
                return not self.has_unsaved
            if shown.proposal is None:
                call = partial(stored_over, shown.entry.ref, shown.text, shown.base_version)
            else:
                call = partial(stored_by_accepting, shown.proposal, shown.text, shown.base_version)
            return await self._store_text(shown, call)

    async def saved(self) -> None:
        """Return once no save is under way."""
        async with self._storing:
            return

    async def take_theirs(self) -> None:
        """Settle a conflict for the stored version, read afresh."""
        await self.revert()
        if self._shown is not None:
            await self._look_again(self._shown)

    async def keep_mine(self) -> bool:
        """Settle a conflict for the editor: save over the newer version.

        A deleted entry is brought back first.

        Returns:
            Whether nothing is left unsaved.
        """
        async with self._storing:
            shown = self._shown
            if shown is None or not shown.in_conflict:
                return not self.has_unsaved
            if shown.newer is None:
                return await self._store_text(shown, partial(stored_again, shown.entry, shown.text))
            version = shown.newer.version
            return await self._store_text(
                shown, partial(stored_over, shown.entry.ref, shown.text, version)
            )

    async def restore(self, number: int) -> bool:
        """Make an earlier revision the newest; whether that was done.

        Nothing is done while text is unsaved.
        """
        async with self._storing:
            shown = self._shown
            if shown is None or shown.is_unsaved or shown.offered:
                return False
            call = partial(restored, shown.entry.ref, number, shown.entry.version)
            if not await self._store(shown, call):
                return False
            shown.settle()
        self._emit()
        return True

    async def delete(self) -> bool:
        """Take the entry away; whether that was done."""
        async with self._storing:
            shown = self._shown
            if shown is None or shown.entry.is_built_in:
                return False
            try:
                await self._background.write(
                    self._inklings.entries.delete,
                    shown.entry.ref,
                    expected_version=shown.entry.version,
                )
            except InklingsError as error:
                refuse(self._context, error)
                await self._look_again(shown)
                return False
        if self._shown is shown:
            self.show_nothing()
        return True

    # -- drafts -------------------------------------------------------------------------

    async def keep_draft(self) -> None:
        """Keep what was typed so far, so that a killed program does not lose it."""
        shown = self._shown
        if shown is None or shown.offered or shown.is_saving:
            return
        if not shown.is_unsaved:
            await self._drop_draft(shown)
            return
        shown.has_draft = True
        try:
            await self._background.write(
                self._inklings.drafts.keep, shown.entry.ref, shown.text, shown.base_version
            )
            self._fails_to_keep = False
        except InvalidValueError as error:
            if self._shown is shown and not shown.is_saving:
                why = entry_message(error).title
                shown.error = tr("{why} Until then it is not saved as a draft.").format(why=why)
                self._emit()
        except NotFoundError:
            pass  # the entry is gone, and that is said
        except InklingsError as error:
            if not self._fails_to_keep:  # a failing disk is told of once
                refuse(self._context, error)
            self._fails_to_keep = True

    def continue_draft(self) -> None:
        """Go on with what an earlier run had not saved."""
        shown = self._shown
        if shown is None or shown.offered is None:
            return
        draft, shown.offered = shown.offered, None
        shown.comparison = None
        shown.has_draft = True
        shown.replace_text(draft.body)
        shown.base_version = draft.base_version
        if draft.base_version != shown.entry.version:
            shown.newer = shown.entry
        self._emit()

    async def discard_draft(self) -> None:
        """Let go of what an earlier run had not saved."""
        shown = self._shown
        if shown is None or shown.offered is None:
            return
        shown.offered, shown.comparison, shown.has_draft = None, None, True
        self._emit()
        await self._drop_draft(shown)

    async def compare(self) -> None:
        """Show the two texts that a notice is about, or the editor again."""
        shown = self._shown
        if shown is None:
            return
        if shown.comparison is not None:
            shown.comparison = None
            self._emit()
            return
        sides = shown.sides()
        diff = await self._background.read(diff_lines, sides.older_text, sides.newer_text)
        if self._shown is shown:
            shown.comparison = Comparison(sides.older, sides.newer, diff)
            self._emit()

    # -- news from outside --------------------------------------------------------------

    async def on_changes(self, changes: MemoryChanges) -> None:
        """Look again if a commit, of this process or another, touched what is shown."""
        shown = self._shown
        if shown is None or changes.workspace_id != shown.entry.workspace_id:
            return
        entry_id = shown.entry.id
        is_dropped = entry_id in changes.drafts_dropped
        if changes.reload or entry_id in changes.entries or (is_dropped and shown.offered):
            await self._look_again(shown)
        elif is_dropped and shown.is_unsaved:
            # Another window discarded what is still being typed here.
            await self.keep_draft()

    async def _look_again(self, shown: OpenEntry) -> None:
        """Read the shown entry again and take the news, never over unsaved text."""
        shown.n_looks += 1
        look = shown.n_looks
        found, draft = None, shown.offered
        try:
            found, draft = await self._background.read(
                entry_with_draft, self._inklings, shown.entry.ref
            )
        except NotFoundError:
            pass
        except InklingsError as error:
            refuse(self._context, error)
            return
        if self._shown is not shown or look != shown.n_looks:
            return
        if shown.is_saving:
            shown.is_stale = True
        elif found is not None and not found.entry.is_deleted:
            shown.take_news(found)
            if shown.offered is not None:
                shown.offer(draft)  # another window may have saved it, let go of it, or typed on
            self._emit()
            if shown.in_conflict and not shown.offered:
                # Another window that saved let go of the draft, and there is one for every window.
                await self.keep_draft()
        elif shown.is_unsaved:
            shown.newer, shown.is_gone = None, True
            self._emit()
        else:
            self.show_nothing()

    # -- saving -------------------------------------------------------------------------

    async def _store(
        self, shown: OpenEntry, call: Callable[[Inklings], EntryWithRevisions]
    ) -> bool:
        """Have something stored; whether it was. The caller holds the lock."""
        found = None
        shown.is_saving, shown.is_disk_full, shown.error = True, False, ""
        self._emit()
        try:
            found = await self._background.write(call, self._inklings)
        except (ConflictError, NotFoundError) as error:
            shown.is_saving = False
            if isinstance(error, ConflictError) and error.kind == "proposal":
                shown.proposal = None  # decided elsewhere: what was typed stands for itself now
            await self._look_again(shown)
            if self._shown is shown and not shown.in_conflict:
                refuse(self._context, error)
        except InvalidValueError as error:
            shown.error = entry_message(error).title
        except DatabaseFullError:
            shown.is_disk_full = True
        except InklingsError as error:
            refuse(self._context, error)
        finally:
            shown.is_saving = False
        if found is not None:
            if found.entry.body != shown.entry.body:
                shown.caution = ""  # it was said of the text before
            shown.take_stored(found)
            self._background.spawn(self._look_for_secrets(shown))
        if self._shown is shown:
            self._emit()
        return found is not None

    async def _look_for_secrets(self, shown: OpenEntry) -> None:
        """Warn of a text that looks like a key; it stays as it was typed."""
        entry = shown.entry
        caution = await self._background.read(author_caution, entry.body)
        if caution != shown.caution and shown.entry is entry:
            shown.caution = caution
            if self._shown is shown:
                self._emit()

    async def _store_text(
        self, shown: OpenEntry, call: Callable[[Inklings], EntryWithRevisions]
    ) -> bool:
        """Store the text of the editor; whether nothing is left unsaved."""
        if await self._store(shown, call):
            if shown.is_typed:
                await self.keep_draft()  # of what was typed meanwhile, on the new version
            else:
                await self._drop_draft(shown)
        if shown.is_stale:  # news came meanwhile, also where it was refused
            shown.is_stale = False
            await self._look_again(shown)
        return not shown.is_unsaved

    # -- inside -------------------------------------------------------------------------

    async def _drop_draft(self, shown: OpenEntry) -> None:
        """Let go of what is kept of an entry, if anything is, as far as is known here."""
        if shown.has_draft:
            shown.has_draft = False
            drop = self._inklings.drafts.drop
            await said(self._context, self._background.write(drop, shown.entry.ref))
            self._drafts_changed()

    async def _read(self, ref: EntryRef) -> OpenEntry | None:
        """An entry, ready to be shown; None if it is not wanted any more or cannot be read."""
        self._n_requests += 1
        request, was_unsaved = self._n_requests, self.has_unsaved

        def is_wanted() -> bool:
            was_typed_meanwhile = self.has_unsaved and not was_unsaved
            return request == self._n_requests and not was_typed_meanwhile

        try:
            found, draft = await self._background.read(entry_with_draft, self._inklings, ref)
        except InklingsError as error:
            if is_wanted():
                self._show(None)
                refuse(self._context, error)
            return None
        if not is_wanted():
            return None
        inklings = self._inklings
        opened = OpenEntry(
            found.entry,
            found.revisions,
            self._serials,
            inklings.clock(),
            is_looking=inklings.caller.is_agent,
            is_read_only=inklings.is_read_only,
        )
        opened.offered = draft
        return opened

    def _show(self, opened: OpenEntry | None) -> None:
        self._n_requests += 1
        self._shown = opened
        self._emit()

    def show_again(self) -> None:
        """Show it with the age of now, as the list beside it has."""
        if self._shown is not None:
            self._emit()

    def _emit(self) -> None:
        if self._shown is not None:
            self._shown.now = self._inklings.clock()
        self._show_shown(self._shown)
