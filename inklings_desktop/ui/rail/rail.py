"""Joins the rail to what it leads to: pages, channels, conversations, other workspaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE
from inklings_desktop.ui.kit.ops.places import current_rail_id, rail_rows
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.rail.workspace_rows import WorkspaceRow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.ui.kit.ops.page_spec import PageSpec, RailMark
    from inklings_desktop.ui.kit.ops.places import ShellPresenter
    from inklings_desktop.ui.rail.pane import RailPane


class RailDesk(QObject):
    """Keeps the rail true and leads to what a person chooses in it."""

    def __init__(
        self,
        rail: RailPane,
        shell: ShellPresenter,
        *,
        pages: Sequence[PageSpec],
        go: Callable[[str], None],
        offers_sample: bool,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._rail = rail
        self._shell = shell
        self._pages = pages
        self._go = go
        self._offers_sample = offers_sample
        self._page_id = MEMORY_PAGE
        self._marks: dict[str, RailMark] = {}
        shell.workspace_switched.connect(self._on_shell_changed)
        shell.surroundings_changed.connect(self._on_shell_changed)
        shell.place_changed.connect(self._on_shell_changed)
        rail.row_chosen.connect(self._on_row_chosen)

    def show_page(self, page_id: str) -> None:
        """Mark the page on show."""
        self._page_id = page_id
        self._refresh()

    def mark(self, page_id: str, mark: RailMark) -> None:
        """Say what a page's row tells beside its name."""
        self._marks[page_id] = mark
        self._refresh()

    def _refresh(self) -> None:
        here = self._shell.surroundings
        if here is None:
            return
        place = self._shell.place
        current = current_rail_id(place) if self._page_id == MEMORY_PAGE else self._page_id
        self._rail.show_rows(rail_rows(self._pages, here, place, self._marks), current)
        self._rail.card.show_workspaces(
            [WorkspaceRow(one.id, one.name) for one in here.workspaces],
            here.workspace.id,
            offers_sample=self._offers_sample,
        )

    @Slot()
    def _on_shell_changed(self) -> None:
        self._refresh()

    @Slot(str)
    def show_room(self, room_id: str) -> None:
        """Look at a room, archived ones included."""
        self._on_row_chosen(room_id)

    @Slot(str)
    def _on_row_chosen(self, row_id: str) -> None:
        here = self._shell.surroundings
        if here is None:
            return
        if here.channel(row_id) is not None:
            self._go(MEMORY_PAGE)
            self._shell.go(Place(Tier.CHANNEL, row_id))
        elif here.conversation(row_id) is not None:
            self._go(MEMORY_PAGE)
            self._shell.go(Place(Tier.CONVERSATION, row_id))
        else:
            is_again = row_id == self._page_id == MEMORY_PAGE
            self._go(row_id)
            if is_again and self._shell.place.room is not None:
                self._shell.go(Place(self._shell.place.tier))
