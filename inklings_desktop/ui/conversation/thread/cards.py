"""Cards in the turn that can still be acted on: one asks, one says what went wrong."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QWidget

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client.permissions import rejecting
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.conversation.words import act_label, ask_effect, ask_title
from inklings_desktop.ui.kit.controls.buttons import KeyHintButton, PushButton
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import FlowLayout, hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import (
    IconMark,
    ReadingLabel,
    plain_label,
    rule,
    wrapped_label,
)
from inklings_desktop.ui.markdown.diff_view import DiffView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from inklings_desktop.agent_client.rows import AskBlock, Choice
    from inklings_desktop.ui.conversation.words import ProblemWords
    from inklings_desktop.ui.kit.look.theme import Theme

_TOP = 3  # so that the first line stands beside its box


class ChoiceList(QWidget):
    """The words of each memory, beside its box.

    Signals:
        changed: Another one is checked, or one less.
    """

    changed = Signal()

    def __init__(
        self, theme: Theme, choices: Sequence[Choice], left_out: set[str], parent: QWidget
    ) -> None:
        """Show these; the ids in ``left_out`` are unchecked, and what is unchecked is put there."""
        super().__init__(parent)
        self._left_out = left_out
        self.setAccessibleName(tr("Memories"))
        self.boxes: dict[str, CheckBox] = {}
        self._texts: list[QLabel] = []
        column = vbox(self, margins=0, spacing=2)
        for one in choices:
            box = self.boxes[one.id] = CheckBox(theme, "", self)
            box.setAccessibleName(one.text)
            box.setChecked(one.id not in left_out)
            box.toggled.connect(self._on_toggled)
            text = ReadingLabel(theme, one.text, self)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
            text.setContentsMargins(0, _TOP, 0, _TOP)
            self._texts.append(text)
            row = hbox(None, box, (text, 1))
            row.setAlignment(box, Qt.AlignmentFlag.AlignTop)
            column.addLayout(row)

    @property
    def chosen(self) -> tuple[str, ...]:
        """Ids of those that are checked."""
        return tuple(id_ for id_, box in self.boxes.items() if box.isChecked())

    @Slot()
    def _on_toggled(self) -> None:
        self._left_out.clear()
        self._left_out.update(self.boxes.keys() - self.chosen)
        self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves by J and K, as by Down and Up; what else is typed is for the card."""
        if event.key() in {Qt.Key.Key_J, Qt.Key.Key_K} and not event.modifiers():
            self.focusNextPrevChild(event.key() == Qt.Key.Key_J)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        for text, box in zip(self._texts, self.boxes.values(), strict=False):
            if text.geometry().contains(at) and event.button() is Qt.MouseButton.LeftButton:
                box.setFocus(Qt.FocusReason.MouseFocusReason)
                box.click()


_SIDE, _ICON = 17, 17
_MOST_DIFF = 260
_AWAY = 4_000
_ANSWERS = {
    wire.ALLOW_ONCE: ("Y", "primary"),
    wire.ALLOW_ALWAYS: ("A", "plain"),
    wire.REJECT_ONCE: ("N", "plain"),
}


class _Card(Grounded, QWidget):
    """A mark and buttons on a ground with a radius; its height follows from its width.

    Attributes:
        buttons: What can be answered or done, by its id, in order.

    Signals:
        grew: What lies in it takes another height than it said.
        left: The keyboard goes back to where the person writes.
    """

    grew = Signal()
    left = Signal()
    stands_on = Ground("surface", "card", "controlBorder")

    def __init__(self, theme: Theme, icon: str, role: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = self.theme = theme
        self._icon = IconMark(theme, icon, role, _ICON, self)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.buttons: dict[str, PushButton] = {}
        self._told = 0.0
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def focus_first(self) -> None:
        """Bring the keyboard to the first box or button."""
        first = self.findChild(QAbstractButton)
        if first is not None:
            first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def height_at(self, width: float) -> float:
        """How high it is at a width, in pixels."""
        layout = self.layout()
        assert layout is not None
        if self.isHidden() or self.width() != round(width):
            # What lies in it takes its own height only once it is shown at this width.
            self.setGeometry(0, -_AWAY, round(width), _AWAY)
            self.show()
        layout.activate()
        self._told = self._height_of_all()
        return self._told

    def event(self, event: QEvent) -> bool:
        """Says so when what lies in it has taken another height: a difference once it is drawn."""
        is_done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest and self._height_of_all() != self._told:
            self.grew.emit()
        return is_done

    def _height_of_all(self) -> float:
        layout = self.layout()
        if layout is None or (not self._told and self.isHidden()):
            return self._told
        has = layout.hasHeightForWidth()
        return float(layout.heightForWidth(self.width()) if has else layout.sizeHint().height())


class AskCard(_Card):
    """States the exact effect of what the agent wants to do, and takes the answer.

    The letters act only while the keyboard is in the card.

    Signals:
        answered: Id of the question, and of the option that was chosen; the ids of the choices
            that it was chosen for, None for all.
    """

    answered = Signal(str, str, object)

    def __init__(
        self, theme: Theme, ask: AskBlock, tool: str, left_out: set[str], parent: QWidget
    ) -> None:
        super().__init__(theme, "hand-palm", "ochre", parent)
        self.setObjectName("askCard")
        self.ask = ask
        self.choices = ChoiceList(theme, ask.choices, left_out, self) if ask.choices else None
        title = plain_label(ask_title(ask, tool), "bodyStrong", self, wraps=True)
        waiting = plain_label(tr("waiting for you"), "meta", self)
        effect = wrapped_label(ask_effect(ask, tool), "meta", self)
        self._by_letter: dict[str, str] = {}
        words = vbox(None, spacing=4)
        head = hbox(None, (title, 1), waiting, spacing=12)
        words.addLayout(head)
        words.addWidget(effect)
        if (body := self._body()) is not None:
            words.addSpacing(4)
            words.addWidget(body)
        top = hbox(None, self._icon, (words, 1), margins=(_SIDE, 12, _SIDE, 12), spacing=10)
        foot = QWidget(self)
        flow = FlowLayout(foot, gap=8, line_gap=6)
        flow.setContentsMargins(_SIDE, 10, _SIDE, 10)
        for button in self._made_buttons(foot):
            flow.addWidget(button)
        if self.choices is not None:
            self.choices.changed.connect(self._on_chosen_changed)
            self._on_chosen_changed()
        vbox(self, top, rule(self), foot, margins=1, spacing=0)
        self.setAccessibleName(ask_title(ask, tool))
        letters = ", ".join(
            f"{letter} {self.buttons[option].accessibleName()}"
            for letter, option in self._by_letter.items()
        )
        self.setAccessibleDescription(tr("Waiting for you. {letters}").format(letters=letters))

    def focus_first(self) -> None:
        """Bring the keyboard to the first button; of another's question, to what rejects it."""
        no = None if self.ask.effect else rejecting(self.ask)
        if no is None or no.id not in self.buttons:
            super().focus_first()
        else:
            self.buttons[no.id].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Answers by a letter; Escape goes back to writing and answers nothing."""
        option = self._by_letter.get(event.text().upper()) if not event.isAutoRepeat() else None
        if option is not None and not event.modifiers():
            self.buttons[option].click()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _made_buttons(self, foot: QWidget) -> list[PushButton]:
        names = {
            wire.ALLOW_ONCE: tr("Allow once"),
            wire.ALLOW_ALWAYS: tr("Always for this conversation"),
            wire.REJECT_ONCE: tr("Deny"),
        }
        if not self.ask.effect:  # another's agent keeps its own rules
            names |= {wire.ALLOW_ALWAYS: tr("Always"), wire.REJECT_ALWAYS: tr("Always deny")}
        found: list[PushButton] = []
        for option in self.ask.options:
            if option.id == wire.OPTION_LATER:
                letter, kind, text = "L", "quiet", tr("Later")
            elif option.kind in names:
                letter, kind = _ANSWERS.get(option.kind, ("", "plain"))
                text = names[option.kind]
            else:
                letter, kind, text = "", "plain", option.name or option.id
            if letter in self._by_letter:
                letter = ""
            button: PushButton
            if letter:
                button = KeyHintButton(self.theme, text, letter, foot, kind=kind)
                self._by_letter[letter] = option.id
            else:
                button = PushButton(self.theme, text, kind=kind, parent=foot)
                button.setAccessibleName(text)
            button.setObjectName(f"ask:{option.id}")
            button.clicked.connect(partial(self._answer, option.id))
            self.buttons[option.id] = button
            found.append(button)
        return found

    def _answer(self, option: str) -> None:
        chosen = self.choices.chosen if self.choices is not None else None
        self.answered.emit(self.ask.id, option, chosen)

    @Slot()
    def _on_chosen_changed(self) -> None:
        assert self.choices is not None
        for option in self.ask.options:
            if option.kind in {wire.ALLOW_ONCE, wire.ALLOW_ALWAYS}:
                self.buttons[option.id].setEnabled(bool(self.choices.chosen))

    def _body(self) -> QWidget | None:
        """The change itself: a list, a difference, or the text that would be kept or forgotten."""
        if self.choices is not None:
            return self.choices
        before, after = self.ask.before, self.ask.after
        if before is not None and after is not None:
            diff = named(DiffView(self.theme, self, compact=True), "askDiff")
            diff.set_most_height(_MOST_DIFF)
            diff.show_diff(diff_lines(before, after))
            return diff
        text = after if after is not None else before
        return ReadingLabel(self.theme, text, self) if text else None


class ProblemCard(_Card):
    """Says what happened, what still holds and what to do.

    Signals:
        wanted: What is to be done: one of the acts of ``ProblemWords``.
    """

    wanted = Signal(str)

    def __init__(self, theme: Theme, words: ProblemWords, parent: QWidget) -> None:
        super().__init__(theme, words.icon, words.kind, parent)
        self.setObjectName("problemCard")
        self._words = words
        self.stand_on(Ground(f"{words.kind}Soft", "card"))
        title = wrapped_label(words.title, "metaStrong", self)
        text = wrapped_label(words.text, "metaInk", self)
        text.setVisible(bool(words.text))
        column = vbox(None, title, text, spacing=1)
        if words.acts:
            column.addSpacing(7)
            column.addLayout(self._button_row())
        hbox(self, self._icon, (column, 1), margins=(_SIDE, 10, _SIDE, 10), spacing=10)
        self.setAccessibleName(words.title)
        self.setAccessibleDescription(words.text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Does by a letter what a button does; Escape goes back to writing."""
        letter = event.text().upper()
        wanted = (act for act in self._words.acts if letter and act_label(act)[1] == letter)
        act = next(wanted, None)
        if act is not None and not event.modifiers():
            self.buttons[act].click()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _button_row(self) -> FlowLayout:
        flow = FlowLayout(gap=8, line_gap=6)
        for number, act in enumerate(self._words.acts):
            text, letter = act_label(act)
            text = text.replace("{amount}", self._words.amount)
            kind = "primary" if not number else "plain" if number == 1 else "quiet"
            button: PushButton
            if letter:
                button = KeyHintButton(self.theme, text, letter, self, kind=kind)
            else:
                button = PushButton(self.theme, text, kind=kind, parent=self)
            button.setProperty("small", "true")
            button.setObjectName(f"act:{act}")
            button.clicked.connect(partial(self.wanted.emit, act))
            self.buttons[act] = button
            flow.addWidget(button)
        return flow
