"""Plans and runs of background work as JSON documents and as lines for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.memories.memory_lines import short_id
from inklings_desktop.cli.output import counted, one_line
from inklings_desktop.domain.plain_rows import row_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.background.consolidation import ConsolidationPlan, MergeGroup
    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.domain.memory import MemoryEntry

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
