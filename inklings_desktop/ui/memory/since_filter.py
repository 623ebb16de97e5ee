"""Joins the chip for what agents wrote since some time with the list, and its one-step forget."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.ui.memory.list.agents_since import begin_of, by_agents_since

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.acting import ActionDesk
    from inklings_desktop.ui.memory.list.agents_since import Since
    from inklings_desktop.ui.memory.list.filter_bar import FilterBar
    from inklings_desktop.ui.memory.list.presenter import ListPresenter
    from inklings_desktop.ui.memory.searching import SearchDesk
    from inklings_desktop.usecases.bundle import Inklings


class SinceDesk(QObject):
    """Turns a chosen span into a filter, and forgets what it shows when asked to."""

    def __init__(
        self,
        inklings: Inklings,
        *,
        memories: ListPresenter,
        search: SearchDesk,
        acts: ActionDesk,
        filters: FilterBar,
        parent: QObject,
    ) -> None:
        """Join them.

        Args:
            inklings: The opened data root; its clock says what now is.
            memories: The list.
            search: Asks the list.
            acts: Forgets.
            filters: Holds the chip.
            parent: Owner.
        """
        super().__init__(parent)
        self._inklings = inklings
        self._list, self._search, self._acts = memories, search, acts
        filters.agents_since_chosen.connect(self._on_agents_since_chosen)
        filters.forget_requested.connect(self._on_forget_requested)

    @Slot(object)
    def _on_agents_since_chosen(self, since: Since) -> None:
        request = self._list.request
        begin = begin_of(since, self._inklings.clock())
        self._search.ask(replace(request, where=by_agents_since(request.where, begin)))

    @Slot()
    def _on_forget_requested(self) -> None:
        self._acts.undo.begin(self._acts.forget_listed())
