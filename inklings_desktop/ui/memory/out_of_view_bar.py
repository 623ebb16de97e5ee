"""Joins the bar of checked memories to those of them that the list does not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.ui.kit.words.entry_facts import counted

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.memory.acts.selection import SelectionPresenter
    from inklings_desktop.ui.memory.list.presenter import ListPresenter
    from inklings_desktop.ui.memory.view import MemoryPage


class OutOfViewDesk(QObject):
    """Shows what is checked and out of view, or lets go of it where the list cannot show it."""

    def __init__(
        self,
        background: Background,
        selection: SelectionPresenter,
        memories: ListPresenter,
        page: MemoryPage,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._selection = selection
        self._list = memories
        self._page = page
        page.bulk.hidden_requested.connect(self._on_hidden_requested)

    @property
    def can_show(self) -> bool:
        """Whether the list without search and filters holds every checked memory."""
        scopes = self._list.request.scopes
        return all(one.ref.scope in scopes for one in self._selection.out_of_view)

    def warning(self, n_hidden: int) -> str:
        """What to say before so many are forgotten unseen; empty for none."""
        if not n_hidden:
            return ""
        return counted(
            n_hidden,
            self.tr("1 of them is not in the list that you see now. "),
            self.tr("{n} of them are not in the list that you see now. "),
        )

    @Slot()
    def _on_hidden_requested(self) -> None:
        hidden = self._selection.out_of_view
        if hidden and self.can_show:
            self._page.clear_filters_requested.emit()
            self._background.spawn(self._reveal(hidden[0].ref.id))
        else:
            self._selection.uncheck_hidden()
            self._page.focus_list()

    async def _reveal(self, memory_id: str) -> None:
        await self._list.settled()
        self._page.list_cursor.select(memory_id)
        self._page.focus_list()
