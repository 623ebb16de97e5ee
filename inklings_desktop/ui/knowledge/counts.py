"""How many facts there are, and how many disagree: read before the page is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.look.translation import counted, grouped
from inklings_desktop.ui.kit.ops.page_spec import RailMark

if TYPE_CHECKING:
    from inklings_desktop.usecases.bundle import Inklings


def read_settled_mark(inklings: Inklings, here: str) -> RailMark:
    """What the rail says of what is settled; runs on a reader."""
    n_facts = sum(one.n_facts for one in inklings.domains.list(here))
    return settled_mark(n_facts, len(inklings.facts.disagreements(here)) if n_facts else 0)


def settled_mark(n_facts: int, n_disputes: int) -> RailMark:
    """The same of figures that are known."""
    told = counted(n_facts, "1 fact", "{n} facts")
    if n_disputes:
        told = f"{told}, {counted(n_disputes, '1 disagrees', '{n} disagree')}"
    return RailMark(n_facts, short_hint=grouped(n_disputes) if n_disputes else "", told=told)
