"""What the clock does beside the person, and the models it does it with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.background import backfill_embeddings, look_at_tasks, models
from inklings_desktop.usecases.groups.consolidation import golden_watch_of

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Tasks:
    """Work that waits, and missing vectors."""

    def __init__(self, parts: Parts, by: By) -> None:
        clock, backfill = parts.clock, backfill_of(parts)
        golden = golden_watch_of(parts)
        # Where nothing can be written, that somebody looked is not kept either.
        self.look = by(
            look_at_tasks.LookAtTasks(parts.store, clock, notes_first_look=not parts.is_sealed)
        )
        self.embed = by(backfill)
        self.backfill = by(
            backfill_embeddings.RunBackfill(backfill, clock, parts.new_id, parts.settings, golden)
        )


class Models:
    """Models that turn texts into vectors."""

    def __init__(self, parts: Parts, by: By) -> None:
        catalogue, embedder = parts.adapters().catalogue, parts.embedder
        store, directory, golden = parts.store, parts.directory, golden_watch_of(parts)
        self.show = by(models.ShowModels(store, directory, embedder, catalogue))
        self.offered = by(models.ListOfferedModels(catalogue))
        self.install = by(models.InstallModel(catalogue))
        self.select = by(
            models.SelectModel(store, directory, parts.clock, embedder, catalogue, golden)
        )
        self.remove = by(models.RemoveModel(catalogue))


def backfill_of(parts: Parts) -> backfill_embeddings.BackfillEmbeddings:
    """What makes missing vectors."""
    return backfill_embeddings.BackfillEmbeddings(parts.store, parts.embedder)
