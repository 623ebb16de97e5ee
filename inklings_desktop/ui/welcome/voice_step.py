"""How the new world sounds: four questions at the left, the VOICE they write at the right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QFrame,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from inklings_desktop.domain.entries.named_entry import about_tokens
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, FlowLayout, fill, hbox, vbox
from inklings_desktop.ui.kit.look.memory_marks import TierMark
from inklings_desktop.ui.kit.look.mirror import draw_text_in, smooth_painter_on
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label, rule, wrapped_label
from inklings_desktop.ui.markdown.preview import MarkdownPreview
from inklings_desktop.ui.welcome.state import (
    AVOID,
    line_of,
    voice_lines,
    voice_questions,
    voice_text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.welcome.state import WelcomeState

_PADDING = 11
_HEIGHT = 28
_STEPS = {
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Up: -1,
}


class _ChoiceChip(QAbstractButton):
    def __init__(self, theme: Theme, key: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self.key = theme, key
        self.setText(text)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.dress(self._on_theme_changed)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setProperty("ringRadius", self.sizeHint().height() / 2)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        width = QFontMetricsF(self._font()).horizontalAdvance(self.text()) + 2 * _PADDING
        return QSize(round(width), self._theme.scaled(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _STEPS:
            event.ignore()  # a button of its own would go to whatever is beside it
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, is_on = self._theme, self.isChecked()
        painter = smooth_painter_on(self)
        ground = "accentSoft" if is_on else "hover" if self.underMouse() else "surface"
        line = "accent" if is_on else "lineStrong"
        theme.draw_box(painter, self.rect(), ground, (self.height() - 1) / 2, line=line)
        painter.setFont(self._font())
        painter.setPen(theme.color("ink" if is_on else "inkSoft"))
        draw_text_in(painter, self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()

    def _font(self) -> QFont:
        return self._theme.font("meta")


class ChoiceChips(QWidget):
    """The answers of one question; one stop of the Tab key, the arrows go from one to the next.

    Signals:
        chosen: Key of the answer, empty once it was let go of.
    """

    chosen = Signal(str)

    def __init__(
        self, theme: Theme, name: str, choices: Sequence[tuple[str, str]], parent: QWidget
    ) -> None:
        """Offer answers, none of them chosen.

        Args:
            name: The question.
            choices: Keys and words.
        """
        super().__init__(parent)
        flow = FlowLayout(self, gap=8, line_gap=8)
        self.chips = tuple(_ChoiceChip(theme, key, text, self) for key, text in choices)
        for chip in self.chips:
            chip.setAccessibleName(
                tr("{question} {answer}").format(question=name, answer=chip.text())
            )
            chip.clicked.connect(self._on_clicked)
            flow.addWidget(chip)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.show_choice("")

    def show_choice(self, key: str) -> None:
        """Show which one is chosen; none for an empty key."""
        for chip in self.chips:
            chip.setChecked(chip.key == key)
        stop = next((one for one in self.chips if one.isChecked()), self.chips[0])
        self._stop_at(stop)

    def hasHeightForWidth(self) -> bool:
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        focused = self.focusWidget()
        if step is None or not isinstance(focused, _ChoiceChip):
            super().keyPressEvent(event)
            return
        if self.isRightToLeft() and event.key() in {Qt.Key.Key_Left, Qt.Key.Key_Right}:
            step = -step
        chip = self.chips[(self.chips.index(focused) + step) % len(self.chips)]
        self._stop_at(chip)
        chip.setFocus(Qt.FocusReason.TabFocusReason)

    def _stop_at(self, stop: _ChoiceChip) -> None:
        for chip in self.chips:
            policy = Qt.FocusPolicy.StrongFocus if chip is stop else Qt.FocusPolicy.ClickFocus
            chip.setFocusPolicy(policy)

    @Slot(bool)
    def _on_clicked(self, checked: bool) -> None:  # noqa: FBT001 - a signal's payload
        chip = self.sender()
        assert isinstance(chip, _ChoiceChip)
        key = chip.key if checked else ""
        self.show_choice(key)
        self._stop_at(chip)
        self.chosen.emit(key)


_QUESTIONS, _CARD = 570, 430
_GAP, _SIDE = 40, 24
_PREVIEW_HEIGHT = 230
_LONGEST = 200


class VoiceStep(QScrollArea):
    """Questions and the live VOICE.

    Signals:
        answered: Key of a question, and its answer; empty for none.
    """

    answered = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._newest = ""
        self.setObjectName("welcomeVoice")
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is in it has it
        page = QWidget(self)
        self.chips: dict[str, ChoiceChips] = {}
        self._questions = self._made_questions(page)
        self._card = self._made_card(page)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(_GAP)
        self._row.addWidget(self._questions, 570)
        self._row.addWidget(self._card, 430)
        vbox(
            page,
            hbox(None, STRETCH, (self._row, 100), STRETCH),
            STRETCH,
            margins=(_SIDE, 28, _SIDE, 28),
        )
        self.setWidget(page)
        theme.changed.connect(self._mark_newest)  # after the preview, which renders anew
        for ground in (self.viewport(), page):  # that of the welcome shows through
            ground.setAutoFillBackground(False)

    def _made_questions(self, page: QWidget) -> QWidget:
        side = QWidget(page)
        title = wrapped_label(tr("How should this world sound?"), "display", side)
        text = wrapped_label(
            tr(
                "Four questions. Each answer writes a line of VOICE, which an agent reads before"
                " every turn. You can change it later."
            ),
            "meta",
            side,
        )
        column = vbox(side, title, 6, text, margins=0, spacing=0)
        for question in voice_questions():
            label = plain_label(question.title, "metaStrong", side)
            chips = ChoiceChips(self._theme, question.title, question.choices, side)
            chips.setObjectName(f"voice{question.key.capitalize()}")
            chips.chosen.connect(self._on_chosen)
            self.chips[question.key] = chips
            fill(column, 13, rule(side), 13, label, 8, chips)
        asked = tr("A word that must never appear, and why")
        self.avoid = named(QLineEdit(side), "voiceAvoid", asked)  # made last: Tab comes to it last
        self.avoid.setMaxLength(_LONGEST)
        self.avoid.textEdited.connect(partial(self.answered.emit, AVOID))
        fill(column, 13, rule(side), 13, plain_label(asked, "metaStrong", side), 8, self.avoid)
        column.addStretch(1)
        side.setMaximumWidth(self._theme.scaled(_QUESTIONS))
        return side

    def _made_card(self, page: QWidget) -> QFrame:
        card = QFrame(page)
        card.setProperty("card", "true")
        mark = TierMark(self._theme, inked=3, role="tierWorkspace", parent=card)
        name = plain_label("VOICE", "tab", card)
        how = plain_label(tr("as the agent will read it"), "caption", card)
        head = hbox(None, mark, name, STRETCH, how, margins=(18, 12, 18, 12), spacing=10)
        self.preview = named(MarkdownPreview(self._theme, card), "voicePreview")
        self.preview.setAccessibleName(tr("VOICE, as the agent will read it"))
        self.preview.setMinimumHeight(self._theme.scaled(_PREVIEW_HEIGHT))
        self._figures = plain_label("", "caption", card)
        foot = hbox(None, self._figures, margins=(18, 10, 18, 10))
        vbox(card, head, rule(card), self.preview, rule(card), foot, margins=1, spacing=0)
        card.setMaximumWidth(self._theme.scaled(_CARD))
        return card

    def show_state(self, state: WelcomeState) -> None:
        """Show answers and what they write, the newest words marked."""
        answers = state.answers
        for key, chips in self.chips.items():
            chips.show_choice(getattr(answers, key))
        if self.avoid.text() != answers.avoid:
            self.avoid.setText(answers.avoid)
        text = voice_text(answers)
        empty = tr("Nothing is written yet. Each answer adds a line.")
        self.preview.show_markdown(text or f"*{empty}*")
        self._newest = voice_lines(answers).get(line_of(state.newest), "")
        self._mark_newest()
        self._figures.setText(
            tr("{characters} characters, about {tokens} tokens a turn").format(
                characters=QLocale().toString(len(text)),
                tokens=QLocale().toString(about_tokens(len(text))),
            )
            if text
            else tr("nothing is sent")
        )

    def bring_focus(self, reason: Qt.FocusReason) -> None:
        """Bring the keyboard to the first question."""
        first = next(iter(self.chips.values())).chips
        next((chip for chip in first if chip.isChecked()), first[0]).setFocus(reason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stands the VOICE below the questions where there is no room beside them."""
        super().resizeEvent(event)
        beside = self.width() >= self._theme.scaled(_QUESTIONS + _GAP) + _CARD // 2 + 2 * _SIDE
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.LeftToRight if beside else ways.TopToBottom)
        most = _CARD if beside else _QUESTIONS
        self._card.setMaximumWidth(self._theme.scaled(most))

    @Slot()
    def _mark_newest(self) -> None:
        """Show which words are new, in the document itself: the next one is rendered without."""
        words = self._newest.removeprefix("- ").replace("**", "")
        found = self.preview.document().find(words) if words else QTextCursor()
        if found.isNull():
            return
        look = QTextCharFormat()
        look.setBackground(self._theme.color("diffAdd"))
        look.setForeground(self._theme.color("diffAddInk"))
        look.setFontUnderline(True)
        found.mergeCharFormat(look)

    @Slot(str)
    def _on_chosen(self, answer: str) -> None:
        asked = next(key for key, chips in self.chips.items() if chips is self.sender())
        self.answered.emit(asked, answer)
