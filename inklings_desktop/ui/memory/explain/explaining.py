"""Joins a search to its reasons: why a hit was found, where in it, and why another was not."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut, QTextCharFormat

from inklings_desktop.domain.memories.listing import (
    EVERYTHING,
    MemoryFilter,
    MemorySort,
    MemoryState,
)
from inklings_desktop.domain.memory import MemoryRef
from inklings_desktop.domain.words.query_text import SearchMode, folded, match_spans
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.hidden_marks import TextPositions
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.markdown.writing_text_edit import Layer
from inklings_desktop.ui.memory.join import Join
from inklings_desktop.ui.memory.list.content import ListRequest
from inklings_desktop.ui.memory.list.loading import search_request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.words.query_text import KeywordQuery
    from inklings_desktop.ui.kit.why.facts import HitFacts
    from inklings_desktop.ui.memory.explain.missing_popover import MissingPopover
    from inklings_desktop.ui.memory.explain.missing_words import MissingCandidate, MissingFacts
    from inklings_desktop.ui.memory.join import Parts
    from inklings_desktop.usecases.bundle import Inklings

OFFERED = 40
SHOWN_CHARACTERS = 120

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class Explanations(Join):
    """Explains the search of the Memory view; reading an explanation counts as no read.

    Attributes:
        popover: Asks which memory is missed, and tells where it fell out; None while it is closed.
    """

    def __init__(self, parts: Parts, show: Callable[[MemoryRef], None], parent: QObject) -> None:
        """Join them.

        Args:
            show: Opens a memory in the inspector.
        """
        super().__init__(parts, parent)
        self._show = show
        self._request = ListRequest()
        self._told: HitFacts | None = None
        self._folding = Latest(self._background)
        self._finding, self._asking = Latest(self._background), Latest(self._background)
        self.popover: MissingPopover | None = None
        self._list.content_changed.connect(self._tell)
        self._subject.state_changed.connect(self._tell)
        self._inspector.body.why.folded_requested.connect(self._on_folded_requested)
        self._inspector.body.why.open_requested.connect(show)
        self._page.foot.missing.clicked.connect(self._on_missing_requested)

    async def settled(self) -> None:
        """Return once nothing is being looked for."""
        await self._finding.settled()
        await self._asking.settled()

    @Slot()
    def _tell(self) -> None:
        shown = self._subject.current_ref
        facts = self._list.why_of(shown.id) if shown is not None else None
        if facts != self._told:
            self._told = facts
            self._inspector.body.why.show_why(facts)

    # -- what says the same --------------------------------------------------------------------

    @Slot(object)
    def _on_folded_requested(self, ids: tuple[str, ...]) -> None:
        entry = self._subject.current_entry
        if entry is not None:
            refs = [MemoryRef(entry.scope, one) for one in ids]
            self._folding.run(self._show_folded(refs))

    async def _show_folded(self, refs: Sequence[MemoryRef]) -> None:
        entries = await self._background.read(_looked_up, self._inklings, refs)
        self._inspector.body.why.show_duplicates(entries)

    # -- what was not found ---------------------------------------------------------------------

    @Slot()
    def _on_missing_requested(self) -> None:
        from inklings_desktop.ui.memory.explain.missing_popover import MissingPopover

        self._request, found = self._list.request, self._list.found_ids
        self._forget_popover()
        popover = MissingPopover(
            self._page.theme,
            self._request.sought,
            sought=lambda text: self._find(text, found),
            chosen=self._on_chosen,
            opened=self._show,
            parent=self._page,
        )
        self.popover = popover
        popover.closed.connect(self._forget_popover)
        popover.popup_below(self._page.foot.missing)
        popover.field.setFocus()
        self._asking.cancel()
        self._find("", found)

    @Slot()
    def _forget_popover(self) -> None:
        if self.popover is not None:
            self.popover.deleteLater()
            self.popover = None

    def _find(self, text: str, found: frozenset[str]) -> None:
        """Offer memories that hold these words, or the one with this id; the newest for none."""
        self._finding.run(self._offer(text.strip(), found))

    async def _offer(self, text: str, found: frozenset[str]) -> None:
        offered = await self._background.read(
            offered_memories, self._inklings, self._request, text, found
        )
        if self.popover is not None:
            self.popover.show_candidates(offered)

    @Slot(str)
    def _on_chosen(self, memory_id: str) -> None:
        self._asking.run(self._explain(memory_id))

    async def _explain(self, memory_id: str) -> None:
        facts = await self._background.read(
            explained_missing, self._inklings, self._request, memory_id
        )
        if self.popover is not None:
            self.popover.show_answer(facts)


def _looked_up(inklings: Inklings, refs: Sequence[MemoryRef]) -> list[MemoryEntry]:
    """Memories by their addresses; runs on a reader.

    Raises:
        InklingsError: One of them is gone.
    """
    return [inklings.listing.show(ref).entry for ref in refs]


def offered_memories(
    inklings: Inklings, request: ListRequest, text: str, found: frozenset[str]
) -> tuple[MissingCandidate, ...]:
    """Memories of the searched place that the search did not find; runs on a reader.

    Raises:
        InklingsError: The place cannot be read.
    """
    from inklings_desktop.ui.memory.explain.missing_words import MissingCandidate

    if _ID.fullmatch(text):
        key = text.lower()
        return (MissingCandidate(key, tr("The memory with the id {id}").format(id=key)),)
    wanted = folded(text)
    offered: dict[str, MissingCandidate] = {}
    for entry in islice(_active(inklings, request, text), OFFERED + len(found)):
        offered.setdefault(entry.id, MissingCandidate(entry.id, _line(entry)))
    gone = MemoryFilter(state=MemoryState.FORGOTTEN)
    page = inklings.listing.browse(request.scopes, where=gone, sort=MemorySort.NEWEST)
    for entry in page.entries:
        if wanted in folded(entry.content):
            remark = tr("forgotten")
            offered.setdefault(entry.id, MissingCandidate(entry.id, _line(entry), remark))
    return tuple(one for one in offered.values() if one.id not in found)[:OFFERED]


def explained_missing(inklings: Inklings, request: ListRequest, memory_id: str) -> MissingFacts:
    """What became of a memory in a search; runs on a reader.

    Raises:
        InklingsError: The place cannot be read.
    """
    from inklings_desktop.ui.memory.explain.missing_words import missing_facts
    from inklings_desktop.usecases.search.search_memories import list_length

    asked = search_request(request)
    missing = inklings.search.explain_missing(request.scopes, asked, memory_id)
    return missing_facts(missing, asked.limit, list_length(asked.limit))


def _active(inklings: Inklings, request: ListRequest, text: str) -> Iterator[MemoryEntry]:
    """What holds these words, best first, whatever the filters say; the newest for no words."""
    if text:
        asked = replace(
            search_request(request), text=text, mode=SearchMode.KEYWORD, where=EVERYTHING
        )
        result = inklings.search.find(request.scopes, asked)
        for hit in result.hits:
            yield hit.entry
            # What stands behind a hit is the likeliest to be missed.
            for key in hit.explanation.folded:
                ref = MemoryRef(hit.entry.scope, key)
                yield inklings.listing.show(ref).entry
        return
    page = inklings.listing.browse(request.scopes, sort=MemorySort.NEWEST)
    yield from page.entries


def _line(entry: MemoryEntry) -> str:
    return excerpt(entry.content)[:SHOWN_CHARACTERS]


NEXT_MATCH, PREVIOUS_MATCH = "F3", "Shift+F3"


class SoughtMarks(Join):
    """Keeps the marks true to the memory that is open and to what is searched for."""

    def __init__(self, parts: Parts, parent: QObject) -> None:
        super().__init__(parts, parent)
        self._theme, edit = parts.context.theme, parts.inspector.body.content
        self._edit = edit
        self._looking = Latest(self._background)
        self._marked: tuple[str, KeywordQuery] | None = None
        for told in (self._subject.state_changed, self._list.content_changed):
            told.connect(self._on_shown)
        self._theme.changed.connect(self._show_again)
        for keys, way in ((NEXT_MATCH, 1), (PREVIOUS_MATCH, -1)):
            key = QShortcut(QKeySequence(keys), edit)
            key.setContext(Qt.ShortcutContext.WidgetShortcut)
            key.activated.connect(self._next if way > 0 else self._previous)

    @Slot()
    def _on_shown(self) -> None:
        """Look anew once another memory is open, or something else is searched for."""
        entry, query = self._subject.current_entry, self._list.query
        wanted = (entry.id, query) if entry is not None and query is not None else None
        if wanted == self._marked:
            return
        self._marked = wanted
        self._show_again()

    @Slot()
    def _show_again(self) -> None:
        self._looking.cancel()
        if self._marked is None:
            self._edit.marks.show(Layer.SOUGHT, ())
        else:
            self._looking.run(self._mark(self._marked[1]))

    async def _mark(self, query: KeywordQuery) -> None:
        text = self._edit.plain_lines()
        found = await self._background.read(match_spans, text, query)
        if self._edit.plain_lines() != text:
            return  # typed on meanwhile: what is written is no answer of a search
        positions = TextPositions(text)
        spans = [(positions.to_qt(at), positions.to_qt(at + length)) for at, length in found]
        look = QTextCharFormat()
        look.setBackground(self._theme.color("ochreSoft"))
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        look.setUnderlineColor(self._theme.color("ochre"))
        self._edit.marks.show(Layer.SOUGHT, spans, look)
        if not self._edit.hasFocus() and (cursors := self._edit.marks.cursors(Layer.SOUGHT)):
            self._edit.bring_into_view(cursors[0])

    @Slot()
    def _next(self) -> None:
        self._step(1)

    @Slot()
    def _previous(self) -> None:
        self._step(-1)

    def _step(self, way: int) -> None:
        if not self._edit.marks.step(Layer.SOUGHT, way):
            announce(self._edit, tr("Nothing in this memory is marked by a search"))
