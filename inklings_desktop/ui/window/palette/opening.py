"""Knows what the palette leads to, and leads there."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.look.veil import veil_behind
from inklings_desktop.ui.kit.marks.key_hints import on_caps
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE, SETTINGS_PAGE
from inklings_desktop.ui.kit.page.destinations import ToEntry, ToSettings, ToTab, ToTurn
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.settings.groups import group_specs
from inklings_desktop.ui.window.palette.dialog import PaletteDialog
from inklings_desktop.ui.window.palette.presenter import PalettePresenter
from inklings_desktop.ui.window.palette.rows import (
    PaletteItem,
    PaletteKnown,
    PaletteRow,
)
from inklings_desktop.ui.window.register import page_specs, spec_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from inklings_desktop.domain.memories.saved_filters import SavedFilter
    from inklings_desktop.ui.kit.ops.commands import Commands
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.window.joins.opened import OpenedRoot


MOST_RECENT = 12
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
        self._ways: dict[str, Destination] = {}
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
        pages = tuple(self._items(are_pages=True))
        known = PaletteKnown(
            tuple(self._items(are_pages=False)),
            tuple(one for one in pages if one.key != self._page_id),
            tuple(self._inside_items({one.key for one in pages})),
            tuple(self._recent),
            shell.surroundings,
        )
        self.presenter.open(known, shell.place)
        veil_behind(self.dialog)
        self.dialog.open_empty()

    # -- what there is --------------------------------------------------------------------

    def _items(self, *, are_pages: bool) -> Iterator[PaletteItem]:
        """The commands that lead to a page, or all others, as far as they can be run."""
        for one in self._commands.all():
            data = one.action.data()
            is_page = isinstance(data, str) and data.startswith(_PAGE)
            if one.can_run and is_page is are_pages:
                yield PaletteItem(
                    data if is_page else f"{_COMMAND}{one.name}",
                    one.name,
                    icon=(_page_icon(data) if is_page else one.icon) or "caret-right",
                    keys=on_caps(one.keys[0]) if one.keys else "",
                    also=_page_words(data) if is_page else one.words,
                )

    def _inside_items(self, pages: AbstractSet[str]) -> Iterator[PaletteItem]:
        """The tabs and settings on the pages that can be gone to, and the way to each."""
        self._ways = {}
        for page in page_specs():
            for tab in page.tabs if page.id in pages else ():
                key = f"tab:{tab.key}"
                self._ways[key] = ToTab(tab.key)
                hint, words = page.title, tab.words
                yield PaletteItem(key, tab.title, icon=page.icon, hint=hint, also=words)
        for group in group_specs() if SETTINGS_PAGE in pages else ():
            key = f"settings:{group.id}"
            self._ways[key] = ToSettings(group.id)
            yield PaletteItem(key, group.title, icon=group.icon, hint=tr("Settings"))
            for one in filter(attrgetter("is_found"), group.settings):
                key = f"setting:{group.id}/{one.id}"
                self._ways[key] = ToSettings(group.id, one.id)
                yield PaletteItem(
                    key,
                    one.name,
                    icon=group.icon,
                    hint=f"{tr('Settings')} \u00b7 {group.title}",
                    also=f"{group.title} {one.words}",
                )

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
        if (way := self._ways.get(key)) is not None:
            opened_root.context.go(way)
            return
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
        self._opened.memory.view.focus_list()

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
            opened_root.memory.view.focus_list()
        else:
            opened_root.memory.view.header.search.set_text(text)
            opened_root.memory.view.focus_list()

    def _filters(self) -> Sequence[SavedFilter]:
        return self.presenter.known.filters


def _page_words(page_id: str) -> str:
    spec = spec_of(page_id)
    return spec.words if spec is not None else ""


def _page_icon(page_id: str) -> str:
    spec = spec_of(page_id)
    return spec.icon if spec is not None else ""
