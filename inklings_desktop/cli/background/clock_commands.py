"""``inklings backfill`` and ``inklings consolidate``, as lines and as JSON documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.background.clock_options import BackfillOptions, ConsolidateOptions
from inklings_desktop.cli.background.golden_commands import LOOK_AT_GOLDEN
from inklings_desktop.cli.command import command
from inklings_desktop.cli.memories.memory_lines import short_id
from inklings_desktop.cli.memory_options import TierOptions
from inklings_desktop.cli.messages import REFUSED, refused, wrong_usage
from inklings_desktop.cli.output import counted, one_line
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
from inklings_desktop.domain.plain_rows import row_of
from inklings_desktop.usecases.consolidation.consolidation_plans import Decision, Decisions, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import typer

    from inklings_desktop.cli.scopes import Place
    from inklings_desktop.domain.background.consolidation import ConsolidationPlan, MergeGroup
    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.bundle import Inklings

TEXT_COLUMNS = 70
MAX_LINES = 20
_DID = {
    "promoted": "{} made long-term",
    "pruned": "{} faded and forgotten",
    "merged": "{} written in place of duplicates",
    "parent": "{} merged and forgotten",
    "capped": "{} forgotten because of the cap",
    "passed_over": "{} skipped because they changed in between",
}
_WHY = {
    "different": "they differ",
    "author": "written by the author",
    "pinned": "pinned",
    "locked": "locked",
    "restored": "restored once",
    "faded": "faded",
    "long_silence": "nothing happened here for more than a year",
    "on_page": "its page says it by now",
}


def plan_document(plan: ConsolidationPlan) -> dict[str, Any]:
    """A plan: ids throughout, texts where something would be written."""
    return {
        "tier": plan.scope.tier.value,
        "scope_key": plan.scope.key,
        "memories": plan.n_active,
        "forgetting": plan.n_forgetting,
        "refused_because_large": plan.refused_because_large,
        "promote": _ids(plan.promote),
        "prune": _ids(plan.prune),
        "merge": [_group_document(one) for one in plan.merge],
        "cap": _ids(plan.cap),
        **_waiting(plan),
    }


def waiting_document(plan: ConsolidationPlan) -> dict[str, Any]:
    """What waits for a person's word."""
    return {"tier": plan.scope.tier.value, "scope_key": plan.scope.key, **_waiting(plan)}


def run_document(run: TaskRun) -> dict[str, Any]:
    """A run as the history keeps it."""
    return row_of(
        run,
        "id kind=target.kind workspace_id=target.workspace_id tier=target.tier"
        " scope_key=target.scope.key trigger state problem started_at ended_at counts",
    )


def plan_lines(name: str, plan: ConsolidationPlan) -> list[str]:
    """What a run would do, and what waits for a person's word."""
    if plan.is_empty and not plan.review and not plan.review_faded:
        return [f"{one_line(name)}: nothing to do among {counted(plan.n_active, 'memory')}."]
    lines = [f"{one_line(name)}, {counted(plan.n_active, 'memory')}:"]
    lines += _listed("make long-term", plan.promote)
    lines += _listed("forget, faded", plan.prune)
    for group in plan.merge[:MAX_LINES]:
        lines.append(f"  merge {len(group.members)} that are duplicates:")
        lines += [f"    {_line(one)}" for one in group.members]
    lines += _more(len(plan.merge), "group")
    lines += _listed("forget, above the cap", plan.cap)
    return lines + waiting_lines(plan)


def waiting_lines(plan: ConsolidationPlan) -> list[str]:
    """What waits for a person's word, and how to give it."""
    lines = []
    for group in plan.review[:MAX_LINES]:
        why = ", ".join(_WHY[reason.value] for reason in group.reasons)
        lines.append(f"  pair {short_id(group.key)}, alike to {group.cosine:.2f}, {why}:")
        lines += [f"    {_line(one)}" for one in group.members]
    lines += _more(len(plan.review), "pair")
    if plan.review:
        lines.append(
            "  Both stay. Not to be asked again: --keep-both PAIR (or all). To merge: --merge PAIR."
        )
    for faded in plan.review_faded[:MAX_LINES]:
        why = ", ".join(_WHY[reason.value] for reason in faded.reasons)
        lines.append(f"  stays until you forget it ({why}): {_line(faded.entry)}")
    lines += _more(len(plan.review_faded), "memory")
    return lines


def run_line(name: str, run: TaskRun) -> str:
    """What a run did, with the beginning of its id."""
    did = did_words(run.counts)
    if not did:
        return f"{one_line(name)}: nothing to do."
    return f"{one_line(name)}: {did}. Run {short_id(run.id)}."


def did_words(counts: Mapping[str, int]) -> str:
    """Figures of a consolidation in words."""
    did = [
        words.format(counted(counts[name], "memory"))
        for name, words in _DID.items()
        if counts.get(name)
    ]
    if counts.get("broken"):
        did.append(f"{counted(counts['broken'], 'golden question')} broke")
    return ", ".join(did)


def _waiting(plan: ConsolidationPlan) -> dict[str, Any]:
    return {
        "review": [_group_document(one) for one in plan.review],
        "review_faded": [
            {"id": one.entry.id, "reasons": [reason.value for reason in one.reasons]}
            for one in plan.review_faded
        ],
    }


def _group_document(group: MergeGroup) -> dict[str, Any]:
    members = [row_of(one, "id content") for one in group.members]
    return {**row_of(group, "key cosine reasons"), "members": members}


def _ids(entries: Sequence[MemoryEntry]) -> list[str]:
    return [one.id for one in entries]


def _listed(verb: str, entries: Sequence[MemoryEntry]) -> list[str]:
    lines = [f"  {verb}: {_line(one)}" for one in entries[:MAX_LINES]]
    return [*lines, *_more(len(entries), "memory")]


def _more(number: int, noun: str) -> list[str]:
    return [f"  and {counted(number - MAX_LINES, noun)} more"] if number > MAX_LINES else []


def _line(entry: MemoryEntry) -> str:
    return f"{short_id(entry.id)}  {one_line(entry.content, TEXT_COLUMNS)}"


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
