"""Tables of what left a file and what came into it; paths, ids and figures, never content."""

from __future__ import annotations

from sqlalchemy import Column, Integer, Table, Text, TypedColumns

from inklings_desktop.storage.schema.tables import flags, instants, json_of, metadata, one_of


class ExportColumns(TypedColumns):
    """One export; ``scope`` says how much of the file went into it."""

    sequence = Column(Integer, primary_key=True)
    path = Column(Text, nullable=False)
    at = Column(Integer, nullable=False)
    scope = Column(Text, nullable=False)
    n_memories = Column(Integer, nullable=False)


class ImportColumns(TypedColumns):
    """One import; the same id stands in every file that it wrote to."""

    sequence = Column(Integer, primary_key=True)
    id = Column(Text, nullable=False, unique=True)
    at = Column(Integer, nullable=False)
    n_added = Column(Integer, nullable=False)
    n_taken = Column(Integer, nullable=False)
    is_withdrawn = Column(Integer, nullable=False)


class ImportStepColumns(TypedColumns):
    """What an import did to one thing; ``before`` holds marks only, the text is in the history."""

    import_id = Column(Text, primary_key=True)
    kind = Column(Text, primary_key=True)
    target_id = Column(Text, primary_key=True)
    version = Column(Integer, nullable=False)
    before = Column(Text, nullable=False)


exports = Table("exports", metadata, ExportColumns, *instants("at", "n_memories"))

imports = Table(
    "imports",
    metadata,
    ImportColumns,
    *flags("is_withdrawn"),
    *instants("at", "n_added", "n_taken"),
)

import_steps = Table(
    "import_steps",
    metadata,
    ImportStepColumns,
    one_of(
        "kind",
        "added",
        "taken",
        "entry_added",
        "entry_taken",
        "entry_restored",
        "channel",
        "conversation",
    ),
    json_of("before", "object"),
    *instants("version"),
)

TRANSFER_TABLES = (exports, imports, import_steps)
"""What both kinds of file have."""
