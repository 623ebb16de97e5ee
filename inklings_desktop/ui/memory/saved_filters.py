"""Joins saved filters to the list: save what is asked, apply, rename and delete what was saved."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Slot
from PySide6.QtWidgets import QMenu

from inklings_desktop.domain.errors import InklingsError, InvalidValueError
from inklings_desktop.domain.memories.saved_filters import (
    MAX_FILTER_NAME_CHARACTERS,
    FilterWords,
    SavedFilter,
)
from inklings_desktop.ui.kit.dialogs.ask import answered, ask, ask_name, begin_asking
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.words.memory_facts import tier_title
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.join import Join
from inklings_desktop.ui.memory.list.content import ListRequest
from inklings_desktop.ui.memory.list.saved_filters_dialog import FilterRow, SavedFiltersDialog
from inklings_desktop.ui.memory.list.search_words import filter_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.ui.memory.join import Parts


class SavedFilters(Join):
    """Saved filters of the open workspace, and of the account."""

    def __init__(self, parts: Parts, parent: QObject) -> None:
        super().__init__(parts, parent)
        self.dialog: SavedFiltersDialog | None = None
        self.menu: QMenu | None = None
        self._saved: tuple[SavedFilter, ...] = ()
        self._page.filters.saved.clicked.connect(lambda: self._background.spawn(self._show_menu()))

    @property
    def words(self) -> FilterWords:
        """What the list is asked for now."""
        request = self._list.request
        return FilterWords(request.where, request.text, request.mode, request.sort)

    async def saved(self) -> tuple[SavedFilter, ...]:
        """The filters of the open workspace and of the account, by name."""
        here = self._shell.surroundings
        if here is None or here.is_looking:
            return ()  # what an author saves is nobody else's
        try:
            self._saved = await self._background.read(
                self._inklings.search.filters, here.workspace.id
            )
        except InklingsError as error:
            self._context.refuse(error)
        return self._saved

    @Slot()
    def ask_save(self) -> None:
        """Ask for a name, and keep what the list is asked for under it."""
        begin_asking(self._background, self._save(), self._page)

    @Slot()
    def ask_all(self) -> None:
        """Show all saved filters in a dialog."""
        begin_asking(self._background, self._show_all(), self._page)

    def apply(self, saved: SavedFilter) -> None:
        """Ask the list for what was saved, in its tier."""
        here = self._shell.surroundings
        if here is None:
            return
        if not saved.is_readable:
            self._context.tell(self._unreadable())
            return
        self._context.go(MEMORY_PAGE)
        place = Place(saved.tier, saved.room)
        if not here.holds(place):
            place = Place(saved.tier)
            self._context.tell(tr("The room of this filter is gone; it looks everywhere now."))
        words = saved.words
        header = self._page.header
        if self._inklings.embedder.is_available:
            header.search.set_mode(words.mode.value)
        self._shell.go(place)
        header.search.put_text(words.text)
        self._search.ask(
            ListRequest(
                here.scopes(place),
                where=words.where,
                sort=words.sort,
                text=words.text,
                mode=words.mode,
            )
        )
        self._page.focus_list()

    # -- inside ---------------------------------------------------------------------------

    async def _save(self) -> None:
        here = self._shell.surroundings
        if here is None:
            return
        words = self.words  # what the list cannot be asked cannot be kept either, and that is said
        if words.asks_nothing:
            self._context.tell(tr("Set a filter or search for something first, then save that."))
            return
        place, workspace_id = self._shell.place, here.workspace.id

        def save(name: str) -> object:
            return self._inklings.search.save_filter(
                workspace_id, place.tier, name, words, room=place.room
            )

        done = tr("Saved the filter \u201c{name}\u201d")
        await self._named(
            (tr("Save this filter"), filter_text(words), tr("Save")),
            save,
            lambda name: done.format(name=name),
        )

    async def _named(
        self,
        question: tuple[str, str, str],
        call: Callable[[str], object],
        done: Callable[[str], str],
        before: str = "",
    ) -> None:
        """Ask for a name until it can be used, then show what it became.

        Args:
            question: Title, hint and button.
            call: The use case, short of the name.
            done: What is said then, of a name.
            before: The name so far.
        """
        title, hint, yes = question

        async def use(name: str) -> str:
            await self._background.write(call, name)
            return name

        name = await ask_name(
            self.dialog or self._page.window(),
            title,
            hint,
            yes=yes,
            use=use,
            name=before,
            longest=MAX_FILTER_NAME_CHARACTERS,
        )
        if name is not None:
            await self._say(done(name))

    async def _say(self, done: str) -> None:
        self._context.tell(done)
        rows = self._rows(await self.saved())
        if self.dialog is not None:  # it may have gone meanwhile
            self.dialog.show_rows(rows)

    async def _show_all(self) -> None:
        if self.dialog is not None:
            return
        rows = self._rows(await self.saved())
        dialog = SavedFiltersDialog(
            self._page.window(),
            apply=self._on_apply_requested,
            rename=self._on_rename_requested,
            delete=self._on_delete_requested,
        )
        dialog.show_rows(rows)
        self.dialog = dialog
        try:
            await answered(dialog)
        finally:
            self.dialog = None

    def _rows(self, filters: tuple[SavedFilter, ...]) -> list[FilterRow]:
        return [
            FilterRow(
                one.id,
                one.name,
                tier_title(one.tier),
                filter_text(one.words) if one.is_readable else self._unreadable(),
            )
            for one in filters
        ]

    def _unreadable(self) -> str:
        return tr("This filter can no longer be read; delete it and save it again")

    def _known(self, filter_id: str) -> SavedFilter | None:
        return next((one for one in self._saved if one.id == filter_id), None)

    def _on_apply_requested(self, filter_id: str) -> None:
        found = self._known(filter_id)
        if found is not None:
            if self.dialog is not None:
                self.dialog.accept()
            self.apply(found)

    def _on_rename_requested(self, filter_id: str) -> None:
        found = self._known(filter_id)
        if found is not None and not found.is_readable:
            self._context.tell(self._unreadable())
        elif found is not None:
            self._background.spawn(self._rename(found))

    async def _rename(self, saved: SavedFilter) -> None:
        done = tr("Renamed the filter")
        await self._named(
            (tr("Rename the filter"), filter_text(saved.words), tr("Rename")),
            partial(self._inklings.search.rename_filter, saved),
            lambda _name: done,
            saved.name,
        )

    def _on_delete_requested(self, filter_id: str) -> None:
        found = self._known(filter_id)
        if found is not None:
            self._background.spawn(self._delete(found))

    async def _delete(self, saved: SavedFilter) -> None:
        if await ask(
            self.dialog or self._page.window(),
            tr("Delete the filter \u201c{name}\u201d?").format(name=saved.name),
            tr("Only the filter goes. Every memory that it shows stays."),
            yes=tr("Delete filter"),
            no=tr("Keep it"),
            is_destructive=True,
        ):
            await self._background.write(self._inklings.search.delete_filter, saved)
            await self._say(tr("Deleted the filter \u201c{name}\u201d").format(name=saved.name))

    def _can_save(self) -> bool:
        try:
            return not self.words.asks_nothing
        except InvalidValueError:  # too long to be asked; the list says so already
            return False

    async def _show_menu(self) -> None:
        filters = await self.saved()
        bar = self._page.filters
        menu = QMenu(bar)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        save = menu.addAction(tr("Save this filter\u2026"), self.ask_save)
        save.setEnabled(self._can_save())
        storing(save)
        menu.addSeparator()
        for one in filters:
            menu.addAction(one.name.replace("&", "&&"), partial(self.apply, one))
        if filters:
            menu.addSeparator()
            menu.addAction(tr("Rename or delete\u2026"), self.ask_all)
        self.menu = menu
        menu.destroyed.connect(self._on_menu_destroyed)
        menu.popup(bar.saved.mapToGlobal(QPoint(0, bar.saved.height() + 2)))

    @Slot()
    def _on_menu_destroyed(self) -> None:
        self.menu = None
