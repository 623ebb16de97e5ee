"""What an export holds of the author's pages: which folders, and what memories come from.

Nothing of it is looked for on the disk: a path in it only names a page of a folder that the person
chooses again. It comes back by a restore alone; elsewhere a memory keeps its references, which are
looked up in the pages that are linked there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import MAX_DERIVATIONS
from inklings_desktop.domain.rooms.conversation import checked_name
from inklings_desktop.domain.transfer.document import SourceRecord, is_id
from inklings_desktop.domain.world.derivations import DerivationKind, PageDerivation, SourceState
from inklings_desktop.domain.world.folding import DIGEST_BYTES, digest_of
from inklings_desktop.domain.world.pages import (
    MAX_BLOCK_BYTES,
    FolderKind,
    FolderRules,
    WorldFolder,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.transfer.transfer_fields import Fields

_MAX_PATH = 4_096
_DIGEST = re.compile(f"[0-9a-f]{{{2 * DIGEST_BYTES}}}")


def folder_of(fields: Fields, unknown: set[str]) -> WorldFolder:
    """A folder as the person has to choose it again: without a path, and no agent proposes for it.

    Raises:
        ImportRefusedError: This program does not write such a row.
    """
    rules = FolderRules(
        tuple(fields.texts("ignore")), _words(fields, "axes"), _words(fields, "folders")
    )
    found = WorldFolder(
        fields.id(),
        fields.checked("name", checked_name),
        fields.word("kind", FolderKind),
        "",
        "",
        rules,
        takes_proposals=False,
        added_at=fields.time("added_at"),
    )
    unknown |= fields.unknown("world_folder")
    return found


def sources_of(fields: Fields, memory_id: str, unknown: set[str]) -> tuple[SourceRecord, ...]:
    """Where the memory of a row comes from; raises as ``folder_of`` does."""
    found = tuple(_source(one, memory_id, unknown) for one in fields.objects("sources"))
    places = {one.derivation.place for one in found}
    if len(places) < len(found) or any(one >= MAX_DERIVATIONS for one in places):
        raise fields.wrong("sources", "order")
    return found


def _source(fields: Fields, memory_id: str, unknown: set[str]) -> SourceRecord:
    kind, base = fields.word("kind", DerivationKind), fields.text("base", "")
    if (kind is DerivationKind.BLOCK) != bool(base) or len(base.encode()) > MAX_BLOCK_BYTES:
        raise fields.wrong("base", "foreign")
    target, folder = fields.text("target_id", ""), fields.text("folder_id", "")
    for name, value in (("target_id", target), ("folder_id", folder)):
        if value and not is_id(value):
            raise fields.wrong(name, "id")
    seen = fields.text("seen_digest", "")
    if seen and _DIGEST.fullmatch(seen) is None:
        raise fields.wrong("seen_digest")
    derivation = PageDerivation(
        memory_id,
        fields.count("place"),
        kind,
        target,
        folder,
        fields.text("path", "", limit=_MAX_PATH),
        fields.text("heading", "", limit=MAX_BLOCK_BYTES),
        fields.text("own_id", "", limit=MAX_BLOCK_BYTES),
        digest_of(base) if base else b"",
        fields.word("state", SourceState),
        bytes.fromhex(seen),
        fields.time_or_none("changed_at"),
    )
    unknown |= fields.unknown("source")
    return SourceRecord(derivation, base)


def _words(fields: Fields, name: str) -> Mapping[str, Mapping[str, str]]:
    """The author's own words, or patterns of paths, and what each means."""
    found = fields.raw(name) or {}
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise fields.wrong(name)
    if not all(isinstance(value, str) for one in found.values() for value in one.values()):
        raise fields.wrong(name)
    return found
