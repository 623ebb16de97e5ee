"""Compute missing vectors, a few at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.access import Caller
    from inklings_desktop.usecases.ports import Embedder, Store

STEP = 50


@dataclass(frozen=True, slots=True)
class BackfillEmbeddings:
    """Embed memories that lack a vector of the model in use."""

    store: Store
    embedder: Embedder

    def __call__(
        self,
        caller: Caller,
        workspace_id: str | None,
        *,
        ids: Sequence[str] | None = None,
        limit: int = STEP,
    ) -> int:
        """How many vectors were stored; 0 without a model, and when none is missing.

        Args:
            caller: The clock, or whoever asked for it.
            workspace_id: None names the account's file.
            ids: Only these memories; None asks for any.
            limit: Most entries in this step, committed together.

        Raises:
            EmbeddingUnavailableError: The model is there but failed.
        """
        if not self.embedder.is_available:
            return 0
        with self.store.read(workspace_id) as view:
            missing = view.memories.without_vector(self.embedder.model_id, limit, ids)
        if not missing:
            return 0
        matrix = self.embedder.embed([content for _, content in missing])
        vectors = [
            (memory_id, content, vector)
            for (memory_id, content), vector in zip(missing, matrix, strict=True)
        ]
        with self.store.write(workspace_id, initiator=caller.name, durable=False) as unit:
            n_stored = unit.memories.put_vectors(self.embedder.model_id, vectors)
            unit.commit()
        return n_stored
