"""Workspaces, their channels and conversations, and the notes of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.rooms import (
    close_conversations,
    conversations,
    messages,
    silent_conversations,
    working_notes,
    workspaces,
)

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Workspaces:
    """Workspaces as a whole."""

    def __init__(self, parts: Parts, by: By) -> None:
        directory, clock = parts.directory, parts.clock
        eraser = parts.adapters().workspace_eraser
        self.survey = by(workspaces.SurveyWorkspaces(directory, parts.store))
        self.find = by(workspaces.FindWorkspace(directory))
        self.create = by(workspaces.CreateWorkspace(directory, clock, parts.new_id))
        self.adopt = by(workspaces.AdoptWorkspace(directory))
        self.rename = by(workspaces.RenameWorkspace(directory))
        self.preview_deletion = by(workspaces.PreviewWorkspaceDeletion(directory, eraser))
        self.delete = by(workspaces.DeleteWorkspace(directory, eraser, clock))


class Conversations:
    """Conversations and their life."""

    def __init__(self, parts: Parts, by: By) -> None:
        store, clock, new_id = parts.store, parts.clock, parts.new_id
        self.start = by(conversations.StartConversation(store, clock, new_id))
        self.get = by(conversations.GetConversation(store))
        self.hear = by(silent_conversations.HearConversation(store, clock))
        self.list_silent = by(silent_conversations.ListSilentConversations(store))
        self.settle_silent = by(silent_conversations.SettleSilentConversation(store, clock))
        self.rename = by(conversations.RenameConversation(store, clock))
        self.proposed_summary = by(working_notes.ProposeSummary(store))
        idle = conversations.IdleConversation(store, clock, new_id, parts.settings)
        self.idle = by(idle)
        self.end = by(idle.outcome)
        self.archive = by(conversations.ArchiveConversation(store, clock))
        self.resume = by(messages.ResumeConversation(store, clock))
        self.invite = by(messages.InviteClient(store, clock))
        self.forget_closed = by(
            close_conversations.ForgetClosedConversations(store, clock, new_id, parts.settings)
        )


class Notes:
    """Working notes of conversations."""

    def __init__(self, parts: Parts, by: By) -> None:
        store, clock = parts.store, parts.clock
        self.write = by(working_notes.WriteNote(store, clock))
        self.read = by(working_notes.ReadNote(store))
        self.list = by(working_notes.ListNotes(store))
        self.clear = by(working_notes.ClearNotes(store, clock))
