"""What the Inbox does with notes that several conversations repeat: a fact, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.memory_history import NOT_WRITTEN
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.done import Done
from inklings_desktop.usecases.memories.values import Reversion

if TYPE_CHECKING:
    from inklings_desktop.domain.knowledge.could_be import CouldBeFact
    from inklings_desktop.ui.kit.dialogs.fact_dialog import TypedFact
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.usecases.bundle import Inklings


async def made_fact(context: Context, workspace_id: str, found: CouldBeFact) -> Done | None:
    """Ask how the fact is to read, and make it; None if the person gave it up."""
    from inklings_desktop.ui.kit.dialogs.fact_dialog import FactQuestion, TypedFact, ask_fact

    inklings = context.inklings
    domains = await context.background.read(inklings.domains.list, workspace_id)
    names = tuple(one.domain.name for one in domains if one.domain.archived_at is None)

    def write(typed: TypedFact) -> Done:
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

        def undo(later: Inklings) -> None:
            if made is not None:
                later.memories.revert([made])
            later.could_be_facts.ask_again(workspace_id, found.id)

        return Done(tr("Made 1 fact"), undo)

    async def use(typed: TypedFact) -> Done:
        return await context.background.write(write, typed)

    question = FactQuestion(
        tr("Make a fact"),
        tr("The memories stay, and are what the fact was concluded from."),
        tr("Keep"),
        names,
    )
    begin = TypedFact(next(iter(names), tr("Canon")), content=found.said)
    return await ask_fact(context.window, context.theme, question, begin, use)


def dismissed(inklings: Inklings, workspace_id: str, found: CouldBeFact) -> Done:
    """Let the notes stay notes; called on a writer."""
    inklings.could_be_facts.dismiss(workspace_id, found.id)
    text = tr("Dismissed 1 suggestion")
    return Done(text, lambda later: later.could_be_facts.ask_again(workspace_id, found.id))
