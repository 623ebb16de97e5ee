"""What agents would change of the author's pages: each beside its page, and their rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.proposals import (
    ABOUT_PAGES,
    UNDECIDED,
    ProposalKind,
    ProposalState,
)
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memory import MemoryRef, ScopeKey
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_diff import RowKind, diff_lines
from inklings_desktop.ui.kit.lists.badge_list import BadgeHeading, BadgeRow
from inklings_desktop.ui.kit.look.translation import grouped, tr
from inklings_desktop.ui.kit.words.entry_facts import day_label
from inklings_desktop.ui.kit.words.memory_facts import name_of_writer, spoken_age

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.words.text_diff import TextDiff
    from inklings_desktop.domain.world.page_proposal import PageComparison
    from inklings_desktop.ui.kit.lists.badge_list import AnyBadgeRow
    from inklings_desktop.usecases.bundle import Inklings

_MOST_DECIDED = 20
_HEADING = re.compile(r"#{1,6}\s")
LINES_AROUND = 4
"""Lines of the page that are shown before and after each change."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One change that waits.

    Attributes:
        diff: What the page says, and what it would say.
        memory: What it comes from; None for none.
    """

    page: PageComparison
    diff: TextDiff
    memory: MemoryEntry | None

    @property
    def proposal(self) -> Proposal:
        """What is asked for."""
        return self.page.proposal

    @property
    def key(self) -> str:
        """Names it within the list."""
        return self.proposal.id

    @property
    def name(self) -> str:
        """The page as the author calls it."""
        return self.page.wish.title or self.page.wish.path

    @property
    def badges(self) -> tuple[tuple[str, str], ...]:
        """What would happen, in a word or in figures, each with its colour role."""
        added, removed = self.diff.n_added, self.diff.n_removed
        if self.page.is_new:
            return ((tr("new page"), "graphite"),)
        if self.page.wish.to:
            return ((tr("rename"), "graphite"),)
        if self._is_new_section:
            return ((tr("new section"), "graphite"),)
        figures = (f"+{grouped(added)}", "accent"), (f"\u2212{grouped(removed)}", "madder")
        return tuple(one for one, n in zip(figures, (added, removed), strict=True) if n)

    @property
    def badge(self) -> str:
        """The same in one line."""
        return ", ".join(word for word, _ in self.badges)

    @property
    def _is_new_section(self) -> bool:
        """Whether nothing goes, and what comes begins with a heading."""
        new = (one.text for one in self.diff.rows if one.kind is RowKind.ADDED)
        first = next(filter(str.strip, new), "")
        return not self.diff.n_removed and _HEADING.match(first) is not None


@dataclass(frozen=True, slots=True)
class ProposedContent:
    """Everything that the tab shows, the latest first."""

    asked: tuple[Asked, ...]
    decided: tuple[Proposal, ...]
    now: datetime

    def one(self, key: str) -> Asked | None:
        """What waits under this key."""
        return next((one for one in self.asked if one.key == key), None)


def read_proposed(inklings: Inklings, here: str) -> ProposedContent:
    """Everything that the tab shows; runs on a reader."""
    every = [one for one in inklings.proposals.list(here) if one.kind in ABOUT_PAGES]
    asked = (_asked(inklings, here, one) for one in every if one.is_undecided)
    decided = [one for one in every if not one.is_undecided]
    return ProposedContent(tuple(asked), tuple(decided[:_MOST_DECIDED]), inklings.clock())


def n_proposed(inklings: Inklings, here: str) -> int:
    """How many wait; runs on a reader."""
    found = inklings.proposals.list(here, states=UNDECIDED)
    return sum(one.kind in ABOUT_PAGES for one in found)


def _asked(inklings: Inklings, here: str, proposal: Proposal) -> Asked:
    page = inklings.page_proposals.compare(proposal.ref)
    memory = None
    if page.wish.memory:
        ref = MemoryRef(ScopeKey.workspace(here), page.wish.memory)
        try:
            memory = inklings.listing.show(ref).entry
        except NotFoundError:  # it was scrubbed
            memory = None
    diff = diff_lines(page.old_text, page.new_text).only_near_changes(LINES_AROUND)
    return Asked(page, diff, memory)


def proposed_rows(content: ProposedContent) -> tuple[AnyBadgeRow, ...]:
    """What waits, and what was decided."""
    rows: list[AnyBadgeRow] = []
    if content.asked:
        rows.append(BadgeHeading("waiting", tr("Waiting for you"), grouped(len(content.asked))))
    for one in content.asked:
        age = spoken_age(content.now - one.proposal.created_at)
        meta = tr("{name}, {age} ago").format(name=name_of_writer(one.proposal.client), age=age)
        role = one.badges[0][1] if one.badges else "graphite"
        rows.append(BadgeRow(one.key, one.name, meta, one.badge, role, is_remembered=False))
    if content.decided:
        rows.append(BadgeHeading("decided", tr("Decided"), grouped(len(content.decided))))
    for past in content.decided:
        is_in = past.state is ProposalState.ACCEPTED
        told = tr("accepted, {date}") if is_in else tr("rejected, {date}")
        date = day_label(past.decided_at or past.created_at)
        name = past.target_name or str(past.payload.get("path", ""))
        rows.append(BadgeRow(past.id, name, told.format(date=date), is_remembered=False))
    return tuple(rows)


def facts_of(one: Asked) -> tuple[tuple[str, str], ...]:
    """Where a change came from, and what accepting would do, by name."""
    page = one.page
    since = tr("changed") if page.is_overtaken else tr("unchanged")
    if page.is_gone:
        since = tr("gone")
    copy = tr("the page is made") if page.is_new else tr("a copy of the page is kept")
    facts = [
        (tr("File"), page.wish.path),
        (tr("Asked by"), name_of_writer(one.proposal.client)),
        (tr("Page since"), tr("not there yet") if page.is_new else since),
        (tr("If accepted"), tr("the file moves") if page.wish.to else copy),
    ]
    if page.wish.to:
        facts.insert(1, (tr("Moves to"), page.wish.to))
    if page.linked_from:
        facts.append((tr("Linked from"), ", ".join(page.linked_from)))
    return tuple(facts)


def can_edit(one: Asked) -> bool:
    """Whether a text would be written that the author may say otherwise."""
    return one.proposal.kind is not ProposalKind.PAGE_MOVE
