"""Named entries, what agents propose of them, and what is typed but not saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.entries import (
    decide_proposals,
    edit_entries,
    entry_drafts,
    named_entries,
    proposals,
)
from inklings_desktop.usecases.memories import memory_drafts

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Entries:
    """Named entries and their revisions."""

    def __init__(self, parts: Parts, by: By) -> None:
        store, clock = parts.store, parts.clock
        self.list = by(named_entries.ListEntries(store))
        self.list_deleted = by(named_entries.ListDeletedEntries(store, clock))
        self.show = by(named_entries.ShowEntry(store))
        self.show_revision = by(named_entries.ShowRevision(store, clock))
        self.find = by(named_entries.FindEntry(store))
        self.standing_slice = by(named_entries.StandingSlice(store))
        self.create = by(edit_entries.CreateEntry(store, clock, parts.new_id))
        self.save = by(edit_entries.SaveEntry(store, clock))
        self.restore_revision = by(edit_entries.RestoreRevision(store, clock))
        self.delete = by(edit_entries.DeleteEntry(store, clock))
        self.undelete = by(edit_entries.UndeleteEntry(store, clock))


class Proposals:
    """What agents propose to write into a named entry, or to keep in the account."""

    def __init__(self, parts: Parts, by: By) -> None:
        store, clock, new_id = parts.store, parts.clock, parts.new_id
        self.propose = by(proposals.ProposeEntry(store, clock, new_id))
        self.list = by(proposals.ListProposals(store))
        self.show = by(proposals.ShowProposal(store))
        self.accept = by(decide_proposals.AcceptProposal(store, clock, new_id, parts.settings))
        self.ask_again = by(decide_proposals.AskAgain(store, clock, new_id))
        self.reject = by(decide_proposals.RejectProposal(store, clock))


class Drafts:
    """What is typed and not saved: texts of named entries, and typings of memories."""

    def __init__(self, parts: Parts, by: By) -> None:
        store, clock = parts.store, parts.clock
        self.keep = by(entry_drafts.KeepDraft(store, clock))
        self.find = by(entry_drafts.FindDrafts(store, clock))
        self.drop = by(entry_drafts.DropDraft(store, clock))
        self.keep_typing = by(memory_drafts.KeepTyping(store, clock))
        self.find_typings = by(memory_drafts.FindTypings(store, clock))
        self.find_typing = by(memory_drafts.FindTyping(store, clock))
        self.drop_typing = by(memory_drafts.DropTyping(store, clock))
