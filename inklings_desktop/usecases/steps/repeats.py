"""Whether an agent would store what a page says already: such a thing is read, not remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DerivableError
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.world.derivable import N_PASSAGES, repeated_by, words_to_find
from inklings_desktop.usecases.steps.sources import reads_world

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.ports.store import UnitOfWork
    from inklings_desktop.usecases.ports.world import WorldIndex

_TIERS = frozenset({Tier.WORKSPACE, Tier.CHANNEL})


def is_sent_to_pages(caller: Caller, scope: ScopeKey) -> bool:
    """Whether a text is looked for in pages before it is stored here.

    Never the author's, and not that of an agent who may not read pages: a refusal would tell it
    what they say.
    """
    workspace_id = scope.workspace_id
    is_here = caller.is_agent and scope.tier in _TIERS and workspace_id is not None
    return is_here and reads_world(caller, workspace_id or "")


def repeat_of(index: WorldIndex, text: str) -> DerivableError | None:
    """The refusal that names the block which says a text; None where no page says it."""
    words = words_to_find(text)
    passages = index.passages_sharing(words, N_PASSAGES) if words else ()
    place = repeated_by(text, [said for _, said in passages])
    if place is None:
        return None
    block_id = passages[place][0]
    for page, block in index.blocks([block_id]).values():  # none where a look took it just now
        heading = block.heading.rpartition("/")[2]
        return DerivableError(page.title, heading, block.first_line, block_id)
    return None


def record_repeat(
    unit: UnitOfWork, caller: Caller, scope: ScopeKey, repeat: DerivableError, now: datetime
) -> None:
    """Append that a text was sent to its page: which block, never what it says."""
    of = (caller.name, caller.kind.value, caller.door.value, scope.tier.value, scope.key)
    draft = EventDraft(EventKind.MEMORY_DERIVABLE, *of, (repeat.block_id,), {"memories": 1})
    unit.events.append(draft, now)


def refuse_repeat(
    unit: UnitOfWork,
    caller: Caller,
    scope: ScopeKey,
    repeat: DerivableError | None,
    now: datetime,
) -> None:
    """Return unless a page says it already; that is recorded.

    Raises:
        DerivableError: It does.
    """
    if repeat is not None:
        record_repeat(unit, caller, scope, repeat, now)
        unit.commit()
        raise repeat
