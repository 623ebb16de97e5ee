"""What the cards of house rules and grants share: what is shown, and acts that can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.ops.done import Done
from inklings_desktop.ui.kit.page.deciding import DecidingTab

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
    from inklings_desktop.ui.knowledge.acts import Undoing
    from inklings_desktop.ui.knowledge.grants_state import AskedRule, Grid
    from inklings_desktop.usecases.knowledge.values import PolicyView


@dataclass(frozen=True, slots=True)
class GrantsContent:
    """What the tab shows.

    Attributes:
        asked: Rules that agents ask for.
        kept: What agents keep between their runs.
        now: When it was read, for ages.
    """

    rules: tuple[PolicyView, ...]
    asked: tuple[AskedRule, ...]
    grid: Grid
    kept: tuple[WorkingMemory, ...]
    now: datetime


class ActingTab(DecidingTab[GrantsContent]):
    """A tab whose cards do things on the write lane."""

    async def do(self, text: str, call: Callable[..., object]) -> None:
        """Do something that can be undone, and say so."""
        if (undoes := await self.outcome(call)) is not None:
            self.tell_undoable(Done(text, undoes))

    def spawn_of(self, begin: Callable[[], Any]) -> None:
        """Begin what a menu offers."""
        self.spawn(begin())

    async def keep(self, text: str, call: Callable[..., Undoing]) -> bool:
        """Do what was typed, and say so; a refusal is the dialog's to say.

        Raises:
            InklingsError: It was refused; nothing was changed.
        """
        undoes = await self.background.write(call)
        self.read_again()
        self.tell_undoable(Done(text, undoes))
        return True
