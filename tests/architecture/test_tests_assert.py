"""Every test asserts, none what cannot fail, and none is left out but for a missing tool."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING

import pytest

from tests.architecture.contract_report import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    Function = ast.FunctionDef | ast.AsyncFunctionDef

TESTS = REPOSITORY / "tests"
FAILING_CALLS = frozenset({"raises", "fail", "until", "waitSignal", "waitSignals", "waitUntil"})
LEAVING_OUT = frozenset({"skip", "skipif", "importorskip", "xfail"})
LEFT_OUT = {
    "tests/agent/test_foreign_clients_acpx.py": {
        "only -m endurance fetches foreign clients",
        "npx cannot fetch {found.package} here",
    },
    "tests/architecture/test_desktop_files.py": {"{tool} is not installed"},
    "tests/storage/world/test_page_writer.py": {"no system call tells when a file got its name"},
    "tests/worldfiles/test_skill_folders.py": {"links and pipes need rights there"},
    "tests/test_logs.py": {"Windows keeps no such modes"},
    "tests/cli/test_keeping_commands.py": {"modes are a POSIX matter"},
    "tests/end2end/test_power_cut.py": {"no C compiler to watch programs with"},
    "tests/end2end/test_failing_calls.py": {"no gcc, or not Linux"},
    "tests/end2end/test_real_display.py": {"not installed: {', '.join(MISSING)}"},
    "tests/ui/test_deep_agent_in_window.py": {
        "only -m endurance installs foreign agents",
        "pip cannot install {DEEP.requirement} here",
    },
    "tests/oracle/test_languages.py": {"another Qt or system than these were recorded with"},
    "tests/oracle/test_states.py": {"another Qt or system than these were recorded with"},
    "tests/mcp_server/test_foreign_clients.py": {
        "only -m endurance installs foreign clients",
        "pip cannot install {client.requirement} here",
    },
    "tests/mcp_server/test_inspector.py": {
        "npx is not installed",
        "npx cannot fetch {' '.join(found.packages)} here",
        "npx cannot fetch the inspector here",
    },
}
"""Tests that may be left out, and why: what is missing there is no part of this project."""


@cache
def text_of(path: Path) -> str:
    """A module as it is written."""
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    """A module as it is parsed."""
    return ast.parse(text_of(path))


def functions(tree: ast.AST) -> Iterator[Function]:
    """Every function of a tree, nested ones included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def called(node: ast.Call) -> str:
    """The last word of what is called."""
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def can_fail(tree: ast.AST) -> bool:
    """Whether a piece of code asserts something itself."""
    return any(
        isinstance(node, ast.Assert)
        or (isinstance(node, ast.Call) and called(node) in FAILING_CALLS)
        or (isinstance(node, ast.Call) and called(node).startswith("assert"))
        for node in ast.walk(tree)
    )


@cache
def asserting_functions(tree: ast.Module) -> frozenset[str]:
    """Functions of a module that assert."""
    return frozenset(one.name for one in functions(tree) if can_fail(one))


def asserting_names(tree: ast.Module) -> set[str]:
    """Functions of a module, its own and those it has from other tests, that assert."""
    names = set(asserting_functions(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests."):
            path = REPOSITORY / f"{str(node.module).replace('.', '/')}.py"
            if path.exists():
                there = asserting_functions(tree_of(path))
                names |= {one.asname or one.name for one in node.names if one.name in there}
    return names


def asserts_nothing(tree: ast.Module) -> Iterator[str]:
    """Tests of a module that nothing could make fail but an exception."""
    # Opening the window asserts that nothing went wrong in the background: that is not the test.
    helping = asserting_names(tree) - {"drive"}
    for one in functions(tree):
        if one.name.startswith("test_") and not can_fail(one):
            used = {node.id for node in ast.walk(one) if isinstance(node, ast.Name)}
            if not used & helping:
                yield one.name


def never_played(tree: ast.Module) -> Iterator[str]:
    """Functions within functions that assert and that nobody calls or passes on."""
    for one in functions(tree):
        inner = [
            node
            for node in one.body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.decorator_list
        ]
        if inner:
            used = {node.id for node in ast.walk(one) if isinstance(node, ast.Name)}
            yield from (
                f"{one.name}.{node.name}"
                for node in inner
                if node.name not in used and can_fail(node)
            )


def is_always_true(node: ast.expr) -> bool:
    """Whether an assertion holds whatever the program does."""
    match node:
        case ast.Constant(value=value):
            return bool(value)
        case ast.Tuple(elts=[_, *_]) | ast.JoinedStr() | ast.Lambda():
            return True
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(map(is_always_true, values))
        case ast.BoolOp(op=ast.And(), values=values):
            return all(map(is_always_true, values))
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is() | ast.LtE() | ast.GtE()]):
            right = node.comparators[0]
            has_call = any(isinstance(one, ast.Call) for one in ast.walk(left))
            if not has_call and ast.dump(left) == ast.dump(right):
                return True
            is_length = isinstance(left, ast.Call) and called(left) == "len"
            is_least = isinstance(right, ast.Constant) and right.value == 0
            return is_length and is_least and isinstance(node.ops[0], ast.GtE)
    return False


def cannot_fail(tree: ast.Module) -> Iterator[str]:
    """Assertions of a module that hold whatever the program does, or whose failure is caught."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and is_always_true(node.test):
            yield ast.unparse(node)
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            caught = {one.id for one in ast.walk(node.type) if isinstance(one, ast.Name)}
            ends = any(isinstance(one, ast.Raise | ast.Return) for one in ast.walk(node))
            if caught & {"AssertionError", "BaseException"} and not ends and not can_fail(node):
                yield f"except {ast.unparse(node.type)}"


def reasons_left_out(tree: ast.Module) -> set[str]:
    """Why tests of a module may be left out, as it is written there."""
    texts = {
        target.id: ast.unparse(node.value).strip("f'\"")
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value, ast.JoinedStr | ast.Constant)
    }
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in LEAVING_OUT:
            given = [one.value for one in node.keywords if one.arg == "reason"]
            why = [*given, *node.args[:1]][0] if given or node.args else ast.Constant("no reason")
            written = ast.unparse(why).strip("f'\"")
            found.add(texts.get(written, written))
    marks = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):  # a mark without a call has no reason at all
        is_mark = isinstance(node, ast.Attribute) and node.attr in {"skip", "xfail"}
        if is_mark and id(node) not in marks:
            found.add(ast.unparse(node))
    return found


MODULES = sorted(TESTS.rglob("*.py"))


def all_of(judge: object, mentioned: str = "") -> dict[str, list[str]]:
    """What a judge finds, by module; only in those that mention something, if that is told."""
    assert callable(judge)
    found = {
        path.relative_to(REPOSITORY).as_posix(): sorted(judge(tree_of(path)))
        for path in MODULES
        if mentioned in text_of(path)
    }
    return {path: names for path, names in found.items() if names}


@pytest.fixture(scope="module", autouse=True)
def parsed_once() -> Iterator[None]:
    """Modules are parsed once for all judges, and not kept for the tests after these."""
    yield
    for known in (text_of, tree_of, asserting_functions):
        known.cache_clear()


def test_every_test_asserts() -> None:
    assert all_of(asserts_nothing) == {}


def test_what_asserts_within_a_test_is_played() -> None:
    assert all_of(never_played) == {}


def test_no_assertion_holds_whatever_happens() -> None:
    assert all_of(cannot_fail) == {}


def test_no_test_is_left_out_but_for_a_missing_tool() -> None:
    found = all_of(reasons_left_out, "skip") | all_of(reasons_left_out, "xfail")
    assert found == {path: sorted(why) for path, why in LEFT_OUT.items()}


@pytest.mark.parametrize(
    ("judge", "text"),
    [
        (asserts_nothing, "def test_it():\n    drive(root, look)"),
        (asserts_nothing, "def look():\n    pass\ndef test_it():\n    look()"),
        (never_played, "def test_it():\n    async def look():\n        assert 1 == 2\n    drive()"),
        (cannot_fail, "assert True"),
        (cannot_fail, "assert (found == 3, 'three')"),
        (cannot_fail, "assert found or 'nothing'"),
        (cannot_fail, "assert len(found) >= 0"),
        (cannot_fail, "assert found.name == found.name"),
        (cannot_fail, "try:\n    assert found\nexcept AssertionError:\n    pass"),
        (reasons_left_out, "import pytest\n@pytest.mark.skip\ndef test_it(): ..."),
        (reasons_left_out, "import pytest\n@pytest.mark.xfail(reason='later')\ndef test_it(): ..."),
        (reasons_left_out, "import pytest\ndef test_it():\n    pytest.skip('later')"),
    ],
)
def test_the_judges_find_what_they_look_for(judge: object, text: str) -> None:
    assert callable(judge)
    assert len(list(judge(ast.parse(text)))) == 1


def test_the_judges_let_a_sound_test_be() -> None:
    tree = ast.parse(
        "def test_it():\n    def look():\n        assert len(found) >= 1\n    drive(look)\n"
        "def check(row):\n    assert row\n"
        "def test_all():\n    for row in rows:\n        check(row)\n"
        "def test_raises():\n    with pytest.raises(ValueError):\n        act()\n"
    )
    for judge in (asserts_nothing, never_played, cannot_fail, reasons_left_out):
        assert not list(judge(tree))
