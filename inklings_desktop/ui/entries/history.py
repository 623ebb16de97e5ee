"""The revisions of one entry, and how two of them differ."""

from __future__ import annotations

from itertools import starmap, zip_longest
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.entries.history_pane import HistoryState, RevisionRow
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.saying import said
from inklings_desktop.ui.kit.words.entry_facts import characters_label, day_label, revision_title
from inklings_desktop.ui.kit.words.memory_facts import curator_label, exact_time
from inklings_desktop.ui.markdown.comparison import Comparison

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.entries.named_entry import EntryRef, RevisionHead
    from inklings_desktop.domain.words.text_diff import TextDiff
    from inklings_desktop.ui.entries.opened import OpenEntry
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.usecases.bundle import Inklings


@dataclass(frozen=True, slots=True)
class _Wish:
    """Which two texts are asked for; ``newer`` is None for the text in the editor."""

    ref: EntryRef
    older: int
    newer: int | None
    text: str


class EntryHistory:
    """Shows the revisions of the entry in the editor; knows no widgets.

    The older side is a revision, the newer one the text in the editor or a second revision.
    """

    def __init__(self, context: Context, show: Callable[[HistoryState], None]) -> None:
        """Show nothing yet.

        Args:
            show: Shows revisions and their comparison, whenever they are others.
        """
        self._context = context
        self._show = show
        self._comparing = Latest(context.background)
        self._shown: OpenEntry | None = None
        self._older = 0
        self._newer: int | None = None
        self._bodies: dict[int, str] = {}
        self._compared: tuple[_Wish, TextDiff] | None = None

    @property
    def state(self) -> HistoryState:
        """What is to be shown now."""
        shown = self._shown
        if shown is None or not shown.revisions:
            return HistoryState()
        comparison = None
        wish = self._wish(shown)
        if self._compared is not None and self._compared[0] == wish:
            comparison = Comparison(*self._names(shown), self._compared[1])
        older_text = self._bodies.get(self._older)
        return HistoryState(
            tuple(starmap(self._row, zip_longest(shown.revisions, shown.revisions[1:]))),
            comparison,
            can_restore=older_text is not None and older_text != shown.entry.body,
            older_text=older_text,
        )

    @property
    def older(self) -> int:
        """Number of the chosen revision."""
        return self._older

    def show_entry(self, shown: OpenEntry | None) -> None:
        """Show the revisions of an entry, or again after it was saved or typed in."""
        is_other = shown is None or self._shown is None or self._shown is not shown
        self._shown = shown
        if shown is None or not shown.revisions:
            self._comparing.cancel()
            self._bodies, self._compared = {}, None
            self._show(self.state)
            return
        numbers = {head.number for head in shown.revisions}
        if is_other:
            self._bodies, self._compared = {}, None
        if is_other or self._older not in numbers:
            self._older, self._newer = _default_older(shown), None
        if self._newer not in numbers:
            self._newer = None
        self._compare(shown)

    def choose_older(self, number: int) -> None:
        """Compare from this revision on."""
        self._older = number
        if self._newer is not None and self._newer <= number:
            self._newer = None
        if self._shown is not None:
            self._compare(self._shown)

    def choose_newer(self, number: int) -> None:
        """Compare up to this revision instead of the text in the editor; again takes that back."""
        self._newer = None if number == self._newer else number
        if self._newer is not None and self._newer < self._older:
            self._older, self._newer = self._newer, self._older
        elif self._newer == self._older:
            self._newer = None
        if self._shown is not None:
            self._compare(self._shown)

    async def settled(self) -> None:
        """Return once the latest comparison is worked out."""
        await self._comparing.settled()

    def _compare(self, shown: OpenEntry) -> None:
        self._show(self.state)
        wish = self._wish(shown)
        if self._compared is None or self._compared[0] != wish:
            self._comparing.run(self._work_out(shown, wish))

    async def _work_out(self, shown: OpenEntry, wish: _Wish) -> None:
        answer = await said(
            self._context,
            self._context.background.read(
                _compared, self._context.inklings, wish, dict(self._bodies)
            ),
        )
        if answer is not None and self._shown is shown:
            bodies, diff = answer
            self._bodies |= bodies
            self._compared = (wish, diff)
            self._show(self.state)

    def _wish(self, shown: OpenEntry) -> _Wish:
        text = "" if self._newer is not None else shown.text
        return _Wish(shown.entry.ref, self._older, self._newer, text)

    def _names(self, shown: OpenEntry) -> tuple[str, str]:
        heads = {head.number: head for head in shown.revisions}
        newer = heads.get(self._newer or 0, shown.revisions[0])
        older = heads[self._older]
        # On one and the same day only the time tells them apart.
        is_one_day = day_label(older.saved_at) == day_label(newer.saved_at)
        label = exact_time if is_one_day else day_label
        if self._newer is not None:
            return label(older.saved_at), label(newer.saved_at)
        if shown.is_typed:
            return label(older.saved_at), tr("now, not saved")
        now = tr("{day}, now").format(day=day_label(newer.saved_at))
        return label(older.saved_at), now

    def _row(self, head: RevisionHead, before: RevisionHead | None) -> RevisionRow:
        title, length = revision_title(head, before), characters_label(head.n_characters)
        label = curator_label(head.curator)
        return RevisionRow(
            head.number,
            exact_time(head.saved_at),
            title,
            head.curator.value,
            label,
            length,
            f"{title}, {label}, {length}",
            is_older=head.number == self._older,
            is_newer=head.number == self._newer,
        )


def _default_older(shown: OpenEntry) -> int:
    """The revision before the current one; the current one where text is typed or none is older."""
    heads = shown.revisions
    return heads[0 if shown.is_typed or len(heads) == 1 else 1].number


def _compared(
    inklings: Inklings, wish: _Wish, known: dict[int, str]
) -> tuple[dict[int, str], TextDiff]:
    """The bodies that were asked for and how they differ; runs on a reader."""
    for number in (wish.older, wish.newer):
        if number is not None and number not in known:
            revision = inklings.entries.show_revision(wish.ref, number)
            known[number] = revision.body
    newer = wish.text if wish.newer is None else known[wish.newer]
    return known, diff_lines(known[wish.older], newer)
