"""Golden questions: the list, one of them in its form, and nothing yet."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QMenu, QScrollArea, QWidget

from inklings_desktop.domain.background.golden import MAX_QUESTION_CHARACTERS
from inklings_desktop.ui.consolidation.golden_state import (
    NEW,
    Expected,
    GoldenState,
    expected_state,
    fared_note,
    found_nothing,
    found_title,
    golden_rows,
    problem_text,
    summary,
)
from inklings_desktop.ui.kit.controls.buttons import IconButton, MenuButton, PushButton
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.dialogs.pieces import Headline, Note, StepFoot, card, column_of
from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
from inklings_desktop.ui.kit.lists.badge_list import BadgeList
from inklings_desktop.ui.kit.look.accessibility import announce, named, order_tabs
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, restyle, vbox
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconLabel, elided_label, plain_label, show_parts
from inklings_desktop.ui.kit.ops.storing import storing

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme


_SIDE = 24
_STATE_WIDTH = 118
_MUST, _MUST_NOT = "must", "must_not"


class GoldenForm(QScrollArea):
    """Shows the draft of a ``GoldenState`` and says what the person does to it.

    Signals:
        place_chosen: The ``ScopeKey`` where it is asked.
        expected: Id of a memory and whether it must be found.
        removed: Id of a memory of which nothing is said any more.
    """

    place_chosen = Signal(object)
    expected = Signal(str, bool)
    removed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state: GoldenState | None = None
        self._shown: tuple[object, ...] = ()
        self.setObjectName("goldenForm")
        self.setAccessibleName(tr("The question"))
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._column = QWidget()
        for ground in (self.viewport(), self._column):
            ground.setProperty("ground", "canvas")
        self.setWidget(self._column)
        self.question = named(QLineEdit(self._column), "goldenQuestion", tr("Question"))
        self.question.setPlaceholderText(tr("As an agent would ask it"))
        self.question.setMaxLength(2 * MAX_QUESTION_CHARACTERS)
        self.place = named(MenuButton(theme, self._column), "goldenPlace")
        self.place.setAutoDefault(False)
        self.place.clicked.connect(self._on_place_clicked)
        self._error = plain_label("", "error", self._column)
        self.notice = Note(theme, self._column)
        self.fared = named(Note(theme, self._column), "goldenFared")
        self._expected_title = plain_label(tr("Expected"), "label", self._column)
        self._expected_none = plain_label(
            tr("Nothing yet. Choose below what should be found, or should not."),
            "meta",
            self._column,
        )
        self._expected_box = _card(self._column)
        self.finder = named(QLineEdit(self._column), "goldenFind", tr("Find another memory"))
        self.finder.setPlaceholderText(tr("Find another memory"))
        self.finder.setFixedWidth(theme.scaled(220))
        self._found_title = elided_label("", "label", self._column)
        self._found_none = plain_label("", "meta", self._column)
        self._found_box = _card(self._column)
        self.rows: list[ExpectedRow] = []
        self.hits: list[HitRow] = []
        self._lay_out()

    def show_state(self, state: GoldenState) -> None:
        """Show the draft; what is being typed is not touched."""
        self._state = state
        draft = state.draft
        if draft is None:
            return
        if self.question.text() != draft.text:
            self.question.setText(draft.text)
        if self.finder.text() != state.looked_for:
            self.finder.setText(state.looked_for)
        place = state.place_of(draft.scope)
        self.place.setText(place)
        self.place.setAccessibleName(tr("Asked in: {place}").format(place=place))
        self.place.setEnabled(not draft.expected)
        self.place.setToolTip(
            plain_tool_tip(
                tr("The expected memories lie here; remove them to ask elsewhere")
                if draft.expected
                else tr("Where it is asked")
            )
        )
        self._show_problem(state)
        self._show_notice(state)
        self._show_rows(state)

    def focus_question(self) -> None:
        """The keyboard stands in the question."""
        self.question.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_problem(self, state: GoldenState) -> None:
        said = "" if state.problem is None else problem_text(state.problem)
        if said and said != self._error.text():
            announce(self, said, urgent=True)
        self._error.setText(said)
        self.question.setAccessibleDescription(said)
        restyle(self.question, "invalid", "true" if said else "false")
        self._error.setVisible(bool(said))

    def _show_notice(self, state: GoldenState) -> None:
        fared = fared_note(state)
        self.fared.setVisible(fared is not None)
        if fared is not None:
            mark = "check-circle" if fared.role == "lapis" else "warning"
            self.fared.say(fared.role, mark, fared.title, fared.text)
        notice = state.notice
        self.notice.setVisible(notice is not None)
        if notice is not None:
            icon = "warning-circle" if notice.role == "madder" else "check-circle"
            said = f"{notice.title} {notice.text}".strip()
            if said != self.notice.accessibleName():
                announce(self, said)
            self.notice.say(notice.role, icon, notice.title, notice.text)

    def _show_rows(self, state: GoldenState) -> None:
        draft = state.draft
        if draft is None:
            return
        offered = state.offered()
        told = tuple((one, *expected_state(state, one)) for one in draft.expected)
        self._found_title.setText(found_title(state))
        self._found_none.setText(found_nothing(state))
        show_parts(
            {
                self._expected_none: not draft.expected,
                self._expected_box: bool(draft.expected),
                self._found_none: not offered,
                self._found_box: bool(offered),
            }
        )
        shown = (told, offered)
        if shown == self._shown:
            return
        self._shown = shown
        focused = self._focused_id()
        for old in (*self.rows, *self.hits):
            old.hide()
            old.deleteLater()
        self.rows = [self._expected_row(one, is_right, said) for one, is_right, said in told]
        self.hits = [self._hit_row(id_, text) for id_, text in offered]
        for one in self.rows:
            if one.memory_id == focused:
                one.remove.setFocus(Qt.FocusReason.OtherFocusReason)
        order_tabs(self.window())

    def _focused_id(self) -> str:
        """The memory on whose row the keyboard is; empty for none."""
        focus = QApplication.focusWidget()
        rows: list[ExpectedRow | HitRow] = [*self.rows, *self.hits]
        for one in rows:
            if focus is not None and one.isAncestorOf(focus):
                return one.memory_id
        return ""

    def _expected_row(self, one: Expected, is_right: bool, said: str) -> ExpectedRow:  # noqa: FBT001
        shown = ExpectedRow(
            self._theme, one, is_right=is_right, said=said, parent=self._expected_box
        )
        shown.switch.choice_changed.connect(partial(self._on_switched, one.id))
        shown.remove.clicked.connect(partial(self.removed.emit, one.id))
        column_of(self._expected_box).addWidget(shown)
        shown.show()
        return shown

    def _hit_row(self, id_: str, text: str) -> HitRow:
        shown = HitRow(self._theme, id_, text, self._found_box)
        shown.must.clicked.connect(partial(self.expected.emit, id_, True))
        shown.must_not.clicked.connect(partial(self.expected.emit, id_, False))
        column_of(self._found_box).addWidget(shown)
        shown.show()
        return shown

    def _lay_out(self) -> None:
        on = self._column
        vbox(
            on,
            plain_label(tr("Question"), "label", on),
            hbox(None, (self.question, 1), self.place, spacing=8),
            *(self._error, self.notice, self.fared, 10),
            *(self._expected_title, self._expected_none, self._expected_box, 10),
            hbox(None, (self._found_title, 1), self.finder),
            *(self._found_none, self._found_box, STRETCH),
            margins=(_SIDE, 18, _SIDE, 18),
            spacing=6,
        )

    @Slot()
    def _on_place_clicked(self) -> None:
        if self._state is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for place in self._state.places:
            choose = partial(self.place_chosen.emit, place.scope)
            menu.addAction(place.name).triggered.connect(choose)
        menu.popup(self.place.mapToGlobal(self.place.rect().bottomLeft()))

    def _on_switched(self, memory_id: str, choice: str) -> None:
        self.expected.emit(memory_id, choice == _MUST)


class ExpectedRow(QWidget):
    """One expected memory: what it says, how it fares, and which way it is expected."""

    def __init__(
        self, theme: Theme, one: Expected, *, is_right: bool, said: str, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.memory_id = one.id
        text = elided_label(one.text, "begins", self)
        state = IconLabel(theme, "meta", self)
        icon, role = ("check-circle", "accent") if is_right else ("warning", "ochre")
        state.show_mark(icon, role, said, inked=not is_right)
        state.setFixedWidth(theme.scaled(_STATE_WIDTH))
        state.setVisible(bool(said))
        self.switch = SegmentedSwitch(
            theme,
            (Segment(_MUST, tr("Must")), Segment(_MUST_NOT, tr("Must not"))),
            tr("How it is expected"),
            height=26,
            parent=self,
        )
        with QSignalBlocker(self.switch):
            self.switch.choose(_MUST if one.must else _MUST_NOT)
        self.remove = IconButton(
            theme, "x", tr("Expect nothing of it: {text}").format(text=one.text), size=14,
            parent=self,
        )  # fmt: skip
        self.setAccessibleName(one.text)
        self.setAccessibleDescription(said)
        parts = ((text, 1), state, self.switch, self.remove)
        hbox(self, *parts, margins=(0, 4, 0, 4), spacing=10)


class HitRow(QWidget):
    """One found memory, and what can be said of it."""

    def __init__(self, theme: Theme, memory_id: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.memory_id = memory_id
        self.setAccessibleName(text)
        self.must = PushButton(theme, tr("Must be found"), small=True, parent=self)
        self.must.setAccessibleName(tr("Must be found: {text}").format(text=text))
        self.must_not = PushButton(theme, tr("Must not"), kind="quiet", small=True, parent=self)
        self.must_not.setAccessibleName(tr("Must not be found: {text}").format(text=text))
        words = elided_label(text, "begins", self)
        hbox(self, (words, 1), self.must, self.must_not, margins=(0, 4, 0, 4), spacing=6)


def _card(parent: QWidget) -> QFrame:
    frame = card(parent, margins=(14, 5, 10, 5))
    column_of(frame).setSpacing(0)
    return frame


SIZE = QSize(1060, 720)
_LIST_WIDTH = 348


class GoldenDialog(ProcessDialog[GoldenState]):
    """Shows a ``GoldenState``."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(theme, window, title=tr("Golden questions"), size=SIZE)
        self._key = ""
        self._said = ""
        self._can_begin = False
        self.setObjectName("goldenDialog")
        self.ask = PushButton(theme, tr("Ask all now"), icon="arrows-clockwise", parent=self)
        self.ask.setObjectName("goldenAsk")
        storing(self.ask)  # what is found is kept, to be compared with
        self.new = PushButton(theme, tr("New question"), icon="plus", parent=self)
        self.new.setObjectName("goldenNew")
        storing(self.new)
        self.add_to_head(self.ask)
        self.add_to_head(self.new)
        self.list = named(BadgeList(theme, tr("Golden questions"), parent=self), "goldenList")
        self.form = GoldenForm(theme, self)
        self._panes = QWidget(self)
        self._nothing = QWidget(self)
        self.delete = PushButton(
            theme, tr("Delete\u2026"), kind="quietDanger", icon="eraser", parent=self
        )
        self.delete.setObjectName("goldenDelete")
        storing(self.delete)
        self.save = PushButton(theme, tr("Keep question"), kind="primary", parent=self)
        self.save.setObjectName("goldenSave")
        storing(self.save)
        self.finish = named(PushButton(theme, tr("Done"), parent=self), "goldenDone")
        self._fill(theme)
        self.fit()

    def fit(self) -> None:
        """Centre on the window; what is chosen has more room than the list."""
        super().fit()
        self.list.setFixedWidth(self.side_width(_LIST_WIDTH))

    def show_state(self, state: GoldenState) -> None:
        """Show the questions and the one in the fields."""
        said = summary(state)
        self.show_head(tr("Golden questions"), said)
        if said != self._said and state.records and not state.is_asking:
            self._said = said
            announce(self, said)
        draft = state.draft
        self.list.show_rows(golden_rows(state), "" if draft is None else draft.key)
        self.form.show_state(state)
        is_empty = draft is None and not state.questions
        show_parts({self._panes: not is_empty, self._nothing: is_empty and state.is_read})
        self.form.setVisible(draft is not None)
        self.ask.setEnabled(bool(state.questions) and not state.is_asking)
        self.ask.setText(tr("Asking\u2026") if state.is_asking else tr("Ask all now"))
        self.new.setEnabled(bool(state.places))
        self.delete.setVisible(draft is not None)
        self.delete.setText(
            tr("Discard") if draft is not None and draft.key == NEW else tr("Delete\u2026")
        )
        self.save.setVisible(draft is not None)
        self.save.setEnabled(state.can_save)
        key = "" if draft is None else draft.key
        if key == NEW and self._key != NEW:
            self.form.focus_question()
        elif key and not self._key:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        elif is_empty and self.new.isEnabled() and not self._can_begin:
            self.new.setFocus(Qt.FocusReason.OtherFocusReason)
        self._can_begin = self.new.isEnabled()
        self._key = key

    def _fill(self, theme: Theme) -> None:
        upright = QFrame(self._panes)
        upright.setProperty("upright", "true")
        hbox(self._panes, self.list, upright, (self.form, 1), margins=0, spacing=0).addStretch(0)
        title = Headline(theme, style="tab", px=None, parent=self._nothing)
        title.setText(tr("No golden question yet"))
        text = plain_label(
            tr(
                "Save a question with the memories it should find, or should not. "
                "Inklings asks it before and after big changes and tells you if the "
                "answer got worse."
            ),
            "body",
            self._nothing,
        )
        for label in (title, text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setWordWrap(True)
        middle = (STRETCH, title, text, STRETCH)
        vbox(self._nothing, *middle, margins=(180, 0, 180, 40), spacing=8)
        foot = StepFoot(self)
        fill(foot.row, self.delete, STRETCH, self.finish, self.save)
        self.fill(vbox(None, (self._panes, 1), (self._nothing, 1), spacing=0), foot)
