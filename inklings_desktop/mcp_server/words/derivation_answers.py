"""Where a memory comes from, as the agent's door says it: the page with its axes, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.world.axes import explained_axis

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.world.axes import Axes
    from inklings_desktop.domain.world.derivations import ToldSources
    from inklings_desktop.mcp_server.words import shapes
    from inklings_desktop.mcp_server.words.shapes import Derivation, Derived

_RECORDED = "recorded"
_WITHHELD = "withheld"
_NONE = "none"


def derivation_answer(
    entry: MemoryEntry, sources: ToldSources, *, in_full: bool
) -> str | Derivation:
    """The page that matters most and how it stands; one word where no page is told.

    In short why the axes are what they are is left out.
    """
    if sources.is_withheld:
        return _WITHHELD
    if (first := sources.first) is None:
        return _RECORDED if entry.derived_from else _NONE
    answer: Derivation = {"state": first.derivation.state.value, "page": first.page_title}
    if first.derivation.heading:
        answer["heading"] = first.derivation.heading
    if first.axes is not None:
        answer["axes"] = axes_answer(first.axes)
        if in_full:
            answer["explain"] = explained(first.axes)
    return answer


def axes_answer(axes: Axes) -> shapes.Axes:
    """The value of each axis."""
    return {
        "origin": axes.origin.value,
        "lifecycle": axes.lifecycle.value,
        "weight": axes.weight.value,
        "standing": axes.standing.value,
    }


def derived_answer(entry: MemoryEntry, sources: ToldSources) -> list[Derived]:
    """The references as they were written; none where pages are withheld."""
    told = () if sources.is_withheld else entry.derived_from
    return [{"target": one.target, "block": one.block} for one in told]


def explained(axes: Axes) -> list[str]:
    """For each axis its value and where it was read."""
    return [
        explained_axis(one) for one in (axes.origin, axes.lifecycle, axes.weight, axes.standing)
    ]
