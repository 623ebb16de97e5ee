"""What going to another place of the memory does to the inspector, and what coming back does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.ui.memory.list.content import ListContent
    from inklings_desktop.ui.memory.list.list_cursor import ListCursor
    from inklings_desktop.ui.memory.list.presenter import ListPresenter
    from inklings_desktop.ui.memory.subject.presenter import InspectorPresenter


class PlaceMoves(QObject):
    """Lets the inspector go of what lies in the place that was left, once the new one is there.

    Whoever comes back stands at the memory where they stood.
    """

    def __init__(
        self,
        memories: ListPresenter,
        subject: InspectorPresenter,
        cursor: ListCursor,
        parent: QObject,
    ) -> None:
        """Follow the list; whoever shows it is connected before.

        Args:
            cursor: The current row of the list.
        """
        super().__init__(parent)
        self._list = memories
        self._subject = subject
        self._cursor = cursor
        self._stood: dict[tuple[ScopeKey, ...], str] = {}
        self._is_going = False
        memories.content_changed.connect(self._on_content_changed)
        memories.failed.connect(self._on_failed)

    def leave(self, scopes: tuple[ScopeKey, ...]) -> None:
        """Another place than these scope keys will be asked for."""
        if not self._is_going:  # on the way from one to the next nobody stands anywhere
            stood = self._cursor.current_id()
            if stood is None:
                self._stood.pop(scopes, None)
            else:
                self._stood[scopes] = stood
        self._is_going = True

    @Slot(object)
    def _on_content_changed(self, content: ListContent) -> None:
        self._arrive(content.request.scopes)

    @Slot()
    def _on_failed(self) -> None:
        self._arrive(self._list.request.scopes)

    def _arrive(self, scopes: tuple[ScopeKey, ...]) -> None:
        if not self._is_going or scopes != self._list.request.scopes:
            return
        self._is_going = False
        shows_nothing = self._subject.leave_for(scopes)
        if shows_nothing and self._cursor.current_id() is None and scopes in self._stood:
            self._cursor.select(self._stood[scopes])
