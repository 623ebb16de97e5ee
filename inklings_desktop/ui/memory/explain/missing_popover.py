"""*Why is one not here?*: choose the memory that is missed, read where it fell out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.popover import Popover
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconMark, plain_label, rule, wrapped_label
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.memory.explain.missing_words import StepState, untried_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.memory import MemoryRef
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.memory.explain.missing_words import (
        MissingCandidate,
        MissingFacts,
        MissingStep,
    )

_WIDTH = 440
_ROWS = 6
_ROW_HEIGHT = 28
_ID = Qt.ItemDataRole.UserRole
_STEP_MARKS = {
    StepState.PASSED: ("check", "accent"),
    StepState.FELL: ("x", "ochre"),
    StepState.UNTRIED: ("minus", "inkFaint"),
}


class MissingPopover(Popover):
    """A field, the memories that the search did not find, and the answer about one of them."""

    def __init__(
        self,
        theme: Theme,
        query: str,
        *,
        sought: Callable[[str], None],
        chosen: Callable[[str], None],
        opened: Callable[[MemoryRef], None],
        parent: QWidget,
    ) -> None:
        """Offer nothing yet.

        Args:
            query: What was searched for.
            sought: Told what the person looks for, once typing rests.
            chosen: Told the id of the memory to explain.
            opened: Told the memory to open in the inspector.
        """
        super().__init__(
            theme, tr("Why did \u201c{text}\u201d not find it?").format(text=query), parent
        )
        self._sought, self._chosen, self._opened = sought, chosen, opened
        self.setObjectName("missingPopover")
        self._look = theme
        self._facts: MissingFacts | None = None
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(tr("Find it by other words, or paste its id"))
        self.field.setAccessibleName(tr("The memory that is missing"))
        self.field.installEventFilter(self)
        self.list = QListWidget(self)
        self.list.setAccessibleName(tr("Memories that the search did not find"))
        self.list.setProperty("inset", "true")
        self.list.setFont(theme.font("meta"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setFixedSize(theme.scaled(_WIDTH), _ROWS * theme.scaled(_ROW_HEIGHT) + 2)
        self.list.currentItemChanged.connect(self._on_current_item_changed)
        self.nothing = wrapped_label(tr("Nothing else here has these words."), "caption")
        self.nothing.hide()
        fill(self.body, self.field, self.list, self.nothing)
        self._answer = QWidget(self)
        self.title = wrapped_label("", "metaStrong", self._answer)
        self.text = wrapped_label("", "meta", self._answer)
        self._steps = vbox(None, spacing=3)
        self.step_labels: list[QWidget] = []
        self.open = PushButton(theme, tr("Open memory"), small=True, parent=self._answer)
        self.open.setObjectName("openMissing")
        self.open.clicked.connect(self._on_open_clicked)
        self.better = PushButton(theme, tr("Open the better hit"), small=True, parent=self._answer)
        self.better.setObjectName("openBetter")
        self.better.clicked.connect(self._on_better_clicked)
        self._lay_out()
        self._show_nothing()
        self._rest = timer(self, lambda: self._sought(self.field.text()))
        self.field.textChanged.connect(
            lambda: self._rest.start(self._look.duration("debounceSearch"))
        )

    def show_candidates(self, candidates: tuple[MissingCandidate, ...]) -> None:
        """Offer these memories."""
        self.list.blockSignals(True)
        self.list.clear()
        for one in candidates:
            words = f"{one.text}   ({one.remark})" if one.remark else one.text
            item = QListWidgetItem(words)
            item.setSizeHint(QSize(0, self._look.scaled(_ROW_HEIGHT)))
            item.setToolTip(plain_tool_tip(one.text))
            item.setData(_ID, one.id)
            self.list.addItem(item)
        self.list.blockSignals(False)
        self.nothing.setVisible(not candidates)
        self.list.setVisible(bool(candidates))

    def show_answer(self, facts: MissingFacts) -> None:
        """Say what became of the chosen memory."""
        self._facts = facts
        self.title.setText(facts.title)
        self.text.setText(facts.text)
        self._show_steps(facts.steps)
        self.open.setEnabled(facts.ref is not None)
        self.better.setVisible(facts.better is not None)
        announce(self, f"{facts.title} {facts.text}".strip())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent):
            step = {Qt.Key.Key_Down.value: 1, Qt.Key.Key_Up.value: -1}.get(event.key())
            if step is not None and event.type() is QEvent.Type.KeyPress and self.list.count():
                place = max(0, min(self.list.currentRow() + step, self.list.count() - 1))
                self.list.setCurrentRow(place)
                return True
            is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
            if is_enter and event.type() is QEvent.Type.KeyPress:
                if self.list.currentItem() is None and self.list.count():
                    self.list.setCurrentRow(0)
                return True
        return super().eventFilter(watched, event)

    def _show_nothing(self) -> None:
        """The steps that are asked about, and room for the answer: nothing moves later."""
        self.title.setText(tr("Choose a memory to see why it was not found."))
        self._show_steps(untried_steps())
        self.open.setEnabled(False)
        self.better.hide()

    def _show_steps(self, steps: Sequence[MissingStep]) -> None:
        for label in self.step_labels:
            self._steps.removeWidget(label)
            label.hide()
            label.deleteLater()
        self.step_labels = []
        for step in steps:
            self._add_step(step.name, step.state)

    def _lay_out(self) -> None:
        buttons = hbox(None, self.open, self.better, STRETCH, spacing=8)
        answer = vbox(self._answer, margins=(0, 4, 0, 2), spacing=4)
        fill(answer, rule(self._answer), 4, self.title, self.text, 4, self._steps, 6, buttons)
        self.body.addWidget(self._answer)
        for label in (self.title, self.text):
            label.setFixedWidth(_WIDTH)
        # Two lines, however short the answer is.
        self.text.setMinimumHeight(2 * self._look.line("meta") + 2)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.nothing.setFixedSize(self.list.size())
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)

    def _add_step(self, name: str, state: StepState) -> None:
        line = QWidget(self._answer)
        row = hbox(line, margins=0, spacing=8)
        icon, role = _STEP_MARKS[state]
        mark = IconMark(self._look, icon, role, 14, parent=line)
        style = {StepState.FELL: "metaStrong", StepState.PASSED: "metaInk"}.get(state, "caption")
        fill(row, mark, (plain_label(name, style, line), 1))
        told = {
            StepState.PASSED: tr("passed"),
            StepState.FELL: tr("fell out here"),
            StepState.UNTRIED: tr("not reached"),
        }[state]
        line.setAccessibleName(f"{name}: {told}")
        self._steps.addWidget(line)
        self.step_labels.append(line)
        line.show()

    @Slot()
    def _on_current_item_changed(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self._chosen(str(item.data(_ID)))

    @Slot()
    def _on_open_clicked(self) -> None:
        if self._facts is not None and self._facts.ref is not None:
            self.close()
            self._opened(self._facts.ref)

    @Slot()
    def _on_better_clicked(self) -> None:
        if self._facts is not None and self._facts.better is not None:
            self.close()
            self._opened(self._facts.better)
