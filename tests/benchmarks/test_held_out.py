"""The questions that nothing was chosen with are sound; nobody searches for them here."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from benchmarks.retrieval_quality import lines_of

FOLDER = Path(__file__).parents[2] / "benchmarks" / "held_out"
MEMORIES = lines_of(FOLDER / "works" / "memories.jsonl")
QUERIES = lines_of(FOLDER / "works" / "queries.jsonl")


def test_every_fact_says_where_it_can_be_looked_up() -> None:
    assert len(MEMORIES) >= 400
    for one in MEMORIES:
        assert set(one) == {"id", "workspace", "order", "session", "title", "text", "source"}
        assert all(one[field] for field in one)
        assert ", " in one["source"]
        assert one["text"].endswith(".")
    assert len({one["id"] for one in MEMORIES}) == len(MEMORIES)
    assert len({one["text"] for one in MEMORIES}) == len(MEMORIES)


def test_every_work_has_more_facts_than_are_asked_for() -> None:
    of_work = Counter(one["title"] for one in MEMORIES)
    asked = {id_ for one in QUERIES for id_ in one["relevant"]}
    wanted = Counter(one["title"] for one in MEMORIES if one["id"] in asked)
    assert len(of_work) == 10
    assert all(wanted[title] < n for title, n in of_work.items())


def test_every_question_names_facts_that_are_there() -> None:
    known = {one["id"]: one for one in MEMORIES}
    assert len(QUERIES) >= 200
    for one in QUERIES:
        assert set(one) == {"id", "workspace", "category", "text", "relevant", "answer"}
        assert one["text"].endswith("?")
        assert one["answer"]
        assert len(set(one["relevant"])) == len(one["relevant"]) > 0
        assert all(known[id_]["workspace"] == one["workspace"] for id_ in one["relevant"])
        assert (one["category"] == "several") == (len(one["relevant"]) > 1)
    assert len({one["text"] for one in QUERIES}) == len(QUERIES)
    assert sum(one["category"] == "several" for one in QUERIES) >= 40


def test_a_question_is_worded_otherwise_than_its_facts() -> None:
    known = {one["id"]: one["text"].lower() for one in MEMORIES}
    for one in QUERIES:
        assert all(one["text"].lower().rstrip("?") not in known[id_] for id_ in one["relevant"])
