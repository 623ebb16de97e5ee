"""What is read of an entry."""

from __future__ import annotations

from sqlalchemy import select

from inklings_desktop.storage.schema.tables import memories, memory_vectors

SELECT_ENTRY = select(*memories.c, memory_vectors.c.model_id).select_from(
    memories.outerjoin(memory_vectors, memory_vectors.c.sequence == memories.c.sequence)
)
"""Every column of a memory, then the model of its vector; ``entry_of`` reads such rows."""
