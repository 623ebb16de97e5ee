"""What changed under memory and what contradicts it: what waits, what was answered, their rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from operator import attrgetter
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InklingsError, NotFoundError
from inklings_desktop.domain.likeness.differences import Difference
from inklings_desktop.domain.likeness.grounding import content_words, sentences_of
from inklings_desktop.domain.memory import MemoryRef, ScopeKey
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_diff import DiffRow, RowKind, diff_lines, word_changes
from inklings_desktop.domain.world.derivations import RetconState
from inklings_desktop.domain.world.pages import BlockKind
from inklings_desktop.ui.kit.lists.badge_list import BadgeHeading, BadgeRow
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.memory_facts import age_label, tier_title
from inklings_desktop.ui.kit.words.word_marks import differing
from inklings_desktop.usecases.world.contradictions import BOTH, LATER

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.words.text_diff import TextDiff
    from inklings_desktop.domain.world.derivations import RetconCase
    from inklings_desktop.domain.world.pages import Block
    from inklings_desktop.ui.kit.lists.badge_list import AnyBadgeRow
    from inklings_desktop.ui.kit.words.word_marks import Spans
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.world.contradictions import Contradiction

    Answered = Sequence[tuple[str, tuple[str, ...]]]
    """Retcons, each with the memories that are answered."""

_DECIDED = frozenset({RetconState.KEPT, RetconState.UPDATED, RetconState.FORGOTTEN})
_ROW_TEXT = 250
MOST_TOGETHER = 20
"""So many that wait are one group; more are grouped by page."""
_MOST_SENTENCES = 12


@dataclass(frozen=True, slots=True)
class Doubt:
    """One memory whose source changed.

    Attributes:
        suggested: The memory with the words that changed; None where that is not certain.
        diff: What the page said and what it says now, with a line before and after.
    """

    case: RetconCase
    memory: MemoryEntry
    suggested: str | None
    diff: TextDiff

    @property
    def key(self) -> str:
        """Names it within the list."""
        return f"{self.case.retcon.id}:{self.memory.id}"

    @property
    def source(self) -> str:
        """Title of the page, and the heading above the block where that is another."""
        title, heading = self.case.page_title, self.case.heading.rpartition("/")[2]
        return title if heading in {"", title} else f"{title}, {heading}"

    @property
    def prefilled(self) -> str:
        """What stands in the editor at first."""
        return self.memory.content if self.suggested is None else self.suggested

    @property
    def n_words(self) -> int:
        """How many words of the page are others."""
        old, new = self.case.base_text, self.case.retcon.now_text
        return sum(
            max(len(old[before].split()), len(new[after].split()))
            for before, after in word_changes(old, new)
        )


@dataclass(frozen=True, slots=True)
class Clash:
    """Two texts that contradict each other.

    Attributes:
        key: Names it within the list.
        spans: What one says otherwise than the other, in each.
    """

    key: str
    pair: Contradiction
    spans: tuple[Spans, Spans]


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered today of one memory: ``kept``, ``updated`` or ``forgotten``."""

    retcon_id: str
    memory_id: str
    text: str
    what: str

    @property
    def key(self) -> str:
        """Names it within the list."""
        return f"{self.retcon_id}:{self.memory_id}"


@dataclass(frozen=True, slots=True)
class ChangedContent:
    """Everything that the tab shows.

    Attributes:
        doubts: Memories whose source changed, the latest change first; many of them by page.
        clashes: What plainly contradicts itself.
        n_pages: Pages that are read.
        looked_at: When the last folder was looked at; None for never.
    """

    doubts: tuple[Doubt, ...]
    clashes: tuple[Clash, ...]
    answers: tuple[Answer, ...]
    n_pages: int
    looked_at: datetime | None
    now: datetime

    def one(self, key: str) -> Doubt | Clash | None:
        """What waits under this key."""
        waits: tuple[Doubt | Clash, ...] = (*self.doubts, *self.clashes)
        return next((one for one in waits if one.key == key), None)


def answer_all(here: str, what: RetconState, answered: Answered, inklings: Inklings) -> None:
    """Keep or forget memories of several retcons, all or none; runs on a writer.

    Raises:
        InklingsError: One of them was answered or changed since.
    """
    derivations = inklings.derivations
    verbs: dict[RetconState, Callable[..., object]] = {
        RetconState.KEPT: derivations.keep,
        RetconState.FORGOTTEN: derivations.forget,
    }
    for place, (retcon_id, ids) in enumerate(answered):
        try:
            verbs[what](here, retcon_id, ids)
        except InklingsError:
            undo_all(here, answered[:place], inklings)
            raise


def settled_words(answer: str) -> str:
    """What was answered to a contradiction, where nothing is forgotten; empty for the others."""
    return {BOTH: tr("Both are right"), LATER: tr("Asked again tomorrow")}.get(answer, "")


def undo_all(here: str, answered: Answered, inklings: Inklings) -> None:
    """Take back what was answered of them; runs on a writer."""
    for retcon_id, ids in answered:
        inklings.derivations.undo(here, retcon_id, ids)


def read_changed(inklings: Inklings, here: str) -> ChangedContent:
    """Everything that the tab shows; runs on a reader."""
    derivations, now = inklings.derivations, inklings.clock()
    cases = derivations.retcons(here, states=_DECIDED | {RetconState.OPEN})
    pages: dict[str, tuple[Block, ...]] = {}
    doubts = [
        Doubt(case, one, derivations.suggested(case, one), diff)
        for case in cases
        if case.memories
        for diff in (_in_place(inklings, here, case, pages),)
        for one in case.memories
    ]
    if len(doubts) > MOST_TOGETHER:
        doubts.sort(key=attrgetter("case.page_title"))
    clashes = (
        Clash(f"clash:{one.digest}", one, _apart(one.first.content, one.other_text))
        for one in derivations.contradictions(here)
    )
    answers = tuple(
        Answer(case.retcon.id, memory_id, text, what)
        for case in cases
        if _is_of_today(case, now)
        for memory_id, what in case.answered
        if (text := _text_of(inklings, here, memory_id))
    )
    looks = inklings.world.folders(here)
    looked = [one.looked_at for one in looks if one.looked_at is not None]
    n_pages = sum(map(attrgetter("n_pages"), looks))
    last = max(looked, default=None)
    return ChangedContent(tuple(doubts), tuple(clashes), answers, n_pages, last, now)


def _in_place(
    inklings: Inklings, here: str, case: RetconCase, pages: dict[str, tuple[Block, ...]]
) -> TextDiff:
    """What changed, with the lines of the page that stand before and after it."""
    diff = diff_lines(case.base_text, case.retcon.now_text).only_near_changes(1)
    if case.page_id and case.page_id not in pages:
        try:
            pages[case.page_id] = inklings.world.page(here, case.page_id).blocks
        except NotFoundError:  # it went meanwhile
            pages[case.page_id] = ()
    blocks = pages.get(case.page_id, ())
    ids = [one.id for one in blocks]
    if case.retcon.block_id not in ids or not diff.rows:
        return diff
    place = ids.index(case.retcon.block_id)
    before, after = blocks[max(place - 1, 0) : place], blocks[place + 1 : place + 2]
    rows = diff.rows
    if rows[0].kind is not RowKind.SAME:
        rows = (*_beside(before, -1), *rows)
    if rows[-1].kind is not RowKind.SAME:
        rows = (*rows, *_beside(after, 0))
    return replace(diff, rows=rows)


def _beside(blocks: Sequence[Block], place: int) -> Iterator[DiffRow]:
    """The first or last line of a block that stands beside another one."""
    for one in blocks:
        if one.kind is not BlockKind.FRONT and (lines := one.text.splitlines()):
            yield DiffRow(RowKind.SAME, None, None, lines[place], "\n")


def _apart(one: str, other: str) -> tuple[Spans, Spans]:
    """What two texts say otherwise in those of their sentences that are most alike."""
    mine, theirs = sentences_of(one)[:_MOST_SENTENCES], sentences_of(other)[:_MOST_SENTENCES]
    left, right = max(
        product(mine, theirs),
        key=lambda both: (
            both[0] != both[1] and len(content_words(both[0]) & content_words(both[1]))
        ),
    )
    starts = one.index(left), other.index(right)
    marked = differing(left, right)
    return (
        tuple((starts[0] + at, length) for at, length in marked[0]),
        tuple((starts[1] + at, length) for at, length in marked[1]),
    )


def _n_shared(both: tuple[str, str]) -> int:
    one, other = both
    return len(content_words(one) & content_words(other)) if one != other else 0


def _is_of_today(case: RetconCase, now: datetime) -> bool:
    at = case.retcon.decided_at
    return at is None or at.astimezone().date() == now.astimezone().date()


def _text_of(inklings: Inklings, here: str, memory_id: str) -> str:
    """What a memory says; empty where it was scrubbed."""
    try:
        shown = inklings.listing.show(MemoryRef(ScopeKey.workspace(here), memory_id))
    except NotFoundError:
        return ""
    return shown.entry.content


def answer_words(what: str) -> tuple[str, str]:
    """What was answered in a word, and its icon."""
    return {
        RetconState.KEPT.value: (tr("kept"), "seal-check"),
        RetconState.UPDATED.value: (tr("updated"), "pencil-simple"),
        RetconState.FORGOTTEN.value: (tr("forgotten"), "eraser"),
    }[what]


def done_words(what: RetconState, n: int) -> str:
    """What was just done to so many memories."""
    return {
        RetconState.KEPT: counted(n, "Kept 1 memory", "Kept {n} memories"),
        RetconState.UPDATED: tr("Updated 1 memory"),
        RetconState.FORGOTTEN: counted(n, "Forgot 1 memory", "Forgot {n} memories"),
    }[what]


def difference_words(difference: Difference) -> str:
    """In what two texts contradict each other."""
    return {
        Difference.NUMBERS: tr("another number"),
        Difference.DATES: tr("another time"),
        Difference.NEGATION: tr("one of them says no"),
        Difference.OPPOSITES: tr("the opposite"),
        Difference.ORDER: tr("the other way round"),
        Difference.NAME: tr("another name"),
    }[difference]


def changed_rows(content: ChangedContent, checked: Collection[str] = ()) -> tuple[AnyBadgeRow, ...]:
    """What waits, what does not agree, and what was answered today.

    Args:
        content: All of it.
        checked: Keys of what is checked; where something is, what waits has boxes.
    """
    rows: list[AnyBadgeRow] = []
    doubts, n_of = content.doubts, Counter(one.case.page_title for one in content.doubts)
    if 0 < len(doubts) <= MOST_TOGETHER:
        title = tr("Source changed since it was written")
        rows.append(BadgeHeading("waiting", title, grouped(len(doubts))))
    for one in doubts:
        page = one.case.page_title
        if len(doubts) > MOST_TOGETHER and (n := n_of.pop(page, 0)):
            rows.append(BadgeHeading(f"page:{page}", page, grouped(n)))
        is_gone = one.case.retcon.what == "gone"
        box = one.key in checked if checked else None
        found_at = one.case.retcon.found_at
        row = _row(one.key, one.memory, one.source, "file-text", age_label(found_at, content.now))
        badge = (tr("gone"), "madder") if is_gone else ("", "graphite")
        rows.append(replace(row, badge=badge[0], role=badge[1], is_checked=box))
    if content.clashes:
        title = tr("Do not agree")
        rows.append(BadgeHeading("clashing", title, grouped(len(content.clashes))))
    for clash in content.clashes:
        pair = clash.pair
        other = (tr("another memory"), "arrows-left-right")
        if pair.page is not None:
            other = (pair.page.title, "file-text")
        rows.append(_row(clash.key, pair.first, *other, difference_words(pair.difference)))
    if content.answers:
        title = tr("Answered today")
        rows.append(BadgeHeading("answered", title, grouped(len(content.answers))))
    rows += (
        BadgeHeading(one.key, _one_line(one.text), *answer_words(one.what))
        for one in content.answers
    )
    return tuple(rows)


def _row(key: str, memory: MemoryEntry, source: str, glyph: str, end: str) -> BadgeRow:
    text, tier = _one_line(memory.content), memory.scope.tier
    told = ", ".join((tier_title(tier), source, end))
    rings = TIER_MARKS[tier]
    return BadgeRow(key, text, source, description=told, rings=rings, glyph=glyph, end=end)


def _one_line(text: str) -> str:
    return " ".join(text[:_ROW_TEXT].split())


def words_changed(doubt: Doubt) -> str:
    """How much of the page changed."""
    return counted(doubt.n_words, "1 word", "{n} words")
