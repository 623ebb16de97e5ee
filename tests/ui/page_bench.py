"""What a page is given in a test: a context that keeps what the page says to its window."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.change_bridge import ChangeBridge
from inklings_desktop.ui.kit.ops.commands import Commands
from inklings_desktop.ui.kit.page.context import Context
from inklings_desktop.ui.kit.words.places import Place

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.ops.page_spec import RailMark
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.words.messages import Message
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.usecases.bundle import Inklings


@dataclass
class SaidToWindow:
    """What a page said to the window it stands in.

    Attributes:
        messages: What went wrong, as dialogs would say it.
        sentences: What was said in passing.
        ways: Where it led to: ids of pages, and destinations.
        marks: What the rail tells of pages, by their ids, each time it was said.
        worn: How the window was to look, each time it was said.
        here: What surrounds the page; a test may set it.
        place: Where the person is looking.
        owner: What owns whatever is made where no window does; it lives as long as the context.
    """

    messages: list[Message] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    ways: list[Destination | str] = field(default_factory=list)
    marks: list[tuple[str, RailMark]] = field(default_factory=list)
    worn: list[dict[str, object]] = field(default_factory=list)
    here: Surroundings | None = None
    place: Place = field(default_factory=lambda: Place(Tier.WORKSPACE))
    owner: QObject | None = None


def a_still_context(background: Background, inklings: Inklings) -> tuple[Context, SaidToWindow]:
    """A context that hears of no commit, for what knows no widgets."""
    context, said, leave = a_context(
        background, inklings, Theme(SchemeChoice.LIGHT, reduced_motion=True), QWidget()
    )
    leave()
    return context, said


def a_context(
    background: Background, inklings: Inklings, theme: Theme, window: QWidget
) -> tuple[Context, SaidToWindow, Callable[[], None]]:
    """A context over an opened store, what is said through it, and what ends its hearing."""
    said = SaidToWindow()
    feed = ChangeBridge(window)
    unsubscribe = inklings.feed.subscribe(feed.publish)
    context = Context(
        background,
        inklings,
        theme,
        window,
        feed,
        say=said.messages.append,
        tell=said.sentences.append,
        go=said.ways.append,
        mark=lambda page_id, mark: said.marks.append((page_id, mark)),
        here=lambda: said.here,
        place=lambda: said.place,
        wear=lambda **values: said.worn.append(values),
        commands=Commands(),
    )
    background.on_refused = context.refuse
    return context, said, unsubscribe
