"""What a screen reader finds in the windows on show: roles, names, keys, and names of objects.

Nothing here names a class or a module, so that a move changes nothing.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from PySide6.QtGui import QAccessibleInterface

MOST_CHILDREN = 24
"""Of one control: rows of a long list tell nothing new."""
LONGEST_NAME = 90
FEWEST_LINES = 3
"""What is shorter is said again rather than pointed at."""
_STEP = " "
_MENUS = frozenset({QAccessible.Role.PopupMenu, QAccessible.Role.MenuItem})


def spoken_tree() -> str:
    """The windows, dialogs and menus on show; one control a line, owners above what they own."""
    shown = [one for one in QApplication.topLevelWidgets() if one.isVisible()]
    found = (_told(QAccessible.queryAccessibleInterface(one)) for one in shown)
    # Qt keeps its windows in no order.
    blocks = sorted("\n".join(lines) for lines in found)
    return "\n".join(blocks) + "\n"


def _told(node: QAccessibleInterface) -> Iterator[str]:
    name = node.text(QAccessible.Text.Name).replace("\n", " / ")
    key = node.text(QAccessible.Text.Accelerator)
    called = getattr(node.object(), "objectName", str)()  # rows and menus have no object
    parts = [
        node.role().name,
        f'"{name[:LONGEST_NAME]}"' if name else "",
        f"#{called}" if called and not called.startswith("qt_") else "",
        f"[{key}]" if key else "",
        "focus" if node.state().focused else "",
        "disabled" if node.state().disabled else "",
    ]
    yield " ".join(part for part in parts if part)
    children: list[QAccessibleInterface | None] = [
        node.child(number) for number in range(node.childCount())
    ]
    seen = [
        one
        for one in children
        if one is not None and one.isValid() and (not one.state().invisible or one.role() in _MENUS)
    ]
    for one in seen[:MOST_CHILDREN]:
        for line in _told(one):
            yield _STEP + line
    if len(seen) > MOST_CHILDREN:
        yield f"{_STEP}and {len(seen) - MOST_CHILDREN} more"


def joined(trees: Mapping[str, str]) -> str:
    """The trees of all states in one text; what was told before is pointed at, not told again.

    Args:
        trees: By name of the state.
    """
    known: dict[tuple[str, ...], str] = {}
    text: list[str] = []
    for state, tree in trees.items():
        text += [f"== {state}", *_shortened(tree.splitlines(), state, known, "")]
    return "\n".join(text) + "\n"


def _shortened(
    lines: list[str], state: str, known: dict[tuple[str, ...], str], indent: str
) -> Iterator[str]:
    for block in _blocks(lines):
        first = known.setdefault(tuple(block), state)
        if first != state and len(block) >= FEWEST_LINES:
            yield f"{indent}{block[0]} ... as in {first}"
            continue
        yield indent + block[0]
        inner = [line.removeprefix(_STEP) for line in block[1:]]
        yield from _shortened(inner, state, known, indent + _STEP)


def _blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    """Each control of the outermost level with all it owns."""
    number = 0

    def of_block(line: str) -> int:
        nonlocal number
        number += not line.startswith(_STEP)
        return number

    for _, block in groupby(lines, of_block):
        yield list(block)
