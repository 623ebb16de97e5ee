"""What changed under memory: each memory to answer for, what was answered, and their rows."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.memory import MemoryRef, ScopeKey
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_diff import diff_lines, word_changes
from inklings_desktop.domain.world.derivations import RetconState
from inklings_desktop.ui.kit.lists.badge_list import BadgeHeading, BadgeRow
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.memory_facts import relative_age

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.words.text_diff import TextDiff
    from inklings_desktop.domain.world.derivations import RetconCase
    from inklings_desktop.ui.kit.lists.badge_list import AnyBadgeRow
    from inklings_desktop.usecases.bundle import Inklings

_DECIDED = frozenset({RetconState.KEPT, RetconState.UPDATED, RetconState.FORGOTTEN})
_ROW_TEXT = 250


@dataclass(frozen=True, slots=True)
class Doubt:
    """One memory whose source changed.

    Attributes:
        suggested: The memory with the words that changed; None where that is not certain.
        diff: What the page said, and what it says now.
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
        doubts: What waits, the latest change first.
        n_pages: Pages that are read.
        looked_at: When the last folder was looked at; None for never.
    """

    doubts: tuple[Doubt, ...]
    answers: tuple[Answer, ...]
    n_pages: int
    looked_at: datetime | None
    now: datetime

    def doubt(self, key: str) -> Doubt | None:
        """What waits under this key."""
        return next((one for one in self.doubts if one.key == key), None)


@dataclass(frozen=True, slots=True)
class RetconAnswer:
    """A step of the window's undo: the retcon waits again, its memories are as they were."""

    text: str
    workspace_id: str
    retcon_id: str
    icon: str = "check"
    can_repeat: bool = False

    def take_back(self, inklings: Inklings) -> str:
        """Undo it; called on a writer.

        Raises:
            ConflictError: A memory was changed since; nothing was changed.
        """
        inklings.derivations.undo(self.workspace_id, self.retcon_id)
        return ""

    def do_again(self, inklings: Inklings) -> str:  # noqa: ARG002 - a port
        """Refuse: it waits in the list again, to be answered there.

        Raises:
            ConflictError: Always.
        """
        raise ConflictError("retcon", self.retcon_id)


def read_changed(inklings: Inklings, here: str) -> ChangedContent:
    """Everything that the tab shows; runs on a reader."""
    derivations, now = inklings.derivations, inklings.clock()
    cases = derivations.retcons(here, states=_DECIDED | {RetconState.OPEN})
    doubts = tuple(
        Doubt(case, one, derivations.suggested(case, one), diff)
        for case in cases
        if case.memories
        for diff in (diff_lines(case.base_text, case.retcon.now_text),)
        for one in case.memories
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
    return ChangedContent(doubts, answers, n_pages, max(looked, default=None), now)


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


def answer_word(what: str) -> str:
    """What was answered, in a word."""
    return {
        RetconState.KEPT.value: tr("kept"),
        RetconState.UPDATED.value: tr("updated"),
        RetconState.FORGOTTEN.value: tr("forgotten"),
    }[what]


def done_words(what: RetconState) -> str:
    """What was just done."""
    return {
        RetconState.KEPT: tr("Kept 1 memory"),
        RetconState.UPDATED: tr("Updated 1 memory"),
        RetconState.FORGOTTEN: tr("Forgot 1 memory"),
    }[what]


def changed_rows(content: ChangedContent) -> tuple[AnyBadgeRow, ...]:
    """What waits, and what was answered today."""
    rows: list[AnyBadgeRow] = []
    if content.doubts:
        title = tr("Source changed since it was written")
        rows.append(BadgeHeading("waiting", title, grouped(len(content.doubts))))
    for one in content.doubts:
        age = relative_age(content.now - one.case.retcon.found_at)
        meta = tr("{source}, {age} ago").format(source=one.source, age=age)
        is_gone = one.case.retcon.what == "gone"
        badge, role = (tr("gone"), "madder") if is_gone else ("", "graphite")
        rows.append(BadgeRow(one.key, _one_line(one.memory.content), meta, badge, role))
    if content.answers:
        title = tr("Answered today")
        rows.append(BadgeHeading("answered", title, grouped(len(content.answers))))
    rows += (
        BadgeRow(one.key, _one_line(one.text), answer_word(one.what)) for one in content.answers
    )
    return tuple(rows)


def _one_line(text: str) -> str:
    return " ".join(text[:_ROW_TEXT].split())


def words_changed(doubt: Doubt) -> str:
    """How much of the page changed."""
    return counted(doubt.n_words, "1 word", "{n} words")
