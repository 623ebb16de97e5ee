"""The menu of a turn: copying, remembering, asking again and why, taking back."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from inklings_desktop.agent_client import rows
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.agent_client.rows import Turn
    from inklings_desktop.agent_client.touched import Touched

_MEMORY_LINK = re.compile(r"\[([^\]]*)\]\(memory:[^)\s]*\)")
_MOST_EXCERPT = 40


@dataclass(frozen=True, slots=True)
class TurnActs:
    """What can be done with a turn; None: not with this one, or not now.

    Attributes:
        copy: Puts a text on the clipboard.
        copy_chosen: Copies what is chosen with the mouse.
        write: Writes a memory that begins with a text.
        ask_again: Begins a conversation with what was said before the turn, and asks there.
        ask_why: Lets the agent say what the answer was made from.
        undo: Takes back what the turn changed.
    """

    copy: Callable[[str], None]
    copy_chosen: Callable[[], None]
    write: Callable[[str], None] | None
    ask_again: Callable[[], None] | None
    ask_why: Callable[[], None] | None
    undo: Callable[[Sequence[Touched]], None]


def turn_menu(turn: Turn, chosen: str, plain: str, acts: TurnActs, parent: QWidget) -> QMenu:
    """The menu.

    Args:
        turn: What it is about.
        chosen: What is chosen with the mouse; empty for nothing.
        plain: The words of the turn as they read.
        acts: What its rows do.
        parent: Owner.
    """
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    text = rows.text_of_turn(turn)
    if chosen:
        menu.addAction(tr("Copy"), acts.copy_chosen)
    menu.addAction(tr("Copy text"), partial(acts.copy, plain)).setEnabled(bool(plain))
    if turn.role == rows.ASSISTANT:
        as_written = menu.addAction(tr("Copy as Markdown"), partial(acts.copy, text))
        as_written.setEnabled(bool(text))
    if acts.write is not None:
        words = chosen or without_memory_links(text)
        write = menu.addAction(tr("Write a memory from this"), partial(acts.write, words))
        write.setEnabled(bool(words))
    if acts.ask_again is not None:
        menu.addAction(tr("Ask again from here"), acts.ask_again)
    if acts.ask_why is not None:
        menu.addAction(tr("Why this answer"), acts.ask_why)
    for one in turn.touched:
        if one.undo and turn.role == rows.ASSISTANT:
            excerpt = one.excerpt[:_MOST_EXCERPT].replace("&", "&&")
            words = tr("Take back: {text}").format(text=excerpt)
            menu.addAction(words, partial(acts.undo, (one,)))
    return menu


def without_memory_links(text: str) -> str:
    """An answer as prose: the words of a link to a memory stay, the link goes."""
    return _MEMORY_LINK.sub(r"\1", text)
