"""What a role may do in a domain, tried at the agent's door and held to the table in the guide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.knowledge.domains import Permission
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.usecases.knowledge.values import FactDraft, PolicyDraft
from tests.mcp_server.test_prompts import read
from tests.mcp_server.write_tool_table import DOCUMENT

if TYPE_CHECKING:
    from tests.mcp_server.agent_door import AgentDoor

CLIENT = "prober"
HEAD = "| request | none | read | write |\n|---|---|---|---|\n"
SAID, RULE = "Markfact is settled.", "Markrule is kept."


def answered(door: AgentDoor, tool: str, given: dict[str, Any]) -> str:
    """What becomes of a request, in a word."""
    if tool.startswith("inklings:"):
        told = read(door, tool, CLIENT)
        return "unknown" if isinstance(told, tuple) else "yes" if "Mark" in told else "nothing"
    result = door.call(tool, client=CLIENT, **given)
    if result.is_error:
        assert result.meta is not None
        word = str(result.meta["inklings"]["word"])
        return {"not_found": "unknown"}.get(word, word)
    told = result.model_dump_json()
    if "held_for_review" in told:
        return "held"
    is_write = '\\"status\\":\\"stored\\"' in told or '"status":"stored"' in told
    return "yes" if is_write or "Mark" in told else "nothing"


def test_knowledge_matrix_doc_is_true(door: AgentDoor) -> None:
    inklings, here = door.inklings, door.workspace.id
    rights = [
        Right(Tier.WORKSPACE, here, one) for one in (Action.READ, Action.WRITE, Action.PROPOSE)
    ]
    inklings.clients.grant(CLIENT, rights)
    note = inklings.memories.put(MemoryDraft(ScopeKey.workspace(here), "A song of the tide."))
    rows: dict[str, list[str]] = {}
    for permission in Permission:
        name = f"Canon {permission.value}"
        inklings.domains.create(here, name)
        inklings.domains.grant(here, "external", name, permission)
        fact = inklings.facts.put(here, FactDraft(name, f"Of {permission.value}", SAID))
        inklings.policies.put(here, PolicyDraft(name, RULE))
        id_ = fact.fact.memory.id
        stated = {"domain": name, "topic": "Tried", "content": "Tried.", "sources": [note.id]}
        for tool, given in (
            ("fact_search", {"query": "markfact", "domain": name}),
            ("fact_history", {"id": id_}),
            ("memory_get", {"ids": [id_]}),
            (f"inklings://facts/Canon%20{permission.value}", {}),
            ("policy_list", {"domain": name}),
            ("policy_propose", {"domain": name, "rule": "Tried.", "reason": "Tried."}),
            ("fact_supersede", {"id": id_, "content": "Tried.", "reason": "Tried."}),
            ("fact_put", stated),
        ):
            row = "inklings://facts/…" if tool.startswith("inklings:") else tool
            rows.setdefault(row, []).append(answered(door, tool, given))
    table = HEAD + "".join(f"| `{row}` | {' | '.join(cells)} |\n" for row, cells in rows.items())
    assert table in DOCUMENT.read_text(encoding="utf-8"), f"write it in the guide:\n{table}"
