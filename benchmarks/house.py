"""How the code is built, in figures: lines, modules, signals, layers, edges between pages.

python -m benchmarks.house
"""

from __future__ import annotations

import ast
import re
import statistics
import tomllib
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent.parent
PACKAGE = HERE / "inklings_desktop"
UI = PACKAGE / "ui"
INSIDE_UI = "Inside ui:"
PAGES = (
    *("memory", "entries", "turn", "control", "events", "access", "scrub", "consolidation"),
    *("transfer", "rail", "settings", "conversation", "world", "knowledge", "skills"),
)
"""Folders that hold one page each; none of them imports another."""


def main() -> None:
    """Print the table."""
    rows: list[tuple[str, ...]] = [
        ("", "lines", "modules", "median", "statements", "signals", "connect(")
    ]
    packages = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists())
    rows += [(name, *figures(list((PACKAGE / name).rglob("*.py")))) for name in packages]
    rows += [("all", *figures(list(PACKAGE.rglob("*.py"))))]
    rows += [("tests", *figures(list((HERE / "tests").rglob("*.py"))))]
    for first, *others in rows:
        print(f"{first:<14}" + "".join(f"{one:>12}" for one in others))
    layers = ui_layers()
    names = [one for layer in layers for one in re.findall(r"\w+", layer)]
    loose = [path for path in UI.glob("*.py") if path.name != "__init__.py"]
    desks = [path for path in UI.rglob("*.py") if "desk" in path.stem]
    print(f"\nlayers in ui: {len(layers)} with {len(names)} names")
    print(f"modules loose in ui: {len(loose)}; called desk: {len(desks)}")
    folders = Counter(path.parent for path in UI.rglob("*.py"))
    folder, n_files = folders.most_common(1)[0]
    print(f"largest folder: {folder.relative_to(PACKAGE)} with {n_files} files")
    edges = page_edges()
    print(f"edges from page to page: {sum(edges.values())}")
    for (page, other), number in sorted(edges.items()):
        print(f"  {page} -> {other}: {number}")


def figures(paths: list[Path]) -> tuple[str, ...]:
    """Lines, modules, median of lines, statements, signals declared, and connections."""
    texts = [path.read_text(encoding="utf-8") for path in paths]
    lines = [text.count("\n") for text in texts]
    trees = [ast.parse(text) for text in texts]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    statements = sum(isinstance(node, ast.stmt) and not is_docstring(node) for node in nodes)
    calls = Counter(called(node) for node in nodes if isinstance(node, ast.Call))
    median = round(statistics.median(lines)) if lines else 0
    found = (sum(lines), len(paths), median, statements, calls["Signal"], calls["connect"])
    return tuple(f"{one:,}" for one in found)


def is_docstring(node: ast.stmt) -> bool:
    """Whether a statement is text alone and does nothing."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def called(node: ast.Call) -> str:
    """The last word of what is called."""
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def ui_layers() -> list[str]:
    """The layers of the window, as the contract names them."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    return next(one["layers"] for one in contracts if one["name"].startswith(INSIDE_UI))


def page_edges() -> Counter[tuple[str, str]]:
    """How many imports lead from one page's folder into another's."""
    edges: Counter[tuple[str, str]] = Counter()
    for page in PAGES:
        for path in (UI / page).rglob("*.py"):
            for other in re.findall(r"inklings_desktop\.ui\.(\w+)", path.read_text("utf-8")):
                if other in PAGES and other != page:
                    edges[page, other] += 1
    return edges


if __name__ == "__main__":
    main()
