"""Which rows of the preview are on show, with some sections and entries opened."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.ui.kit.words.entry_facts import grouped
from inklings_desktop.ui.turn.rows import (
    BodyRow,
    LineKind,
    LineRow,
    PreviewRow,
    SectionRow,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from inklings_desktop.ui.turn.rows import CandidateRow
    from inklings_desktop.ui.turn.state import PreviewContent, SectionFacts

SECTION = "section:"
STANDING = f"{SECTION}standing"
AT_A_GLANCE = 2
"""Memories of a folded section; it folds only what would not fit into this many rows."""


def section_id(section: SectionFacts) -> str:
    """The row id of a tier's head."""
    return f"{SECTION}{section.tier.value}"


def is_section(row_id: str) -> bool:
    """Whether a row id is that of a section's head."""
    return row_id.startswith(SECTION)


def preview_rows(content: PreviewContent, opened: Collection[str]) -> tuple[PreviewRow, ...]:
    """The rows on show, top to bottom.

    Args:
        content: The document.
        opened: Row ids of the sections and entries that a person opened.
    """
    return (*_standing(content, opened), *_tiers(content, opened))


def _standing(content: PreviewContent, opened: Collection[str]) -> Iterator[PreviewRow]:
    yield SectionRow(STANDING, _tr("Standing slice"), _tr("always first, never ranked"))
    if not content.entries:
        yield LineRow("line:standing", LineKind.REMARK, _tr("No named entry has any text yet."))
    for entry in content.entries:
        if entry.id not in opened:
            yield entry
            continue
        yield replace(entry, is_open=True)
        yield BodyRow(f"body:{entry.id}", content.bodies[entry.id])


def _tiers(content: PreviewContent, opened: Collection[str]) -> Iterator[PreviewRow]:
    for section in content.sections:
        key = section_id(section)
        is_open = key in opened
        folded = _at_a_glance(section)
        hides = len(folded) < len(section.candidates)
        yield SectionRow(
            key,
            section.title,
            section.detail,
            section.tier,
            _link(section, folded, is_open=is_open) if hides else "",
            is_open=is_open and hides,
        )
        if section.empty:
            yield LineRow(f"line:{key}", LineKind.REMARK, section.empty)
        elif is_open or not hides:
            yield from _all(section, key)
        else:
            yield from folded


def _at_a_glance(section: SectionFacts) -> tuple[CandidateRow, ...]:
    sent = tuple(one for one in section.candidates if one.is_sent)
    return sent[:AT_A_GLANCE]


def _all(section: SectionFacts, key: str) -> Iterator[PreviewRow]:
    is_cut = False
    for place, row in enumerate(section.candidates):
        if not row.is_sent and not row.remark and not is_cut:
            is_cut = True
            yield LineRow(f"cut:{key}", LineKind.CUT, _tr("Not sent: no room left"))
        if place == section.n_matched > 0:
            text = _tr("The message did not find these; the most relevant first")
            yield LineRow(f"turn:{key}", LineKind.TURN, text)
        yield row
    if section.remark:
        yield LineRow(f"line:{key}", LineKind.REMARK, section.remark)


def _link(section: SectionFacts, folded: tuple[CandidateRow, ...], *, is_open: bool) -> str:
    if is_open:
        return _tr("Show fewer")
    left_out = grouped(section.n_not_sent)
    if len(folded) == section.n_sent:
        return _tr("Show {n} not sent").format(n=left_out)
    if not section.n_not_sent:
        return _tr("Show all {n}").format(n=grouped(section.n_sent))
    return _tr("Show all {n}, and {rest} not sent").format(n=grouped(section.n_sent), rest=left_out)


def _tr(text: str) -> str:
    return QCoreApplication.translate("preview", text)
