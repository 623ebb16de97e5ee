"""How far something long has come, and a button that stops it where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QPushButton
from shiboken6 import isValid

from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.translation import grouped, tr
from inklings_desktop.ui.kit.look.veil import veil_behind
from inklings_desktop.ui.kit.marks.labels import plain_label, wrapped_label
from inklings_desktop.ui.kit.marks.meters import ShareBar

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme

_WIDTH = 440
_MARGIN = 28


class ProgressDialog(QDialog):
    """Counts up to a number; the button, Escape and the cross of the frame ask to stop."""

    def __init__(self, theme: Theme, title: str, total: int, window: QWidget) -> None:
        """Build the dialog, which shows itself at the first step.

        Args:
            theme: Its colours.
            title: What is being done, in a short sentence.
            total: Steps in all, at least 1.
            window: The window it belongs to.
        """
        super().__init__(window)
        self.setObjectName("progressDialog")
        self.setWindowTitle(title)
        self.setMinimumWidth(_WIDTH)
        self._total = total
        self._is_stopped = False
        heading = wrapped_label(title, "title", self)
        heading.setMinimumWidth(_WIDTH - 2 * _MARGIN)
        self.bar = ShareBar(theme, parent=self)
        self.bar.setAccessibleName(tr("Progress"))
        self._step = plain_label("", "meta", self)
        self.stop = QPushButton(tr("Stop"), self)
        self.stop.setObjectName("progressStop")
        self.stop.clicked.connect(self.reject)
        foot = hbox(None, self._step, STRETCH, self.stop)
        vbox(self, heading, self.bar, foot, margins=(_MARGIN, 24, _MARGIN, 24), spacing=12)

    def goes_on(self, n_done: int) -> bool:
        """Show how far it has come; whether nobody has asked to stop."""
        if not isValid(self):  # it went with its window
            return False
        text = tr("{n} of {total}").format(n=grouped(n_done), total=grouped(self._total))
        self.bar.set_share(n_done / self._total)
        self.bar.setAccessibleDescription(text)
        self._step.setText(text)
        if not (self._is_stopped or self.isVisible()):
            veil_behind(self)
            self.open()
        return not self._is_stopped

    def finish(self) -> None:
        """Go, for it is done or stopped."""
        if isValid(self):
            self.accept()
            self.deleteLater()

    def reject(self) -> None:
        """Asks to stop; it goes once what is under way has been finished."""
        self._is_stopped = True
        self.stop.setEnabled(False)
        self.stop.setText(tr("Stopping\u2026"))
