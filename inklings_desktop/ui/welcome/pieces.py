"""What the welcome draws itself: doors with their keys, answers to choose from, the live VOICE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetricsF, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy, QWidget

from inklings_desktop.ui.kit.look.control_marks import key_cap_height, paint_key_cap
from inklings_desktop.ui.kit.look.layouts import FlowLayout, vbox
from inklings_desktop.ui.kit.look.mirror import draw_text_in, smooth_painter_on
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.markdown.preview import MarkdownPreview

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from inklings_desktop.ui.kit.look.theme import Theme


class KeyCap(QWidget):
    """The key that opens a door."""

    def __init__(self, theme: Theme, key: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._key = theme, key
        theme.dress(self._on_theme_changed)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
        paint_key_cap(painter, self.rect().toRectF(), self._key, self._theme)
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        edge = key_cap_height(self._theme)
        self.setFixedSize(edge, edge)


class Door(QFrame):
    """A card with a button; a click anywhere on it is a click on the button.

    Signals:
        clicked: Beside its button.
    """

    clicked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        vbox(self, margins=(22, 20, 22, 20), spacing=0)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.pos()):
            self.clicked.emit()


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
        self.chosen.emit(chip.key if checked else "")


class VoicePreview(MarkdownPreview):
    """The VOICE as it is written so far, its newest words marked."""

    _newest = ""

    def show_said(self, said: tuple[str, str]) -> None:
        """Show the VOICE and, in Markdown, which line of it is new."""
        text, self._newest = said
        self.show_markdown(text)

    def lay_out(self) -> None:
        super().lay_out()
        words = self._newest.removeprefix("- ").replace("**", "")
        found = self.document().find(words) if words else QTextCursor()
        if found.isNull():
            return
        look = QTextCharFormat()
        look.setBackground(self._theme.color("diffAdd"))
        look.setForeground(self._theme.color("diffAddInk"))
        look.setFontUnderline(True)
        found.mergeCharFormat(look)
