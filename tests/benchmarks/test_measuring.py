from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from benchmarks.made_facts import WordVectors, facts, questions
from benchmarks.markdown import BEGIN, END, inserted, tables_of
from benchmarks.measuring import Report, Row, in_turn, medians


@pytest.mark.parametrize(
    ("ours", "bare", "goal", "is_met"),
    [
        (1.4, 1.0, "<= 1.5", True),
        (1.6, 1.0, "<= 1.5", False),
        (0.6, 1.0, ">= 0.5", True),
        (0.4, 1.0, ">= 0.5", False),
        (9.0, 1.0, "", None),
        (9.0, None, "<= 1.5", None),
    ],
)
def test_a_row_says_whether_its_goal_is_kept(
    ours: float,
    bare: float | None,
    goal: str,
    is_met: bool | None,  # noqa: FBT001  an example
) -> None:
    assert Row("x", ours, bare, "ms", goal).is_met is is_met


def test_ways_take_turns() -> None:
    order: list[str] = []
    ticks = iter(range(100))

    spent = in_turn(
        {"a": [lambda: order.append("a")] * 3, "b": [lambda: order.append("b")] * 3},
        clock=lambda: float(next(ticks)),
    )

    assert order == ["a", "b"] * 3
    assert medians(spent) == {"a": 1000.0, "b": 1000.0}


def documents() -> list[dict[str, Any]]:
    report = Report("x", [Row("search", 3.0, 2.0, "ms CPU", "<= 1.2", 7, "a note")])
    figures = {"recall_at_10": 0.8123, "ndcg_at_10": 0.7}
    ways = ("keyword index alone", "keyword", "hybrid", "hybrid, unfolded, undecayed")
    quality = {"sets": {"s": dict.fromkeys(ways, figures)}, "mean": dict.fromkeys(ways, figures)}
    copied: list[dict[str, Any]] = json.loads(json.dumps([report.document(), quality]))
    return copied


def test_documents_become_tables() -> None:
    text = tables_of(documents())

    assert "| search (a note) | 3 ms CPU | 2 ms CPU | 1.50 | <= 1.2 (missed) |" in text
    assert "| hybrid | 0.812 / 0.700 | 0.812 / 0.700 |" in text


def test_tables_go_between_the_markers_of_a_page_and_nowhere_else() -> None:
    page = f"before\n{BEGIN}\nold\n{END}\nafter"

    once = inserted(page, "new")

    assert once == f"before\n{BEGIN}\n\nnew\n\n{END}\nafter"
    assert inserted(once, "new") == once
    with pytest.raises(ValueError, match="needs the lines"):
        inserted("no markers", "new")


def test_made_facts_are_the_same_every_time_and_repeat_some() -> None:
    some = list(facts(500))

    assert some == list(facts(900))[:500]
    assert some != list(facts(500, seed=8))
    repeated = sum("(again)" in fact.text for fact in some)
    assert 60 <= repeated <= 140
    assert len(set(questions(50, 500))) == 50


def test_word_vectors_are_near_when_words_are_shared() -> None:
    near, also, far = WordVectors().embed(["the old bell", "an old bell", "salt and tar"])

    assert np.linalg.norm(near) == pytest.approx(1.0, abs=1e-5)
    assert float(near @ also) > 0.5 > float(near @ far)
