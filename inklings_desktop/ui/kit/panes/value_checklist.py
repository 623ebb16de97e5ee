"""A chip's popover with the values in use: each with how often it occurs, some of them chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.ui.kit.controls.popover import ChecklistPopover, CheckOption
from inklings_desktop.ui.kit.words.entry_facts import grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.controls.chip import FilterChip
    from inklings_desktop.ui.kit.look.theme import Theme


def value_options(
    values: Sequence[tuple[str, int]], chosen: Collection[str], label: Callable[[str], str]
) -> list[CheckOption]:
    """A line for every value in use, and for every chosen one that is not in use any more.

    Args:
        values: Values with how often they occur, in their order.
        chosen: Those that are ticked.
        label: What a value is called.
    """
    known = {value for value, _ in values}
    gone = [(value, 0) for value in sorted(chosen) if value not in known]
    return [
        CheckOption(value, label(value), grouped(count), value in chosen)
        for value, count in [*values, *gone]
    ]


def open_checklist(
    theme: Theme,
    chip: FilterChip,
    title: str,
    options: Sequence[CheckOption],
    on_chosen: Callable[[tuple[str, ...]], None],
    *,
    bar: QWidget,
) -> None:
    """Let values be chosen below a chip; the popover goes when it is closed.

    Args:
        theme: Its colours.
        chip: What it opens below.
        title: What is chosen.
        options: The values.
        on_chosen: Told the chosen values with every change.
        bar: Owner of the popover.
    """
    popover = ChecklistPopover(
        theme,
        title,
        options,
        search_placeholder=QCoreApplication.translate("value checklist", "Find"),
        parent=bar,
    )
    popover.choice_changed.connect(on_chosen)
    popover.closed.connect(popover.deleteLater)
    popover.popup_below(chip)
