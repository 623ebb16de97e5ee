"""Below the event log: whether the logs are what was written, and the check that finds out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from inklings_desktop.ui.events.state import ChainState
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.marks.labels import elided_label

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme

_HEIGHT = 40
_GUTTER = 24


class ChainFoot(QWidget):
    """One sentence, and two quiet buttons.

    Signals:
        check_requested: Every log is to be read and compared with its chain.
        broken_requested: The event that is not what was written is wanted.
    """

    check_requested = Signal()
    broken_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state = ChainState()
        self.setProperty("ground", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._icon = QLabel(self)
        self.text = elided_label("", "meta", self)
        self.text.setObjectName("chainVerdict")
        self.show_broken = PushButton(
            theme, self.tr("Show the event"), kind="quiet", small=True, parent=self
        )
        self.show_broken.setObjectName("showBroken")
        self.show_broken.clicked.connect(self.broken_requested)
        self.check = PushButton(
            theme,
            self.tr("Check the chain"),
            kind="quiet",
            icon="link-simple",
            small=True,
            parent=self,
        )
        self.check.setObjectName("checkChain")
        self.check.setToolTip(
            self.tr("Reads every log whole and compares each event with its keyed hash")
        )
        self.check.clicked.connect(self.check_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(_GUTTER, 0, _GUTTER - 9, 0)
        row.setSpacing(8)
        row.addWidget(self._icon)
        row.addWidget(self.text, 1)
        row.addWidget(self.show_broken)
        row.addWidget(self.check)
        self.show_state(ChainState())
        theme.changed.connect(self._on_theme_changed)

    def show_state(self, state: ChainState) -> None:
        """Show what is known; a new verdict is read out."""
        is_news = bool(state.text) and state.text != self._state.text and not state.is_running
        self._state = state
        if state.is_running:
            words = self.tr("Reading every log\u2026")
        else:
            words = state.text or self.tr("Every event carries a keyed hash over those before it.")
        self.text.setText(words)
        self.check.setEnabled(not state.is_running)
        has_number = state.is_broken and state.broken_number is not None
        self.show_broken.setVisible(has_number and not state.is_running)
        if is_news:
            announce(self, words, urgent=state.is_broken)
        self._on_theme_changed()

    @Slot()
    def _on_theme_changed(self) -> None:
        theme, state = self._theme, self._state
        self.setFixedHeight(theme.scaled(_HEIGHT))
        icon, role = "lock-simple", "inkFaint"
        if state.is_running:
            icon = "arrows-clockwise"
        elif state.is_broken:
            icon, role = "warning-circle", "madder"
        elif state.text:
            icon, role = "check-circle", "accent"
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(theme.pixmap(icon, role, 16, ratio=ratio))
        is_fault = state.is_broken and not state.is_running
        self.text.setProperty("textStyle", "error" if is_fault else "meta")
        self.text.style().unpolish(self.text)
        self.text.style().polish(self.text)
