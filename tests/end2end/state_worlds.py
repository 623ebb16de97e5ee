"""What the sample world lacks for some states: clients with their calls, and what dialogs list."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memories.saved_filters import FilterWords
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.usecases.consolidation.consolidation_plans import Decisions
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.builders import an_agent
from tests.support.four_clients import add_four_clients

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings

WORLD = "The Saltglass Cartographers"
AGENT = "World Agent"
EVERY_RIGHT = frozenset({Action.READ, Action.WRITE, Action.PROPOSE})
N_FILED = 4
FILE = "beta-notebook.json"
_DIALECT = "\u6f6e\u306e\u97f3\u306e\u63cf\u5199\u304c\u597d\u304d\u3002"
_ISLAND = "\u0627\u0633\u0645 \u0627\u0644\u062c\u0632\u064a\u0631\u0629"
NEW_ROWS = (
    ("Wren hears the bell-buoys as a choir; she asked whether they are.", 0.55),
    ("Chapter titles in the proof are set in lower case. Ottoline has not decided.", 0.40),
    (_DIALECT, 0.45),
    (_ISLAND, 0.35),
    (" ", 0.5),
    ("Surer than anything can be.", 1.4),
)


def add_clients(inklings: Inklings) -> None:
    """Four clients with rights of every sort, and what they asked for lately."""
    add_four_clients(inklings, _world(inklings).id, agent=AGENT)


def add_events(inklings: Inklings, folder: Path) -> None:
    """Deeds of an agent and of the author that the log keeps."""
    world = _world(inklings)
    scope = ScopeKey.workspace(world.id)
    agent = an_agent("orchestrator", workspace_id=world.id)
    for text in ("Working hypothesis: the gate-plate is older than the gate.", "Rhyme the tolls."):
        inklings.as_caller(agent).memories.put(MemoryDraft(scope, text))
    voice = next(one for one in inklings.entries.list(world.id) if one.name == "VOICE")
    body = f"{voice.body}\n> The tide reads the map before we do.\n"
    inklings.entries.save(voice.ref, body, expected_version=voice.version)
    listed = inklings.listing.browse([scope], limit=N_FILED).entries
    refs = [one.ref for one in listed]
    inklings.memories.forget(refs)
    inklings.memories.restore(refs)
    path = folder / "saltglass-2026-03-01.json"
    inklings.transfer.export(ExportRequest(workspaces=(world.id,)), path)


def add_what_dialogs_list(inklings: Inklings, folder: Path) -> None:
    """A deleted companion, an import, two saved filters and an export to be imported again."""
    world = _world(inklings)
    words = {
        "Songs and rhymes": FilterWords(where=MemoryFilter(tags=frozenset({"song"}))),
        "Glass, from agents": FilterWords(text="glass", where=MemoryFilter(importance_min=0.5)),
    }
    for name, asked in words.items():
        inklings.search.save_filter(world.id, Tier.WORKSPACE, name, asked)
    agent = an_agent("orchestrator", workspace_id=world.id, actions=EVERY_RIGHT)
    entries = inklings.entries.list(world.id)
    voice = next(one for one in entries if one.name == "VOICE")
    wished = voice.body.replace("Weather arrives late", "Weather arrives last")
    inklings.as_caller(agent).proposals.propose(
        world.id, "VOICE", wished, "You corrected it twice."
    )
    scope = ScopeKey.workspace(world.id)
    faded = inklings.consolidation.preview(scope).review_faded
    agreed = Decisions(forget=frozenset(one.entry.id for one in faded))
    inklings.consolidation.run(scope, decisions=agreed)
    companion = next(one for one in entries if not one.is_built_in)
    inklings.entries.delete(companion.ref, expected_version=companion.version)
    listed = inklings.listing.browse([scope], limit=N_FILED).entries
    path = folder / FILE
    filed = tuple(one.ref for one in listed)
    inklings.transfer.export(ExportRequest(refs=filed, with_vectors=False), path)
    change_export(path)


def change_export(path: Path) -> None:
    """Let a file hold new rows, other texts under known ids, and rows that are none."""
    document = json.loads(path.read_text(encoding="utf-8"))
    rows = document["workspaces"][0]["memories"]
    for row in rows[:2]:
        row["content"] = row["content"].replace(".", ", says the old notebook.")
    first: dict[str, Any] = rows[-1]

    def added(number: int, content: str, importance: float) -> dict[str, Any]:
        key = f"00000000-0000-4000-8000-{number:012d}"
        return first | {"id": key, "content": content, "importance": importance}

    rows += [added(number, *row) for number, row in enumerate(NEW_ROWS)]
    path.write_text(json.dumps(document), encoding="utf-8")


def _world(inklings: Inklings) -> Workspace:
    return next(one for one in inklings.places.workspaces() if one.name == WORLD)
