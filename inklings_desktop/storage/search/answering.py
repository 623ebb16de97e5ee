"""Which model's vectors are compared in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.storage.rows.snapshot import Snapshot

_ANY = "SELECT model_id FROM memory_vectors LIMIT 1"
"""All of them are of one model."""


def answering_model(transaction: Snapshot) -> str:
    """The model whose vectors are compared in this file; empty while it has none."""
    found = transaction.rows(_ANY)
    return str(found[0][0]) if found else ""
