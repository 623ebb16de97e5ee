"""Which channel and conversation here stands for one of the file's, and what comes in for settled.

A restore brings what was settled as it was; elsewhere nothing is granted, and no rule is on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.knowledge.facts import AGENTS_CONFIDENCE, FactDetails
from inklings_desktop.domain.memory import MemoryKind, ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import new_ref_code
from inklings_desktop.domain.skills.skill import KeptSkill
from inklings_desktop.domain.transfer.document import (
    MemoryRecord,
    RefusedMemory,
    Section,
    memory_scope,
)
from inklings_desktop.domain.transfer.import_plan import (
    ImportStep,
    ImportTarget,
    StepKind,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.ports.store import IdSource
    from inklings_desktop.usecases.ports.transfer import TransferUnit, TransferView


def restore_settled(unit: TransferUnit, section: Section) -> None:
    """Domains, roles, what they may do, and what agents keep, exactly as they were.

    Activities and skills are switched off: what comes from a file starts nothing.
    """
    known = unit.knowledge
    for domain in section.domains:
        known.save_domain(domain)
    for role in section.roles:
        known.save_role(role)
    for grant in section.grants:
        known.put_grant(grant.role, grant.domain_id, grant.permission)
    for kept in section.kept:
        known.save_working_memory(kept)
    for activity in section.activities:
        unit.activities.put(activity)
    for skill in section.skills:
        unit.skills.put_back(KeptSkill(skill))


def restore_details(unit: TransferUnit, records: Iterable[MemoryRecord]) -> None:
    """What restored facts and rules have besides their memories."""
    for one in records:
        if one.details is not None:
            unit.knowledge.put_details(one.entry.id, one.details)


def brought_in(
    unit: TransferUnit, section: Section, entry: MemoryEntry, new_id: IdSource
) -> MemoryEntry:
    """A fact or rule as it comes in beside what is here; a note as it is.

    It goes to the domain of the same name, which is made if there is none; a rule comes in off.
    """
    if entry.kind is MemoryKind.NOTE:
        return entry
    (theirs,) = [one for one in section.domains if one.id == entry.domain_id]
    try:
        here = unit.knowledge.domain(theirs.name)
    except NotFoundError:
        is_taken = theirs.id in {one.id for one in unit.knowledge.domains()}
        here = replace(theirs, id=new_id() if is_taken else theirs.id)
        unit.knowledge.save_domain(here)
    is_off = entry.paused or entry.kind is MemoryKind.POLICY
    return replace(entry, domain_id=here.id, paused=is_off)


def add_details(
    unit: TransferUnit, stored: Sequence[MemoryEntry], records: Sequence[MemoryRecord]
) -> None:
    """What facts and rules have that came in beside others: none is surer than an agent's."""
    for entry, record in zip(stored, records, strict=True):
        details = record.details
        if isinstance(details, FactDetails):
            details = replace(details, confidence=min(details.confidence, AGENTS_CONFIDENCE))
        if details is not None:
            unit.knowledge.put_details(entry.id, details)


class Rooms:
    """Finds the rooms of a section in the database it goes to, and makes those that are missing.

    A channel is the same by its id, else by its name; a conversation by its id alone.
    """

    def __init__(self, view: TransferView | None, section: Section, target: ImportTarget) -> None:
        """Look among the rooms of this view; None has none yet."""
        self._view = view
        self._target_id = target.id
        self.section = section
        self._channels = {one.channel.id: one for one in section.channels}
        self._talks = {one.conversation.id: one for one in section.conversations}
        self._notes = section.notes
        self._known: dict[tuple[Tier, str], str | None] = {}
        self.is_copy = target.is_copy

    def scope_of(self, tier: Tier, key: str) -> ScopeKey:
        """The scope here of one in the file; of a room that is still to be made, the file's."""
        if tier in {Tier.CHANNEL, Tier.CONVERSATION}:
            return ScopeKey(tier, self._target_id, self.find(tier, key) or key)
        return memory_scope(tier, self._target_id, key)

    def find(self, tier: Tier, key: str) -> str | None:
        """The id of the room here; None when there is none."""
        place = (tier, key)
        if place not in self._known:
            self._known[place] = self._found(tier, key)
        return self._known[place]

    def made(
        self, unit: TransferUnit, tier: Tier, key: str, new_id: IdSource, steps: list[ImportStep]
    ) -> ScopeKey:
        """The scope here, its room made if it was missing.

        Args:
            unit: On the database it goes to.
            tier: Of the file's scope.
            key: Of the file's scope.
            new_id: For rooms that must not share an id with the file's own workspace.
            steps: Takes what was made.
        """
        if tier not in {Tier.CHANNEL, Tier.CONVERSATION}:
            return memory_scope(tier, self._target_id, key)
        found = self.find(tier, key)
        if found is None:
            found = new_id() if self.is_copy else key
            self._known[tier, key] = found
            if tier is Tier.CHANNEL:
                unit.conversations.add_channel(replace(self._channels[key].channel, id=found))
                steps.append(ImportStep(StepKind.CHANNEL, found, 1))
            else:
                self._start(unit, key, found, new_id, steps)
        return ScopeKey(tier, self._target_id, found)

    def _start(
        self,
        unit: TransferUnit,
        key: str,
        found: str,
        new_id: IdSource,
        steps: list[ImportStep],
    ) -> None:
        record = self._talks[key]
        channel = self.made(unit, Tier.CHANNEL, record.conversation.channel_id, new_id, steps)
        ref_code = record.conversation.ref_code
        if self.is_copy or _is_taken(unit, ref_code):
            ref_code = new_ref_code()
        unit.conversations.add(
            replace(record.conversation, id=found, channel_id=channel.key, ref_code=ref_code), []
        )
        steps.append(ImportStep(StepKind.CONVERSATION, found, 1))
        for one in self._notes:
            if one.note.conversation_id == key:
                unit.notes.write(replace(one.note, conversation_id=found))

    def _found(self, tier: Tier, key: str) -> str | None:
        if self._view is None:
            return None
        try:
            if tier is Tier.CONVERSATION:
                conversation = self._view.conversations.get(key)
                return conversation.id if conversation.id == key else None
            if key not in self._channels:
                return None
            try:
                channel = self._view.conversations.get_channel(key)
                if channel.id == key:
                    return key
            except NotFoundError:
                pass
            return self._view.conversations.get_channel(self._channels[key].channel.name).id
        except NotFoundError:
            return None


def room_names(section: Section) -> Mapping[tuple[Tier, str], str]:
    """What the rooms of a section are called, for a list."""
    names = {(Tier.CHANNEL, one.channel.id): one.channel.name for one in section.channels}
    for one in section.conversations:
        talk = one.conversation
        names[Tier.CONVERSATION, talk.id] = talk.title or talk.ref_code
    return names


def room_key(record: MemoryRecord | RefusedMemory) -> tuple[Tier, str]:
    """Tier and key of a row's scope in the file."""
    if isinstance(record, RefusedMemory):
        return record.tier, record.scope_key
    return record.entry.scope.tier, record.entry.scope.key


def _is_taken(unit: TransferUnit, ref_code: str) -> bool:
    try:
        unit.conversations.get(ref_code)
    except NotFoundError:
        return False
    return True
