"""What one does with a turn: its menu, and the way through the memories that it touched."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.rows import TextBlock
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.page.destinations import ToMemoryBeside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.agent_client.rows import Touched, Turn
    from inklings_desktop.ui.kit.page.context import Context

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
        undo: Undoes what the turn changed.
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
            words = tr("Undo: {text}").format(text=excerpt)
            menu.addAction(words, partial(acts.undo, (one,)))
    return menu


def without_memory_links(text: str) -> str:
    """An answer as prose: the words of a link to a memory stay, the link goes."""
    return _MEMORY_LINK.sub(r"\1", text)


class TouchedWalk:
    """Opens memories of a turn beside the thread, and goes from one to the next."""

    def __init__(self, context: Context, mark: Callable[[str], None]) -> None:
        """Nothing is open.

        Args:
            context: What every page is given.
            mark: Shows which memory is open: ``tier/id``, or none.
        """
        self._context, self._mark = context, mark
        self._turn: Turn | None = None
        self._touched: tuple[Touched, ...] = ()
        self._at = -1

    def open(self, touched: Touched, turn: Turn) -> None:
        """Open a memory beside the thread, as one of those that its turn touched."""
        self._turn, self._touched = turn, tuple(turn.touched) or (touched,)
        self._at = _place(touched, self._touched)
        self._mark(f"{touched.tier}/{touched.id}")
        those = [one.id for one in turn.touched if one.how == touched.how] or [touched.id]
        at = those.index(touched.id) + 1 if touched.id in those else 1
        labels = {
            "read": tr("Read for this turn, {n} of {all}"),
            "written": tr("Written in this turn, {n} of {all}"),
            "forgotten": tr("Forgotten in this turn, {n} of {all}"),
            "proposed": tr("Proposed in this turn, {n} of {all}"),
            "restored": tr("Restored in this turn, {n} of {all}"),
        }
        label = labels.get(touched.how, "").format(n=at, all=len(those))
        said = said_from(turn, touched)
        self._context.go(ToMemoryBeside(touched.id, label, touched.why, said))

    def step(self, step: int) -> None:
        """Go to the next memory that the turn touched, or the one before."""
        there = max(self._at, 0) + step
        if self._turn is not None and 0 <= there < len(self._touched):
            self.open(self._touched[there], self._turn)

    def steps(self) -> tuple[bool, bool]:
        """Whether the turn touched one before the memory that is open, and one after it."""
        return self._at > 0, 0 <= self._at < len(self._touched) - 1

    def closed(self) -> None:
        """Nothing is open beside the thread any more."""
        self._at = -1
        self._mark("")


def _place(touched: Touched, those: Sequence[Touched]) -> int:
    """Where it stands among those; a memory may stand there twice, as read and as written."""
    exact = (n for n, one in enumerate(those) if (one.id, one.how) == (touched.id, touched.how))
    same = (n for n, one in enumerate(those) if one.id == touched.id)
    return next(exact, next(same, -1))


def said_from(turn: Turn, touched: Touched) -> str:
    """The paragraph of an answer that leans on a memory; empty for none."""
    link = f"(memory:{touched.tier}/{touched.id})"
    for block in turn.blocks:
        if isinstance(block, TextBlock) and link in block.text:
            paragraph = next(one for one in block.text.split("\n\n") if link in one)
            return paragraph.replace(link, "").replace("[", "").replace("]", "").lstrip("> ")
    return ""
