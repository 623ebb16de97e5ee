"""What was done, as the window's undo keeps it, for all that is undone by one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import ConflictError
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.usecases.bundle import Inklings


@dataclass(frozen=True, slots=True)
class Done:
    """A step of the window's undo, which leaves the stack when it is undone.

    Attributes:
        text: What was done, as the menu and the note name it.
        undoes: Undoes it; called on a writer.
    """

    text: str
    undoes: Callable[[Inklings], object]
    icon: str = "check"
    can_repeat: bool = False

    def take_back(self, inklings: Inklings) -> str:
        """Undo it; called on a writer.

        Raises:
            InklingsError: It cannot be undone any more; nothing was changed.
        """
        self.undoes(inklings)
        return ""

    def do_again(self, inklings: Inklings) -> str:  # noqa: ARG002 - a port
        """Refuse.

        Raises:
            ConflictError: Always.
        """
        raise ConflictError("step", self.text)
