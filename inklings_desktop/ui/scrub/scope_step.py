"""First step of a scrub: which tier, which room, what is spared."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.ui.kit.controls.buttons import ForwardButton, PushButton
from inklings_desktop.ui.kit.controls.toggles import CheckBox, PlateFrame, RadioPlate
from inklings_desktop.ui.kit.dialogs.pieces import (
    Note,
    NoticeLine,
    StepBody,
    StepFoot,
    card,
    column_of,
)
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import elided_label, plain_label, rule
from inklings_desktop.ui.kit.panes.scope_picker import ScopeChoice, ScopePicker
from inklings_desktop.ui.kit.words.memory_facts import tier_title
from inklings_desktop.ui.scrub.state import TIERS_WITH_NAMES, TIERS_WITH_ROOMS
from inklings_desktop.ui.scrub.words import (
    choice_texts,
    mode_sentence,
    mode_title,
    no_names_sentence,
    run_state_sentence,
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
    """Four tiers, two modes, and the box that spares all but the state of runs.

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
        self.setAccessibleName(tr("What to clear, and what to keep"))
        self.notice = NoticeLine(theme, self.column)
        rows = card(self.column, margins=(0, 0, 0, 0))
        column_of(rows).setSpacing(0)
        self.tiers: dict[Tier, _TierRow] = {}
        for tier in Tier:
            if self.tiers:
                column_of(rows).addWidget(rule(rows))
            one = self.tiers[tier] = _TierRow(theme, tier, rows)
            one.clicked.connect(partial(self.tier_chosen.emit, tier))
            one.picker.scope_chosen.connect(partial(self._choose_room, tier))
            column_of(rows).addWidget(one)
        keep = plain_label(tr("What to keep"), "label", self.column)
        self._modes = QWidget(self.column)
        pair = QGridLayout(self._modes)
        pair.setContentsMargins(0, 0, 0, 0)
        pair.setHorizontalSpacing(12)
        self.modes: dict[ScrubMode, _ModeCard] = {}
        for number, mode in enumerate((ScrubMode.KEEP_NAMED, ScrubMode.FULL)):
            plate = self.modes[mode] = _ModeCard(theme, mode, self._modes)
            plate.clicked.connect(partial(self.mode_chosen.emit, mode))
            pair.addWidget(plate, 0, number)
            pair.setColumnStretch(number, 1)
        self._no_names = plain_label("", "body", self.column, wraps=True)
        self.runs = named(
            CheckBox(theme, tr("Purge run state alone"), self.column), "scrubRunState"
        )
        self.runs.clicked.connect(
            lambda on: self.mode_chosen.emit(ScrubMode.RUN_STATE if on else ScrubMode.KEEP_NAMED)
        )
        self._runs_said = plain_label("", "meta", self.column, wraps=True)
        self._reach = Note(theme, self.column)
        self._reach.say("ochre", "warning", tr("This reaches every workspace you own."))
        self._info = Note(theme, self.column)
        self._info.say(
            "lapis",
            "info",
            "",
            tr(
                "The next step shows what would go and removes nothing; you can save a "
                "copy first. A scrub has no undo."
            ),
        )
        clear = plain_label(tr("What to clear"), "label", self.column)
        fill(self.stack, self.notice, 2, clear, 8, rows, 20, keep, 8, self._modes)
        instead = plain_label(tr("Instead"), "label", self.column)
        fill(self.stack, self._no_names, 20, instead, 8, (self.runs, 0, Qt.AlignmentFlag.AlignLeft))
        fill(self.stack, self._runs_said, 20, self._reach, 8, self._info, STRETCH)

    def show_state(self, state: ScrubState) -> None:
        """Show the choices and what is chosen."""
        self.notice.show_notice(state.notice)
        for choice in state.choices:
            plate = self.tiers[choice.tier]
            plate.show_choice(choice)
            plate.setChecked(choice.tier is state.tier)
        has_names = state.tier in TIERS_WITH_NAMES
        self._modes.setVisible(has_names)
        self._no_names.setVisible(not has_names)
        if has_names:
            for mode, face in self.modes.items():
                face.show_sentence(mode_sentence(mode, state.choice))
                face.setChecked(mode is state.mode)
        else:
            self._no_names.setText(no_names_sentence(state.tier, state.mode))
        is_one = state.tier is Tier.CONVERSATION
        said = run_state_sentence(is_one=is_one)
        self.runs.setEnabled(is_one)
        self.runs.setChecked(state.mode is ScrubMode.RUN_STATE)
        self.runs.setAccessibleDescription(said)
        self._runs_said.setText(said)
        self._reach.setVisible(state.tier is Tier.ACCOUNT)

    def focus_first(self) -> None:
        """The keyboard stands on the tier that is chosen."""
        for one in self.tiers.values():
            if one.isChecked():
                one.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose_room(self, tier: Tier, room_id: str | None) -> None:
        if room_id is not None:
            self.room_chosen.emit(tier, room_id)


class ScopeFoot(StepFoot):
    """Count, or leave."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hint = plain_label("", "meta", self)
        cancel = PushButton(theme, tr("Cancel"), kind="quiet", parent=self)
        self.cancel = named(cancel, "scrubCancel")
        count = ForwardButton(theme, tr("Count what would go"), kind="primary", parent=self)
        self.count = named(count, "scrubCount")
        fill(self.row, (self.hint, 1), self.cancel, self.count)

    def show_state(self, state: ScrubState) -> None:
        """Say what the button does, or what is missing before it can."""
        self.count.setEnabled(state.can_count)
        if state.is_counting:
            said = tr("Counting\u2026")
        elif state.tier in TIERS_WITH_ROOMS and state.scope is None:
            said = (
                tr("Choose the channel to clear.")
                if state.tier is Tier.CHANNEL
                else tr("Choose the conversation to clear.")
            )
        else:
            said = tr("Counts only. Nothing is removed.")
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
        title = plain_label(tier_title(tier), "bodyStrong", self)
        sentence = elided_label(tier_sentence(tier), "meta", self)
        words = vbox(None, STRETCH, title, sentence, STRETCH, spacing=0)
        ask = tr("Choose a channel") if tier is Tier.CHANNEL else tr("Choose a conversation")
        self.picker = named(RoomPicker(theme, ask, self), f"scrubRoom_{tier.value}")
        self.picker.setVisible(tier in TIERS_WITH_ROOMS)
        self._count = plain_label("", "body", self)
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._forgotten = plain_label("", "caption", self)
        self._forgotten.setAlignment(Qt.AlignmentFlag.AlignRight)
        counts = vbox(None, STRETCH, self._count, self._forgotten, STRETCH, spacing=0)
        hbox(self, mark, (words, 1), self.picker, counts, margins=(45, 4, 16, 4), spacing=11)
        self._count.setMinimumWidth(theme.scaled(_COUNT_WIDTH))
        self.setMinimumHeight(theme.scaled(_ROW_HEIGHT))
        _let_through(self)

    def show_choice(self, choice: TierChoice) -> None:
        """Show rooms and counts."""
        if choice == self._choice:
            return
        self._choice = choice
        memories, beside = choice_texts(choice)  # as many as the rail and the tabs say
        self._count.setText(memories)
        self._forgotten.setText(beside)
        self._forgotten.setVisible(bool(beside))
        said = ", ".join(part for part in (tier_sentence(self.tier), memories, beside) if part)
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
        self._sentence = plain_label("", "meta", self, wraps=True)
        title = plain_label(mode_title(mode), "bodyStrong", self)
        head = hbox(None, title, STRETCH, plain_label(mode.value, "mono", self), spacing=4)
        vbox(self, head, self._sentence, STRETCH, margins=(45, 13, 16, 13), spacing=4)
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
