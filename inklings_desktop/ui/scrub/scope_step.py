"""First step of a scrub: which tier, which room, what is spared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.ui.kit.controls.buttons import ForwardButton, PushButton
from inklings_desktop.ui.kit.controls.toggles import PlateFrame, RadioPlate
from inklings_desktop.ui.kit.dialogs.pieces import Note, NoticeLine, StepBody, StepFoot
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.marks.labels import elided_label, plain_label, rule
from inklings_desktop.ui.kit.panes.scope_picker import ScopeChoice, ScopePicker
from inklings_desktop.ui.kit.words.memory_facts import tier_title
from inklings_desktop.ui.scrub.state import TIERS_WITH_NAMES, TIERS_WITH_ROOMS
from inklings_desktop.ui.scrub.words import (
    entries_text,
    forgotten_text,
    mode_sentence,
    mode_title,
    no_names_sentence,
    tier_sentence,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.scrub.state import Room, ScrubState, TierChoice

_ROW_HEIGHT = 54
_PICKER_WIDTH = 230
_LEAST_PICKER = 130
_COUNT_WIDTH = 98
_RING = 20


class ScopeBody(StepBody):
    """Four tiers and two modes.

    Signals:
        tier_chosen: A ``Tier``.
        room_chosen: A ``Tier`` and the id of a conversation or channel in it.
        mode_chosen: A ``ScrubMode``.
    """

    tier_chosen = Signal(object)
    room_chosen = Signal(object, str)
    mode_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", parent)
        self.setAccessibleName(self.tr("What to clear, and what to keep"))
        self.notice = NoticeLine(theme, self.column)
        rows = QFrame(self.column)
        rows.setProperty("card", "true")
        column = QVBoxLayout(rows)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.tiers: dict[Tier, _TierRow] = {}
        for tier in Tier:
            if self.tiers:
                column.addWidget(rule(rows))
            row = _TierRow(theme, tier, rows)
            row.clicked.connect(self._on_tier_clicked)
            row.picker.scope_chosen.connect(self._on_room_chosen)
            self.tiers[tier] = row
            column.addWidget(row)
        self._keep_label = plain_label(self.tr("What to keep"), "label", self.column)
        self._modes = QWidget(self.column)
        pair = QGridLayout(self._modes)
        pair.setContentsMargins(0, 0, 0, 0)
        pair.setHorizontalSpacing(12)
        self.modes: dict[ScrubMode, _ModeCard] = {}
        for number, mode in enumerate(ScrubMode):
            one = _ModeCard(theme, mode, self._modes)
            one.clicked.connect(self._on_mode_clicked)
            self.modes[mode] = one
            pair.addWidget(one, 0, number)
            pair.setColumnStretch(number, 1)
        self._no_names = plain_label("", "body", self.column)
        self._no_names.setWordWrap(True)
        self._reach = Note(theme, self.column)
        self._reach.say("ochre", "warning", self.tr("This reaches every workspace you own."))
        self._info = Note(theme, self.column)
        self._info.say(
            "lapis",
            "info",
            "",
            self.tr(
                "The next step counts what would go and removes nothing; there you can save a "
                "copy first. A scrub has no undo."
            ),
        )
        self.stack.addWidget(self.notice)
        self.stack.addSpacing(2)
        self.stack.addWidget(plain_label(self.tr("What to clear"), "label", self.column))
        self.stack.addSpacing(8)
        self.stack.addWidget(rows)
        self.stack.addSpacing(20)
        self.stack.addWidget(self._keep_label)
        self.stack.addSpacing(8)
        self.stack.addWidget(self._modes)
        self.stack.addWidget(self._no_names)
        self.stack.addSpacing(24)
        self.stack.addWidget(self._reach)
        self.stack.addSpacing(8)
        self.stack.addWidget(self._info)
        self.stack.addStretch(1)

    def show_state(self, state: ScrubState) -> None:
        """Show the choices and what is chosen."""
        self.notice.show_notice(state.notice)
        for choice in state.choices:
            row = self.tiers[choice.tier]
            row.show_choice(choice)
            row.setChecked(choice.tier is state.tier)
        has_names = state.tier in TIERS_WITH_NAMES
        self._modes.setVisible(has_names)
        self._no_names.setVisible(not has_names)
        if has_names:
            for mode, one in self.modes.items():
                one.show_sentence(mode_sentence(mode, state.choice))
                one.setChecked(mode is state.mode)
        else:
            self._no_names.setText(no_names_sentence(state.tier))
        self._reach.setVisible(state.tier is Tier.ACCOUNT)

    def focus_first(self) -> None:
        """The keyboard stands on the tier that is chosen."""
        for row in self.tiers.values():
            if row.isChecked():
                row.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_tier_clicked(self) -> None:
        row = self.sender()
        if isinstance(row, _TierRow):
            self.tier_chosen.emit(row.tier)

    @Slot(object)
    def _on_room_chosen(self, room_id: str | None) -> None:
        picker = self.sender()
        for row in self.tiers.values():
            if row.picker is picker and room_id is not None:
                self.room_chosen.emit(row.tier, room_id)

    @Slot()
    def _on_mode_clicked(self) -> None:
        one = self.sender()
        if isinstance(one, _ModeCard):
            self.mode_chosen.emit(one.mode)


class ScopeFoot(StepFoot):
    """Count, or leave.

    Signals:
        cancel_requested: Leave; nothing was changed.
        count_requested: Make the dry run.
    """

    cancel_requested = Signal()
    count_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hint = plain_label("", "meta", self)
        self.cancel = PushButton(theme, self.tr("Cancel"), kind="quiet", parent=self)
        self.cancel.setObjectName("scrubCancel")
        self.cancel.clicked.connect(self.cancel_requested)
        self.count = ForwardButton(
            theme, self.tr("Count what would go"), kind="primary", parent=self
        )
        self.count.setObjectName("scrubCount")
        self.count.clicked.connect(self.count_requested)
        self.row.addWidget(self.hint, 1)
        self.row.addWidget(self.cancel)
        self.row.addWidget(self.count)

    def show_state(self, state: ScrubState) -> None:
        """Say what the button does, or what is missing before it can."""
        self.count.setEnabled(state.can_count)
        if state.is_counting:
            said = self.tr("Counting\u2026")
        elif state.tier in TIERS_WITH_ROOMS and state.scope is None:
            said = (
                self.tr("Choose the channel to clear.")
                if state.tier is Tier.CHANNEL
                else self.tr("Choose the conversation to clear.")
            )
        else:
            said = self.tr("Counts only. Nothing is removed.")
        self.hint.setText(said)
        self.count.setAccessibleDescription(said)


class RoomPicker(ScopePicker):
    """The rooms of a tier; asks for one until one is chosen."""

    def __init__(self, theme: Theme, ask: str, parent: QWidget) -> None:
        super().__init__(theme, parent, most=_PICKER_WIDTH)
        self._ask = ask
        self.setMinimumWidth(_LEAST_PICKER)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAutoDefault(False)

    def show_choices(self, choices: Sequence[ScopeChoice], current: str | None) -> None:
        """Offer these rooms and show the chosen one, or what to do."""
        super().show_choices(choices, current)
        chosen = next((one.text for one in choices if current and one.id == current), "")
        self.setText(chosen or self._ask)
        self.setAccessibleName(f"{self._ask}: {chosen}" if chosen else self._ask)

    def sizeHint(self) -> QSize:
        """As wide as it may be."""
        return QSize(self.maximumWidth(), super().sizeHint().height())


class _TierRow(RadioPlate):
    """One tier: radio, rings, what it means, where needed its rooms, how much lies there."""

    def __init__(self, theme: Theme, tier: Tier, parent: QWidget) -> None:
        super().__init__(
            theme, tier_title(tier), frame=PlateFrame.ROW, mark_at=QPoint(25, -1), parent=parent
        )
        self.tier = tier
        self.setObjectName(f"scrubTier_{tier.value}")
        self._choice: TierChoice | None = None
        inked, role = TIER_MARKS[tier]
        mark = TierMark(theme, inked=inked, role=role, edge=_RING, parent=self)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(plain_label(tier_title(tier), "bodyStrong", self))
        words.addWidget(elided_label(tier_sentence(tier), "meta", self))
        words.addStretch(1)
        ask = (
            self.tr("Choose a channel")
            if tier is Tier.CHANNEL
            else self.tr("Choose a conversation")
        )
        self.picker = RoomPicker(theme, ask, self)
        self.picker.setObjectName(f"scrubRoom_{tier.value}")
        self.picker.setVisible(tier in TIERS_WITH_ROOMS)
        self._count = plain_label("", "body", self)
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._forgotten = plain_label("", "caption", self)
        self._forgotten.setAlignment(Qt.AlignmentFlag.AlignRight)
        counts = QVBoxLayout()
        counts.setSpacing(0)
        counts.addStretch(1)
        counts.addWidget(self._count)
        counts.addWidget(self._forgotten)
        counts.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(45, 4, 16, 4)
        row.setSpacing(11)
        row.addWidget(mark)
        row.addLayout(words, 1)
        row.addWidget(self.picker)
        row.addLayout(counts)
        self._count.setMinimumWidth(theme.scaled(_COUNT_WIDTH))
        self.setMinimumHeight(theme.scaled(_ROW_HEIGHT))
        _let_through(self)

    def show_choice(self, choice: TierChoice) -> None:
        """Show rooms and counts."""
        if choice == self._choice:
            return
        self._choice = choice
        self._count.setText(entries_text(choice.n_entries))
        forgotten = forgotten_text(choice.n_forgotten)
        self._forgotten.setText(forgotten)
        self._forgotten.setVisible(bool(forgotten))
        said = ", ".join(
            part
            for part in (tier_sentence(self.tier), entries_text(choice.n_entries), forgotten)
            if part
        )
        self.setAccessibleDescription(said)
        self.picker.setEnabled(bool(choice.rooms))
        self.picker.show_choices(_room_choices(choice.rooms), choice.room_id)


class _ModeCard(RadioPlate):
    """One mode: its name, its key, what it spares."""

    def __init__(self, theme: Theme, mode: ScrubMode, parent: QWidget) -> None:
        super().__init__(
            theme, mode_title(mode), frame=PlateFrame.CARD, mark_at=QPoint(25, 24), parent=parent
        )
        self.mode = mode
        self.setObjectName(f"scrubMode_{mode.value}")
        self._sentence = plain_label("", "meta", self)
        self._sentence.setWordWrap(True)
        head = QHBoxLayout()
        head.addWidget(plain_label(mode_title(mode), "bodyStrong", self))
        head.addStretch(1)
        head.addWidget(plain_label(mode.value, "mono", self))
        column = QVBoxLayout(self)
        column.setContentsMargins(45, 13, 16, 13)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self._sentence)
        column.addStretch(1)
        _let_through(self)

    def show_sentence(self, sentence: str) -> None:
        """Say what it spares."""
        self._sentence.setText(sentence)
        self.setAccessibleDescription(sentence)


def _let_through(plate: QWidget) -> None:
    """Clicks on the words of a plate are clicks on the plate."""
    for label in plate.findChildren(QLabel):
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)


def _room_choices(rooms: Sequence[Room]) -> list[ScopeChoice]:
    choices: list[ScopeChoice] = []
    group = ""
    for room in rooms:
        if room.group != group:
            group = room.group
            choices.append(ScopeChoice(None, group, is_title=True))
        choices.append(ScopeChoice(room.id, room.name, room.icon))
    return choices
