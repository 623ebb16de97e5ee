"""The rows of a review: what waits for a person first, then what a run would do."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.decay import DecayConfig, relevance_of
from inklings_desktop.ui.consolidation.review_state import ItemKind, ReviewItem, ReviewState
from inklings_desktop.ui.consolidation.review_words import (
    alike_label,
    choice_badge,
    reasons_label,
    section_title,
)
from inklings_desktop.ui.kit.lists.badge_list import AnyBadgeRow, BadgeHeading, BadgeRow
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.memory_facts import reads_label, relative_age, relevance_figure
from inklings_desktop.ui.kit.words.memory_lines import excerpt

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.background.golden import GoldenAnswer, GoldenComparison
    from inklings_desktop.domain.memory import MemoryEntry

GOLDEN = "golden "
"""Beginning of the key of a row that stands for a golden question."""


def review_rows(state: ReviewState, decay: DecayConfig) -> tuple[AnyBadgeRow, ...]:
    """Every row of the list, headings included."""
    rows: list[AnyBadgeRow] = []
    if state.plan is None:
        return ()
    for title, several in groupby(state.items, lambda one: section_title(one.kind)):
        items = tuple(several)
        rows.append(BadgeHeading(f"heading {title}", title, grouped(len(items))))
        rows += [_row(one, decay, state.plan.planned_at) for one in items]
    if state.golden is not None and state.golden.before:
        rows += _golden_rows(state.golden)
    return tuple(rows)


def entry_line(entry: MemoryEntry, decay: DecayConfig, now: datetime) -> str:
    """Relevance, reads and age of one memory: ``relevance 0.31, 2 reads, 25 d old``."""
    figure = relevance_figure(relevance_of(entry, decay, now))
    return ", ".join(
        (
            tr("relevance {figure}").format(figure=figure),
            reads_label(entry.access_count) if entry.access_count else tr("never read"),
            tr("{age} old").format(age=relative_age(now - entry.created_at)),
        )
    )


def golden_badge(before: GoldenAnswer, after: GoldenAnswer) -> tuple[str, str]:
    """How one question would fare: its word and the role of its colour."""
    if before.is_right:
        return (tr("still right"), "accent") if after.is_right else (tr("would break"), "ochre")
    return (tr("now right"), "accent") if after.is_right else (tr("not answered"), "graphite")


def _row(item: ReviewItem, decay: DecayConfig, now: datetime) -> BadgeRow:
    badge, role = choice_badge(item)
    best = item.members[0]
    meta_role = "inkSoft"
    if item.is_group:
        parts = [
            tr("{n} into 1").format(n=grouped(len(item.members))),
            alike_label(item.cosine),
        ]
        if item.kind is ItemKind.WAITING:
            parts = [reasons_label(item.reasons), alike_label(item.cosine)]
            meta_role = "ochre"
        if item.text is not None:
            parts.append(tr("edited"))
        meta = ", ".join(parts)
    elif item.kind is ItemKind.WAITING_FADED:
        meta, meta_role = reasons_label(item.reasons), "ochre"
    else:
        meta = entry_line(best, decay, now)
    return BadgeRow(item.key, excerpt(best.content), meta, badge, role, meta_role)


def _golden_rows(golden: GoldenComparison) -> list[AnyBadgeRow]:
    pairs = sorted(
        zip(golden.before, golden.after, strict=True),
        key=lambda pair: not (pair[0].is_right and not pair[1].is_right),
    )
    title = tr("Golden questions")
    rows: list[AnyBadgeRow] = [BadgeHeading("heading golden", title, grouped(len(pairs)))]
    for before, after in pairs:
        badge, role = golden_badge(before, after)
        question = before.question
        rows.append(
            BadgeRow(
                f"{GOLDEN}{question.id}",
                question.question,
                expected_line(len(question.must), len(question.must_not)),
                badge,
                role,
                is_remembered=False,
            )
        )
    return rows


def expected_line(n_must: int, n_must_not: int) -> str:
    """What a question expects: ``2 must be found, 1 must not``."""
    parts = []
    if n_must:
        parts.append(counted(n_must, "1 must be found", "{n} must be found"))
    if n_must_not:
        parts.append(counted(n_must_not, "1 must not", "{n} must not"))
    return ", ".join(parts)
