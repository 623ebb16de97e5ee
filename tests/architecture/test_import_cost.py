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
