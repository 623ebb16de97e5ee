"""Tables of a workspace's file for what cannot be rebuilt from the author's pages.

The index of the pages themselves lies in a file of its own (``storage/world``), which may be
dropped at any time.
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    TypedColumns,
)

from inklings_desktop.storage.schema.tables import flags, instants, json_of, metadata, one_of

_DIGEST_BYTES = 16


class WorldFolderColumns(TypedColumns):
    """A folder of the author's; ``name_key`` is its name as it is compared."""

    id = Column(Text, primary_key=True)
    name = Column(Text, nullable=False)
    name_key = Column(Text, nullable=False, unique=True)
    kind = Column(Text, nullable=False)
    path = Column(Text, nullable=False)
    installation = Column(Text, nullable=False)
    rules = Column(Text, nullable=False)
    takes_proposals = Column(Integer, nullable=False)
    added_at = Column(Integer, nullable=False)
    changed_seq = Column(Integer, nullable=False)


class WorldDerivationColumns(TypedColumns):
    """What one reference of a memory points at; ``place`` counts the memory's references."""

    memory_sequence = Column(Integer, ForeignKey("memories.sequence"), primary_key=True)
    place = Column(Integer, primary_key=True)
    kind = Column(Text, nullable=False)
    target_id = Column(Text, nullable=False)
    folder_id = Column(Text, nullable=False)
    path = Column(Text, nullable=False)
    heading = Column(Text, nullable=False)
    own_id = Column(Text, nullable=False)
    base_digest = Column(LargeBinary, nullable=False)
    state = Column(Text, nullable=False)
    seen_digest = Column(LargeBinary, nullable=False)
    changed_at = Column(Integer, nullable=True)


class DerivationBaseColumns(TypedColumns):
    """The text of a block when a memory was made from it; leaves with the last that names it."""

    digest = Column(LargeBinary, primary_key=True)
    text = Column(Text, nullable=False)


class RetconColumns(TypedColumns):
    """A block under memories that says something else now."""

    id = Column(Text, primary_key=True)
    folder_id = Column(Text, nullable=False)
    path = Column(Text, nullable=False)
    block_id = Column(Text, nullable=False)
    what = Column(Text, nullable=False)
    base_digest = Column(LargeBinary, nullable=False)
    now_text = Column(Text, nullable=False)
    found_at = Column(Integer, nullable=False)
    state = Column(Text, nullable=False)
    decided_at = Column(Integer, nullable=True)
    decided_by = Column(Text, nullable=False)
    run_id = Column(Text, nullable=False)
    changed_seq = Column(Integer, nullable=False)


class PageVersionColumns(TypedColumns):
    """The bytes of a page before an accepted proposal changed it, made small by zlib."""

    id = Column(Text, primary_key=True)
    folder_id = Column(Text, nullable=False)
    path = Column(Text, nullable=False)
    digest = Column(LargeBinary, nullable=False)
    size = Column(Integer, nullable=False)
    at = Column(Integer, nullable=False)
    proposal_id = Column(Text, nullable=False)
    bytes = Column(LargeBinary, nullable=False)


def _digest(column: str, *, may_be_empty: bool) -> CheckConstraint:
    lengths = f"(0, {_DIGEST_BYTES})" if may_be_empty else f"({_DIGEST_BYTES})"
    rule = f"typeof({column}) = 'blob' AND length({column}) IN {lengths}"
    return CheckConstraint(rule, name=f"{column}_length")


world_folders = Table(
    "world_folders",
    metadata,
    WorldFolderColumns,
    one_of("kind", "vault", "novelwriter", "plain"),
    CheckConstraint("length(name) BETWEEN 1 AND 120", name="named"),
    json_of("rules", "object"),
    *flags("takes_proposals"),
    *instants("added_at", "changed_seq"),
)

derivations = Table(
    "derivations",
    metadata,
    WorldDerivationColumns,
    one_of("kind", "block", "page", "memory", "text"),
    one_of("state", "current", "moved", "changed", "gone", "unknown"),
    CheckConstraint("place BETWEEN 0 AND 63", name="place_counts"),
    _digest("base_digest", may_be_empty=True),
    _digest("seen_digest", may_be_empty=True),
    *instants("changed_at"),
)

derivation_bases = Table(
    "derivation_bases",
    metadata,
    DerivationBaseColumns,
    _digest("digest", may_be_empty=False),
    CheckConstraint("typeof(text) = 'text' AND octet_length(text) <= 65536", name="text_length"),
)

retcons = Table(
    "retcons",
    metadata,
    RetconColumns,
    one_of("what", "changed", "split", "gone"),
    one_of("state", "open", "kept", "updated", "forgotten", "ignored"),
    _digest("base_digest", may_be_empty=False),
    CheckConstraint("octet_length(now_text) <= 65536", name="now_text_length"),
    CheckConstraint("(state = 'open') = (decided_at IS NULL)", name="decided"),
    *instants("found_at", "decided_at", "changed_seq"),
)

page_versions = Table(
    "page_versions",
    metadata,
    PageVersionColumns,
    _digest("digest", may_be_empty=False),
    *instants("at"),
)

WORLD_TABLES = (world_folders, derivations, derivation_bases, retcons, page_versions)
"""What only a workspace's file has."""

Index("derivations_by_page", derivations.c.folder_id, derivations.c.path)
Index("derivations_by_state", derivations.c.state)
Index("retcons_by_state", retcons.c.state)
Index("page_versions_by_page", page_versions.c.folder_id, page_versions.c.path, page_versions.c.at)
