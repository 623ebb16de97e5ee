"""What is read out while one talks: each thing once, and urgently only what waits or went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.rows import StepBlock, TextBlock
from inklings_desktop.ui.conversation.drawing.steps import step_rows
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.translation import counted, tr

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from inklings_desktop.agent_client.thread_state import ThreadState


class Announcing:
    """Says to a screen reader what became of the turn that runs."""

    def __init__(self, source: QObject) -> None:
        """Nothing was said yet.

        Args:
            source: Where it is heard from.
        """
        self._source = source
        self._steps_told = ""

    def steps(self, said: ThreadState) -> None:
        """What was done, once, when the answer to it begins."""
        last = said.turns[-1] if said.turns and said.is_running else None
        if last is None or last.id == self._steps_told:
            return
        steps = [one for one in last.blocks if isinstance(one, StepBlock)]
        if steps and any(isinstance(one, TextBlock) for one in last.blocks):
            self._steps_told = last.id
            announce(self._source, "; ".join(one.spoken for one in step_rows(steps)))

    def asks(self) -> None:
        """The agent waits for an answer."""
        announce(self._source, tr("The World Agent asks before it goes on."), urgent=True)

    def over(self, said: ThreadState) -> None:
        """A turn ended: how, and how much there is to read."""
        last = said.turns[-1] if said.turns else None
        if last is None:
            return
        if last.state in {rows.FAILED, rows.INTERRUPTED}:
            announce(self._source, tr("The turn did not end as it should."), urgent=True)
            return
        n = sum(len(one.text.split("\n\n")) for one in last.blocks if isinstance(one, TextBlock))
        told = counted(
            n, "World Agent answered, 1 paragraph", "World Agent answered, {n} paragraphs"
        )
        announce(self._source, told)
