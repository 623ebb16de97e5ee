"""What is said in conversations; the first page asks for it, and for nothing else of rooms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.rooms import branches, messages

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Messages:
    """What is said in conversations."""

    def __init__(self, parts: Parts, by: By) -> None:
        store, clock = parts.store, parts.clock
        self.append = by(messages.AppendMessage(store, clock, parts.new_id))
        self.keep_said = by(messages.KeepSaid(messages.AppendMessage(store, clock, parts.new_id)))
        self.list = by(messages.ListMessages(store))
        self.days = by(messages.ListDays(store))
        self.get = by(messages.GetMessage(store))
        self.kept = by(messages.FindRequest(store))
        self.heads = by(messages.TalkHeads(store, clock))
        self.allowances = by(messages.ListAllowances(store))
        self.take_back = by(messages.TakeBackAllowance(store))
        self.branch = by(branches.BranchConversation(store, clock, parts.new_id))
        self.mark_read = by(messages.MarkRead(store, clock))
