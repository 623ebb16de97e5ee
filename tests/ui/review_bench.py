"""A workspace with something to merge, to ask about, to forget and to keep, behind the window."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Door
from inklings_desktop.domain.memory import Curator, Lifetime
from tests.support.builders import a_memory, a_person, prune_unasked
from tests.support.fake_embedder import FakeEmbedder
from tests.ui.presenter_bench import Bench

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.memory import MemoryEntry

_HARBOUR = (
    "Every harbour paragraph begins with what the harbour smells of: tar, wet rope, old salt and "
    "smoke, long before anybody sees"
)
SMELL = (
    f"{_HARBOUR} a sail, a gull or a wall.",
    f"{_HARBOUR} a sail; a gull; or a wall!",
    f"{_HARBOUR} sail, gull or wall.",
)
_GATE = (
    "years after the flood at Wend Gate, when the toll house, the bridge and the lower market had "
    "all been built again by the guild of pilots."
)
FLOOD = (f"The story is set nine {_GATE}", f"The story is set eleven {_GATE}")
_PAPER = (
    "Moonlight is permitted in the whole book only where a map is read aloud, and then it falls "
    "on the paper first and on the reader"
)
MOON = (f"{_PAPER} afterwards.", f"{_PAPER} afterwards, silently.")
FADED = (
    "Temporary: ask whether \u201cgull-clerk\u201d is hyphenated.",
    "Temporary: check the formatting of the chapter heads.",
)
PROVED = "Distances are written in tide-hands, and time in bells."
OTHERS = (
    "Nerys confuses left and right on purpose.",
    "The cartographers\u2019 guild keeps two sets of soundings.",
    "Gulls keep accounts. It is literal.",
    "Dr Idris is consulted for right-to-left layout only.",
)


def _ago(now: datetime, **stretch: float) -> datetime:
    return now - timedelta(**stretch)


def tidy_world(bench: Bench) -> dict[str, MemoryEntry]:
    """Fill the workspace tier and embed everything; memories by their beginning."""
    inklings, scope, now = bench.inklings, bench.scope, bench.inklings.clock()
    made = [
        a_memory(SMELL[0], scope=scope, importance=0.7, access_count=3, tags=("harbour",),
                 created_at=_ago(now, days=12)),
        a_memory(SMELL[1], scope=scope, importance=0.55, access_count=1, tags=("style",),
                 created_at=_ago(now, days=9)),
        a_memory(SMELL[2], scope=scope, importance=0.5, created_at=_ago(now, days=2)),
        a_memory(FLOOD[0], scope=scope, importance=0.6, created_at=_ago(now, days=30)),
        a_memory(FLOOD[1], scope=scope, importance=0.6, created_at=_ago(now, days=3)),
        a_memory(MOON[0], scope=scope, curator=Curator.AUTHOR, locked=True, source="user",
                 lifetime=Lifetime.LONG_TERM, created_at=_ago(now, days=40)),
        a_memory(MOON[1], scope=scope, created_at=_ago(now, days=1)),
        *(a_memory(text, scope=scope, lifetime=Lifetime.SHORT_TERM,
                   created_at=_ago(now, days=70)) for text in FADED),
        a_memory(PROVED, scope=scope, lifetime=Lifetime.SHORT_TERM, importance=0.8,
                 access_count=6, accessed_at=_ago(now, hours=5), created_at=_ago(now, days=6)),
        *(a_memory(text, scope=scope, lifetime=Lifetime.LONG_TERM,
                   created_at=_ago(now, days=5 + n)) for n, text in enumerate(OTHERS)),
    ]  # fmt: skip
    with inklings.parts.store.write(bench.workspace.id, initiator="test") as unit:
        kept = unit.memories.add(made)
        unit.commit()
    inklings.tasks.backfill(bench.workspace.id)
    return {one.content: one for one in kept}


@contextmanager
def a_tidy_bench(root: Path) -> Iterator[Bench]:
    """A fresh store that prunes unasked; its model knows words only."""
    person = a_person(door=Door.WINDOW)
    prune_unasked(root)
    with open_inklings(
        root, caller=person, embedder=FakeEmbedder(dimension=512), embed_writes=False
    ) as inklings:
        workspace = inklings.as_caller(person).workspaces.create("The Saltglass Cartographers")
        yield Bench(inklings, workspace)
