"""A label of one line that is cut with an ellipsis where room runs out."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip


class ElidedLabel(QLabel):
    """Plain text only; the whole text stands in the tool tip while it is cut.

    Characters that do not show are spelled out.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(spelled_out(text), parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def setText(self, text: str) -> None:  # noqa: N802 - Qt
        """Show another text."""
        super().setText(spelled_out(text))

    def minimumSizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(0, super().minimumSizeHint().height())

    def is_elided(self) -> bool:
        """Whether the text is wider than the label."""
        return self.fontMetrics().horizontalAdvance(self.text()) > self.contentsRect().width()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws what fits."""
        painter = QPainter(self)
        rect = self.contentsRect()
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, rect.width()
        )
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(rect, self.alignment(), shown)
        painter.end()
        self.setToolTip(plain_tool_tip(self.text()) if self.is_elided() else "")
