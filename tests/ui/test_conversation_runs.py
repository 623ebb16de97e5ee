"""Those whom the agent sent: rows in the thread, what one found, and one beside the thread."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.run_rows import run_of
from inklings_desktop.ui.conversation.drawing.run_words import line_words, remarks, step_words
from inklings_desktop.ui.conversation.drawing.runs import RunsPiece
from inklings_desktop.ui.kit.page.destinations import ToMemoryBeside, ToWorld
from tests.support.scenes import scene
from tests.ui.talk_bench import TalkBench, silent_agent, talk

pytestmark = pytest.mark.usefixtures("qapp")

PROPOSED = "Proposed skill x: 1 file is new. It counts."
FOUND = "0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a"
RESEARCHER: dict[str, Any] = {
    "id": "1", "role": "researcher", "state": "done", "n_pages": 3, "n_memories": 11,
    "goal": "what each toll costs: read the scenes in chapters 2, 5 and 8, quote, do not interpret",
    "seconds": 60, "model": "anthropic/claude-sonnet", "input": 7_900, "output": 640,
    "cost_micro": 30_000, "currency": "USD", "n_findings": 3, "summary": "Each takes something.",
    "did": [
        {"tool": "world_search", "about": "toll", "n": 9, "ms": 300, "status": "completed"},
        {"tool": "world_read", "about": "Chapter 2", "n": 3, "ms": 600, "status": "completed"},
        {"tool": "memory_read", "tier": "workspace", "about": "toll", "n": 8, "ms": 90,
         "status": "completed"},
        {"tool": "memory_put", "about": "a toll", "n": 0, "ms": 0, "status": "refused"},
        {"tool": "note_write", "about": "finding/t1.1/report", "n": 1, "ms": 40,
         "status": "completed"},
    ],
    "findings": [
        {"place": "Chapter 2", "text": "Knots. Paid by Yev; she goes without rope.",
         "page": "Chapter 2"},
        {"place": "workspace", "text": "A true name, of which Amadi omits one syllable.",
         "memory": {"id": FOUND, "tier": "workspace"}},
        {"place": "Chapter 8", "text": "Breath. Oss Corrin pays twice; nobody says why.",
         "page": "Chapter 8"},
    ],
    "open_questions": ["Who pays at night?"],
}  # fmt: skip
WORKER: dict[str, Any] = {
    "id": "2", "role": "worker", "goal": "left and right in the draft", "state": "running",
    "may": [{"tool": "memory_put", "tier": "channel"}], "n_findings": 4, "interactive": True,
    "resumed": True,
}  # fmt: skip


def card(id_: str, run: dict[str, Any], ms: int = 38_000) -> dict[str, Any]:
    own = {words.TURN: "t1-x", words.TOOL: "spawn", words.RUN: run, words.MS: ms}
    return {
        "sessionUpdate": words.TOOL_CALL, "toolCallId": f"t1-x:{id_}", "title": run["goal"],
        "kind": "think", "status": "in_progress", "_meta": {words.OWN: own},
    }  # fmt: skip


def text(said: str) -> dict[str, Any]:
    own = {words.TURN: "t1-x", words.PRODUCED_BY: "model", words.WHOLE: True}
    content = {"type": "text", "text": said}
    return {"sessionUpdate": words.AGENT_CHUNK, "content": content, "_meta": {words.OWN: own}}


def sent(bench: TalkBench) -> None:
    """A turn in which one has come back, and one is at work."""
    said = bench.page.said
    asked = "Before I go on: have someone read all toll scenes, and list every left and right."
    said.begin([{"kind": "text", "text": asked}])
    said.apply(text("I have sent a Researcher, who may only read, and a Worker."))
    said.apply(card("1", RESEARCHER))
    said.apply(card("2", WORKER, 21_000))
    bench.page.draw()


def pieces(bench: TalkBench) -> list[RunsPiece]:
    live = bench.view.thread_view.live.layout_of_turn
    assert live is not None
    return [one for _, one in live.placed if isinstance(one, RunsPiece)]


def press(bench: TalkBench, name: str) -> None:
    """Press the part that begins with these words."""
    thread = bench.view.thread_view
    row = thread.rows[-1]
    parts = [one for one in pieces(bench)[0].parts() if one.name.startswith(name)]
    thread._press(row, parts[0])  # type: ignore[arg-type]


def texts_of(bench: TalkBench) -> str:
    return "\n".join(one.text() for one in bench.view.run_pane.findChildren(QLabel))


@scene(talk, launch=silent_agent)
async def test_each_one_who_was_sent_has_a_row(bench: TalkBench, /) -> None:
    sent(bench)
    (piece,) = pieces(bench)
    assert piece.spoken() == (
        "Researcher, " + RESEARCHER["goal"] + ", done, reads only; 3 pages, 11 memories,"
        " 3 findings; 38 s, about $0.03; Worker, left and right in the draft, at work,"
        " may write: its own notes, memories of this channel; 4 findings; 21 s"
    )
    folded = piece.height
    press(bench, "Findings, folded")
    assert pieces(bench)[0].height > folded
    names = [one.name for one in pieces(bench)[0].parts()]
    assert names[0] == "Findings, unfolded"
    assert any(one.startswith("workspace: A true name") for one in names)
    assert "Stop this run" in names
    hints = {" ".join(one.keys): one.label for one in bench.page.key_hints()}
    assert (hints["Ctrl ."], hints["Del"]) == ("stop all", "stop this run")
    press(bench, "workspace: A true name")
    led = bench.said.ways[-1]
    assert isinstance(led, ToMemoryBeside)
    assert led.id == FOUND
    press(bench, "Chapter 8")
    assert bench.said.ways[-1] == ToWorld("Chapter 8")


@scene(talk, launch=silent_agent)
async def test_one_is_opened_beside_the_thread_and_followed(bench: TalkBench, /) -> None:
    sent(bench)
    pane = bench.view.run_pane
    assert pane.isHidden()
    press(bench, "Worker")
    assert pane.isVisible()
    assert pane.geometry().right() < bench.view.panes.width()
    told = texts_of(bench)
    for words_of_it in ("Worker run", "Asked by the World Agent", "left and right in the draft",
                        "memories of this channel", "reach you", "at work",
                        "The program ended under it."):  # fmt: skip
        assert words_of_it in told
    bench.page.said.apply(card("2", WORKER | {"state": "done", "summary": "Sorted."}, 25_000))
    bench.page.draw()
    assert "done" in texts_of(bench)
    press(bench, "Researcher")
    told = texts_of(bench)
    for words_of_it in ("Researcher run", "claude-sonnet, Anthropic", "about 7,900 in, 640 out",
                        "searched pages for “toll”", "about $0.03", "at most 1 min\n",
                        "The World Agent got these findings only."):  # fmt: skip
        assert words_of_it in told
    QTest.mouseClick(pane.copy, Qt.MouseButton.LeftButton)
    assert "- Chapter 2: Knots." in QGuiApplication.clipboard().text()
    if target := os.environ.get("RUNS_PICTURE"):
        bench.view.window().resize(1440, 900)
        press(bench, "Findings, folded")
        bench.page.said.apply(text("Each toll so far takes something the payer needs."))
        bench.page.draw()
        edges = bench.view.thread_view.column
        await bench.until(
            lambda: bench.view.width() > 1400 and abs(bench.view.composer.width() - edges()[1]) <= 1
        )
        bench.view.window().grab().save(target)
    QTest.keyClick(pane, Qt.Key.Key_Escape)
    assert pane.isHidden()


@scene(talk, launch=silent_agent)
async def test_delete_stops_the_one_at_work(bench: TalkBench, /) -> None:
    asked: list[tuple[str, str]] = []
    sent(bench)
    bench.page.talking.talk.stop_run = lambda *about: asked.append(about)  # type: ignore[method-assign]
    thread = bench.view.thread_view
    thread.setFocus()
    QTest.keyClick(thread, Qt.Key.Key_Delete)
    assert asked == [(bench.page.conversation_id, "t1-x:2")]
    bench.page.said.finish(words.CANCELLED, "t1-x")
    bench.page.draw()
    turn = bench.turns()[-1]
    assert turn.state == rows.STOPPED
    layout = thread.layout_of(thread.rows[-1])  # type: ignore[arg-type]
    assert "Worker, left and right in the draft, stopped" in " ".join(
        one.spoken() for _, one in layout.placed
    )


@pytest.mark.parametrize(
    ("told", "words_of_it"),
    [
        ({"state": "stopped", "n_findings": 2}, "Stopped; 2 findings kept"),
        ({"state": "limit"}, "It used up what it was given; what it had found is kept."),
        ({"state": "failed", "problem": "needs_model"}, "Nobody can do this without a model."),
        ({"state": "done", "problem": "provider_busy"}, "Its model failed: provider_busy"),
        ({"overlay": "A harbour master."}, "Role laid over it: A harbour master."),
        ({"open_questions": ["When?"]}, "Open: When?"),
        ({"state": "done", "summary": PROPOSED}, "It counts."),
    ],
)
def test_what_has_to_be_known_is_said(told: dict[str, Any], words_of_it: str) -> None:
    run = run_of({"role": "composer", "goal": "x"} | told)
    assert run is not None
    assert words_of_it in list(remarks(run))
    advised = replace(run, problem="needs_model", summary="Choose a model.")
    assert next(remarks(advised)) == "Choose a model."
    assert "Nobody can do this without a model." not in list(remarks(advised))
    assert line_words(run, None).startswith(
        "Proposed skill x: 1 file is new" if run.summary else "proposes only"
    )


def test_a_run_of_any_form_is_read() -> None:
    assert run_of(None) is None
    assert run_of({"role": 5, "did": "x", "findings": [3], "state": "flying"}) is not None
    run = run_of(RESEARCHER)
    assert run is not None
    assert step_words(run.did[3]) == ("kept a memory: “a toll”", "refused")
    assert step_words(run.did[4]) == ("kept the note report", "1")
