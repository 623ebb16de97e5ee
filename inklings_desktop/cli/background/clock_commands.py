"""``inklings backfill`` and ``inklings consolidate``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.cli.background.clock_documents import (
    plan_document,
    plan_lines,
    run_document,
    run_line,
    waiting_document,
    waiting_lines,
)
from inklings_desktop.cli.background.clock_options import BackfillOptions, ConsolidateOptions
from inklings_desktop.cli.background.golden_commands import LOOK_AT_GOLDEN
from inklings_desktop.cli.command import command
from inklings_desktop.cli.memories.memory_lines import short_id
from inklings_desktop.cli.memory_options import TierOptions
from inklings_desktop.cli.messages import REFUSED, refused, wrong_usage
from inklings_desktop.cli.output import counted
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.progress import shown_progress
from inklings_desktop.cli.scopes import (
    account_place,
    channel_place,
    place_named,
    required_workspace,
    workspace_place,
)
from inklings_desktop.domain.background.tasks import LARGE
from inklings_desktop.usecases.consolidation.consolidation_plans import Decision, Decisions, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    import typer

    from inklings_desktop.cli.scopes import Place
    from inklings_desktop.domain.background.consolidation import MergeGroup
    from inklings_desktop.usecases.bundle import Inklings

_STEPS = {
    "embed": "Embedding",
    "compare": "Comparing",
    "promote": "Making long-term",
    "prune": "Forgetting what faded",
    "merge": "Merging",
    "cap": "Keeping the cap",
    "undo": "Undoing",
}


def add_clock_commands(app: typer.Typer) -> None:
    """Add the commands of background work."""
    command(app, "backfill", BackfillOptions, backfill)
    command(app, "consolidate", ConsolidateOptions, consolidate)


def backfill(inklings: Inklings, options: BackfillOptions) -> Answer:
    """Compute the vectors that are missing, in this workspace and the account."""
    if options.every:
        files = [one.id for one in inklings.places.workspaces()]
    else:
        files = [required_workspace(inklings).id]
    with shown_progress(options, _STEPS) as progress:
        runs = [inklings.tasks.backfill(file, progress=progress) for file in (*files, None)]
    n_embedded = sum(run.counts.get("embedded", 0) for run in runs)
    has_model = inklings.embedder.is_available
    if not has_model:
        said = "There is no search model, so nothing was prepared. Search works by words."
    elif n_embedded:
        said = f"Embedded {counted(n_embedded, 'memory')}."
    else:
        said = "Every memory has its vector."
    document = {
        "model": inklings.embedder.model_id if has_model else None,
        "embedded": n_embedded,
        "runs": [run_document(run) for run in runs],
    }
    return Answer(document, [said])


def consolidate(inklings: Inklings, options: ConsolidateOptions) -> Answer:
    """Promote, merge what says the same and keep the cap; show what waits for a person's word."""
    is_answer = bool(options.keep_both or options.merge)
    if options.undo is not None:
        if options.preview or options.allow_large or is_answer or options.tier is not None:
            raise wrong_usage("--undo takes no other option. Nothing was changed.")
        return _undone(inklings, options, options.undo)
    if is_answer and (options.preview or options.allow_large):
        raise wrong_usage(
            "--keep-both and --merge answer about pairs and do nothing else. Nothing was changed."
        )
    places = _places(inklings, options)
    if options.preview:
        return _previewed(inklings, options, places)
    if is_answer:
        return _answered(inklings, options, places)
    with shown_progress(options, _STEPS) as progress:
        runs = [
            inklings.consolidation.run(
                place.scope, allow_large=options.allow_large, progress=progress
            )
            for place in places
        ]
    lines, notes, waiting = [], [], []
    for place, run in zip(places, runs, strict=True):
        if run.problem != LARGE:
            plan = inklings.consolidation.preview(place.scope)
            lines += [run_line(place.name, run), *waiting_lines(plan)]
            waiting.append(waiting_document(plan))
            continue
        n_memories = counted(run.counts["memories"], "memory")
        notes.append(
            f"{place.name}: this would forget {run.counts['forgetting']:,} of {n_memories}. "
            "Nothing was changed there. Look with --preview, then say --allow-large."
        )
    status = REFUSED if notes else 0
    if any(run.counts.get("broken") for run in runs):
        notes.append(LOOK_AT_GOLDEN)
    document = {"runs": [run_document(run) for run in runs], "waiting": waiting}
    return Answer(document, lines, notes, status=status)


def _answered(inklings: Inklings, options: ConsolidateOptions, places: tuple[Place, ...]) -> Answer:
    """Carry out a person's word on pairs; whatever else a run would do is left for a run."""
    with shown_progress(options, _STEPS) as progress:
        plans = [inklings.consolidation.preview(place.scope, progress=progress) for place in places]
        every = [group for plan in plans for group in plan.review]
        kept = _named_pairs(every, options.keep_both or ())
        wanted = _named_pairs(every, options.merge or ())
        if kept & wanted:
            raise wrong_usage("A pair is kept or merged, not both. Nothing was changed.")
        words = dict.fromkeys(kept, Decision(Verdict.SKIP))
        words |= dict.fromkeys(wanted, Decision(Verdict.ACCEPT))
        runs = []
        for place, plan in zip(places, plans, strict=True):
            groups = {one.key: words[one.key] for one in plan.review if one.key in words}
            if groups:
                keep = frozenset(one.id for one in (*plan.promote, *plan.prune, *plan.cap))
                decisions = Decisions(groups, keep=keep)
                runs.append(
                    inklings.consolidation.run(place.scope, decisions=decisions, progress=progress)
                )
    n_merged = sum(run.counts.get("merged", 0) for run in runs)
    lines = []
    if kept:
        lines.append(f"Kept both of {counted(len(kept), 'pair')}: not asked about again.")
    if wanted:
        lines.append(f"Merged {counted(n_merged, 'pair')}.")
    if n_merged < len(wanted):
        lines.append("The others share a memory with one of them, or changed in between.")
    document = {"kept": len(kept), "merged": n_merged, "runs": [run_document(run) for run in runs]}
    return Answer(document, lines)


def _named_pairs(pairs: Sequence[MergeGroup], names: Sequence[str]) -> set[str]:
    """Keys of the pairs that begin with these names, or of all.

    Raises:
        CommandFailedError: A name fits no pair, or several.
    """
    if "all" in names:
        return {one.key for one in pairs}
    keys = set()
    for name in names:
        found = [one.key for one in pairs if name and one.key.startswith(name.lower())]
        if len(found) != 1:
            how_many = "Several pairs begin" if found else "No pair that waits begins"
            raise refused(
                "pair",
                f"{how_many} with {name}. See inklings consolidate --preview. Nothing was changed.",
            )
        keys.add(found[0])
    return keys


def _previewed(
    inklings: Inklings, options: ConsolidateOptions, places: tuple[Place, ...]
) -> Answer:
    with shown_progress(options, _STEPS) as progress:
        plans = [
            inklings.consolidation.preview(
                place.scope, allow_large=options.allow_large, progress=progress
            )
            for place in places
        ]
    lines = []
    for place, plan in zip(places, plans, strict=True):
        lines += plan_lines(place.name, plan)
        if plan.refused_because_large:
            lines.append("  This is a large share: a run needs --allow-large.")
    return Answer({"plans": [plan_document(plan) for plan in plans]}, lines)


def _undone(inklings: Inklings, options: ConsolidateOptions, run_id: str) -> Answer:
    workspace_id = None if inklings.workspace is None else inklings.workspace.id
    run = inklings.consolidation.find_run(run_id.lower(), workspace_id)
    with shown_progress(options, _STEPS) as progress:
        done = inklings.consolidation.undo(run.target.workspace_id, run.id, progress=progress)
    said = (
        f"Took run {short_id(run.id)} back: {counted(done.n_restored, 'memory')} restored, "
        f"{counted(done.n_demoted, 'memory')} short-term again."
    )
    lines = [said]
    if done.n_left:
        lines.append(
            f"{counted(done.n_left, 'memory')} stayed as they are: changed since, gone, or "
            "without room under the cap."
        )
    document = {
        "run": run_document(done.run),
        "restored": done.n_restored,
        "demoted": done.n_demoted,
        "left": done.n_left,
    }
    return Answer(document, lines)


def _places(inklings: Inklings, options: ConsolidateOptions) -> tuple[Place, ...]:
    if options.tier is not None:
        named = TierOptions(
            tier=options.tier, channel=options.channel, conversation=options.conversation
        )
        return (place_named(inklings, named),)
    if options.channel is not None or options.conversation is not None:
        raise wrong_usage("Name the tier with --tier. Nothing was changed.")
    workspace = required_workspace(inklings)
    channels = inklings.places.channels(workspace.id)
    return (
        *(channel_place(workspace, channel) for channel in channels),
        workspace_place(workspace),
        account_place(),
    )
