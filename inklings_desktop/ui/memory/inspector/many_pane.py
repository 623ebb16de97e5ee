"""The inspector while several memories are checked: what they share, and tags for all of them."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QWidget

from inklings_desktop.domain.memory import Lifetime, Tier
from inklings_desktop.domain.memory_values import MAX_TAGS
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.chips import FilterChip
from inklings_desktop.ui.kit.controls.retag_field import RetagField
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.controls.sliders import ImportanceField
from inklings_desktop.ui.kit.dialogs.pieces import cleared
from inklings_desktop.ui.kit.lists.memory_row_layout import curator_mark
from inklings_desktop.ui.kit.look.accessibility import named, stand_after
from inklings_desktop.ui.kit.look.layouts import STRETCH, FlowLayout, fill, hbox, restyle
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip, shortened
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.labels import (
    IconLabel,
    SectionTitle,
    plain_label,
    wrapped_label,
)
from inklings_desktop.ui.kit.ops.storing import storing, why_withheld
from inklings_desktop.ui.kit.panes.pieces import SECTION_GAP, FactGrid, PaneScroll
from inklings_desktop.ui.kit.words.memory_facts import (
    curator_label,
    importance_figure,
    lifetime_label,
    relevance_figure,
    tier_title,
)
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.memory.acts.chosen import Retag, Shared
from inklings_desktop.ui.memory.inspector.sections import CheckedTable as FoundTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.ui.kit.controls.tag_editor import KnownTagsModel
    from inklings_desktop.ui.kit.look.theme import Theme

_CONTROL_ROW = 32
_BLOCK_GAP = 22
_LONGEST_TAG = 32
_MOST_TAGS = 40


class ManyPane(PaneScroll):
    """What the checked memories have in common and what can be given to all of them.

    Signals:
        retag_requested: A ``Retag`` to apply.
        lifetime_requested: A ``Lifetime`` to give them.
        importance_requested: An importance to give them, 0 to 1.
    """

    retag_requested = Signal(object)
    lifetime_requested = Signal(object)
    importance_requested = Signal(float)

    def __init__(
        self, theme: Theme, known_tags: KnownTagsModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("manyPane")
        self.setAccessibleName(tr("Checked memories"))
        self._theme = theme
        self._shared: Shared | None = None
        self._retag = Retag()
        self._importance: float | None = None
        self._tag_chips: dict[str, FilterChip] = {}
        self._grid = FactGrid(theme, self.column)
        self._tier_mark = TierMark(theme, inked=1, role="tierConversation", parent=self.column)
        self._tier_name = wrapped_label("", "metaInk", self.column)
        self._curators = named(QWidget(self.column), "manyCurators")
        # All three go on two lines where the pane is narrow, rather than being cut.
        self._curator_flow = FlowLayout(self._curators, gap=14, line_gap=4)
        self._curator_flow.setContentsMargins(0, 3, 0, 4)  # the first line beside its name
        self.lifetime = SegmentedSwitch(
            theme,
            [
                Segment(one.value, lifetime_label(one))
                for one in (Lifetime.SHORT_TERM, Lifetime.LONG_TERM)
            ],
            tr("Lifetime of all"),
            parent=self.column,
        )
        self.lifetime.setObjectName("manyLifetime")
        self.lifetime.choice_changed.connect(
            lambda key: self.lifetime_requested.emit(Lifetime(key))
        )
        storing(self.lifetime)
        self.importance = ImportanceField(theme, self.column)
        self.importance.value_changed.connect(self._on_importance_typed)
        self.importance.validity_changed.connect(self._on_importance_typed)
        self.set_importance = PushButton(theme, tr("Set for all"), small=True, parent=self.column)
        self.set_importance.setObjectName("manySetImportance")
        self.set_importance.clicked.connect(self._on_set_importance)
        self.field = RetagField(theme, known_tags, self.column)
        self.field.added.connect(self._on_added)
        self.field.refused.connect(
            lambda error: self._say(escape(message_of(error).title), is_wrong=True)
        )
        self.field.edit.textChanged.connect(self._show_possible)
        self.field.left.connect(self._on_left)
        self.field.apply_requested.connect(self._on_apply)
        self.effect = named(QLabel(self.column), "retagEffect")
        self.effect.setTextFormat(Qt.TextFormat.RichText)
        self.effect.setProperty("textStyle", "meta")
        self.effect.setWordWrap(True)
        self.apply = PushButton(theme, tr("Apply"), kind="primary", small=True, parent=self.column)
        self.apply.setObjectName("retagApply")
        self.apply.clicked.connect(self._on_apply)
        storing(self.apply)
        self.reset = PushButton(theme, tr("Reset"), kind="quiet", small=True, parent=self.column)
        self.reset.clicked.connect(self._on_reset)
        self._tags_title = SectionTitle("", parent=self.column)
        self._tags_box = QWidget(self.column)
        self._tags = FlowLayout(self._tags_box, gap=8, line_gap=8, squeezes=True)
        self._tags.setContentsMargins(0, 0, 0, 0)
        self.found = FoundTable(self.column)
        self._lay_out()

    def show_shared(self, shared: Shared) -> None:
        """Show what other checked memories share."""
        is_new = self._shared is None
        self._shared = shared
        tiers = shared.tiers
        # Several tiers come together in a search of all of them; a lifetime is for those that
        # leave a choice of it.
        tier = next((one for one in tiers if one is not Tier.CONVERSATION), Tier.CONVERSATION)
        inked, role = TIER_MARKS[tier]
        self._tier_mark.set_tier(inked=inked, role=role)
        self._tier_mark.setVisible(len(tiers) == 1)
        self._tier_name.setText(tier_title(tier) if len(tiers) == 1 else tr("mixed"))
        self._show_values(shared, tier, is_new=is_new)
        self._show_curators(shared)
        self._show_tags(shared)
        self._show_retag()

    def end(self) -> None:
        """Nothing is checked any more; changes that were not applied are gone."""
        self._shared = None
        self._retag = Retag()
        self.field.edit.clear()
        self.field.show_changes((), ())

    def settle(self, retag: Retag) -> None:
        """These changes were made; what was asked for since then stays."""
        if self._retag == retag:
            self._on_reset()

    def focus_tags(self) -> None:
        """Put the keyboard where a tag is added."""
        self.ensureWidgetVisible(self.field)
        self.field.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _lay_out(self) -> None:
        grid = self._grid
        grid.add_row(tr("Lifetime"), self.lifetime, _CONTROL_ROW)
        self._lifetime_note = grid.add_text(tr("Lifetime"))
        grid.add_row(tr("Importance"), self.importance, _CONTROL_ROW)
        # What they have and the button that gives them all the same stand below the slider.
        weight = QWidget(self.column)
        row = hbox(weight, margins=(0, 0, 0, 4), spacing=8)
        self._importance_note = wrapped_label("", "caption", weight)
        fill(row, (self._importance_note, 1), self.set_importance)
        grid.add_row("", weight, _CONTROL_ROW)
        tier = QWidget(self.column)
        hbox(tier, self._tier_mark, (self._tier_name, 1), margins=0, spacing=6)
        grid.add_row(tr("Tier"), tier)
        grid.add_row(tr("Written by"), self._curators)
        self._relevance = grid.add_text(tr("Relevance"))
        self._states = grid.add_text(tr("State"))
        buttons = hbox(None, self.apply, self.reset, STRETCH, spacing=8)
        stack = self.stack
        stack.addWidget(SectionTitle(tr("Shared"), parent=self.column))
        stack.addSpacing(5)
        stack.addWidget(grid)
        stack.addSpacing(SECTION_GAP)
        stack.addWidget(SectionTitle(tr("Retag"), parent=self.column))
        stack.addSpacing(7)
        stack.addWidget(self.field)
        stack.addSpacing(8)
        stack.addWidget(self.effect)
        stack.addSpacing(8)
        stack.addLayout(buttons)
        stack.addSpacing(_BLOCK_GAP)
        stack.addWidget(self._tags_title)
        stack.addSpacing(7)
        stack.addWidget(self._tags_box)
        stack.addSpacing(_BLOCK_GAP)
        stack.addWidget(self.found)
        stack.addStretch(1)

    def _show_values(self, shared: Shared, tier: Tier, *, is_new: bool) -> None:
        grid = self._grid
        is_open = not shared.is_forgotten and not why_withheld()
        offers_lifetime = tier is not Tier.CONVERSATION and is_open
        grid.show_row(self.lifetime, shown=offers_lifetime)
        self.lifetime.show_choice(shared.lifetime.value if shared.lifetime else None)
        words = lifetime_label(shared.lifetime) if shared.lifetime else tr("mixed")
        self._lifetime_note.setText(words)
        grid.show_row(self._lifetime_note, shown=not offers_lifetime)
        self.importance.set_read_only(read_only=not is_open)
        if shared.importance is not None:
            if is_new or shared.importance != self._importance:
                self.importance.set_value(shared.importance)
            self._importance_note.setText("")
        else:
            low_figure, mean, high_figure = shared.importances
            if is_new:
                self.importance.set_value(round(mean, 2))
            self._importance_note.setText(
                tr("mixed, {low} to {high}").format(
                    low=importance_figure(low_figure), high=importance_figure(high_figure)
                )
            )
        self._importance = shared.importance
        self._importance_note.setVisible(shared.importance is None)
        self._on_importance_typed()
        low, high = (relevance_figure(one) for one in shared.relevance)
        span = tr("{low} to {high}").format(low=low, high=high)
        self._relevance.setText(low if low == high else span)
        states = self._state_words(shared)
        self._states.setText(states)
        grid.show_row(self._states, shown=bool(states))

    @property
    def _tag_sets(self) -> Mapping[tuple[str, ...], int]:
        return {} if self._shared is None else self._shared.tag_sets

    @property
    def _is_open(self) -> bool:
        """Whether what is checked can be changed at all."""
        is_there = self._shared is not None and not self._shared.is_forgotten
        return is_there and not why_withheld()

    def _state_words(self, shared: Shared) -> str:
        words = []
        for text, count in (
            (tr("pinned"), shared.pinned),
            (tr("paused"), shared.paused),
            (tr("locked"), shared.locked),
        ):
            if count == shared.count:
                words.append(text)
            elif count:
                words.append(f"{self.locale().toString(count)} {text}")
        return ", ".join(words)

    def _show_curators(self, shared: Shared) -> None:
        cleared(self._curator_flow)
        for curator, count in shared.curators:
            mark = curator_mark(curator.value, curator_label(curator))
            pair = QWidget(self._curators)
            row = hbox(pair, margins=0, spacing=6)
            label = IconLabel(self._theme, parent=pair)
            label.show_mark(mark.icon, mark.role, mark.text, inked=True)
            fill(row, label, plain_label(self.locale().toString(count), "caption", pair))
            self._curator_flow.addWidget(pair)
            pair.show()
        self._curator_flow.invalidate()
        self._curators.updateGeometry()

    def _show_tags(self, shared: Shared) -> None:
        title = counted(shared.count, "Tags on this one", "Tags on these {n}")
        self._tags_title.name.setText(title)
        for chip in self._tag_chips.values():
            self._tags.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._tag_chips = {}
        for tag, count in shared.tags[:_MOST_TAGS]:
            chip = FilterChip(self._theme, tag, toggles=True, counts=True, parent=self._tags_box)
            chip.setObjectName("sharedTag")
            chip.set_value(self.locale().toString(count))
            chip.setToolTip(plain_tool_tip(tr("Remove {tag} from all").format(tag=tag)))
            chip.toggled_by_user.connect(partial(self._on_tag_toggled, tag))
            self._tags.addWidget(chip)
            chip.show()
            self._tag_chips[tag] = chip
        stand_after(self.reset, self._tag_chips.values())
        shown = bool(shared.tags)
        self._tags_title.setVisible(shown)
        self._tags_box.setVisible(shown)

    def _show_retag(self) -> None:
        self.field.show_changes(self._retag.adds, self._retag.removes)
        for tag, chip in self._tag_chips.items():
            chip.set_on(on=tag in self._retag.removes)
        shared = self._shared
        count = self.locale().toString(0 if shared is None else shared.count)
        self.apply.setText(tr("Apply to {count}").format(count=count))
        n_over = self._retag.n_over(self._tag_sets)
        if n_over:
            self._say(self._too_many(n_over), is_wrong=True)
        else:
            self._say(self._effect(), is_wrong=False)
        self.field.setEnabled(self._is_open)
        self._tags_box.setEnabled(self._is_open)
        self._show_possible()

    def _too_many(self, n_over: int) -> str:
        limit = self.locale().toString(MAX_TAGS)
        return counted(
            n_over,
            "One would have more than {limit} tags.",
            "{n} would have more than {limit} tags.",
        ).format(limit=limit)

    def _say(self, text: str, *, is_wrong: bool) -> None:
        self.effect.setText(text)
        restyle(self.effect, "textStyle", "error" if is_wrong else "meta")

    @Slot()
    def _show_possible(self) -> None:
        retag, is_open = self._retag, self._is_open
        changes_any = self.field.has_text or retag.changes_any(self._tag_sets)
        self.apply.setEnabled(is_open and changes_any and not retag.n_over(self._tag_sets))
        self.reset.setEnabled(not retag.is_empty)

    def _effect(self) -> str:
        number = self.locale().toString
        adds = [
            tr("adds {tag} to {count}").format(
                tag=_bold(tag), count=number(self._retag.n_added(tag, self._tag_sets))
            )
            for tag in self._retag.adds
        ]
        removes = [
            tr("removes {tag} from {count}").format(
                tag=_bold(tag), count=number(self._retag.n_removed(tag, self._tag_sets))
            )
            for tag in self._retag.removes
        ]
        if not adds and not removes:
            return tr("Type a tag to add it. Click one below to remove it.")
        sentence = ", ".join([*adds, *removes])
        return f"{sentence[0].upper()}{sentence[1:]}."

    @Slot(str)
    def _on_added(self, tag: str) -> None:
        self._retag = self._retag.with_added(tag)
        self._show_retag()

    @Slot(str)
    def _on_left(self, tag: str) -> None:
        self._retag = self._retag.without(tag)
        self._show_retag()

    def _on_tag_toggled(self, tag: str, on: bool) -> None:  # noqa: FBT001 - Qt's signal
        self._retag = self._retag.with_removed(tag) if on else self._retag.without(tag)
        self._show_retag()

    @Slot()
    def _on_reset(self) -> None:
        self._retag = Retag()
        self._show_retag()

    @Slot()
    def _on_apply(self) -> None:
        self.field.take_typed()
        if self.apply.isEnabled() and not self.field.has_text:
            self.retag_requested.emit(self._retag)

    @Slot()
    def _on_importance_typed(self) -> None:
        value = self.importance.value()
        differs = self._shared is not None and self._shared.importance != value
        self.set_importance.setEnabled(self.importance.is_valid() and differs and self._is_open)

    @Slot()
    def _on_set_importance(self) -> None:
        if self.importance.is_valid():
            self.importance_requested.emit(self.importance.value())


def _bold(tag: str) -> str:
    # The weight that the face has: heavier strokes than its own would be smeared ones.
    return (
        f'<span style="font-weight:600">{escape(shortened(spelled_out(tag), _LONGEST_TAG))}</span>'
    )
