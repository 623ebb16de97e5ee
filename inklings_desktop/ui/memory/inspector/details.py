"""The figures and labels of a memory: three that can be changed, the rest to read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memory import Lifetime
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.chips import FilterChip
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.controls.sliders import ImportanceField
from inklings_desktop.ui.kit.controls.tag_editor import TagEditor
from inklings_desktop.ui.kit.lists.memory_row_layout import curator_mark
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, FlowLayout, fill, hbox, vbox
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import Chip, IconLabel, SectionTitle, plain_label
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.pieces import FactGrid
from inklings_desktop.ui.kit.words.memory_facts import lifetime_label, reads_rule
from inklings_desktop.ui.memory.acts.table import MemoryAct, marking_act
from inklings_desktop.ui.memory.subject.state import InspectorState, MemoryEdit, ProvenanceFacts

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    from inklings_desktop.ui.kit.controls.tag_editor import KnownTagsModel
    from inklings_desktop.ui.kit.look.theme import Theme


_AIR = 3


class MarksRow(QWidget):
    """Three states to switch, and *Still true*.

    A switch shows what is stored: it moves when the store says so, not when it is pressed.

    Signals:
        act_requested: A ``MemoryAct``.
    """

    act_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marks: AbstractSet[MemoryMark] = frozenset()
        self.setAccessibleName(tr("State"))
        row = self._row = FlowLayout(self, gap=6, line_gap=6)
        self.switches: dict[MemoryMark, FilterChip] = {}
        for mark, icon, name, tip in (
            (
                MemoryMark.PINNED,
                "push-pin",
                tr("Pinned"),
                tr("Never fades, and is never forgotten automatically."),
            ),
            (
                MemoryMark.PAUSED,
                "pause",
                tr("Paused"),
                tr("Kept, but no agent or search finds it until you resume it."),
            ),
            (
                MemoryMark.LOCKED,
                "lock-simple",
                tr("Locked"),
                tr("Agents can only propose changes."),
            ),
        ):
            switch = FilterChip(theme, name, icon=icon, toggles=True, parent=self)
            switch.setObjectName(f"mark_{mark.value}")
            switch.setToolTip(tip)
            switch.toggled_by_user.connect(partial(self._on_toggled, mark))
            row.addWidget(switch)
            self.switches[mark] = switch
            storing(switch)
        self.confirm = PushButton(
            theme, tr("Still true"), kind="plain", icon="check-circle", small=True, parent=self
        )
        self.confirm.setObjectName("stillTrue")
        self.confirm.setToolTip(tr("Restarts its fading from now."))
        self.confirm.clicked.connect(partial(self.act_requested.emit, MemoryAct.CONFIRM))
        storing(self.confirm)
        row.addWidget(self.confirm)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.dress(self._on_theme_changed)

    def show_marks(self, marks: AbstractSet[MemoryMark], *, enabled: bool) -> None:
        """Show what is set.

        Args:
            marks: Those that are set.
            enabled: Whether they can be changed: those of a forgotten memory cannot.
        """
        self._marks = marks
        for mark, switch in self.switches.items():
            switch.set_on(on=mark in marks)
            switch.setAccessibleDescription(tr("on") if mark in marks else tr("off"))
            switch.setEnabled(enabled)
        self.confirm.setEnabled(enabled)

    def minimumSizeHint(self) -> QSize:
        """None of its own: it takes the width there is and the height that follows from it."""
        return QSize(0, 0)

    @Slot()
    def _on_theme_changed(self) -> None:
        air = self._theme.scaled(_AIR)
        self._row.setContentsMargins(0, air, 0, air)

    def _on_toggled(self, mark: MemoryMark, on: bool) -> None:  # noqa: FBT001 - Qt's signal
        self.switches[mark].set_on(on=mark in self._marks)
        self.act_requested.emit(marking_act(mark, on=on))


_FIELD_GAP = 4
_CONTROL_ROW = 32
_TAGS_ROW = 30


class DetailsForm(QWidget):
    """Importance, lifetime and tags to change; where the memory came from to read."""

    def __init__(
        self,
        theme: Theme,
        known_tags: KnownTagsModel,
        edited: Callable[[MemoryEdit], None],
        parent: QWidget | None = None,
    ) -> None:
        """Show nothing yet.

        Args:
            known_tags: Tags to complete.
            edited: Told of each change.
        """
        super().__init__(parent)
        self._edited = edited
        self._theme = theme
        self._is_editable = True
        self.importance = ImportanceField(theme, self)
        self.importance.value_changed.connect(
            lambda value: self._edited(MemoryEdit(importance=value))
        )
        self.lifetime = SegmentedSwitch(
            theme,
            [
                Segment(one.value, lifetime_label(one))
                for one in (Lifetime.SHORT_TERM, Lifetime.LONG_TERM)
            ],
            tr("Lifetime"),
            parent=self,
        )
        self.lifetime.setObjectName("lifetimeSwitch")
        self.lifetime.choice_changed.connect(
            lambda key: self._edited(MemoryEdit(lifetime=Lifetime(key)))
        )
        self.tags = named(TagEditor(theme, known_tags, self), "tagEditor", tr("Tags"))
        self.tags.tags_changed.connect(lambda tags: self._edited(MemoryEdit(tags=tags)))
        self.tags.edit.editingFinished.connect(self.take_typed_tag)
        self.states = MarksRow(theme, self)
        self._tags_error = plain_label("", "error", self)
        self._grid = FactGrid(theme, self)
        self._curator = IconLabel(theme, parent=self)
        # Who wrote it is never cut; a long source gives way.
        fixed = QSizePolicy.Policy.Fixed
        self._curator.text.setSizePolicy(fixed, fixed)
        self._through = plain_label(tr("through"), "meta", self)
        self._source = Chip(theme, self)
        self._private = IconLabel(theme, parent=self)
        self._lay_out()

    def show_state(self, state: InspectorState, *, is_other: bool) -> None:
        """Show the values of a draft and the facts of its memory.

        Args:
            state: What to show.
            is_other: Whether another memory is shown than before.
        """
        draft = state.draft
        if draft is None:
            return
        if is_other or draft.importance != self.importance.value():
            self.importance.set_value(draft.importance)
        self.lifetime.show_choice(draft.lifetime.value)
        if is_other or draft.tags != self.tags.tags():
            typed = "" if is_other else self.tags.edit.text()
            self.tags.set_tags(draft.tags)
            self.tags.edit.setText(typed)
        if state.is_editable is not self._is_editable:
            self._is_editable = state.is_editable
            self.importance.set_read_only(read_only=not state.is_editable)
            self.lifetime.setEnabled(state.is_editable)
            self.tags.set_read_only(read_only=not state.is_editable)
        self._tags_error.setText(state.field_errors.tags)
        self._tags_error.setVisible(bool(state.field_errors.tags))
        self._grid.show_row(self.lifetime, shown=state.offers_lifetime)
        self._grid.show_row(self._tags_box, shown=state.is_editable or bool(draft.tags))
        marks = state.marks
        self.states.show_marks(marks or frozenset(), enabled=state.is_editable)
        self._grid.show_row(self.states, shown=marks is not None)
        self._place.setText(state.place)
        self._grid.show_row(self._place, shown=bool(state.place))
        self._show_provenance(state.provenance)

    @property
    def has_typed_tag(self) -> bool:
        """Whether something stands in the field that is no tag yet."""
        return bool(self.tags.edit.text().strip()) and not self.tags.edit.isReadOnly()

    @Slot()
    def take_typed_tag(self) -> None:
        """Make a tag of what still stands in the field."""
        if self.has_typed_tag:
            self.tags.edit.returnPressed.emit()

    def _show_provenance(self, facts: ProvenanceFacts | None) -> None:
        grid = self._grid
        for row in (self._written, self._created, self._last_read, self._embedding):
            grid.show_row(row, shown=facts is not None)
        texts = (
            (self._room, facts.scope_name if facts else ""),
            (self._confirmed, facts.confirmed if facts else ""),
            (self._imported, facts.imported if facts else ""),
        )
        for label, text in texts:
            label.setText(text)
            grid.show_row(label, shown=bool(text))
        grid.show_row(self._private, shown=facts is not None and facts.agent_id is not None)
        if facts is None:
            return
        mark = curator_mark(facts.curator, facts.curator_label)
        self._curator.show_mark(mark.icon, mark.role, mark.text, inked=True)
        for part in (self._through, self._source):  # "through user" says nothing
            part.setVisible(facts.source not in {"user", facts.curator_label.casefold()})
        self._source.setText(facts.source)
        if facts.agent_id is not None:
            self._private.show_mark(
                "lock-simple", "inkSoft", tr("Agent {name}").format(name=facts.agent_id)
            )
        grid.name_row(self._room, facts.scope_label)
        self._created.setText(facts.created)
        self._last_read.setText(", ".join(filter(None, (facts.last_read, facts.reads))))
        if facts.has_embedding:
            self._embedding.show_mark("check-circle", "accent", facts.embedding)
        else:
            self._embedding.show_mark("circle-dashed", "ochre", facts.embedding)

    def _lay_out(self) -> None:
        grid = self._grid
        grid.add_row(tr("Importance"), self.importance, _CONTROL_ROW)
        self._tags_box = _TagsBox(self)
        tags = QVBoxLayout(self._tags_box)
        gap = self._theme.scaled(_FIELD_GAP)
        tags.setContentsMargins(0, gap, 0, gap)
        tags.setSpacing(2)
        fill(tags, self.tags, self._tags_error)
        grid.add_row(tr("Lifetime"), self.lifetime, _CONTROL_ROW)
        grid.add_row(tr("Tags"), self._tags_box, _TAGS_ROW)
        grid.add_row(tr("State"), self.states, _CONTROL_ROW)
        self._place = grid.add_text(tr("Kept in"))
        self._written = QWidget(self)
        hbox(
            self._written, self._curator, self._through, self._source, STRETCH, margins=0, spacing=8
        )
        grid.add_row(tr("Written by"), self._written)
        grid.add_row(tr("Private to"), self._private)
        self._room = grid.add_text(tr("Channel"))
        self._created = grid.add_text(tr("Created"))
        self._imported = grid.add_text(tr("Imported"))
        self._last_read = grid.add_text(tr("Last read"))
        self._last_read.setToolTip(plain_tool_tip(reads_rule()))
        self._last_read.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._confirmed = grid.add_text(tr("Still true"))
        self._embedding = IconLabel(self._theme, parent=self)
        grid.add_row(tr("Found"), self._embedding)
        vbox(self, SectionTitle(tr("Details"), parent=self), grid, margins=0, spacing=5)


class _TagsBox(QWidget):
    """Holds tags that wrap; Qt would reserve the room they need when they stand one by one."""

    def minimumSizeHint(self) -> QSize:
        """None of its own: it takes the width there is and the height that follows from it."""
        return QSize(0, 0)
