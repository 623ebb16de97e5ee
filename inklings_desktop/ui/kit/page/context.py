"""What a page is given: use cases, threads, the look, and ways to speak and to lead elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.ops.change_bridge import EVERYTHING, About
from inklings_desktop.ui.kit.words.entry_facts import entry_message
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.ops.change_bridge import ChangeBridge
    from inklings_desktop.ui.kit.ops.commands import Commands
    from inklings_desktop.ui.kit.ops.page_spec import RailMark
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.words.messages import Message
    from inklings_desktop.ui.kit.words.places import Place, Surroundings
    from inklings_desktop.usecases.bundle import Inklings

T = TypeVar("T")


async def said(context: Context, answer: Awaitable[T]) -> T | None:
    """The answer of a use case; None where it was refused, which is said to the person."""
    try:
        return await answer
    except InklingsError as error:
        refuse(context, error)
        return None


def refuse(context: Context, error: InklingsError) -> None:
    """Say why something could not be done, in words of its own where it has any."""
    context.say(entry_message(error))


@dataclass(frozen=True, slots=True)
class Context:
    """One opened data root in one window; every page and dialog over it has the same.

    An ``InklingsError`` that nobody caught in what was spawned on ``background`` is said to the
    person by the window: an action catches only what it has another answer to.

    Attributes:
        background: Runs what takes long.
        inklings: The use cases.
        theme: The look.
        window: What dialogs lie over.
        feed: What was committed, on the UI thread.
        say: Say in a dialog what went wrong.
        tell: Say a sentence in passing.
        go: Lead to a page, or to something on it.
        mark: Say what a page's row in the rail tells: its id, and the rest.
        here: What is known of the open workspace; None before one is open.
        place: Where in it the person is looking.
        commands: Everything that can be done by key or by name.
        wear: Change how the window looks, at once and for later; fields of ``Appearance``.
    """

    background: Background
    inklings: Inklings
    theme: Theme
    window: QWidget
    feed: ChangeBridge
    say: Callable[[Message], None]
    tell: Callable[[str], None]
    go: Callable[[Destination | str], None]
    mark: Callable[[str, RailMark], None]
    here: Callable[[], Surroundings | None]
    place: Callable[[], Place]
    wear: Callable[..., None]
    commands: Commands

    def refuse(self, error: InklingsError) -> None:
        """Say why something could not be done, where the action goes on after it."""
        self.say(message_of(error))

    def hear(self, slot: Callable[..., Any], about: About = EVERYTHING) -> None:
        """Let a method of a QObject know of commits (``MemoryChanges``), on the UI thread."""
        self.feed.hear(slot, about)
