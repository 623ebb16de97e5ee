"""Filter chips above the list, and what is true of the whole tier at their right."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLocale, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QWidget

from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter, MemoryState
from inklings_desktop.domain.memory import MERGED_SOURCE, Curator, Lifetime, MemoryKind, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.buttons import IconButton, PushButton
from inklings_desktop.ui.kit.controls.chips import FilterChip, open_checklist, value_options
from inklings_desktop.ui.kit.controls.popover import RangePopover
from inklings_desktop.ui.kit.look.layouts import FlowLayout
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.words.memory_facts import (
    attention_icon,
    attention_label,
    curator_label,
    kind_plural,
    lifetime_label,
    name_of_writer,
)
from inklings_desktop.ui.memory.list.search_words import (
    Since,
    importance_text,
    is_by_agents_since,
    phrases_text,
    since_label,
    written_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.domain.memories.listing import Facets
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.memory.list.content import ListContent

_GUTTER = 20
_NARROW_GUTTER = 14
_GAP = 8
_CHIP_GAP = 6
_ABOVE = 8
_CLEAR_FROM = 2
_IMPORTANCE = ("importance_min", "importance_max")
_AGENTS_SINCE = ("curators", "written_since")
_KINDS_OF_WRITERS = frozenset({*Curator, MERGED_SOURCE})
"""Whom a memory names as its writer where it names no client."""

_NOTES = frozenset({MemoryKind.NOTE.value})


@dataclass(frozen=True, slots=True)
class FilterWish:
    """What the chips together ask for."""

    where: MemoryFilter = EVERYTHING
    with_notes: bool = True
    with_memories: bool = True


class FilterBar(QWidget):
    """The chips of one tier.

    Signals:
        filter_changed: A ``FilterWish``.
        agents_since_chosen: A ``Since``: only what agents wrote from then on.
    """

    filter_changed = Signal(object)
    agents_since_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._wish = FilterWish()
        self._tier = Tier.WORKSPACE
        self._facets: Facets | None = None
        self._counted: Facets | None = None
        self._shown: object = None
        self._offers: object = None
        self._may_change = True
        self._tier_line_text = ""
        self.source = self._ticked(tr("Came from"), "sources", str)
        self.curator = self._ticked(tr("Written by"), "curators", _name_of_curator, Curator)
        self.lifetime = self._ticked(tr("Lifetime"), "lifetimes", _name_of_lifetime, Lifetime)
        self.tags = self._ticked(tr("Tags"), "tags", "#{}".format)
        self.importance = self._chip(tr("Importance"), *_IMPORTANCE, opens=self._open_importance)
        self.kind = self._ticked(tr("Kind"), "kinds", _name_of_kind, MemoryKind)
        self.writer = self._ticked(tr("Program"), "writers", name_of_writer)
        self.agents = self._chip(tr("By agents"), *_AGENTS_SINCE, opens=self._open_agents)
        self.agents.setToolTip(tr("What agents wrote since some time"))
        # What only an operator can ask for is shown while it is asked for.
        self.written = self._chip(tr("Written"), "written_since", "written_before")
        self.phrases = self._chip(tr("Phrase"), "phrases")
        self.notes = self._toggle(tr("Working Notes"), "", partial(self._want_kind, "with_notes"))
        self.learned = self._toggle(tr("Learned"), "", partial(self._want_kind, "with_memories"))
        self.no_embedding = self._toggle(
            tr("Words only"), "circle-dashed", partial(self._want, "without_embedding")
        )
        self.attention = {
            kind: self._toggle(
                attention_label(kind),
                attention_icon(kind),
                partial(self._on_attention_toggled, kind),
            )
            for kind in AttentionKind
        }
        self.forgotten = self._toggle(tr("Forgotten"), "eraser", self._on_forgotten_toggled)
        self._chips = (
            *(self.source, self.curator, self.lifetime, self.tags, self.importance, self.kind),
            *(self.writer, self.agents, self.written, self.phrases, self.notes, self.learned),
            *(self.no_embedding, self.forgotten, *self.attention.values()),
        )
        self.forget_these = PushButton(
            theme,
            tr("Forget these"),
            kind="quietDanger",
            icon="eraser",
            small=True,
            parent=self,
        )
        self.forget_these.setObjectName("forgetThese")
        self.forget_these.setToolTip(tr("Forget everything in this list; you can undo it"))
        storing(self.forget_these)
        self.forget_these.hide()
        self.clear_all = PushButton(theme, tr("Clear all"), kind="quiet", small=True, parent=self)
        self.clear_all.clicked.connect(lambda: self._apply(FilterWish()))
        self.tier_line = QLabel(self)
        self.tier_line.setProperty("textStyle", "caption")
        self.tier_line.setFixedHeight(theme.px("controlSmall"))
        self.tier_line.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.saved = IconButton(theme, "bookmark-simple", tr("Saved filters"), size=18, parent=self)
        self.saved.setObjectName("savedFilters")
        row = QHBoxLayout(self)
        self._row = row
        row.setContentsMargins(_GUTTER, _ABOVE, _GUTTER, 0)
        row.setSpacing(_GAP)
        # Chips with long values go on in a second line instead of out of sight.
        lines = FlowLayout(gap=_CHIP_GAP)
        for chip in self._chips:
            lines.addWidget(chip)
        row.addLayout(lines, 1)
        for widget in (self.tier_line, self.forget_these, self.clear_all, self.saved):
            row.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
        self.set_tier(Tier.WORKSPACE)
        theme.changed.connect(self._on_theme_changed)

    @property
    def n_active(self) -> int:
        """Chips that restrict the list."""
        return sum(chip.is_active for chip in self._chips if chip not in {self.notes, self.learned})

    @property
    def _has_clients(self) -> bool:
        """Whether a client wrote any of it: nobody else is told apart by name."""
        writers = self._facets.writers if self._facets is not None else ()
        return not dict(writers).keys() <= _KINDS_OF_WRITERS

    @property
    def _has_kinds(self) -> bool:
        """Whether anything but notes is there."""
        return self._facets is not None and not dict(self._facets.kinds).keys() <= _NOTES

    def set_narrow(self, *, narrow: bool) -> None:
        """Stand at the gutter of a narrow window."""
        side = _NARROW_GUTTER if narrow else _GUTTER
        self._row.setContentsMargins(side, _ABOVE, side, 0)

    def set_tier(self, tier: Tier) -> None:
        """Offer the filters that make sense in a tier."""
        self._tier = tier
        in_conversation = tier is Tier.CONVERSATION
        for chip in (self.lifetime, self.importance, self.no_embedding):
            chip.setVisible(not in_conversation)
        for chip in (self.notes, self.learned):
            chip.setVisible(in_conversation)
        self._show_values()

    def show_facets(self, content: ListContent) -> None:
        """Show the values in use, and the filters that were really applied."""
        request = content.request
        facets = self._facets = content.facets
        self._counted = content.counted or facets
        self._wish = FilterWish(request.where, request.with_notes, request.with_memories)
        figures: tuple[int, ...] = ()
        if self._tier is Tier.CONVERSATION and not request.is_search:
            figures = content.n_notes, sum(count for _, count in facets.curators)
            for chip, figure in zip((self.notes, self.learned), figures, strict=True):
                chip.set_value(QLocale().toString(figure))
        shown = (self._wish, figures)
        if shown == self._shown:  # other counts alone: they are seen once a popover opens
            if self._offers != self._offered():
                self._show_offers()
        else:
            self._show_values()
            self._shown = shown

    def show_tier_line(self, text: str) -> None:
        """Say what is true of the whole tier."""
        self._tier_line_text = text
        self._fit_tier_line()

    def clear(self) -> None:
        """Lift every filter, without a signal."""
        self._wish = FilterWish()
        self._show_values()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Drops the tier line where the chips need the room."""
        super().resizeEvent(event)
        self._fit_tier_line()

    # -- values -----------------------------------------------------------------------------

    def _show_values(self) -> None:
        where, self._shown = self._wish.where, None
        self.source.set_value(_joined(sorted(where.sources)))
        by_agents = is_by_agents_since(where)
        curators = [] if by_agents else [curator_label(one) for one in sorted(where.curators)]
        self.curator.set_value(_joined(curators))
        self.writer.set_value(_joined([name_of_writer(one) for one in sorted(where.writers)]))
        self.agents.set_value(written_text(where) if by_agents else "")
        self.agents.setVisible(where.curators == frozenset({Curator.AGENT}))
        is_offered = by_agents and self._may_change and where.state is MemoryState.ACTIVE
        self.forget_these.setVisible(is_offered)
        self.lifetime.set_value(_joined([lifetime_label(one) for one in sorted(where.lifetimes)]))
        self.tags.set_value(_joined(sorted(where.tags)))
        self.kind.set_value(_joined([kind_plural(one) for one in sorted(where.kinds)]))
        self.importance.set_value(importance_text(where))
        self._show_typed(self.written, "" if by_agents else written_text(where))
        self._show_typed(self.phrases, phrases_text(where))
        self.no_embedding.set_on(on=where.without_embedding)
        self.forgotten.set_on(on=where.state is MemoryState.FORGOTTEN)
        for kind, chip in self.attention.items():  # lists are opened in the control plane
            chip.set_on(on=where.attention is kind)
            chip.setVisible(where.attention is kind)
        self.notes.set_on(on=self._wish.with_notes)
        self.learned.set_on(on=self._wish.with_memories)
        self.clear_all.setVisible(self.n_active >= _CLEAR_FROM)
        self._show_offers()

    def _show_offers(self) -> None:
        """Show the chips that are there only where something stands behind them."""
        where = self._wish.where
        self._offers = has_clients, has_kinds, has_forgotten = self._offered()
        self.writer.setVisible(bool(where.writers) or has_clients)
        self.kind.setVisible(bool(where.kinds) or has_kinds)
        self.forgotten.setVisible(has_forgotten or where.state is MemoryState.FORGOTTEN)
        self._fit_tier_line()

    def _offered(self) -> tuple[bool, bool, bool]:
        """Whether there is anything by clients, besides notes, and forgotten."""
        has_forgotten = bool(self._facets and self._facets.forgotten)
        return self._has_clients, self._has_kinds, has_forgotten

    def show_forgotten(self) -> None:
        """Ask for what is forgotten, as its chip does."""
        self._on_forgotten_toggled(True)

    def needed_width(self) -> int:
        """Room that the chips need side by side, in pixels."""
        margins = self._row.contentsMargins()
        width = margins.left() + margins.right()
        for chip in self._chips:
            if not chip.isHidden():
                width += chip.sizeHint().width() + _CHIP_GAP
        return width

    def _fit_tier_line(self) -> None:
        beside = self.saved.sizeHint().width() + 2 * _GAP
        if not self.forget_these.isHidden():
            beside += self.forget_these.sizeHint().width() + _GAP
        room = self.width() - self.needed_width() - beside
        metrics = self.tier_line.fontMetrics()
        fits = metrics.horizontalAdvance(self._tier_line_text) <= room
        shown = self._tier_line_text if fits and self.clear_all.isHidden() else ""
        self.tier_line.setText(shown)
        self.tier_line.setVisible(bool(shown))

    def _apply(self, wish: FilterWish) -> None:
        self._wish = wish
        self._show_values()
        self.filter_changed.emit(wish)

    def _where(self, **values: Any) -> None:
        self._apply(replace(self._wish, where=replace(self._wish.where, **values)))

    def _want(self, field: str, value: object) -> None:
        self._where(**{field: value})

    def _want_kind(self, field: str, on: Any) -> None:
        self._apply(replace(self._wish, **{field: on}))

    def _lift(self, *fields: str) -> None:
        self._where(**{one: getattr(EVERYTHING, one) for one in fields})

    # -- chips ------------------------------------------------------------------------------

    def _chip(
        self, label: str, *fields: str, opens: Callable[[], None] | None = None
    ) -> FilterChip:
        """A chip of fields of the filter; cleared, they are as where nothing is asked for.

        Args:
            opens: What a click opens; a chip with none of that is cleared by it.
        """
        chip = FilterChip(self._theme, label, parent=self)
        lift = partial(self._lift, *fields)
        chip.clear_requested.connect(lift)
        chip.popover_requested.connect(opens or lift)
        return chip

    def _ticked(
        self,
        label: str,
        field: str,
        name: Callable[[str], str],
        value_of: Callable[[str], object] = str,
    ) -> FilterChip:
        """A chip of one field, whose values in use are ticked below it."""

        def choose(keys: tuple[str, ...]) -> None:
            self._want(field, frozenset(map(value_of, keys)))

        def open_values() -> None:
            used = getattr(self._counted, field, ())
            options = value_options(used, getattr(self._wish.where, field), name)
            open_checklist(self._theme, chip, label, options, choose, bar=self)

        chip = self._chip(label, field, opens=open_values)
        return chip

    def _toggle(self, label: str, icon: str, toggled: Callable[[bool], None]) -> FilterChip:
        chip = FilterChip(self._theme, label, icon=icon, toggles=True, parent=self)
        chip.toggled_by_user.connect(toggled)
        return chip

    def _show_typed(self, chip: FilterChip, value: str) -> None:
        chip.set_value(value)
        chip.setVisible(bool(value))

    @Slot()
    def _open_importance(self) -> None:
        where = self._wish.where
        popover = RangePopover(
            self._theme,
            tr("Importance"),
            (where.importance_min, where.importance_max),
            any_label=tr("Any"),
            parent=self,
        )
        popover.range_changed.connect(
            lambda low, high: self._where(importance_min=low, importance_max=high)
        )
        popover.closed.connect(popover.deleteLater)
        popover.popup_below(self.importance)

    @Slot()
    def _open_agents(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_since(menu)
        menu.popup(self.agents.mapToGlobal(self.agents.rect().bottomLeft()))

    def fill_since(self, menu: QMenu) -> None:
        """Put into a menu since when; any other day is typed as ``after:``."""
        for since in Since:
            menu.addAction(since_label(since), partial(self.agents_since_chosen.emit, since))

    def withhold_changes(self) -> None:
        """Offer nothing that would change a memory."""
        self._may_change = False
        self.forget_these.hide()

    def _on_attention_toggled(self, kind: AttentionKind, on: bool) -> None:  # noqa: FBT001 - Qt
        self._where(attention=kind if on else None)

    @Slot(bool)
    def _on_forgotten_toggled(self, on: bool) -> None:  # noqa: FBT001 - Qt's signal
        state = MemoryState.FORGOTTEN if on else MemoryState.ACTIVE
        # What was shown one by one, out of a run, is not to be left as a filter nobody sees.
        self._where(state=state, sequences=None)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.tier_line.setFixedHeight(self._theme.px("controlSmall"))
        self._fit_tier_line()


def _name_of_curator(value: str) -> str:
    return curator_label(Curator(value))


def _name_of_lifetime(value: str) -> str:
    return lifetime_label(Lifetime(value))


def _name_of_kind(value: str) -> str:
    return kind_plural(MemoryKind(value))


def _joined(values: Sequence[str]) -> str:
    """The values on a chip: one in full, more as the first and a count."""
    if len(values) <= 1:
        return "".join(values)
    return f"{values[0]} +{len(values) - 1}"
