"""A process without a window: what it says and where it leads is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.ops.change_bridge import ChangeBridge
from inklings_desktop.ui.kit.ops.commands import Commands
from inklings_desktop.ui.kit.page.context import Context
from inklings_desktop.ui.kit.words.places import Place
from tests.ui.page_bench import SaidToWindow

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings


def without_window(
    background: Background, inklings: Inklings
) -> tuple[Context, QObject, SaidToWindow]:
    """A context of no window, what owns whatever is made with it, and what is said through it."""
    owner = QObject()
    said = SaidToWindow(owner=owner)
    nothing = cast("Any", None)
    context = Context(
        background,
        inklings,
        nothing,
        nothing,
        ChangeBridge(owner),
        say=said.messages.append,
        tell=said.sentences.append,
        go=said.ways.append,
        mark=lambda page_id, mark: said.marks.append((page_id, mark)),
        here=lambda: said.here,
        place=lambda: Place(Tier.WORKSPACE),
        wear=lambda **_values: None,
        commands=Commands(),
    )
    background.on_refused = context.refuse
    return context, owner, said
