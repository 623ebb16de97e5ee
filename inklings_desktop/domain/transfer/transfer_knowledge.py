"""What an export holds for settled: domains, roles, what facts and rules have besides their memory.

Roles, what they may do, and what agents keep come back by a restore alone: a file that is brought
in elsewhere grants nobody anything, switches no rule on, and makes no fact surer than a note.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.background.activities import Activity, ActivityDraft, budget_of
from inklings_desktop.domain.background.schedules import schedule_of
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.knowledge.domains import (
    Domain,
    Permission,
    Role,
    checked_domain_name,
    checked_role,
)
from inklings_desktop.domain.knowledge.facts import (
    FactDetails,
    PolicyDetails,
    checked_topic,
    details_of,
)
from inklings_desktop.domain.knowledge.working_memory import (
    WorkingMemory,
    checked_kept,
    checked_part,
)
from inklings_desktop.domain.memory import MemoryKind
from inklings_desktop.domain.memory_values import checked_agent
from inklings_desktop.domain.transfer.document import GrantRecord

if TYPE_CHECKING:
    from collections.abc import Collection

    from inklings_desktop.domain.transfer.transfer_fields import Fields

_KINDS_OF_MAKERS = frozenset({"person", "agent", "clock"})


class Settled(NamedTuple):
    """What a row of a memory says of its kind."""

    kind: MemoryKind = MemoryKind.NOTE
    domain_id: str | None = None
    topic: str = ""
    details: FactDetails | PolicyDetails | None = None


def settled_of(fields: Fields, domain_ids: Collection[str], unknown: set[str]) -> Settled:
    """What a row of a memory says of its kind; a note says nothing.

    Raises:
        ImportRefusedError: This program does not write such a row.
    """
    kind = fields.word("kind", MemoryKind, MemoryKind.NOTE)
    if kind is MemoryKind.NOTE:
        return Settled()
    domain_id = fields.id("domain_id")
    if domain_id not in domain_ids:
        raise fields.wrong("domain_id", "foreign")
    topic = fields.text("topic", "")
    if kind is MemoryKind.FACT:
        topic = fields.checked("topic", checked_topic)
    found = fields.object_or_none("details")
    if found is None:
        raise fields.missing("details")
    names = ("confidence", "story_from", "story_until", "required_role", "always")
    try:
        details = details_of(kind, {name: found.raw(name) for name in names})
        if isinstance(details, PolicyDetails) and details.required_role:
            checked_role(details.required_role)
    except InvalidValueError as error:
        raise found.wrong(error.field, error.rule) from None
    unknown |= found.unknown("details")
    return Settled(kind, domain_id, topic, details)


def domain_of(fields: Fields, unknown: set[str]) -> Domain:
    """A domain; raises as ``settled_of`` does."""
    maker = fields.text("created_kind")
    if maker not in _KINDS_OF_MAKERS:
        raise fields.wrong("created_kind")
    found = Domain(
        fields.id(),
        fields.checked("name", checked_domain_name),
        fields.text("description", ""),
        fields.flag("closed"),
        fields.text("created_by", ""),
        maker,
        fields.time("created_at"),
        fields.time_or_none("archived_at"),
    )
    unknown |= fields.unknown("domain")
    return found


def role_of(fields: Fields, unknown: set[str]) -> Role:
    """A role that the author made; raises as ``settled_of`` does."""
    found = Role(fields.checked("name", checked_role), fields.time("created_at"))
    unknown |= fields.unknown("role")
    return found


def grant_of(fields: Fields, domain_ids: Collection[str], unknown: set[str]) -> GrantRecord:
    """What a role may do in a domain; raises as ``settled_of`` does."""
    domain_id = fields.id("domain_id")
    if domain_id not in domain_ids:
        raise fields.wrong("domain_id", "foreign")
    found = GrantRecord(
        fields.checked("role", checked_role), domain_id, fields.word("permission", Permission)
    )
    unknown |= fields.unknown("role_grant")
    return found


def activity_of(fields: Fields, channel_ids: Collection[str], unknown: set[str]) -> Activity:
    """An activity, switched off; raises as ``settled_of`` does."""
    channel_id = fields.id("channel_id")
    if channel_id not in channel_ids:
        raise fields.wrong("channel_id", "foreign")
    try:
        schedule = schedule_of(fields.raw("schedule"), fields.text("timezone", ""))
        budget = budget_of(fields.raw("budget"))
        name, prompt = fields.text("name"), fields.text("prompt")
        draft = ActivityDraft(name, prompt, channel_id, replace(schedule, zone="")).checked()
    except InvalidValueError as error:
        raise fields.wrong(error.field, error.rule) from None
    made = Activity(
        fields.id(),
        draft.name,
        draft.prompt,
        channel_id,
        schedule,
        budget,
        fields.text("created_by", "", limit=200),
        fields.time("created_at"),
        enabled=False,
    )
    unknown |= fields.unknown("activity")
    return made


def kept_of(fields: Fields, unknown: set[str]) -> WorkingMemory:
    """What an agent keeps, without its earlier texts; raises as ``settled_of`` does."""
    found = WorkingMemory(
        fields.checked("agent", checked_agent),
        fields.checked("part", checked_part, ""),
        fields.checked("body", checked_kept, ""),
        1,
        fields.time("updated_at"),
    )
    unknown |= fields.unknown("working_memory")
    return found
