"""Memory tidied up by merging and forgetting, and the questions that watch over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.consolidation import (
    consolidate,
    consolidation_plans,
    golden_questions,
    golden_watch,
    lineage,
    run_details,
    undo_consolidation,
)
from inklings_desktop.usecases.groups.search import search_of
from inklings_desktop.usecases.steps import backing_up

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Consolidation:
    """Plans, runs and what they made of memories.

    Attributes:
        consolidator: Writes the text of a merged memory.
    """

    def __init__(self, parts: Parts, by: By) -> None:
        golden = golden_watch_of(parts)
        store, clock, new_id, settings = parts.store, parts.clock, parts.new_id, parts.settings
        run = consolidate.RunConsolidation(
            store,
            parts.embedder,
            clock,
            new_id,
            settings,
            golden=golden,
            keep_before=lambda file, progress: backing_up.keep_before(
                parts.adapters().keeper, clock, file, progress
            ),
        )
        self.preview = by(
            consolidation_plans.PreviewConsolidation(store, parts.embedder, clock, settings)
        )
        self.run = by(run)
        self.consolidator = run.consolidator
        self.undo = by(undo_consolidation.UndoConsolidation(store, clock, new_id, settings, golden))
        self.list = by(run_details.ListConsolidations(store))
        self.list_runs = by(undo_consolidation.ListRuns(store))
        self.find_run = by(undo_consolidation.FindRun(store))
        self.show_run = by(run_details.ShowRun(store))
        self.family = by(undo_consolidation.ShowFamily(store))
        self.lineage = by(lineage.ShowLineage(store))


class Golden:
    """Golden questions.

    Attributes:
        ask: How they fare now, with nothing kept.
        watch: How they fare now, kept.
        records: How they fared when they were last asked.
    """

    def __init__(self, parts: Parts, by: By) -> None:
        store, watch = parts.store, golden_watch_of(parts)
        self.save = by(golden_questions.SaveGoldenQuestion(store, parts.clock, parts.new_id))
        self.list = by(golden_questions.ListGoldenQuestions(store))
        self.delete = by(golden_questions.DeleteGoldenQuestion(store))
        self.ask = by(watch.ask)
        self.rehearse = by(watch.ask.rehearse)
        self.under_plan = by(watch.ask.under_plan)
        self.watch = by(watch)
        self.records = by(watch.records)


def golden_watch_of(parts: Parts) -> golden_watch.WatchGoldenQuestions:
    """What asks the golden questions around whatever may break one."""
    store = parts.store
    asking = golden_questions.AskGoldenQuestions(store, search_of(parts))
    return golden_watch.WatchGoldenQuestions(
        store, asking, parts.embedder, parts.clock, parts.settings
    )
