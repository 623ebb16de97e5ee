from __future__ import annotations

import pytest

from tests.architecture.fresh_interpreter import run_fresh

# Each costs a tenth of a second or more; the window imports them after its first paint.
HEAVY = {"sqlalchemy", "numpy", "onnxruntime", "tokenizers", "pysqlite3", "mcp"}

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
        scope = ScopeKey.workspace(inklings.create_workspace(inklings.caller, "World").id)
        inklings.put_memory(inklings.caller, MemoryDraft(scope, "The tide is out."))
        page = inklings.browse_memories(inklings.caller, [scope])
        assert [one.content for one in page.entries] == ["The tide is out."]
        imported = sorted({name.partition(".")[0] for name in sys.modules})
print(json.dumps(imported))
"""


def test_first_page_of_a_list_needs_no_arrays() -> None:
    assert "numpy" not in run_fresh(FIRST_PAGE)


@pytest.mark.parametrize(
    "module",
    [
        "inklings_desktop.__main__",
        "inklings_desktop.ui.app",
        "inklings_desktop.ui.main_window",
        "inklings_desktop.embeddings.selection",
    ],
)
def test_window_starts_without_the_heavy_libraries(module: str) -> None:
    imported = set(run_fresh(LIST_IMPORTS.format(module=module)))
    assert "inklings_desktop" in imported
    assert imported & HEAVY == set()
