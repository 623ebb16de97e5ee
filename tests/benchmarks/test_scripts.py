"""Every script measures a small world to the end; figures are not judged here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import (
    add,
    agent_certainty,
    agent_models,
    agent_saver,
    agent_scripts,
    agent_speed,
    agent_start,
    agent_window,
    bulk,
    languages,
    retrieval_quality,
    scale,
    search_speed,
)
from benchmarks.markdown import tables_of
from benchmarks.measuring import Report


def sound(report: Report, paths: int) -> None:
    rows = report.document()["rows"]
    assert len(rows) == paths
    # A small world may take less memory than the process gives back meanwhile.
    timed = [row for row in rows if "memory" not in row["path"]]
    assert all(row["ours"] > 0 for row in timed)
    assert all(row["ratio"] is None or row["ratio"] > 0 for row in timed if row["bare"])


@pytest.mark.slow
def test_search_speed_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_speed, "new_text", lambda *_: None)  # no model in tests
    sound(search_speed.measure(100, 3), 7)


@pytest.mark.slow
def test_add_bulk_and_scale_measure() -> None:
    sound(add.measure(200, 20), 2)
    sound(bulk.measure(300, 1), 3)
    sound(scale.measure([300], 10), 3)


def test_agent_saver_measures() -> None:
    sound(agent_saver.measure(3), 3)


@pytest.mark.wide
@pytest.mark.slow
@pytest.mark.timeout(1_200)  # four whole programs
def test_agent_start_measures() -> None:
    report = agent_start.measure(30, 1, is_smoke=True)
    sound(report, len(report.rows))
    assert report.rows[0].unit == "s wall"


@pytest.mark.wide
@pytest.mark.slow
@pytest.mark.timeout(1_200)  # a dozen whole programs, one after the other
def test_agent_speed_measures() -> None:
    sound(agent_speed.measure(10, 1, 2, is_smoke=True), 8)


@pytest.mark.wide
@pytest.mark.slow
@pytest.mark.timeout(1_200)  # it compiles the interpreter
def test_agent_scripts_measures() -> None:
    sound(agent_scripts.measure(10, 2, 1), 5)


@pytest.mark.wide
@pytest.mark.slow
@pytest.mark.timeout(1_200)  # two whole programs
def test_agent_models_measures() -> None:
    sound(agent_models.measure(1, 1), 6)


@pytest.mark.wide
@pytest.mark.slow
@pytest.mark.end2end
def test_agent_window_measures() -> None:
    report = agent_window.measure(30, 1, 0.1, is_smoke=True)
    sound(report, 2)
    assert report.settings["modules of it before it is shown"] == []


def a_set(root: Path, *worlds: str) -> Path:
    """A folder with one set of these worlds; only the first one knows anything that is asked."""
    texts = ["The ferry is late.", "Two gulls sleep.", "Salt is dear."]
    known = [
        {
            "id": f"{worlds[0]}/{n}",
            "workspace": worlds[0],
            "order": n,
            "speaker": "Ann",
            "text": one,
        }
        for n, one in enumerate(texts)
    ]
    others = [
        {"id": f"{world}/0", "workspace": world, "text": "A loom stands still."}
        for world in worlds[1:]
    ]
    queries = [
        {"id": "q", "workspace": worlds[0], "text": text, "relevant": [f"{worlds[0]}/{n}"]}
        for n, text in enumerate(["where is the ferry", "what do gulls do", "price of salt"])
    ]
    folder = root / "set"
    folder.mkdir()
    for name, lines in (("memories", known + others), ("queries", queries)):
        text = "\n".join(map(json.dumps, lines))
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return root


@pytest.mark.slow
def test_certainty_of_answers_is_counted_with_and_without_an_answer(tmp_path: Path) -> None:
    document = agent_certainty.measure(a_set(tmp_path, "w", "elsewhere"), None, 3)

    assert (document["questions"], document["without_answer"]) == (3, 3)
    from_low, from_high = document["bounds"][0.2], document["bounds"][0.5]
    assert from_low["right_among_first"] > 50.0
    assert from_low["quoted"] >= from_high["quoted"]
    assert from_low["quoted_without_answer"] == 0.0
    assert document["gate"]["right"] > 0


def test_every_fact_is_said_and_asked_for_in_every_language() -> None:
    said = json.loads(Path(languages.__file__).with_suffix(".json").read_text(encoding="utf-8"))
    assert len(said) == 40
    for one in said:
        assert tuple(one) == languages.LANGUAGES
        assert all(set(words) == {"fact", "question"} for words in one.values())
        assert all(words["question"][-1] in "?か。" for words in one.values())
    for language in languages.LANGUAGES:
        assert len({one[language]["fact"] for one in said}) == 40
        assert len({one[language]["question"] for one in said}) == 40


@pytest.mark.wide
@pytest.mark.slow
def test_languages_scores_every_pair() -> None:
    document = languages.measure(n_facts=4, n_distractors=10)
    pairs = [(one["memories"], one["questions"]) for one in document["languages"]]
    assert pairs == list(languages.PAIRS)
    own, other = document["languages"][0], document["languages"][-1]
    assert own["hybrid"]["recall_at_10"] == 1.0
    assert own["hybrid"]["queries"] == 4
    assert 0.0 <= other["keyword"]["ndcg_at_10"] <= other["keyword"]["recall_at_10"] <= 1.0
    assert tables_of([document]).count("\n| en, ") == 6


@pytest.mark.slow
def test_retrieval_quality_scores_a_small_set(tmp_path: Path) -> None:
    a_set(tmp_path, "w")
    document = retrieval_quality.measure(tmp_path, tmp_path / "vectors", late=True)

    assert document["sets"]["set"]["keyword"]["recall_at_10"] == 1.0
    assert document["sets"]["set"]["hybrid"]["queries"] == 3
    assert document["mean"]["hybrid"]["ndcg_at_10"] == 1.0
    assert len(retrieval_quality.table(document)) == 3 + len(retrieval_quality.WAYS)
    assert retrieval_quality.times(document)[-1].startswith("| set |")
    again = retrieval_quality.measure(tmp_path, tmp_path / "vectors")
    assert again["mean"]["hybrid"] == document["mean"]["hybrid"]
