"""Knows what the palette leads to, and leads there."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memory import MemoryEntry, Tier
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.domain.words.query_text import KeywordQuery, match_spans
from inklings_desktop.ui.kit.look.veil import veil_behind
from inklings_desktop.ui.kit.marks.key_hints import on_caps
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE
from inklings_desktop.ui.kit.page.destinations import ToEntry, ToTurn
from inklings_desktop.ui.kit.words.memory_facts import relative_age
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.kit.words.places import Place, Surroundings
from inklings_desktop.ui.memory.list.content import beside_line, beside_of
from inklings_desktop.ui.window.palette.dialog import PaletteDialog
from inklings_desktop.ui.window.palette.rows import (
    CHANNELS_PREFIX,
    COMMANDS_PREFIX,
    ENTRIES_PREFIX,
    TIER_RINGS,
    PaletteItem,
    PaletteKnown,
    PaletteRow,
    palette_rows,
)
from inklings_desktop.ui.window.register import spec_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inklings_desktop.domain.memories.saved_filters import SavedFilter
    from inklings_desktop.ui.kit.ops.commands import Commands
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.memory.list.content import Beside
    from inklings_desktop.ui.window.joins.opened import OpenedRoot
    from inklings_desktop.usecases.bundle import Inklings


_MOST_FOUND = 3
_ID_LETTERS = 4
_SHORTEST_SEARCH = 2
_REST_SECONDS = 0.12
_EXCERPT = 160
MOST_RECENT = 12


class PalettePresenter(QObject):
    """Rows for what is typed; knows no widgets.

    Signals:
        rows_changed: The rows to show, as a tuple.
    """

    rows_changed = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        background = self._background = context.background
        self._inklings = context.inklings
        self._knowing = Latest(background)
        self._searching = Latest(background)
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

    def open(
        self,
        commands: Sequence[PaletteItem],
        pages: Sequence[PaletteItem],
        recent: Sequence[str],
        here: Surroundings | None,
        place: Place,
    ) -> None:
        """Begin anew with nothing typed.

        Args:
            commands: What can be done now.
            pages: Pages of the window.
            recent: Keys of what was used last, the latest first.
            here: The open workspace.
            place: Where the person is looking, for its tags.
        """
        self._known = replace(
            self._known, commands=tuple(commands), pages=tuple(pages), recent=tuple(recent),
            here=here,
        )  # fmt: skip
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
        try:
            self._known = await self._background.read(
                _learnt, self._inklings, self._known, here, place
            )
        except InklingsError as error:
            self._context.refuse(error)
            return
        self._show()

    async def _search(self, text: str, here: Surroundings) -> None:
        await asyncio.sleep(_REST_SECONDS)  # a further letter cancels this
        try:
            found = await self._background.read(_searched, self._inklings, text, here)
        except InklingsError as error:
            self._context.refuse(error)
            return
        self._memories = tuple(item for item, _ in found)
        self._found = {entry.id: entry for _, entry in found}
        self._set_aside = ""
        self._show()
        try:  # once the answer stands: what no search finds is compared one by one
            beside = await self._background.read(_beside, self._inklings, text, here)
        except InklingsError as error:
            self._context.refuse(error)
            return
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
    from inklings_desktop.usecases.search.retrieval import SearchRequest

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
        rings, role = TIER_RINGS[entry.scope.tier]
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
    from inklings_desktop.usecases.search.retrieval import SearchRequest

    lists = [scopes for tier in Tier if (scopes := here.scopes(Place(tier)))]
    return beside_of(inklings, lists, SearchRequest(text, last_word_is_open=True))


def _room_names(here: Surroundings, entry: MemoryEntry) -> Iterator[str]:
    """The name of the room that a memory is kept in; none in the other tiers."""
    if entry.scope.tier is Tier.CHANNEL and (channel := here.channel(entry.scope.key)) is not None:
        yield channel.name
    room = here.conversation(entry.scope.key)
    if room is not None:
        yield room.title or room.ref_code


_COMMAND = "command:"
_PAGE = "page:"


class CommandPalette(QObject):
    """Opens the palette, and does what is chosen in it."""

    def __init__(self, opened_root: OpenedRoot, commands: Commands) -> None:
        super().__init__(opened_root)
        context = opened_root.context
        self._background, self._theme, self._window = (
            context.background,
            context.theme,
            context.window,
        )
        self._commands = commands
        self._opened = opened_root
        self._recent: list[str] = []
        self._page_id = MEMORY_PAGE
        self.dialog: PaletteDialog | None = None
        self.presenter = PalettePresenter(context, self)
        self.presenter.rows_changed.connect(self._on_rows_changed)

    @property
    def recent(self) -> tuple[str, ...]:
        """Keys of the commands and pages used last, the latest first; no names of the author's."""
        return tuple(self._recent)

    def remember(self, keys: Sequence[str]) -> None:
        """Begin with what was used last in an earlier run."""
        self._recent = [key for key in keys if key.startswith((_COMMAND, _PAGE))][:MOST_RECENT]

    def note_page(self, page_id: str) -> None:
        """Take note of the page on show."""
        if page_id != self._page_id:  # a page that stays on show was not left
            self._note(self._page_id)
            self._page_id = page_id

    @Slot()
    def open(self) -> None:
        """Show the palette with nothing typed."""
        if self.dialog is None:
            self.dialog = PaletteDialog(self._theme, self._window)
            self.dialog.field.textChanged.connect(self.presenter.ask)
            self.dialog.chosen.connect(self._on_chosen)
        self._commands.about_to_show.emit()
        shell = self._opened.memory.shell
        self.presenter.open(
            self._command_items(), self._page_items(), self._recent, shell.surroundings, shell.place
        )
        veil_behind(self.dialog)
        self.dialog.open_empty()

    # -- what there is --------------------------------------------------------------------

    def _command_items(self) -> list[PaletteItem]:
        return [
            PaletteItem(
                f"{_COMMAND}{one.name}",
                one.name,
                icon=one.icon or "caret-right",
                keys=on_caps(one.keys[0]) if one.keys else "",
            )
            for one in self._commands.all()
            if one.can_run and not _leads_to_page(one.action.data())
        ]

    def _page_items(self) -> list[PaletteItem]:
        return [
            PaletteItem(
                str(one.action.data()),
                one.name,
                icon=_page_icon(str(one.action.data())),
                keys=on_caps(one.keys[0]) if one.keys else "",
            )
            for one in self._commands.all()
            if one.can_run
            and _leads_to_page(one.action.data())
            and one.action.data() != self._page_id
        ]

    def _note(self, key: str) -> None:
        if key in self._recent:
            self._recent.remove(key)
        self._recent.insert(0, key)
        del self._recent[MOST_RECENT:]

    # -- what is chosen -------------------------------------------------------------------

    @Slot(object)
    def _on_rows_changed(self, rows: Sequence[PaletteRow]) -> None:
        if self.dialog is not None:
            self.dialog.show_rows(rows)

    @Slot(str, bool)
    def _on_chosen(self, key: str, in_inspector: bool) -> None:  # noqa: FBT001 - Qt's signal
        kind, _, rest = key.partition(":")
        opened_root = self._opened
        match kind:
            case "command":
                self._run(key, rest)
            case "page":
                opened_root.context.go(key)
            case "workspace":
                opened_root.open_workspace(rest)
            case "channel":
                self._go(Place(Tier.CHANNEL, rest))
            case "conversation":
                self._go(Place(Tier.CONVERSATION, rest))
            case "entry":
                opened_root.context.go(ToEntry(rest))
            case "memory":
                self._show_memory(rest, in_inspector=in_inspector)
            case "tag":
                opened_root.context.go(MEMORY_PAGE)
                opened_root.memory.show_list(
                    opened_root.memory.shell.place, MemoryFilter(tags=frozenset({rest}))
                )
            case "filter":
                saved = next((one for one in self._filters() if one.id == rest), None)
                if saved is not None:
                    opened_root.memory.filters.apply(saved)
            case _:
                self._use_words(rest)

    def _run(self, key: str, name: str) -> None:
        found = next((one for one in self._commands.all() if one.name == name), None)
        if found is not None and found.can_run:
            self._note(key)
            found.action.trigger()

    def _go(self, place: Place) -> None:
        self._opened.context.go(MEMORY_PAGE)
        self._opened.memory.shell.go(place)
        self._opened.memory.page.focus_list()

    def _show_memory(self, memory_id: str, *, in_inspector: bool) -> None:
        entry = self.presenter.memory(memory_id)
        if entry is None:
            return
        self._opened.context.go(MEMORY_PAGE)
        memory = self._opened.memory
        if not in_inspector:
            memory.show_memory(entry)
            return

        async def opened() -> None:
            if await memory.may_leave():
                await memory.subject.open_memory(entry.ref)

        self._background.spawn(opened())

    def _use_words(self, what: str) -> None:
        text = self.dialog.field.text().strip() if self.dialog is not None else ""
        opened_root = self._opened
        if what == "preview":
            opened_root.context.go(ToTurn(text))
            return
        opened_root.context.go(MEMORY_PAGE)
        shell = opened_root.memory.shell
        if what == "new":
            opened_root.memory.new_memory(text)
        elif what == "aside" and shell.surroundings is not None:
            others = shell.surroundings.other_tiers(shell.place)
            opened_root.memory.search.show_set_aside(text, others)
            opened_root.memory.page.focus_list()
        else:
            opened_root.memory.page.header.search.set_text(text)
            opened_root.memory.page.focus_list()

    def _filters(self) -> Sequence[SavedFilter]:
        return self.presenter.known.filters


def _page_icon(page_id: str) -> str:
    spec = spec_of(page_id)
    return spec.icon if spec is not None else "caret-right"


def _leads_to_page(data: object) -> bool:
    return isinstance(data, str) and data.startswith(_PAGE)
