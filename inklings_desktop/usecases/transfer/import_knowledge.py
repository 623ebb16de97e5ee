"""What comes in for settled: as it was by a restore; elsewhere nothing is granted, no rule on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.knowledge.facts import AGENTS_CONFIDENCE, FactDetails
from inklings_desktop.domain.memory import MemoryKind
from inklings_desktop.domain.skills.skill import KeptSkill

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.transfer.document import MemoryRecord, Section
    from inklings_desktop.usecases.ports.store import IdSource
    from inklings_desktop.usecases.ports.transfer import TransferUnit


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
