"""What a filter chip opens: the values to choose from, with how often each occurs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.memory import Curator, Lifetime
from inklings_desktop.ui.kit.controls.chips import FilterChip, open_checklist, value_options
from inklings_desktop.ui.kit.controls.popover import RangePopover
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.memory_facts import (
    curator_label,
    lifetime_label,
    name_of_writer,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memories.listing import Facets, MemoryFilter
    from inklings_desktop.ui.kit.controls.popover import CheckOption
    from inklings_desktop.ui.kit.look.theme import Theme


class FilterPopovers(QObject):
    """Opens popovers below chips; every choice is a changed filter."""

    def __init__(
        self,
        theme: Theme,
        bar: QWidget,
        shown: Callable[[], tuple[Facets | None, MemoryFilter]],
        chosen: Callable[[MemoryFilter], None],
    ) -> None:
        """Open none yet.

        Args:
            bar: Holds the chips; owner.
            shown: The values in use, and the filter on show.
            chosen: Told of the filter with what was chosen.
        """
        super().__init__(bar)
        self._shown, self._chosen = shown, chosen
        self._theme = theme
        self._bar = bar

    def sources(self, chip: FilterChip) -> None:
        """Choose sources."""
        facets, where = self._shown()
        options = value_options(facets.sources if facets else (), where.sources, str)
        self._checklist(chip, tr("Source"), options, self._on_sources_chosen)

    def curators(self, chip: FilterChip) -> None:
        """Choose curators."""
        facets, where = self._shown()
        options = value_options(
            facets.curators if facets else (),
            where.curators,
            lambda value: curator_label(Curator(value)),
        )
        self._checklist(chip, tr("Written by"), options, self._on_curators_chosen)

    def writers(self, chip: FilterChip) -> None:
        """Choose who wrote it."""
        facets, where = self._shown()
        options = value_options(facets.writers if facets else (), where.writers, name_of_writer)
        self._checklist(chip, tr("Written by"), options, self._on_writers_chosen)

    def lifetimes(self, chip: FilterChip) -> None:
        """Choose lifetimes."""
        facets, where = self._shown()
        options = value_options(
            facets.lifetimes if facets else (),
            where.lifetimes,
            lambda value: lifetime_label(Lifetime(value)),
        )
        self._checklist(chip, tr("Lifetime"), options, self._on_lifetimes_chosen)

    def tags(self, chip: FilterChip) -> None:
        """Choose tags."""
        facets, where = self._shown()
        options = value_options(facets.tags if facets else (), where.tags, lambda tag: f"#{tag}")
        self._checklist(chip, tr("Tags"), options, self._on_tags_chosen)

    def importance(self, chip: FilterChip) -> None:
        """Choose from where to where importance goes."""
        _, where = self._shown()
        popover = RangePopover(
            self._theme,
            tr("Importance"),
            (where.importance_min, where.importance_max),
            any_label=tr("Any"),
            parent=self._bar,
        )
        popover.range_changed.connect(self._on_importance_chosen)
        popover.closed.connect(popover.deleteLater)
        popover.popup_below(chip)

    def _checklist(
        self,
        chip: FilterChip,
        title: str,
        options: Sequence[CheckOption],
        on_chosen: Callable[[tuple[str, ...]], None],
    ) -> None:
        open_checklist(self._theme, chip, title, options, on_chosen, bar=self._bar)

    @Slot(tuple)
    def _on_sources_chosen(self, keys: tuple[str, ...]) -> None:
        self._choose(sources=frozenset(keys))

    @Slot(tuple)
    def _on_curators_chosen(self, keys: tuple[str, ...]) -> None:
        self._choose(curators=frozenset(map(Curator, keys)))

    @Slot(tuple)
    def _on_writers_chosen(self, keys: tuple[str, ...]) -> None:
        self._choose(writers=frozenset(keys))

    @Slot(tuple)
    def _on_lifetimes_chosen(self, keys: tuple[str, ...]) -> None:
        self._choose(lifetimes=frozenset(map(Lifetime, keys)))

    @Slot(tuple)
    def _on_tags_chosen(self, keys: tuple[str, ...]) -> None:
        self._choose(tags=frozenset(keys))

    @Slot(float, float)
    def _on_importance_chosen(self, low: float, high: float) -> None:
        self._choose(importance_min=low, importance_max=high)

    def _choose(self, **values: Any) -> None:
        _, where = self._shown()
        self._chosen(replace(where, **values))
