"""Knows of pages, facts and skills before anybody looks at them: for the rail, and for acts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.page_spec import (
    KNOWLEDGE_PAGE,
    SKILLS_PAGE,
    WORLD_PAGE,
    RailMark,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.usecases.bundle import Inklings


class LinkedPages(QObject):
    """Reads how many pages there are, once the window stands and whenever that may be another.

    Signals:
        read: Whether a folder is linked in the open workspace.
    """

    read = Signal(bool)

    def __init__(
        self, context: Context, workspace_id: Callable[[], str], parent: QObject | None = None
    ) -> None:
        """Read nothing yet: what it needs is not imported while a window opens.

        Args:
            workspace_id: Which workspace is open; empty while none is.
        """
        super().__init__(parent)
        self._context, self._workspace_id = context, workspace_id
        self._reading = Latest(context.background)
        self._is_begun = False

    def begin(self) -> None:
        """Read from now on; nothing through a client's eyes, whose window counts no pages."""
        inklings = self._context.inklings
        if inklings.caller.is_agent:
            return
        self._context.hear(self.look, About.EVENTS | About.WORKSPACES | About.SETTINGS)
        if (clock := inklings.background) is not None:  # what it read of pages no commit tells of
            clock.task_finished.connect(self.look)  # type: ignore[attr-defined]
        self._is_begun = True
        self.look()

    @Slot()
    @Slot(object)
    def look(self, _why: Any = None) -> None:
        """Read again."""
        here = self._workspace_id()
        if here and self._is_begun:
            self._reading.run(self._look(here))

    async def _look(self, here: str) -> None:
        try:
            read = self._context.background.read
            mark, settled, n_skills = await read(_read_marks, self._context.inklings, here)
        except InklingsError:
            return  # the page says why, once somebody looks at it
        if here == self._workspace_id():
            self.read.emit(mark is not None)
            self._context.mark(WORLD_PAGE, mark or RailMark())
            self._context.mark(KNOWLEDGE_PAGE, settled)
            self._context.mark(SKILLS_PAGE, RailMark(n_skills))


def _read_marks(inklings: Inklings, here: str) -> tuple[RailMark | None, RailMark, int]:
    from inklings_desktop.ui.knowledge.counts import read_settled_mark
    from inklings_desktop.ui.world.counts import read_mark

    n_skills = len(inklings.skills.list(here))
    return read_mark(inklings, here), read_settled_mark(inklings, here), n_skills
