"""What every part of the Memory page is given: the list, the inspector, and what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.memory.inspector.view import InspectorView
    from inklings_desktop.ui.memory.listing import Listing
    from inklings_desktop.ui.memory.subject.presenter import InspectorPresenter


@dataclass(frozen=True, slots=True)
class Parts:
    """What the Memory page is made of.

    Attributes:
        context: What every page is given.
        listed: The list and its place.
        subject: What is in the inspector.
        inspector: Shows it.
        may_leave: Whether the inspector may show something else; asks if text would be lost.
    """

    context: Context
    listed: Listing
    subject: InspectorPresenter
    inspector: InspectorView
    may_leave: Callable[[], Awaitable[bool]]


class Join(QObject):
    """Joins one thing that can be done on the Memory page with the rest of it."""

    def __init__(self, parts: Parts, parent: QObject) -> None:
        super().__init__(parent)
        self._context, listed = parts.context, parts.listed
        self._background, self._inklings = self._context.background, self._context.inklings
        self._shell, self._list, self._search = listed.shell, listed.list, listed.search
        self._page, self._inspector, self._subject = listed.page, parts.inspector, parts.subject
        self._may_leave = parts.may_leave
