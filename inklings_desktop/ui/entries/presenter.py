"""The list of named entries: what is there, what waits for a decision, what is always read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.entries.proposals import UNDECIDED
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.entries.calls import entry_message
from inklings_desktop.ui.entries.rows import (
    ContextShare,
    EntryListRow,
    context_shares,
    entry_list_rows,
)
from inklings_desktop.ui.kit.ops.background import Latest

if TYPE_CHECKING:
    from inklings_desktop.domain.entries.named_entry import EntryDraft, EntryRef, NamedEntry
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memory import Tier
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings


@dataclass(frozen=True, slots=True)
class EntriesContent:
    """What the page's list shows.

    Attributes:
        workspace_id: Whose workspace tier it is; the account's entries stand below.
        rows: Top to bottom.
        shares: What each entry adds to the head of every turn.
        entries: In the order in which agents read them.
        proposals: The undecided ones.
        drafts: Texts that were typed and not saved.
    """

    workspace_id: str
    rows: tuple[EntryListRow, ...] = ()
    shares: tuple[ContextShare, ...] = ()
    entries: tuple[NamedEntry, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    drafts: tuple[EntryDraft, ...] = ()

    def entry(self, entry_id: str) -> NamedEntry | None:
        """The entry with this id."""
        return next((one for one in self.entries if one.id == entry_id), None)

    def proposal(self, proposal_id: str) -> Proposal | None:
        """The undecided proposal with this id."""
        return next((one for one in self.proposals if one.id == proposal_id), None)

    def draft(self, entry_id: str) -> EntryDraft | None:
        """The unsaved text of an entry."""
        return next((one for one in self.drafts if one.entry_id == entry_id), None)


class EntriesPresenter(QObject):
    """Keeps the list of one workspace and the account true; knows no widgets.

    Signals:
        content_changed: ``EntriesContent`` after a new answer.
        message_raised: A ``Message`` when an answer failed.
    """

    content_changed = Signal(object)
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._loading = Latest(background)
        self._workspace_id: str | None = None
        self._content = EntriesContent("")

    @property
    def content(self) -> EntriesContent:
        """What is on show."""
        return self._content

    async def open(self, workspace_id: str) -> None:
        """Show the named entries of a workspace and of the account."""
        self._workspace_id = workspace_id
        self.refresh()
        await self.settled()

    def refresh(self) -> None:
        """Ask again."""
        self._loading.run(self._load())

    def on_changes(self, changes: MemoryChanges) -> None:
        """Ask again if the change touches what is on show."""
        if changes.workspace_id not in {self._workspace_id, None}:
            return
        # An edited memory can overtake a proposal about it.
        if changes.entries or changes.proposals or changes.reload or self._is_asked_about(changes):
            self.refresh()

    async def settled(self) -> None:
        """Return once the latest question is answered."""
        await self._loading.settled()

    def total_with(self, entry_id: str, text: str) -> int:
        """Characters at the head of every turn if an entry had this text."""
        others = sum(
            share.n_characters for share in self._content.shares if share.entry_id != entry_id
        )
        return others + len(text)

    async def create(self, tier: Tier, name: str) -> NamedEntry | None:
        """Add a companion with nothing in it; None if that was refused."""
        try:
            return await self._background.write(
                self._inklings.create_entry, self._inklings.caller, tier, self._workspace_id, name
            )
        except InklingsError as error:
            self.message_raised.emit(entry_message(error))
            return None

    async def deleted(self) -> tuple[NamedEntry, ...]:
        """Companions that can be brought back."""
        try:
            return await self._background.read(
                self._inklings.list_deleted_entries, self._inklings.caller, self._workspace_id
            )
        except InklingsError as error:
            self.message_raised.emit(entry_message(error))
            return ()

    async def undelete(self, ref: EntryRef) -> bool:
        """Bring a deleted companion back; whether it is there again."""
        try:
            await self._background.write(self._inklings.undelete_entry, self._inklings.caller, ref)
        except InklingsError as error:
            self.message_raised.emit(entry_message(error))
            return False
        return True

    def _is_asked_about(self, changes: MemoryChanges) -> bool:
        touched = {*changes.updated, *changes.forgotten}
        return any(one.target_id in touched for one in self._content.proposals)

    async def _load(self) -> None:
        workspace_id = self._workspace_id
        if workspace_id is None:
            return
        try:
            content = await self._background.read(_answer, self._inklings, workspace_id)
        except InklingsError as error:
            self.message_raised.emit(entry_message(error))
            return
        self._content = content
        self.content_changed.emit(content)


def _answer(inklings: Inklings, workspace_id: str) -> EntriesContent:
    """Everything the list shows; runs on a reader."""
    caller, now = inklings.caller, inklings.clock()
    entries = inklings.list_entries(caller, workspace_id)
    if caller.is_agent:  # what waits for the author, and what was typed, is the author's alone
        return EntriesContent(
            workspace_id, entry_list_rows(entries, (), (), now), context_shares(entries), entries
        )
    proposals = inklings.list_proposals(caller, workspace_id, states=UNDECIDED)
    drafts = inklings.find_drafts(caller, workspace_id)
    return EntriesContent(
        workspace_id,
        entry_list_rows(entries, proposals, drafts, now),
        context_shares(entries),
        entries,
        proposals,
        drafts,
    )
