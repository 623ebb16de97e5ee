"""The words of the review of a consolidation; pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.background.consolidation import (
    GUARD_SHARE,
    PROMOTE_READS,
    PROMOTE_RELEVANCE,
    PRUNE_RELEVANCE,
    ConsolidationPlan,
    MergeGroup,
    ReviewReason,
    merged_entry,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.consolidation.review_state import Choice, ItemKind, ReviewItem, ReviewState
from inklings_desktop.ui.kit.look.translation import counted, decimal, grouped, lowered, tr
from inklings_desktop.ui.kit.words.consolidation_words import merged_words
from inklings_desktop.ui.kit.words.memory_facts import (
    curator_label,
    exact_time,
    importance_figure,
    lifetime_label,
    reads_label,
    tier_title,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from inklings_desktop.domain.background.golden import GoldenComparison


def place_line(state: ReviewState) -> str:
    """Where: ``Channel memory of #map-room``; nothing has changed."""
    if state.scope is None:
        return ""
    tier = tier_title(state.scope.tier)
    if state.scope.tier is Tier.ACCOUNT or not state.place:
        return tier
    return tr("{tier} tier, {place}").format(tier=tier, place=state.place)


def plan_headline(plan: ConsolidationPlan) -> str:
    """What a run would do, in one line: ``7 merged into 3, 6 forgotten, 2 kept for longer``."""
    parts = []
    if plan.merge:
        n_members = sum(len(one.members) for one in plan.merge)
        parts.append(merged_words(n_members, len(plan.merge)))
    if n_forgotten := len(plan.prune) + len(plan.cap):
        parts.append(counted(n_forgotten, "1 forgotten", "{n} forgotten"))
    if plan.promote:
        parts.append(counted(len(plan.promote), "1 kept for longer", "{n} kept for longer"))
    return ", ".join(parts) or tr("Nothing would change")


def plan_sentence(state: ReviewState, plan: ConsolidationPlan) -> str:
    """What that means for the place, and that nothing has happened yet."""
    after = plan.n_active - plan.n_forgetting + len(plan.merge)
    now = counted(plan.n_active, "1 memory now", "{n} memories now")
    said = [
        tr("{now}, {after} after. Nothing has changed yet.").format(now=now, after=grouped(after))
    ]
    if not state.has_model:
        said.append(tr("Without a search model, only duplicates are looked for."))
    return " ".join(said)


def nothing_words(state: ReviewState) -> tuple[str, str]:
    """What to say when the plan is empty: a title and a sentence."""
    if not state.has_model:
        return (
            tr("Nothing has faded, and nothing is ready to last"),
            tr(
                "Without a search model, similar memories can\u2019t be looked for. Set "
                "one up and look again."
            ),
        )
    return (
        tr("Nothing to tidy here"),
        tr("No duplicates, nothing faded, and nothing ready for long-term."),
    )


def waiting_sentence(n_undecided: int) -> str:
    """What becomes of what nobody has decided; empty if everything is decided."""
    if not n_undecided:
        return ""
    return counted(
        n_undecided,
        "1 left undecided; you\u2019ll be asked again.",
        "{n} left undecided; you\u2019ll be asked again.",
    )


def kept_sentence(n_apart: int) -> str:
    """What *Apply* remembers of what is not merged; empty for nothing."""
    if not n_apart:
        return ""
    return counted(
        n_apart,
        "Apply keeps 1 pair and does not ask about it again.",
        "Apply keeps {n} pairs and does not ask about them again.",
    )


def unlisted_box(n_unlisted: int) -> str:
    """What the person ticks to keep both of every pair that is not listed."""
    return counted(
        n_unlisted,
        "Keep all apart: 1 more pair, less alike than those listed",
        "Keep all apart: {n} more pairs, less alike than those listed",
    )


def large_words(plan: ConsolidationPlan) -> tuple[str, str]:
    """Why a large run stops, and what agreeing means: a title and a sentence."""
    share = plan.n_forgetting / plan.n_active if plan.n_active else 0.0
    title = tr("This would forget {n} of {m}, {share} % of what is here.").format(
        n=grouped(plan.n_forgetting), m=grouped(plan.n_active), share=decimal(share * 100, 0)
    )
    return title, tr(
        "It asks before forgetting more than {share} % of anything. You can restore "
        "forgotten memories."
    ).format(share=decimal(GUARD_SHARE * 100, 0))


def large_box(plan: ConsolidationPlan) -> str:
    """What the person ticks to agree."""
    return tr("I have looked at them: forget {n}").format(n=grouped(plan.n_forgetting))


def section_title(kind: ItemKind) -> str:
    """What the list calls a kind of item."""
    return {
        ItemKind.ROLL_UP: tr("Repeated: keep apart or merge"),
        ItemKind.WAITING: tr("Alike: keep both or merge"),
        ItemKind.WAITING_FADED: tr("Faded: you decide"),
        ItemKind.MERGE: tr("Merge"),
        ItemKind.PRUNE: tr("Forget, faded almost to nothing"),
        ItemKind.PROMOTE: tr("Keep for longer"),
        ItemKind.CAP: tr("Forget, above the cap"),
    }[kind]


def item_title(item: ReviewItem) -> str:
    """What the right side calls an item."""
    match item.kind:
        case ItemKind.WAITING:
            return tr("Two memories that are alike")
        case ItemKind.MERGE | ItemKind.ROLL_UP:
            return tr("{n} memories into 1").format(n=grouped(len(item.members)))
        case ItemKind.PRUNE | ItemKind.WAITING_FADED:
            return tr("Faded")
        case ItemKind.PROMOTE:
            return tr("Ready to last")
        case ItemKind.CAP:
            return tr("No room left")


def item_sentence(item: ReviewItem, cap: int) -> str:
    """Why an item is in the plan, and what becomes of it."""
    match item.kind:
        case ItemKind.MERGE:
            return tr("Duplicates. The merged memory replaces them in every search.")
        case ItemKind.ROLL_UP | ItemKind.WAITING | ItemKind.WAITING_FADED:
            return reasons_sentence(item.reasons)
        case ItemKind.PRUNE:
            return tr(
                "Short-term and faded below {limit}. Forgotten memories are no longer "
                "found; you can restore them."
            ).format(limit=f"{PRUNE_RELEVANCE:g}")
        case ItemKind.PROMOTE:
            return tr(
                "Read more than {reads} times and above {limit}: it becomes long-term."
            ).format(limit=f"{PROMOTE_RELEVANCE:g}", reads=PROMOTE_READS)
        case ItemKind.CAP:
            return tr(
                "There is room for {cap} memories here. The least relevant unprotected "
                "one makes room."
            ).format(cap=grouped(cap))


def reasons_sentence(reasons: Sequence[ReviewReason]) -> str:
    """Why a person has to look first."""
    return " ".join(_reasons()[one][1] for one in reasons)


def reasons_label(reasons: Sequence[ReviewReason]) -> str:
    """The same in a few words, for the list."""
    return ", ".join(_reasons()[one][0] for one in reasons)


def member_remark(item: ReviewItem, number: int) -> str:
    """What one of the memories of a group is called on its card."""
    if not {ReviewReason.DIFFERENT, ReviewReason.REPEATED}.isdisjoint(item.reasons):
        return tr("differs")
    return tr("duplicate") if number else tr("kept whole")


def becomes_label(item: ReviewItem) -> str:
    """What stands above the merged text."""
    return tr("Becomes") if item.choice is Choice.ACCEPT else tr("If you merge them")


def inherited_line(item: ReviewItem, now: datetime) -> str:
    """What the merged memory takes over from its sources."""
    group = MergeGroup(item.key, item.members, item.cosine, item.reasons)
    made = merged_entry(group, item.proposed, "", now)
    parts = [
        tr("importance {figure}").format(figure=importance_figure(made.importance)),
        reads_label(made.access_count) if made.access_count else tr("never read"),
        tr("written {time}").format(time=exact_time(made.created_at)),
        lowered(lifetime_label(made.lifetime), is_noun=False),
        *(f"#{tag}" for tag in made.tags),
    ]
    curator = curator_label(made.curator)
    return tr("It keeps {facts}. Written by: {curator}.").format(
        facts=", ".join(parts), curator=lowered(curator)
    )


def group_remark(item: ReviewItem) -> str:
    """How alike the members of a group are, and whose words their text is; else empty."""
    if not item.is_group:
        return ""
    alike = alike_label(item.cosine)
    return tr("{0}, worded by a model").format(alike) if item.is_worded else alike


def alike_label(cosine: float) -> str:
    """How alike two memories are: ``0.97 alike``."""
    return tr("{cosine} alike").format(cosine=decimal(cosine, 2))


def choice_label(item: ReviewItem, choice: Choice) -> str:
    """What a choice is called on its switch."""
    if item.is_group:
        return {
            Choice.ACCEPT: tr("Merge"),
            Choice.SKIP: tr("Keep both") if item.kind is ItemKind.WAITING else tr("Keep apart"),
            Choice.LATER: tr("Not now"),
        }[choice]
    if item.kind is ItemKind.PROMOTE:
        return {
            Choice.ACCEPT: tr("Keep for longer"),
            Choice.SKIP: tr("Leave short-term"),
            Choice.LATER: tr("Not now"),
        }[choice]
    return {
        Choice.ACCEPT: tr("Forget"),
        Choice.SKIP: tr("Keep"),
        Choice.LATER: tr("Not now"),
    }[choice]


def choice_sentence(item: ReviewItem) -> str:
    """What the choice means that is made."""
    if item.kind is ItemKind.PROMOTE:
        return {
            Choice.ACCEPT: tr("It becomes long-term. You can change that in Memory."),
            Choice.SKIP: tr("It stays short-term this time."),
            Choice.LATER: tr("Kept, and listed again next time."),
        }[item.choice]
    if item.kind is ItemKind.CAP and item.choice is Choice.SKIP:
        return tr("It stays this time, above the cap. Pin it to protect it, or raise the cap.")
    if item.is_group:
        return {
            Choice.ACCEPT: tr("The merged memory is written, then its sources are forgotten."),
            Choice.SKIP: tr("They stay, and are not shown again until one changes."),
            Choice.LATER: tr("Kept, and listed again next time."),
        }[item.choice]
    return {
        Choice.ACCEPT: tr("No longer found; you can restore it."),
        Choice.SKIP: tr("Kept this time."),
        Choice.LATER: tr("Kept, and listed again next time."),
    }[item.choice]


def choice_badge(item: ReviewItem) -> tuple[str, str]:
    """The mark of an item in the list: its word and the role of its colour."""
    if item.kind is ItemKind.PROMOTE and item.choice is Choice.ACCEPT:
        return tr("long-term"), "lapis"
    if item.kind is ItemKind.PROMOTE:
        return tr("short-term"), "graphite"
    if item.is_undecided:
        return tr("undecided"), "ochre"
    if item.is_group:
        return {
            Choice.ACCEPT: (tr("merge"), "accent"),
            Choice.SKIP: (
                tr("keep both") if item.kind is ItemKind.WAITING else tr("apart"),
                "graphite",
            ),
            Choice.LATER: (tr("not now"), "graphite"),
        }[item.choice]
    return {
        Choice.ACCEPT: (tr("forget"), "graphite"),
        Choice.SKIP: (tr("keep"), "accent"),
        Choice.LATER: (tr("not now"), "graphite"),
    }[item.choice]


def golden_line(golden: GoldenComparison) -> tuple[str, str, str]:
    """How the golden questions would fare: icon, role, sentence."""
    n, n_break = len(golden.before), len(golden.would_break)
    if n_break:
        said = (
            tr("1 golden question would break")
            if n == 1
            else counted(
                n_break,
                "1 of {m} golden questions would break",
                "{n} of {m} golden questions would break",
            ).format(m=grouped(n))
        )
        return "warning", "ochre", said
    n_wrong = sum(not one.is_right for one in golden.after)
    if n_wrong:
        said = counted(
            n_wrong,
            "No golden question would break; 1 already fails",
            "No golden question would break; {n} already fail",
        )
        return "info", "inkSoft", said
    said = counted(
        n, "The golden question stays answered", "All {n} golden questions stay answered"
    )
    return "check-circle", "accent", said


def _reasons() -> dict[ReviewReason, tuple[str, str]]:
    return {
        ReviewReason.DIFFERENT: (
            tr("they differ"),
            tr("Similar, but not duplicates: the different words are marked."),
        ),
        ReviewReason.AUTHOR: (
            tr("written by you"),
            tr("You wrote one of them: your own memories are never merged without asking."),
        ),
        ReviewReason.PINNED: (tr("pinned"), tr("One is pinned.")),
        ReviewReason.LOCKED: (tr("locked"), tr("One is locked.")),
        ReviewReason.RESTORED: (
            tr("restored once"),
            tr("You restored one of them before: it is not merged again without asking."),
        ),
        ReviewReason.REPEATED: (
            tr("repeated"),
            tr("The channel repeats this. A model worded one memory for all of them."),
        ),
        ReviewReason.FADED: (
            tr("faded"),
            tr("It has faded almost to nothing. It stays unless you forget it."),
        ),
        ReviewReason.LONG_SILENCE: (
            tr("long silence"),
            tr(
                "Nothing was written or read here for more than a year. If the clock of this "
                "machine was wrong, these have not faded at all."
            ),
        ),
        ReviewReason.ON_PAGE: (
            tr("its page says it"),
            tr("The page that it comes from says this by now. It stays unless you forget it."),
        ),
    }
