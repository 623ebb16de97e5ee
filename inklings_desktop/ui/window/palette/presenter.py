"""Finds what typed text may mean, and makes rows of it for the palette."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import MemoryEntry, Tier
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.domain.words.query_text import KeywordQuery, match_spans
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.memory_facts import relative_age
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.kit.words.places import Place, Surroundings, talk_name
from inklings_desktop.ui.memory.list.content import beside_line, beside_of
from inklings_desktop.ui.window.palette.rows import (
    CHANNELS_PREFIX,
    COMMANDS_PREFIX,
    ENTRIES_PREFIX,
    PaletteItem,
    PaletteKnown,
    palette_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.memory.list.content import Beside
    from inklings_desktop.usecases.bundle import Inklings


_MOST_FOUND = 3
_ID_LETTERS = 4
_SHORTEST_SEARCH = 2
_REST_SECONDS = 0.12
_EXCERPT = 160


class PalettePresenter(QObject):
    """Rows for what is typed; knows no widgets.

    Signals:
        rows_changed: The rows to show, as a tuple.
    """

    rows_changed = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background, self._inklings = context.background, context.inklings
        self._knowing = Latest(context.background)
        self._searching = Latest(context.background)
        self._known = PaletteKnown()
        self._typed = ""
        self._memories: tuple[PaletteItem, ...] = ()
        self._found: dict[str, MemoryEntry] = {}
        self._set_aside = ""

    @property
    def known(self) -> PaletteKnown:
        """What there is to go to and to do."""
        return self._known

    def memory(self, memory_id: str) -> MemoryEntry | None:
        """A memory among the rows."""
        return self._found.get(memory_id)

    def open(self, known: PaletteKnown, place: Place) -> None:
        """Begin anew with nothing typed.

        Args:
            known: What there is without asking anybody.
            place: Where the person is looking, for its tags.
        """
        before, here = self._known, known.here
        self._known = replace(
            known, entries=before.entries, filters=before.filters, tags=before.tags
        )
        self._typed, self._memories, self._set_aside = "", (), ""
        self._show()
        if here is not None:
            self._knowing.run(self._learn(here, place))

    def ask(self, typed: str) -> None:
        """Show what the text may mean; memories follow as soon as they are found."""
        self._typed = typed
        text = typed.strip()
        here = self._known.here
        is_for_memories = (
            here is not None
            and len(text) >= _SHORTEST_SEARCH
            and text[0] not in {COMMANDS_PREFIX, CHANNELS_PREFIX, ENTRIES_PREFIX}
        )
        if is_for_memories and here is not None:
            self._show()
            self._searching.run(self._search(text, here))
        else:
            self._searching.cancel()
            self._memories, self._set_aside = (), ""
            self._show()

    async def settled(self) -> None:
        """Return once everything asked for is known."""
        await self._knowing.settled()
        await self._searching.settled()

    def _show(self) -> None:
        rows = palette_rows(self._typed, self._known, self._memories, self._set_aside)
        self.rows_changed.emit(rows)

    async def _learn(self, here: Surroundings, place: Place) -> None:
        self._known = await self._background.read(_learnt, self._inklings, self._known, here, place)
        self._show()

    async def _search(self, text: str, here: Surroundings) -> None:
        await asyncio.sleep(_REST_SECONDS)  # a further letter cancels this
        found = await self._background.read(_searched, self._inklings, text, here)
        self._memories = tuple(item for item, _ in found)
        self._found = {entry.id: entry for _, entry in found}
        self._set_aside = ""
        self._show()
        # Once the answer stands: what no search finds is compared one by one.
        beside = await self._background.read(_beside, self._inklings, text, here)
        self._set_aside = beside_line(beside)
        if self._set_aside:
            self._show()


def _learnt(
    inklings: Inklings, known: PaletteKnown, here: Surroundings, place: Place
) -> PaletteKnown:
    """Named entries, saved filters and tags; runs on a reader."""
    caller, workspace_id = inklings.caller, here.workspace.id
    return replace(
        known,
        entries=inklings.entries.list(workspace_id),
        filters=() if caller.is_agent else inklings.search.filters(workspace_id),
        tags=inklings.listing.facets(here.scopes(place)).tags,
    )


def _searched(
    inklings: Inklings, text: str, here: Surroundings
) -> list[tuple[PaletteItem, MemoryEntry]]:
    """The memories that a text means, in every tier; runs on a reader."""
    from inklings_desktop.usecases.search.search_memories import SearchRequest

    now = inklings.clock()
    found: dict[str, tuple[float, MemoryEntry, KeywordQuery | None]] = {}
    if len(text) >= _ID_LETTERS:
        try:
            entry = inklings.listing.locate(text.lower(), here.workspace.id)
        except InklingsError:
            pass  # no id begins so
        else:
            found[entry.id] = (float("inf"), entry, None)
    for tier in Tier:
        scopes = here.scopes(Place(tier))
        if not scopes:
            continue
        request = SearchRequest(text, limit=_MOST_FOUND, last_word_is_open=True)
        result = inklings.search.find(scopes, request)
        for hit in result.hits:
            found.setdefault(hit.entry.id, (hit.score, hit.entry, result.query))
    best = sorted(found.values(), key=lambda one: -one[0])[:_MOST_FOUND]
    items = []
    for _, entry, query in best:
        words = spelled_out(excerpt(entry.content)[:_EXCERPT])
        rings, role = TIER_MARKS[entry.scope.tier]
        room = next(_room_names(here, entry), "")
        items.append(
            (
                PaletteItem(
                    f"memory:{entry.id}",
                    words,
                    match_spans(words, query) if query is not None else (),
                    rings=rings,
                    role=role,
                    hint=room or relative_age(now - entry.created_at),
                    is_memory=True,
                ),
                entry,
            )
        )
    return items


def _beside(inklings: Inklings, text: str, here: Surroundings) -> Beside:
    """What says the text in any tier and is never retrieved; runs on a reader."""
    from inklings_desktop.usecases.search.search_memories import SearchRequest

    lists = [scopes for tier in Tier if (scopes := here.scopes(Place(tier)))]
    return beside_of(inklings, lists, SearchRequest(text, last_word_is_open=True))


def _room_names(here: Surroundings, entry: MemoryEntry) -> Iterator[str]:
    """The name of the room that a memory is kept in; none in the other tiers."""
    if entry.scope.tier is Tier.CHANNEL and (channel := here.channel(entry.scope.key)) is not None:
        yield channel.name
    room = here.conversation(entry.scope.key)
    if room is not None:
        yield talk_name(room)
