"""Joins the command palette to everything it leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.look.veil import veil_behind
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE
from inklings_desktop.ui.kit.page.destinations import ToEntry, ToTurn
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.window.palette.dialog import PaletteDialog
from inklings_desktop.ui.window.palette.model import PaletteItem
from inklings_desktop.ui.window.palette.presenter import MOST_RECENT, PalettePresenter
from inklings_desktop.ui.window.register import spec_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memories.saved_filters import SavedFilter
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.ops.commands import Commands
    from inklings_desktop.ui.window.joins.opened import Desks
    from inklings_desktop.ui.window.palette.model import PaletteRow
    from inklings_desktop.usecases.bundle import Inklings

_COMMAND = "command:"
_PAGE = "page:"


class PaletteDesk(QObject):
    """Opens the palette, and does what is chosen in it."""

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        theme: Theme,
        window: QWidget,
        commands: Commands,
        desks: Desks,
    ) -> None:
        super().__init__(desks)
        self._background = background
        self._theme = theme
        self._window = window
        self._commands = commands
        self._desks = desks
        self._recent: list[str] = []
        self._page_id = MEMORY_PAGE
        self.dialog: PaletteDialog | None = None
        self.presenter = PalettePresenter(background, inklings, self)
        self.presenter.rows_changed.connect(self._on_rows_changed)
        self.presenter.message_raised.connect(desks.context.say)

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
            self.dialog.typed.connect(self.presenter.ask)
            self.dialog.chosen.connect(self._on_chosen)
        self._commands.about_to_show.emit()
        shell = self._desks.memory.shell
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
                keys=one.keys[0].replace("+", " ") if one.keys else "",
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
                keys=one.keys[0].replace("+", " ") if one.keys else "",
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
        desks = self._desks
        match kind:
            case "command":
                self._run(key, rest)
            case "page":
                desks.context.go(key)
            case "workspace":
                desks.open_workspace(rest)
            case "channel":
                self._go(Place(Tier.CHANNEL, rest))
            case "conversation":
                self._go(Place(Tier.CONVERSATION, rest))
            case "entry":
                desks.context.go(ToEntry(rest))
            case "memory":
                self._show_memory(rest, in_inspector=in_inspector)
            case "tag":
                desks.context.go(MEMORY_PAGE)
                desks.memory.show_list(
                    desks.memory.shell.place, MemoryFilter(tags=frozenset({rest}))
                )
            case "filter":
                saved = next((one for one in self._filters() if one.id == rest), None)
                if saved is not None:
                    desks.memory.filters.apply(saved)
            case _:
                self._use_words(rest)

    def _run(self, key: str, name: str) -> None:
        found = next((one for one in self._commands.all() if one.name == name), None)
        if found is not None and found.can_run:
            self._note(key)
            found.action.trigger()

    def _go(self, place: Place) -> None:
        self._desks.context.go(MEMORY_PAGE)
        self._desks.memory.shell.go(place)
        self._desks.memory.page.focus_list()

    def _show_memory(self, memory_id: str, *, in_inspector: bool) -> None:
        entry = self.presenter.memory(memory_id)
        if entry is None:
            return
        self._desks.context.go(MEMORY_PAGE)
        memory = self._desks.memory
        if not in_inspector:
            memory.show_memory(entry)
            return

        async def opened() -> None:
            if await memory.may_leave():
                await memory.subject.open_memory(entry.ref)

        self._background.spawn(opened())

    def _use_words(self, what: str) -> None:
        text = self.dialog.field.text().strip() if self.dialog is not None else ""
        desks = self._desks
        if what == "preview":
            desks.context.go(ToTurn(text))
            return
        desks.context.go(MEMORY_PAGE)
        shell = desks.memory.shell
        if what == "new":
            desks.memory.new_memory(text)
        elif what == "aside" and shell.surroundings is not None:
            others = shell.surroundings.other_tiers(shell.place)
            desks.memory.search.show_set_aside(text, others)
            desks.memory.page.focus_list()
        else:
            desks.memory.page.header.search.set_text(text)
            desks.memory.page.focus_list()

    def _filters(self) -> Sequence[SavedFilter]:
        return self.presenter.known.filters


def _page_icon(page_id: str) -> str:
    spec = spec_of(page_id)
    return spec.icon if spec is not None else "caret-right"


def _leads_to_page(data: object) -> bool:
    return isinstance(data, str) and data.startswith(_PAGE)
