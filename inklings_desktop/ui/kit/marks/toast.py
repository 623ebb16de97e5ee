"""A note at the foot of a page that offers to take something back for a while."""

from collections.abc import Callable

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QPropertyAnimation,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFontMetricsF,
    QKeyEvent,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QLabel,
    QWidget,
)

from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import hbox
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.motion import slide
from inklings_desktop.ui.kit.look.text_layout import write
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.look.veil import Shadow
from inklings_desktop.ui.kit.marks.labels import IconMark
from inklings_desktop.ui.kit.ops.timers import timer

_HEIGHT = 44
_SIDE, _ABOVE, _LEAST_WORDS = 8, 10, 80
_TICK_MS = 1000
_REST_MARGIN = 24
_INSET, _BUTTON_INSET = 16, 8


class _UndoButton(QAbstractButton):
    """A word and its key on the inverse ground."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._hint = ""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("ring", "none")
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses it like Space: whoever came here by F6 has nothing else to enter."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    def set_words(self, word: str, hint: str) -> None:
        self._hint = hint
        self.setText(word)
        self.setAccessibleName(word)
        self.setToolTip(f"{word} ({hint})" if hint else word)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        strong = QFontMetricsF(self._theme.font("meta", weight=600))
        plain = QFontMetricsF(self._theme.font("meta"))
        width = strong.horizontalAdvance(self.text()) + 20
        if self._hint:
            width += plain.horizontalAdvance(self._hint) + 6
        return QSize(round(width), self._theme.scaled(26))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        painter = smooth_painter_on(self)
        canvas = theme.color("canvas")
        rect = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        edge = QColor(canvas)
        edge.setAlphaF(1.0 if self.hasFocus() else 0.5)
        painter.setPen(QPen(edge, 2 if self.hasFocus() else 1))
        ground = QColor(canvas)
        ground.setAlphaF(0.14 if self.underMouse() else 0.0)
        painter.setBrush(ground)
        painter.drawRoundedRect(rect, 5, 5)
        x, middle = 10.0, self.height() / 2
        for text, weight in ((self.text(), 600), (self._hint, 400)):
            x = write(painter, x, middle, text, theme.font("meta", weight=weight), canvas) + 6
        painter.end()


class Toast(Grounded, QWidget):
    """One line on an inverse ground, with seconds left and a button that undoes or leads on.

    The seconds stand still while the pointer or the keyboard is on it. A newer message takes
    the place of the older one. The note keeps to the bottom centre of its parent.

    Signals:
        undo_requested: The button was pressed, and it offered to undo.
        closed: It went without that.
        keyboard_freed: It went while the keyboard was on it, which must not fall to a chance place.
    """

    undo_requested = Signal()
    closed = Signal()
    keyboard_freed = Signal()
    stands_on = Ground("ink", "card")

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._margin = _REST_MARGIN
        self._seconds = 0
        self._lead: Callable[[], object] | None = None
        self._rise: QPropertyAnimation | None = None
        self._hovered = False
        self.setObjectName("toast")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._icon = IconMark(theme, "", "canvas", 18, self)
        self._text = QLabel(self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._left = QLabel(self)
        self.undo = _UndoButton(theme, self)
        self.undo.clicked.connect(self._on_undo_clicked)
        self._row = hbox(self, self._icon, self._text, self._left, self.undo, spacing=14)
        self._clock = timer(self, self._on_clock_timeout, _TICK_MS, again=True)
        parent.installEventFilter(self)
        theme.changed.connect(self._on_theme_changed)
        self.hide()
        Shadow(self, theme.radius("card"))
        self._on_theme_changed()

    def show_lead(self, text: str, label: str, lead: Callable[[], object], *, icon: str) -> None:
        """Show a sentence with a button that leads to what it is about.

        Args:
            text: What happened.
            label: Word of the button.
            lead: What the button does.
            icon: Name of an icon before it.
        """
        self.show_message(text, icon=icon, undo_label=label)
        self._lead = lead
        self._show_seconds()

    def show_message(
        self, text: str, *, icon: str = "", undo_label: str = "", key_hint: str = ""
    ) -> None:
        """Show a sentence; with ``undo_label`` there is a button and a countdown.

        Args:
            text: What happened.
            icon: Name of an icon before it.
            undo_label: Word of the button, empty for none.
            key_hint: The key that does the same.
        """
        self._lead = None
        self._icon.setVisible(bool(icon))
        self._icon.show_icon(icon, "canvas")
        self._text.setText(text)
        self.setAccessibleName(text)
        had_keyboard = self.undo.hasFocus()
        self.undo.set_words(undo_label, key_hint)
        self.undo.setVisible(bool(undo_label))
        # A button has air of its own; words keep as far from one end as from the other.
        self._row.setContentsMargins(_INSET, 0, _BUTTON_INSET if undo_label else _INSET, 0)
        if had_keyboard and not undo_label:
            self.keyboard_freed.emit()
        self._left.setVisible(bool(undo_label))
        name = "undoToast" if undo_label else "savedNote"
        self._seconds = max(1, round(self._theme.duration(name) / _TICK_MS))
        self._show_seconds()
        was_shown = self.isVisible()
        self.show()
        self.raise_()
        self._place()
        if not was_shown:
            self._rise = slide(self, self._theme, QPoint(0, self.height()))
            if self._rise is not None:
                self._rise.finished.connect(self._on_risen)
        self._clock.start()
        announce(self, text)

    def set_bottom_margin(self, margin: int) -> None:
        """Keep this far above the foot of the page, for what else floats there."""
        self._margin = margin
        self._place()

    def seconds_left(self) -> int:
        """Whole seconds until the note goes, 0 while it is hidden."""
        return self._seconds if self.isVisible() else 0

    def close_note(self) -> None:
        """Take the note away before its time, also while its page is not on show."""
        if not self.isHidden():
            self._clock.stop()
            self._go()
            self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stays at the foot of a page that changes its size."""
        if event.type() == QEvent.Type.Resize and watched is self.parentWidget():
            self._place()
        return super().eventFilter(watched, event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = False
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_note()
        else:
            super().keyPressEvent(event)

    def _go(self) -> None:
        had_keyboard = self.undo.hasFocus()
        self.hide()
        if had_keyboard:
            self.keyboard_freed.emit()

    def _place(self) -> None:
        parent = self.parentWidget()
        if parent is None or not self.isVisible():
            return
        if self._rise is not None:
            self._rise.stop()
            self._rise.deleteLater()
            self._rise = None
        self._fit(parent.width() - 2 * _SIDE)
        x = (parent.width() - self.width()) // 2
        self.move(max(_SIDE, x), parent.height() - self.height() - self._margin)

    def _fit(self, room: int) -> None:
        """Take one line; over a narrow page the words wrap and the button stays."""
        self._text.setWordWrap(False)
        width, height = self.sizeHint().width(), self._theme.scaled(_HEIGHT)
        if width > room:
            beside = width - self._text.sizeHint().width()
            self._text.setWordWrap(True)
            words = self._text.heightForWidth(max(_LEAST_WORDS, room - beside))
            width, height = room, max(height, words + 2 * _ABOVE)
        self.resize(width, height)

    def _show_seconds(self) -> None:
        self._left.setText(tr("{0} s").format(self._seconds))
        offer = (
            tr("Undo is available for {0} seconds")
            if self._lead is None
            else tr("The button is there for {0} seconds")
        )
        self.setAccessibleDescription(offer.format(self._seconds))

    @Slot()
    def _on_clock_timeout(self) -> None:
        if self._hovered or self.undo.hasFocus():
            return
        self._seconds -= 1
        if self._seconds <= 0:
            self.close_note()
        else:
            self._show_seconds()

    @Slot()
    def _on_risen(self) -> None:
        self._rise = None

    @Slot()
    def _on_undo_clicked(self) -> None:
        self._clock.stop()
        self._go()
        if self._lead is not None:
            self._lead()
        else:
            self.undo_requested.emit()

    @Slot()
    def _on_theme_changed(self) -> None:
        theme = self._theme
        ground = theme.color("canvas").name()
        for label, font, opacity in (
            (self._text, theme.font("body"), ""),
            (self._left, theme.font("meta", tabular=True), "b3"),
        ):
            label.setFont(font)
            colour = f"#{opacity}{ground[1:]}"
            label.setStyleSheet(f"color: {colour}; background: transparent;")
        self._place()
        self.update()
