"""Search and replace over a selection: what every change would be, before any is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.errors import InklingsError, InvalidValueError
from inklings_desktop.domain.memories.text_replacement import ReplacementWish
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memories.text_replacement import Replacement, ReplacementPlan
    from inklings_desktop.domain.memory import MemoryRef
    from inklings_desktop.ui.kit.page.context import Context

_CONTEXT = 34
_MOST = 90


@dataclass(frozen=True, slots=True)
class ReplaceLine:
    """One memory of the preview.

    Attributes:
        id: Of the memory.
        text: What stands there afterwards, around the first place that changes.
        detail: How many places change, or why it has to stay as it is.
        is_refused: Whether its new text cannot be kept.
    """

    id: str
    text: str
    detail: str
    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class ReplacePreview:
    """What the dialog shows for one wish.

    Attributes:
        lines: The memories that would change, then those that cannot.
        summary: One sentence about all of them.
        problem: What is wrong with the wish; empty if nothing.
    """

    lines: tuple[ReplaceLine, ...] = ()
    summary: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class TypedReplacement:
    """What stands in the fields, good or not; attributes as those of ``ReplacementWish``."""

    sought: str
    put: str = ""
    match_case: bool = False
    whole_words: bool = False


class ReplacePresenter(QObject):
    """Plans a replacement again whenever the wish changes; writes nothing.

    Signals:
        preview_changed: A ``ReplacePreview``.
        difference_found: The ``TextDiff`` of the memory that is looked at.
    """

    preview_changed = Signal(object)
    difference_found = Signal(object)

    def __init__(self, context: Context, refs: Sequence[MemoryRef]) -> None:
        """Begin without a wish.

        Args:
            refs: The memories of the selection.
        """
        super().__init__()
        background = context.background
        self._background, self._inklings = background, context.inklings
        self._refs = tuple(refs)
        self._planning = Latest(background)
        self._comparing = Latest(background)
        self._plan: ReplacementPlan | None = None

    def wish(self, typed: TypedReplacement) -> None:
        """Plan this; nothing is looked for while the first text is empty."""
        self._plan = None
        self._planning.cancel()
        if not typed.sought:
            self.preview_changed.emit(ReplacePreview())
            return
        try:
            wish = ReplacementWish(typed.sought, typed.put, typed.match_case, typed.whole_words)
        except InvalidValueError as error:
            self.preview_changed.emit(ReplacePreview(problem=message_of(error).text))
            return
        self._planning.run(self._make(wish))

    def look_at(self, memory_id: str) -> None:
        """Compare both texts of one memory of the preview."""
        plan = self._plan
        changes = () if plan is None else (*plan.changes, *plan.refused)
        found = next((one for one in changes if one.ref.id == memory_id), None)
        if found is not None:
            self._comparing.run(self._compare(found))

    def chosen(self, memory_ids: Sequence[str]) -> tuple[Replacement, ...]:
        """The planned changes of these memories."""
        wanted = set(memory_ids)
        changes = () if self._plan is None else self._plan.changes
        return tuple(one for one in changes if one.ref.id in wanted)

    def close(self) -> None:
        """The dialog is gone: nobody waits for an answer that is under way."""
        self._planning.cancel()
        self._comparing.cancel()

    async def settled(self) -> None:
        """Return once the latest wish is planned."""
        await self._planning.settled()
        await self._comparing.settled()

    async def _make(self, wish: ReplacementWish) -> None:
        try:
            plan = await self._background.read(
                self._inklings.memories.preview_replacement, self._refs, wish
            )
        except InklingsError as error:
            self.preview_changed.emit(ReplacePreview(problem=message_of(error).text))
            return
        self._plan = plan
        self.preview_changed.emit(preview_of(plan))

    async def _compare(self, one: Replacement) -> None:
        self.difference_found.emit(await self._background.read(diff_lines, one.before, one.after))


def preview_of(plan: ReplacementPlan) -> ReplacePreview:
    """A plan as the dialog shows it."""
    lines = [_line(one) for one in (*plan.changes, *plan.refused)]
    if not lines:
        return ReplacePreview(summary=tr("Nothing here says that."))
    summary = tr("{places} in {changed} of {all} memories.").format(
        places=counted(plan.n_matches, "1 place", "{n} places"),
        changed=grouped(len(plan.changes)),
        all=grouped(plan.n_looked_at),
    )
    return ReplacePreview(tuple(lines), summary)


def _line(one: Replacement) -> ReplaceLine:
    if one.fault is not None:
        said = {
            "empty": tr("stays: nothing would be left of it"),
            "use_supersede": tr("stays: a fact is superseded on the Knowledge page"),
        }
        detail = said.get(one.fault, tr("stays: its new text could not be kept"))
    else:
        detail = counted(one.n_matches, "1 place", "{n} places")
    return ReplaceLine(one.ref.id, _around_change(one), detail, one.fault is not None)


def _around_change(one: Replacement) -> str:
    """The new text from a little before the first place that differs."""
    text = one.after if one.fault is None else one.before
    pairs = zip(one.before, one.after, strict=False)
    shorter = min(len(one.before), len(one.after))  # the end of the longer one differs
    same = next((n for n, (old, new) in enumerate(pairs) if old != new), shorter)
    start = max(0, same - _CONTEXT)
    if start and (blank := text.find(" ", start, same)) >= 0:
        start = blank + 1  # no word is cut in two
    piece = " ".join(text[start : start + _MOST].split())
    head = "\u2026" if start else ""
    tail = "\u2026" if start + _MOST < len(text) else ""
    return f"{head}{piece}{tail}"
