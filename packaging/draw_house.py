# ruff: noqa: INP001 - a package named like this folder would hide the library of that name
"""Draws which package imports which, from the code's own imports, into ``docs/architecture.md``.

python packaging/draw_house.py
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
PACKAGE = HERE / "inklings_desktop"
PAGE = HERE / "docs" / "architecture.md"
BEGIN, END = "```mermaid\n", "```\n"


def main() -> None:
    """Put the drawing into its page."""
    PAGE.write_text(drawn(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def drawn(page: str) -> str:
    """The page with the drawing of the code as it is."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + drawing() + END + rest.partition(END)[2]


def drawing() -> str:
    """A flow chart: an arrow leads from a package to what it imports.

    What follows from two other arrows is left out: ``ui.memory`` imports ``domain`` too, but its
    way leads through ``usecases``.
    """
    imports = imported_packages()
    lines = ["flowchart TD\n", "  subgraph ui\n"]
    lines += [f"    {one}[{one[3:]}]\n" for one in sorted(imports) if one.startswith("ui.")]
    lines.append("  end\n")
    for one in sorted(imports):
        lines += [f"  {one} --> {other}\n" for other in sorted(nearest(one, imports))]
    return "".join(lines)


def imported_packages() -> dict[str, set[str]]:
    """Of every package, pages of the window counted as packages, which others it imports."""
    found: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        mine = package_of(path.relative_to(PACKAGE).with_suffix("").parts)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {
            f"{node.module}.{name.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            and re.match(r"inklings_desktop\b", node.module or "")
            for name in node.names
        }
        others = {package_of(tuple(name.split(".")[1:])) for name in names}
        found.setdefault(mine, set()).update(others - {mine, ""})
    found.pop("", None)
    return found


def package_of(parts: tuple[str, ...]) -> str:
    """``ui.memory`` of ``ui/memory/list/rows``; a module beside the packages stands for itself."""
    name = ".".join(parts[:2] if parts[0] == "ui" else parts[:1])
    return "" if name.endswith("__init__") else name


def nearest(one: str, imports: dict[str, set[str]]) -> set[str]:
    """What a package imports, without what something it imports leads to."""
    mine = imports[one]
    return {
        other
        for other in mine
        if not any(other in reached(third, imports) for third in mine - {other})
    }


def reached(one: str, imports: dict[str, set[str]]) -> set[str]:
    """Everything that a package leads to."""
    seen: set[str] = set()
    waiting = [one]
    while waiting:
        for other in imports.get(waiting.pop(), set()) - seen:
            seen.add(other)
            waiting.append(other)
    return seen


if __name__ == "__main__":
    main()
