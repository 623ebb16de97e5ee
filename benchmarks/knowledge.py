"""What is settled: stating and finding facts, the gate, a chain, and what a turn begins with.

Half of what a workspace remembers are facts here; each path stands beside the same of notes.

    python -m benchmarks.knowledge [--memories 20000] [--questions 60] [--json]
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.made_facts import WordVectors, entries, fill, questions
from benchmarks.measuring import Report, Row, cpu_in_turn, options
from benchmarks.search_speed import warm
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.knowledge.domains import Domain, Permission
from inklings_desktop.domain.knowledge.facts import SUPERSEDED, FactDetails, PolicyDetails
from inklings_desktop.domain.memory import (
    Lifetime,
    MemoryAction,
    MemoryDraft,
    MemoryKind,
    ScopeKey,
)
from inklings_desktop.usecases.knowledge.values import FactDraft, FactSearch
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from inklings_desktop.usecases.search.search_memories import SearchRequest

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.bundle import Inklings

N_DOMAINS, N_RULES, N_CHAIN, N_WRITES, N_AGAIN, STEP = 12, 200, 1_000, 40, 100, 2_000


def measure(n_memories: int, n_questions: int) -> Report:
    """All of it, in one data root."""
    report = Report("knowledge", settings={"memories": n_memories})
    vectors = WordVectors()
    with (
        tempfile.TemporaryDirectory() as below,
        open_inklings(Path(below, "root"), embedder=vectors, embed_writes=False) as inklings,
    ):
        plain = inklings.workspaces.create("Notes").id
        settled = inklings.workspaces.create("Facts").id
        fill(inklings, ScopeKey.workspace(plain), n_memories, vectors)
        fill(inklings, ScopeKey.workspace(settled), n_memories // 2, vectors)
        head = _settle(inklings, settled, n_memories // 2, vectors)
        asked = questions(n_questions, n_memories // 2)
        _finding(inklings, plain, settled, asked, report)
        _stating(inklings, plain, settled, report)
        _chain_and_gate(inklings, settled, head, report)
    return report


def _settle(inklings: Inklings, workspace_id: str, n: int, vectors: WordVectors) -> MemoryEntry:
    """As many facts, rules in every domain, and one long chain; its head."""
    scope = ScopeKey.workspace(workspace_id)
    domains = [
        inklings.domains.create(workspace_id, f"domain {number}") for number in range(N_DOMAINS)
    ]
    for domain in domains:
        inklings.domains.grant(workspace_id, "external", domain.name, Permission.WRITE)
    some = [
        _fact(one, domains[number % N_DOMAINS], f"topic {number}")
        for number, one in enumerate(entries(scope, n, seed=11))
    ]
    rules = [
        replace(_fact(one, domains[number % N_DOMAINS], ""), kind=MemoryKind.POLICY)
        for number, one in enumerate(entries(scope, N_RULES, seed=12))
    ]
    chain = [_fact(one, domains[0], "chain") for one in entries(scope, N_CHAIN, seed=13)]
    for start in range(0, len(some), STEP):
        _store(inklings, workspace_id, some[start : start + STEP], vectors)
    _store(inklings, workspace_id, rules, vectors)
    stored = _store(inklings, workspace_id, chain, vectors)
    with inklings.parts.store.write(workspace_id, initiator="benchmark") as unit:
        for old, new in pairwise(stored):
            unit.memories.save(
                replace(
                    old,
                    forgotten_at=old.created_at,
                    forgotten_reason=SUPERSEDED,
                    successor_id=new.id,
                ),
                expected_version=1,
                action=MemoryAction.FORGOTTEN,
                changed_by="benchmark",
                door="cli",
                changed_at=old.created_at,
            )
        unit.commit()
    return stored[-1]


def _fact(entry: MemoryEntry, domain: Domain, topic: str) -> MemoryEntry:
    return replace(
        entry,
        kind=MemoryKind.FACT,
        lifetime=Lifetime.LONG_TERM,
        domain_id=domain.id,
        topic=topic,
    )


def _store(
    inklings: Inklings, workspace_id: str, some: list[MemoryEntry], vectors: WordVectors
) -> list[MemoryEntry]:
    with inklings.parts.store.write(workspace_id, initiator="benchmark") as unit:
        stored = list(unit.memories.add(some))
        texts = [one.content for one in stored]
        unit.memories.put_vectors(
            vectors.model_id,
            [
                (one.id, text, vector)
                for one, text, vector in zip(stored, texts, vectors.embed(texts), strict=True)
            ],
        )
        for one in stored:
            is_fact = one.kind is MemoryKind.FACT
            unit.knowledge.put_details(one.id, FactDetails(0.8) if is_fact else PolicyDetails())
        unit.commit()
    return stored


def _finding(
    inklings: Inklings, plain: str, settled: str, asked: list[str], report: Report
) -> None:
    notes = ScopeKey.workspace(plain)

    def of_notes(text: str) -> object:
        return inklings.search.find([notes], SearchRequest(text, limit=20))

    def of_facts(text: str) -> object:
        return inklings.facts.search(settled, FactSearch(text))

    def turn(workspace_id: str, text: str) -> object:
        return inklings.orientation.preview(OrientationRequest(workspace_id, query=text))

    for workspace_id in (plain, settled):
        warm(inklings, [ScopeKey.workspace(workspace_id)], asked)
    for text in asked[:5]:
        of_notes(text), of_facts(text), turn(plain, text), turn(settled, text)
    spent = cpu_in_turn(
        {
            "notes": [partial(of_notes, one) for one in asked],
            "facts": [partial(of_facts, one) for one in asked],
        }
    )
    spent |= cpu_in_turn(
        {
            "turn of notes": [partial(turn, plain, one) for one in asked],
            "turn of facts": [partial(turn, settled, one) for one in asked],
        }
    )
    n = len(asked)
    report.rows += [
        Row("fact search", spent["facts"], spent["notes"], "ms", "<= 1.1", n, "bare is notes"),
        Row(
            "what a turn begins with",
            spent["turn of facts"],
            spent["turn of notes"],
            "ms",
            "<= 1.2",
            n,
            f"{N_RULES} rules; bare is notes",
        ),
    ]


def _stating(inklings: Inklings, plain: str, settled: str, report: Report) -> None:
    notes = ScopeKey.workspace(plain)
    drafts = [
        FactDraft("domain 1", f"new topic {number}", f"The ferry number {number} is green.")
        for number in range(N_WRITES)
    ]
    spent = cpu_in_turn(
        {
            "notes": [
                partial(inklings.memories.put, MemoryDraft(notes, f"The ferry {number} is green."))
                for number in range(N_WRITES)
            ],
            "facts": [partial(inklings.facts.put, settled, one) for one in drafts],
        }
    )
    report.rows.append(
        Row("fact stated", spent["facts"], spent["notes"], "ms", "<= 2.5", N_WRITES, "bare: a note")
    )


def _chain_and_gate(inklings: Inklings, settled: str, head: MemoryEntry, report: Report) -> None:
    with inklings.parts.store.read(settled) as view:
        known = view.knowledge
        first = known.chain(head.id)[0].id
        spent = cpu_in_turn({"chain": [partial(known.chain, head.id)] * N_AGAIN})
        spent |= cpu_in_turn({"head": [partial(known.head, first)] * N_AGAIN})
        spent |= cpu_in_turn({"gates": [partial(known.gates, ["external"])] * N_AGAIN})
    report.rows += [
        Row(f"chain of {N_CHAIN:,}", spent["chain"], None, "ms", "", N_AGAIN, "every fact read"),
        Row("its head", spent["head"], 1.0, "ms", "<= 1", N_AGAIN, "from its first fact"),
        Row("gate read", spent["gates"], 0.02, "ms", "<= 1", N_AGAIN, f"{N_DOMAINS} domains"),
    ]


if __name__ == "__main__":
    chosen = options(__doc__, memories=20_000, questions=60).parse_args()
    measure(chosen.memories, chosen.questions).print(as_json=chosen.json)
