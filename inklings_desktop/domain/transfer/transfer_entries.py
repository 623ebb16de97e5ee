"""One named entry of an export file, with its revisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.named_entry import (
    BUILT_IN_NAMES,
    BUILT_IN_OF_TIER,
    EntryAction,
    EntryRevision,
    NamedEntry,
    checked_body,
    checked_entry_name,
)
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.likeness.look_alikes import looks_like
from inklings_desktop.domain.memory import Curator, Tier
from inklings_desktop.domain.transfer.document import EntryRecord

if TYPE_CHECKING:
    from inklings_desktop.domain.transfer.transfer_fields import Fields


def entry_of(fields: Fields, workspace_id: str | None, unknown: set[str]) -> EntryRecord:
    """The named entry of a row.

    Raises:
        ImportRefusedError: It is not what this program writes.
    """
    tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
    name = _name(fields, tier)
    is_built_in = name == BUILT_IN_OF_TIER[tier]
    if fields.flag("is_built_in") != is_built_in:
        raise fields.wrong("is_built_in", "foreign")
    deleted_at = fields.time_or_none("deleted_at")
    is_template = fields.flag("is_template")
    if (is_built_in and deleted_at is not None) or (is_template and not is_built_in):
        raise fields.wrong("deleted_at" if is_built_in else "is_template", "foreign")
    entry = NamedEntry(
        id=fields.id(),
        tier=tier,
        workspace_id=workspace_id,
        name=name,
        body=fields.checked("body", checked_body),
        curator=_curator(fields),
        is_built_in=is_built_in,
        version=fields.count("version", least=1),
        created_at=fields.time("created_at"),
        edited_at=fields.time_or_none("edited_at"),
        deleted_at=deleted_at,
        is_template=is_template,
    )
    revisions = tuple(_revision(one, entry.id, unknown) for one in fields.objects("revisions"))
    numbers = [one.number for one in revisions]
    # Counted by the revisions that are there: the version is a figure that anybody may have typed.
    is_whole = numbers == list(range(1, len(numbers) + 1)) and len(numbers) == entry.version
    if not is_whole or revisions[-1].body != entry.body:
        raise fields.wrong("revisions", "order")
    unknown |= fields.unknown("named_entry")
    return EntryRecord(entry, revisions)


def _revision(fields: Fields, entry_id: str, unknown: set[str]) -> EntryRevision:
    revision = EntryRevision(
        entry_id,
        fields.count("number", least=1),
        fields.checked("body", checked_body),
        fields.time("saved_at"),
        fields.text("saved_by", limit=200),
        fields.text("door", limit=20),
        _curator(fields),
        fields.word("action", EntryAction),
    )
    unknown |= fields.unknown("revision")
    return revision


def _name(fields: Fields, tier: Tier) -> str:
    told = fields.text("name")
    if told not in BUILT_IN_NAMES and any(looks_like(told, one) for one in BUILT_IN_NAMES):
        raise fields.wrong("name", "look_alike")
    try:
        name = checked_entry_name(told)
    except InvalidValueError:
        raise fields.wrong("name", "characters") from None
    if name in BUILT_IN_NAMES and name != BUILT_IN_OF_TIER[tier]:
        raise fields.wrong("name", "foreign")
    return name


def _curator(fields: Fields) -> Curator:
    curator = fields.word("curator", Curator)
    if curator is Curator.AGENT:
        raise fields.wrong("curator", "foreign")
    return curator
