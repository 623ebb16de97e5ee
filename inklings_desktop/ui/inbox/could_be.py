"""What the Inbox does with notes that several conversations repeat: a fact, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import ConflictError
from inklings_desktop.domain.memories.memory_history import NOT_WRITTEN
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.usecases.memories.values import Reversion

if TYPE_CHECKING:
    from inklings_desktop.domain.knowledge.could_be import CouldBeFact
    from inklings_desktop.ui.kit.dialogs.fact_dialog import TypedFact
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.usecases.bundle import Inklings


@dataclass(frozen=True, slots=True)
class Answered:
    """A step of the window's undo: the notes are asked about again.

    Attributes:
        text: What was done, as the menu names it.
        note_id: One of the notes.
        made: How the fact goes that was made; None where none was.
    """

    text: str
    workspace_id: str
    note_id: str
    made: Reversion | None = None
    icon: str = "check"
    can_repeat: bool = False

    def take_back(self, inklings: Inklings) -> str:
        """Undo it; called on a writer.

        Raises:
            ConflictError: The fact was changed since; nothing was changed.
        """
        if self.made is not None:
            inklings.memories.revert([self.made])
        inklings.could_be_facts.ask_again(self.workspace_id, self.note_id)
        return ""

    def do_again(self, inklings: Inklings) -> str:  # noqa: ARG002 - a port
        """Refuse: the notes are in the Inbox again, to be answered there.

        Raises:
            ConflictError: Always.
        """
        raise ConflictError("memory", self.note_id)


async def made_fact(context: Context, workspace_id: str, found: CouldBeFact) -> Answered | None:
    """Ask how the fact is to read, and make it; None if the person gave it up."""
    from inklings_desktop.ui.kit.dialogs.fact_dialog import FactQuestion, TypedFact, ask_fact

    inklings = context.inklings
    domains = await context.background.read(inklings.domains.list, workspace_id)
    names = tuple(one.domain.name for one in domains if one.domain.archived_at is None)

    def write(typed: TypedFact) -> Answered:
        done = inklings.could_be_facts.make(
            workspace_id,
            found.id,
            domain=inklings.domains.named(workspace_id, typed.domain),
            topic=typed.topic,
            confidence=typed.confidence,
            content=typed.content,
        )
        memory = done.fact.memory
        made = None if done.was_known else Reversion(memory.ref, memory.version, NOT_WRITTEN)
        return Answered(tr("Made 1 fact"), workspace_id, found.id, made)

    async def use(typed: TypedFact) -> Answered:
        return await context.background.write(write, typed)

    question = FactQuestion(
        tr("Make a fact"),
        tr("The memories stay, and are what the fact was concluded from."),
        tr("Keep"),
        names,
    )
    begin = TypedFact(next(iter(names), tr("Canon")), content=found.said)
    return await ask_fact(context.window, context.theme, question, begin, use)


def dismissed(inklings: Inklings, workspace_id: str, found: CouldBeFact) -> Answered:
    """Let the notes stay notes; called on a writer."""
    inklings.could_be_facts.dismiss(workspace_id, found.id)
    return Answered(tr("Dismissed 1 suggestion"), workspace_id, found.id)
