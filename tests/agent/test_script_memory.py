"""Scripts over memory: they reach what their process may, and nothing else."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.scripts import SCRIPT_MODE
from inklings_desktop.agent.acp_door.script_door import run_script
from inklings_desktop.agent.memory_door.call import MemoryDoor, Outcome, ServerCommand
from inklings_desktop.agent.memory_door.filters import (
    ANALYSIS,
    ORCHESTRATOR,
    PIPELINE,
    may_call,
)
from inklings_desktop.agent.scripts.artifact import COMPILED
from inklings_desktop.agent.scripts.executor import Interpreter, sandbox_text
from inklings_desktop.agent.scripts.memory_module import NOTES, READS, memory_module, over_memory
from inklings_desktop.agent_client.analyses import SHIPPED, read_analysis, shipped
from inklings_desktop.agent_client.plain_process import PlainProcess
from inklings_desktop.agent_client.script_run import Report, ScriptRun, order
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.domain.memory import MemoryDraft, MemoryPatch, ScopeKey
from inklings_desktop.mcp_server import server as mcp_server
from inklings_desktop.usecases.knowledge.values import FactDraft
from tests.architecture.contract_report import REPOSITORY
from tests.support.interpreters import know, looped

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from inklings_desktop.agent.scripts.executor import Ran

TOOLS = tuple(mcp_server._LISTINGS)
ASKING = "import inklings\ndef main(i): return inklings.call('ask', tool=i['tool'], arguments=i)"


class FakeServer:
    """Notes what it is asked."""

    def __init__(self, answer: Mapping[str, Any] | None = None, *, is_error: bool = False) -> None:
        self.called: list[tuple[str, dict[str, Any]]] = []
        self.outcome = Outcome(answer or {"hits": []}, is_error=is_error)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Outcome:
        self.called.append((tool, dict(arguments)))
        return self.outcome


async def _ran(
    interpreter: Interpreter,
    server: FakeServer,
    process: str,
    script: str,
    inputs: Mapping[str, Any],
    conversation: str | None = None,
) -> Ran:
    door = MemoryDoor(server)  # type: ignore[arg-type]  # as much of it as a door needs

    async def call(tool: str, arguments: Mapping[str, Any]) -> Outcome:
        return await door.call(process, tool, arguments)

    module = memory_module(call, lambda _text, _share: None, conversation)
    return await over_memory(module).build(interpreter).execute(script, inputs)


def test_an_analysis_may_call_what_a_script_can_ask_for() -> None:
    assert {tool for tool in TOOLS if may_call(ANALYSIS, tool)} == READS
    assert set(TOOLS) >= READS | NOTES


@pytest.mark.parametrize("process", [ANALYSIS, ORCHESTRATOR, PIPELINE, "nobody"])
@looped
async def test_no_script_reaches_what_its_process_may_not(
    interpreter: Interpreter, process: str
) -> None:
    script = (
        "import inklings\ndef main(i):\n refused = []\n for tool in i['tools']:\n"
        "  try: inklings.call('ask', tool=tool, arguments={})\n"
        "  except inklings.RefusedError: refused.append(tool)\n"
        " return refused"
    )
    server = FakeServer()
    ran = await _ran(interpreter, server, process, script, {"tools": TOOLS})
    reached = {tool for tool, _ in server.called}
    assert reached == {tool for tool in READS if may_call(process, tool)}
    assert set(ran.result) == set(TOOLS) - reached


@pytest.mark.parametrize("conversation", [None, "c1"])
@looped
async def test_notes_are_those_of_the_conversation_it_runs_for(
    interpreter: Interpreter, conversation: str | None
) -> None:
    server = FakeServer()
    given = {"tool": "note_write", "conversation": "another", "key": "k", "value": "v"}
    ran = await _ran(interpreter, server, ORCHESTRATOR, ASKING, given, conversation)
    if conversation is None:
        assert (ran.outcome, server.called) == ("script_error", [])
    else:
        assert server.called == [("note_write", given | {"conversation": "c1"})]


@looped
async def test_what_memory_refuses_is_told_in_its_own_words(interpreter: Interpreter) -> None:
    server = FakeServer({"word": "scope_denied", "message": "You may not."}, is_error=True)
    ran = await _ran(interpreter, server, ANALYSIS, ASKING, {"tool": "memory_list"})
    assert ran.said.endswith("RefusedError: You may not.")


@looped
async def test_the_example_of_the_documentation_runs(interpreter: Interpreter) -> None:
    page = (REPOSITORY / "docs" / "analyses.md").read_text(encoding="utf-8")
    script = page.partition("<!-- script -->\n```python\n")[2].partition("```")[0]
    assert dict(read_analysis("long", script).inputs) == {"words": "How many words are too many"}
    memories = [{"id": "m1", "content": "One two three."}, {"id": "m2", "content": "One."}]
    server = FakeServer({"memories": memories, "next": None, "channels": []})
    ran = await _ran(interpreter, server, ANALYSIS, script, {"words": "2"})
    found = {"says": "3 words", "memories": ["m1"]}
    assert ran.result == {"summary": "Found: 2.", "findings": [found, found]}  # of two tiers
    named = set(re.findall(r"`(\w+)\(", page)) - {"main"}
    assert named == set(re.findall(r"^def ([a-z]\w+)", sandbox_text("inklings.py"), re.MULTILINE))


@looped
async def test_progress_is_told_as_it_is_meant(interpreter: Interpreter) -> None:
    told: list[tuple[str, float | None]] = []

    async def call(_tool: str, _arguments: Mapping[str, Any]) -> Outcome:
        return Outcome({})

    module = memory_module(call, lambda text, share: told.append((text, share)))
    script = (
        "import inklings\ndef main(i):\n inklings.progress('half', 0.5)\n"
        " inklings.progress('x' * 900, 7)\n inklings.progress(3, 'no')"
    )
    await over_memory(module).build(interpreter).execute(script)
    assert told == [("half", 0.5), ("x" * 200, None), ("3", None)]


class Place:
    """A data root with the memory server of this checkout."""

    def __init__(self, root: Path, cache: Path, workspace: str) -> None:
        self.data_dir, self.cache, self.workspace = root, cache, workspace

    def memory_command(self) -> ServerCommand:
        arguments = ["-m", "inklings_desktop.cli", "mcp", "serve", "--client", "world-agent"]
        arguments += ["--data-dir", str(self.data_dir), "--workspace", self.workspace]
        return ServerCommand(sys.executable, tuple(arguments), tuple(os.environ.items()))


@pytest.fixture
def place(tmp_path: Path, compiled: Path) -> Place:
    root, pages = tmp_path / "root", tmp_path / "pages"
    pages.mkdir()
    (pages / "Harbour.md").write_text(
        "# Harbour\n\nThe ferry leaves at dawn, and Tamsin waits. See [[Nowhere]].\n"
        "\nOnce more Tamsin waits. Then Tamsin sleeps, but Tamsyn does not. The gulls cry.\n",
        encoding="utf-8",
    )
    with open_inklings(root, embed_writes=False) as inklings:
        workspace = inklings.workspaces.create("World").id
        channel = inklings.channels.create(workspace, "Osk").id
        for scope, text in [
            (ScopeKey.workspace(workspace), "Nerys has green eyes and a scar on her left hand."),
            (ScopeKey.channel(workspace, channel), "Nerys has grey eyes and a gull on her arm."),
            (ScopeKey.account(), "Nerys has a scar on her right hand."),
        ]:
            inklings.memories.put(MemoryDraft(scope, text))
        inklings.world.link(workspace, pages)
        inklings.world.look(workspace)
    know(compiled, root)
    return Place(root, compiled, workspace)


def _let_in(place: Place) -> None:
    with open_inklings(place.data_dir) as inklings:
        kind = ClientKind.WORLD_AGENT
        inklings.clients.grant("world-agent", preset_rights(kind, place.workspace), kind=kind)


def _report(place: Place, script: str, **inputs: str) -> Report:
    ours, theirs = os.pipe()
    os.write(theirs, order(script, inputs))
    out = io.BytesIO()
    with os.fdopen(ours, "rb") as asked:
        status = asyncio.run(run_script(place, asked, out))
        os.close(theirs)
    run = ScriptRun()
    run.feed(out.getvalue())
    assert run.report is not None
    assert (status == 0) == run.report.is_ok
    return run.report


def test_the_shipped_analyses_find_what_is_there(place: Place) -> None:
    _let_in(place)
    reports = {
        name: _report(place, shipped(name).text, query="" if name == "contradictions" else "gull")
        for name in SHIPPED
    }
    assert [one.summary for one in reports.values() if not one.is_ok] == []
    said = {name: [one.says for one in report.findings] for name, report in reports.items()}
    references, consistency = said["references"], said["consistency"]
    assert len(references) == 2
    assert "Nerys has grey eyes and a gull on her arm." in references
    assert any(one.endswith("The gulls cry.") for one in references)
    assert "Harbour links to \u201cNowhere\u201d, which is no page." in consistency
    assert "\u201cTamsyn\u201d may be \u201cTamsin\u201d: 1 against 3 times." in consistency
    assert any(one.endswith("differ in: side.") for one in said["contradictions"])
    assert len(said["evolution"]) == 1
    found = reports["references"].findings
    assert [bool(one.memories) + bool(one.pages) for one in found] == [1, 1]


def test_how_something_has_evolved_includes_what_a_memory_said_before(place: Place) -> None:
    _let_in(place)
    with open_inklings(place.data_dir) as inklings:
        (entry,) = inklings.listing.browse([ScopeKey.workspace(place.workspace)]).entries
        text = "Nerys has green eyes and no scar."
        inklings.memories.update(
            entry.ref, MemoryPatch(content=text), expected_version=entry.version
        )
    report = _report(place, shipped("evolution").text, query="green")
    first, second = (one.says.partition(": ")[2] for one in report.findings)
    assert first == "Nerys has green eyes and a scar on her left hand."
    assert second == f"{text} (new: nothing; no longer said: hand, left)"


def test_what_has_to_be_named_is_asked_for(place: Place) -> None:
    _let_in(place)
    for name in ("references", "evolution"):
        report = _report(place, shipped(name).text, query=" ")
        asked = "Say which name or word to look for."
        assert (report.summary, report.findings) == (asked, ())


def test_how_something_has_evolved_tells_of_facts_only_those_that_name_it(place: Place) -> None:
    _let_in(place)
    with open_inklings(place.data_dir) as inklings:
        inklings.domains.create(place.workspace, "people")
        for said in ("Tamsin fears the harbour.", "Tamsin fears the mountain."):
            inklings.facts.put(place.workspace, FactDraft("people", "Tamsin", said))
    report = _report(place, shipped("evolution").text, query="fears harbour")
    told = [one.says for one in report.findings if "Fact: " in one.says]
    assert told == ["Undated: Fact: Tamsin fears the harbour."]
    assert "From  " not in report.summary


def test_nothing_was_changed_and_nothing_counts_as_read(place: Place) -> None:
    _let_in(place)
    with open_inklings(place.data_dir) as inklings:
        before = inklings.listing.browse([ScopeKey.workspace(place.workspace)]).entries
    _report(place, shipped("references").text, query="Nerys")
    with open_inklings(place.data_dir) as inklings:
        assert inklings.listing.browse([ScopeKey.workspace(place.workspace)]).entries == before


def test_one_that_is_not_let_in_hears_so(place: Place) -> None:
    report = _report(place, shipped("references").text, query="Nerys")
    assert report.word == words.NOT_GRANTED


def test_the_agents_program_runs_a_script(place: Place) -> None:
    _let_in(place)
    command = [sys.executable, "-m", "inklings_desktop.agent_program", SCRIPT_MODE]
    command += ["--data-dir", str(place.data_dir), "--workspace", place.workspace]
    cache = place.cache / "Inklings"  # where the system has such folders, on Linux
    cache.mkdir(exist_ok=True)
    (cache / COMPILED).write_bytes((place.cache / COMPILED).read_bytes())
    process = PlainProcess(command, {**os.environ, "XDG_CACHE_HOME": str(place.cache)})
    run = ScriptRun()
    try:
        process.send(order("def main(i): return {'summary': i['query']}", {"query": "tide"}))
        while run.report is None:
            if (data := process.read(1.0)) is not None:
                run.feed(data)
    finally:
        process.leave()
    assert (run.report.summary, run.report.is_ok, process.status) == ("tide", True, 0)


def test_whoever_stops_waiting_ends_it(place: Place) -> None:
    _let_in(place)
    ours, theirs = os.pipe()
    os.write(theirs, order("def main(i):\n while True: pass", {}))
    os.close(theirs)
    out = io.BytesIO()
    with os.fdopen(ours, "rb") as asked:
        assert asyncio.run(run_script(place, asked, out)) == 1
    assert b"ran" not in out.getvalue()


def test_of_many_findings_some_are_kept_and_the_rest_counted() -> None:
    findings = [{"says": str(n), "memories": [f"m{n}", f"m{n}", 3]} for n in range(501)]
    ran = {"outcome": "ok", "result": {"summary": "Many.", "findings": findings}}
    run = ScriptRun()
    run.feed(json.dumps({"ran": ran}).encode() + b"\n")
    assert run.report is not None
    assert (len(run.report.findings), run.report.n_left_out) == (500, 1)
    assert run.report.findings[7].memories == ("m7",)


@pytest.mark.parametrize("said", [b"", b"noise\n[1]\n", b'{"progress": {"text": 3}}\n'])
def test_a_process_that_ends_without_a_word_is_said(said: bytes) -> None:
    run = ScriptRun()
    run.feed(said)
    run.feed(b"")
    assert run.report is not None
    assert run.report.word == words.AGENT_GONE
