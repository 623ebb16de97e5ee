"""How long the figures of the control plane take: the first time, again, and after a change.

python -m benchmarks.tier_overview [--memories 10000 100000] [--rounds 9] [--json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.made_worlds import make_world
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.listing import MemoryFilter, MemorySort
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.usecases.bundle import Inklings

MS = 1_000.0


def timed(action: Callable[[], object]) -> float:
    """How long an action takes, in milliseconds."""
    begun = time.perf_counter()
    action()
    return (time.perf_counter() - begun) * MS


def measured(n_memories: int, n_rounds: int) -> dict[str, float]:
    """Medians over the rounds, in milliseconds; ``cold`` is the first look of a process."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        workspace = make_world(root, n_memories)
        scope = ScopeKey.workspace(workspace.id)
        with open_inklings(root, embed_writes=False) as inklings:
            caller = inklings.caller
            (room, *_) = inklings.places.channels(workspace.id)
            elsewhere = ScopeKey.channel(workspace.id, room.id)  # the tier measured may be full

            def look(inklings: Inklings = inklings) -> None:
                inklings.as_caller(caller).search.tiers(workspace.id)
                inklings.as_caller(caller).search.worth_a_look(workspace.id)

            def write(inklings: Inklings = inklings) -> None:
                inklings.as_caller(caller).memories.put(MemoryDraft(elsewhere, "One more tide."))

            found = {"cold": timed(look)}
            found["again"] = statistics.median(timed(look) for _ in range(n_rounds))
            after_change = []
            for _ in range(n_rounds):
                write()
                after_change.append(timed(look))
            found["after a change"] = statistics.median(after_change)
            for kind in AttentionKind:
                where = MemoryFilter(attention=kind)
                for sort in (MemorySort.NEWEST, MemorySort.RELEVANCE):

                    def browse(
                        inklings: Inklings = inklings,
                        where: MemoryFilter = where,
                        sort: MemorySort = sort,
                    ) -> None:
                        inklings.as_caller(caller).listing.browse([scope], where=where, sort=sort)

                    browse()
                    found[f"list {kind.value}, {sort.value}"] = statistics.median(
                        timed(browse) for _ in range(n_rounds)
                    )
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = {str(n): measured(n, options.rounds) for n in options.memories}
    if options.json:
        print(json.dumps(results, indent=2))
        return
    for n_memories, figures in results.items():
        print(f"{n_memories} memories, medians of {options.rounds} in ms")
        for name, value in figures.items():
            print(f"  {name:40} {value:8.1f}")


if __name__ == "__main__":
    main()
