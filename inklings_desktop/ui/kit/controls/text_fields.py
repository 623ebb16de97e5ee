"""Fields to type into: one that searches, and one for words that nobody may paste."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDropEvent,
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.look.cells import Celled, Icon, Line, Said
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.layouts import hbox
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.ops.timers import timer

_WAITING = "\u2026"
_WAIT_SHOWN_AFTER_MS = 250
_ICON_LEFT = 11
_TEXT_GAP = 7
_FIELD_AIR = 6
_LEAST_TYPED = 48
"""So much of what is typed is seen beside how much was found, in pixels."""


class SearchField(Celled, QWidget):
    """A text field in a painted frame; what is typed is reported once the typing rests.

    Signals:
        query_changed: The text, once typing rests.
        leave_requested: Down was pressed, or Escape where nothing is typed.
        submitted: The text, when Enter is pressed.
    """

    query_changed = Signal(str)
    leave_requested = Signal()
    submitted = Signal(str)

    def __init__(
        self,
        theme: Theme,
        modes: Sequence[Segment],
        *,
        chosen: Callable[[str], None] | None = None,
        clear_name: str,
        mode_name: str,
        icon: str = "magnifying-glass",
        parent: QWidget | None = None,
    ) -> None:
        """Build the field.

        Args:
            modes: Choices of the switch at the right edge; none leaves it out.
            chosen: Told the key of the mode that was chosen.
            clear_name: What the clear button is called.
            mode_name: What the switch is called.
            icon: Stands before the text.
        """
        super().__init__(parent)
        self._theme = theme
        self._icon_name = icon
        self._reported = ""
        self._result = ""
        self._wordings: tuple[str, str] = ("", "")
        self.edit = QLineEdit(self)
        self.edit.setProperty("frameless", "true")
        self.edit.setProperty("ring", "none")
        self.edit.installEventFilter(self)
        self._count = plain_label("", "caption", self)
        self._clear = IconButton(theme, "x", clear_name, size=14, parent=self)
        self._clear.clicked.connect(self.clear)
        self._clear.hide()
        self._modes: SegmentedSwitch | None = None
        row = self._row = hbox(self, (self.edit, 1), self._count, self._clear, spacing=6)
        if modes:
            self._modes = SegmentedSwitch(theme, modes, mode_name, height=28, parent=self)
            self._modes.setObjectName("searchMode")
            row.addWidget(self._modes)
            if chosen is not None:
                self._modes.choice_changed.connect(chosen)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusProxy(self.edit)
        self._rest = timer(self, self._report)
        self._patience = timer(self, self._on_patience_timeout, _WAIT_SHOWN_AFTER_MS)
        self.edit.textChanged.connect(self._on_edit_text_changed)
        self.edit.returnPressed.connect(self._on_return_pressed)
        theme.dress(self._on_theme_changed)

    def text(self) -> str:
        """What stands in the field."""
        return self.edit.text()

    def set_text(self, text: str) -> None:
        """Put a text into the field and report it at once."""
        self.edit.setText(text)
        self._report()

    def put_text(self, text: str) -> None:
        """Put a text into the field that its owner knows of already: nothing is reported."""
        self._reported = text
        self.edit.setText(text)
        self._rest.stop()

    def set_placeholder(self, text: str, accessible_name: str = "", *, short: str = "") -> None:
        """Say what is searched, in the empty field and aloud.

        Args:
            text: Stands in the empty field.
            accessible_name: What is said aloud; the text unless told otherwise.
            short: Takes the place of a text that has no room.
        """
        self._wordings = (text, short or text)
        self.edit.setAccessibleName(accessible_name or text)
        self._fit_placeholder()

    def set_result(self, text: str, accessible_description: str = "") -> None:
        """Say how much was found; an empty text says nothing."""
        self._patience.stop()
        self._result = text
        self._count.setText(text)
        self._fit_count()
        self.edit.setAccessibleDescription(accessible_description or text)

    def result(self) -> str:
        """How much was found; empty where nothing is said."""
        return self._result

    def set_waiting(self) -> None:
        """An answer is on its way; three dots take the count's place if it is slow."""
        self._patience.start()

    def mode(self) -> str:
        """Key of the chosen mode, empty without a switch."""
        return self._modes.choice() if self._modes is not None else ""

    def set_mode(self, key: str) -> None:
        """Choose a mode, if it can be had; says so like a click."""
        if self._modes is not None and self._modes.allows(key):
            self._modes.choose(key)

    def set_mode_enabled(self, key: str, *, enabled: bool) -> None:
        """Allow or forbid one mode, such as search by meaning without a model."""
        if self._modes is not None:
            self._modes.set_choice_enabled(key, enabled=enabled)

    def show_modes(self, *, shown: bool) -> None:
        """Offer the choice of modes, or leave it out."""
        if self._modes is not None:
            self._modes.setVisible(shown)

    def set_narrow(self, *, narrow: bool) -> None:
        """Show modes by their icons alone."""
        if self._modes is not None:
            self._modes.set_icons_only(icons_only=narrow)

    @Slot()
    def clear(self) -> None:
        """Empty the field and report that at once."""
        self.set_text("")
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def sizeHint(self) -> QSize:
        return QSize(320, self._theme.px("control"))

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self._theme.px("control"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows focus, width and keys of the text field."""
        if isinstance(event, QFocusEvent):
            self.update()
        if event.type() is QEvent.Type.Resize:
            self._fit_placeholder()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                if self.text():
                    self.clear()
                else:
                    self.leave_requested.emit()
                return True
            if event.key() == Qt.Key.Key_Down:
                self._report()
                self.leave_requested.emit()
                return True
        return super().eventFilter(watched, event)

    def ground(self) -> Ground:
        focused = self.edit.hasFocus()
        line = "focus" if focused else "controlBorder" if self.isEnabled() else "line"
        role = "surface" if self.isEnabled() else "sunken"
        return Ground(role, "control", line, 2 if focused else 1)

    def said(self) -> Said:
        icon = Icon(self._icon_name, "ink" if self.edit.hasFocus() else "inkSoft", 16)
        return Said((Line((icon,)),), _ICON_LEFT)

    def _fit_placeholder(self) -> None:
        text, short = self._wordings
        metrics = self.edit.fontMetrics()
        room = self.edit.width() - _FIELD_AIR
        fitting = (one for one in (text, short) if metrics.horizontalAdvance(one) <= room)
        self.edit.setPlaceholderText(next(fitting, ""))  # the icon says it where no word has room

    def _fit_count(self) -> None:
        """Leave out how much was found where what is typed needs the room; it is said aloud."""
        others = [one for one in (self._clear, self._modes) if one is not None and one.isVisible()]
        margins = self._row.contentsMargins()
        taken = sum(one.sizeHint().width() + self._row.spacing() for one in others)
        room = self.width() - margins.left() - margins.right() - taken - _LEAST_TYPED
        self._count.setVisible(bool(self._count.text()) and self._count.sizeHint().width() <= room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_count()

    @Slot()
    def _report(self) -> None:
        self._rest.stop()
        text = self.text()
        if text != self._reported:
            self._reported = text
            self.query_changed.emit(text)

    @Slot()
    def _on_return_pressed(self) -> None:
        self._report()
        self.submitted.emit(self.text())

    @Slot(str)
    def _on_edit_text_changed(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        self._fit_count()
        self._rest.start(self._theme.duration("debounceSearch"))

    @Slot()
    def _on_patience_timeout(self) -> None:
        self._count.setText(_WAITING)
        self._fit_count()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.px("control"))
        left = _ICON_LEFT + self._theme.icon_px(16) + _TEXT_GAP
        # A switch fills the field to its edge; words keep their distance.
        right = 2 if self._modes is not None else _ICON_LEFT
        self._row.setContentsMargins(left, 2, right, 2)
        self.update()


class FindField(SearchField):
    """Looks for something in one way only."""

    def __init__(self, theme: Theme, placeholder: str, parent: QWidget) -> None:
        super().__init__(theme, (), clear_name=tr("Clear"), mode_name="", parent=parent)
        self.set_placeholder(placeholder)


class PhraseField(QLineEdit):
    """Takes keys one by one.

    Refused are the clipboard by key or middle button, drops, and keys that bring several
    characters. There is no context menu. Input methods may bring one word at a time, as
    on-screen keyboards and dictation do, but never a phrase.

    Signals:
        paste_refused: Something else than typing was tried.
    """

    paste_refused = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)  # so that a drop can be refused with a word

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste) or len(event.text()) > 1:
            self._refuse(event)
            return
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            event.ignore()
            return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Refuses the middle button, which pastes the selection on some systems."""
        if event.button() is Qt.MouseButton.MiddleButton:
            self._refuse(event)
            return
        super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offers none: the one thing it would be opened for is refused here."""
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt calls it so
        """Lets a drag in, to answer when it is dropped."""
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt calls it so
        event.setDropAction(Qt.DropAction.IgnoreAction)
        self._refuse(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:  # noqa: N802 - Qt calls it so
        if " " in event.commitString().strip():
            super().inputMethodEvent(QInputMethodEvent())
            self._refuse(event)
            return
        super().inputMethodEvent(event)

    def _refuse(self, event: QEvent) -> None:
        event.accept()
        self.paste_refused.emit()
