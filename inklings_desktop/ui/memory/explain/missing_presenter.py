"""Follows a memory that a search did not find; asks off the UI thread."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memories.listing import (
    EVERYTHING,
    MemoryFilter,
    MemorySort,
    MemoryState,
)
from inklings_desktop.domain.memory import MemoryRef
from inklings_desktop.domain.words.query_text import SearchMode, folded
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.memory.list.content import ListRequest
from inklings_desktop.ui.memory.list.loading import search_request

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.memory.explain.missing_words import MissingFacts
    from inklings_desktop.usecases.bundle import Inklings

OFFERED = 40
SHOWN_CHARACTERS = 120

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MissingCandidate:
    """A memory that a person may miss.

    Attributes:
        id: Of the memory.
        text: What it says, on one line.
        remark: What is special about it, such as that it is forgotten; usually empty.
    """

    id: str
    text: str
    remark: str = ""


class MissingPresenter(QObject):
    """Offers the memories of the place that was searched, and says what became of one.

    Nothing here counts as a read.

    Signals:
        candidates_changed: A tuple of ``MissingCandidate``.
        answered: The ``MissingFacts`` about the one that was chosen.
        message_raised: A ``Message`` when an answer failed.
    """

    candidates_changed = Signal(object)
    answered = Signal(object)
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._finding = Latest(background)
        self._asking = Latest(background)
        self._request = ListRequest()
        self._found: frozenset[str] = frozenset()

    def begin(self, request: ListRequest, found: frozenset[str]) -> None:
        """Be about a search: what it asked, and which memories it found."""
        self._asking.cancel()
        self._request, self._found = request, found
        self.find("")

    def find(self, text: str) -> None:
        """Offer memories that hold these words, or the one with this id; the newest for none."""
        self._finding.run(self._find(text.strip()))

    def explain(self, memory_id: str) -> None:
        """Say what became of a memory in the search."""
        self._asking.run(self._explain(memory_id))

    async def settled(self) -> None:
        """Return once nothing is being looked for."""
        await self._finding.settled()
        await self._asking.settled()

    async def _find(self, text: str) -> None:
        try:
            offered = await self._background.read(
                offered_memories, self._inklings, self._request, text, self._found
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        self.candidates_changed.emit(offered)

    async def _explain(self, memory_id: str) -> None:
        try:
            facts = await self._background.read(
                explained_missing, self._inklings, self._request, memory_id
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        self.answered.emit(facts)


def offered_memories(
    inklings: Inklings, request: ListRequest, text: str, found: frozenset[str]
) -> tuple[MissingCandidate, ...]:
    """Memories of the searched place that the search did not find; runs on a reader.

    Raises:
        InklingsError: The place cannot be read.
    """
    if _ID.fullmatch(text):
        key = text.lower()
        return (MissingCandidate(key, _tr("The memory with the id {id}").format(id=key)),)
    wanted = folded(text)
    offered: dict[str, MissingCandidate] = {}
    for entry in islice(_active(inklings, request, text), OFFERED + len(found)):
        offered.setdefault(entry.id, MissingCandidate(entry.id, _line(entry)))
    gone = MemoryFilter(state=MemoryState.FORGOTTEN)
    page = inklings.browse_memories(
        inklings.caller, request.scopes, where=gone, sort=MemorySort.NEWEST
    )
    for entry in page.entries:
        if wanted in folded(entry.content):
            remark = _tr("forgotten")
            offered.setdefault(entry.id, MissingCandidate(entry.id, _line(entry), remark))
    return tuple(one for one in offered.values() if one.id not in found)[:OFFERED]


def explained_missing(inklings: Inklings, request: ListRequest, memory_id: str) -> MissingFacts:
    """What became of a memory in a search; runs on a reader.

    Raises:
        InklingsError: The place cannot be read.
    """
    from inklings_desktop.ui.memory.explain.missing_words import missing_facts
    from inklings_desktop.usecases.search.retrieval import list_length

    asked = search_request(request)
    missing = inklings.explain_missing(inklings.caller, request.scopes, asked, memory_id)
    return missing_facts(missing, asked.limit, list_length(asked.limit))


def _active(inklings: Inklings, request: ListRequest, text: str) -> Iterator[MemoryEntry]:
    """What holds these words, best first, whatever the filters say; the newest for no words."""
    if text:
        asked = replace(
            search_request(request), text=text, mode=SearchMode.KEYWORD, where=EVERYTHING
        )
        result = inklings.search_memories(inklings.caller, request.scopes, asked)
        for hit in result.hits:
            yield hit.entry
            # What stands behind a hit is the likeliest to be missed.
            for key in hit.explanation.folded:
                ref = MemoryRef(hit.entry.scope, key)
                yield inklings.show_memory(inklings.caller, ref).entry
        return
    page = inklings.browse_memories(inklings.caller, request.scopes, sort=MemorySort.NEWEST)
    yield from page.entries


def _line(entry: MemoryEntry) -> str:
    return excerpt(entry.content)[:SHOWN_CHARACTERS]


def _tr(text: str) -> str:
    return QCoreApplication.translate("missing", text)
