"""How the code is built, in figures: lines, modules, statements, tokens, words that say nothing.

python -m benchmarks.house [FOLDER]

FOLDER is another checkout, to compare with. Statements count docstrings; tokens leave out comments
and what only tells lines apart.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE = Path(__file__).parent.parent
INSIDE_UI = "Inside ui:"
PAGES = (
    *("memory", "entries", "turn", "control", "events", "access", "scrub", "consolidation"),
    *("transfer", "rail", "settings", "conversation", "world", "knowledge", "skills"),
)
"""Folders that hold one page each; none of them imports another."""
BETWEEN_LINES = {
    *(tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.COMMENT, tokenize.ENDMARKER),
}
THIN_LINES, MANY_IMPORTS, FEW_WORDS = 80, 8, 4
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One file of Python."""

    path: Path

    @cached_property
    def text(self) -> str:
        """What stands in it."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node of its tree."""
        return list(ast.walk(ast.parse(self.text)))

    @property
    def n_lines(self) -> int:
        """Its lines, empty ones too."""
        return self.text.count("\n")

    @property
    def n_statements(self) -> int:
        """Its statements, docstrings too."""
        return sum(isinstance(node, ast.stmt) for node in self.nodes)

    @property
    def n_tokens(self) -> int:
        """Its words and signs."""
        read = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return sum(token.type not in BETWEEN_LINES for token in read)

    @property
    def n_imports(self) -> int:
        """Its statements that import."""
        return sum(isinstance(node, ast.Import | ast.ImportFrom) for node in self.nodes)

    @property
    def n_painters(self) -> int:
        """Its methods that paint."""
        return sum(isinstance(node, Function) and node.name in PAINTERS for node in self.nodes)

    @property
    def is_thin(self) -> bool:
        """Whether it is little more than what it imports."""
        return self.n_lines < THIN_LINES and self.n_imports >= MANY_IMPORTS

    @property
    def classes(self) -> list[ast.ClassDef]:
        """Its classes."""
        return [node for node in self.nodes if isinstance(node, ast.ClassDef)]


class House:
    """A checkout, or a part of it."""

    def __init__(self, folder: Path) -> None:
        self.modules = [Module(path) for path in sorted(folder.rglob("*.py"))]

    def below(self, folder: Path) -> list[Module]:
        """The modules of one folder and of those in it."""
        return [one for one in self.modules if folder in one.path.parents]

    @cached_property
    def _classes(self) -> dict[str, list[ast.ClassDef]]:
        """The classes of each name."""
        named: dict[str, list[ast.ClassDef]] = {}
        for module in self.modules:
            for one in module.classes:
                named.setdefault(one.name, []).append(one)
        return named

    def methods(self) -> Iterator[tuple[Module, ast.ClassDef, Function, bool]]:
        """Every method, and whether it overrides one of Qt or of another class of ours."""
        for module in self.modules:
            for one in module.classes:
                for method in methods_of(one):
                    is_qt = re.search("[a-z][A-Z]", method.name) or method.name in QT_NAMES
                    yield module, one, method, bool(is_qt) or self._inherits(one, method.name)

    def _inherits(self, one: ast.ClassDef, name: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a class of ours above this one has such a method."""
        return any(
            any(method.name == name for method in methods_of(above))
            or self._inherits(above, name, seen | {one.name})
            for base in base_names(one)
            if base not in seen
            for above in self._classes.get(base, [])
        )

    def wordy_overrides(self) -> list[str]:
        """Overrides with a docstring of so few words that it says what the name says."""
        return [
            f"{module.path.name}: {one.name}.{method.name}"
            for module, one, method, is_override in self.methods()
            if is_override
            and method.name != "__init__"
            and 0 < len((ast.get_docstring(method) or "").split()) <= FEW_WORDS
        ]

    def silent_methods(self) -> list[str]:
        """Public methods without a docstring that override nothing and answer to no port."""
        ports = {
            method.name
            for _module, one, method, _is_override in self.methods()
            if "Protocol" in base_names(one) and ast.get_docstring(method)
        }
        return [
            f"{module.path.name}: {one.name}.{method.name}"
            for module, one, method, is_override in self.methods()
            if not (is_override or one.name.startswith("_") or method.name.startswith("_"))
            and ast.get_docstring(method) is None
            and method.name not in ports
            and not {"setter", "overload", "override"} & set(map(last_word, method.decorator_list))
        ]


QT_NAMES = {"event", "data", "index", "parent", "flags", "count"}
"""Names of Qt that no capital letter gives away."""


def methods_of(one: ast.ClassDef) -> list[Function]:
    """The methods of a class."""
    return [node for node in one.body if isinstance(node, Function)]


def base_names(one: ast.ClassDef) -> list[str]:
    """The last words of what a class is made from."""
    return [last_word(base) for base in one.bases]


def last_word(node: ast.expr) -> str:
    """The last word of a name, of a call, or of a type with others in brackets."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=inner) | ast.Call(func=inner):
            return last_word(inner)
    return ""


def figures(modules: Sequence[Module]) -> tuple[str, ...]:
    """Lines, modules, thin ones, statements, tokens, methods that paint, and connections."""
    nodes = [node for module in modules for node in module.nodes]
    calls = Counter(last_word(node.func) for node in nodes if isinstance(node, ast.Call))
    found = (
        *(sum(one.n_lines for one in modules), len(modules)),
        *(sum(one.is_thin for one in modules), sum(one.n_statements for one in modules)),
        *(sum(one.n_tokens for one in modules), sum(one.n_painters for one in modules)),
        calls["connect"],
    )
    return tuple(f"{one:,}" for one in found)


PAINTERS = {"paintEvent", "paint", "drawControl", "drawPrimitive", "drawComplexControl"}


def ui_layers(checkout: Path = HERE) -> list[str]:
    """The layers of the window, as the contract names them."""
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    return next(one["layers"] for one in contracts if one["name"].startswith(INSIDE_UI))


def page_edges(ui: Path) -> Counter[tuple[str, str]]:
    """How many imports lead from one page's folder into another's."""
    edges: Counter[tuple[str, str]] = Counter()
    for page in PAGES:
        for path in (ui / page).rglob("*.py"):
            for other in re.findall(r"inklings_desktop\.ui\.(\w+)", path.read_text("utf-8")):
                if other in PAGES and other != page:
                    edges[page, other] += 1
    return edges


def main(checkout: Path) -> None:
    """Print the table."""
    package = checkout / "inklings_desktop"
    product = House(package)
    tests = House(checkout / "tests")
    headings = ("", "lines", "modules", "thin", "statements", "tokens", "painters", "connect(")
    folders = sorted(path for path in package.iterdir() if (path / "__init__.py").exists())
    rows: list[tuple[str, ...]] = [headings]
    rows += [(folder.name, *figures(product.below(folder))) for folder in folders]
    rows += [("all", *figures(product.modules)), ("tests", *figures(tests.modules))]
    for first, *others in rows:
        print(f"{first:<14}" + "".join(f"{one:>12}" for one in others))
    largest, n_files = Counter(one.path.parent for one in product.modules).most_common(1)[0]
    layers = ui_layers(checkout)
    print(
        f"\nlayers in ui: {len(layers)} with {len(re.findall(r'[a-z]+', ' '.join(layers)))} names"
    )
    print(f"largest folder: {largest.relative_to(package)} with {n_files} files")
    print(f"overrides with at most {FEW_WORDS} words: {len(product.wordy_overrides())}")
    print(f"edges from page to page: {sum(page_edges(package / 'ui').values())}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
