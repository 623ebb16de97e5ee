"""Words and small marks of the inspector: labels, chips, dots."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QSizePolicy, QWidget

from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox
from inklings_desktop.ui.kit.look.mirror import draw_text_in, painter_on, smooth_painter_on
from inklings_desktop.ui.kit.look.text_layout import plain_copy, plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.ui.kit.look.theme import Theme


class PlainLabel(QLabel):
    """Shows text as it is, never as markup; characters that do not show are spelled out."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(spelled_out(text), parent)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def setText(self, text: str) -> None:  # noqa: N802 - Qt
        super().setText(spelled_out(text))


class ElidedLabel(PlainLabel):
    """The same in one line; the whole text stands in the tool tip while it is cut."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def is_elided(self) -> bool:
        """Whether the text is wider than the label."""
        return self.fontMetrics().horizontalAdvance(self.text()) > self.contentsRect().width()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = painter_on(self)
        rect = self.contentsRect()
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, rect.width()
        )
        painter.setPen(self.palette().color(self.foregroundRole()))
        draw_text_in(painter, rect, self.alignment(), shown)
        painter.end()
        self.setToolTip(plain_tool_tip(self.text()) if self.is_elided() else "")


_DOT = 8
_CHIP_PADDING = 7
_CHIP_HEIGHT = 20
_LEAST_EMS = 7
_LONG_WORD = re.compile(r"\S{16,}")
_BETWEEN_LETTERS = re.compile(r"(?<=[^\W_])(?=[^\W_])|(?<=[_-])")
_PATH_SIGNS = re.compile(r"[/\\]")
_BREAK = "\u200b"
_LINE_END = "\u2029"


class WrappedLabel(PlainLabel):
    """Goes on in as many lines as it needs; selectable with the mouse.

    A word wider than the place is broken where the line ends instead of making the place wider.
    What is said and what is copied of it, and ``text``, are without such places. Paths stay
    whole: what the mouse selects goes as it stands into the selection of the display.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._whole = spelled_out(text)
        self._said = ""
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def setText(self, text: str) -> None:  # noqa: N802 - Qt
        self._whole = spelled_out(text)
        super().setText(text)
        self._break()

    def text(self) -> str:
        """The text as it was set."""
        return self._whole

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        if _PATH_SIGNS.search(self._whole):
            return hint
        return QSize(min(hint.width(), _LEAST_EMS * self.fontMetrics().height()), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._break()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.hasSelectedText():
            self._copy()
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offers to copy what is selected as it was set."""
        if self.hasSelectedText():
            menu = self.selection_menu()
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(event.globalPos())
        else:
            super().contextMenuEvent(event)

    def selection_menu(self) -> QMenu:
        """What can be done with what is selected, made anew."""
        menu = QMenu(self)
        menu.addAction(tr("Copy"), self._copy)
        return menu

    @Slot()
    def _copy(self) -> None:
        taken = self.selectedText().replace(_BREAK, "").replace(_LINE_END, "\n")
        QGuiApplication.clipboard().setMimeData(plain_copy(taken))

    def _break(self) -> None:
        if self.textFormat() is not Qt.TextFormat.PlainText:
            return
        metrics, width = self.fontMetrics(), self.contentsRect().width()

        def broken(match: re.Match[str]) -> str:
            word = match.group()
            if _PATH_SIGNS.search(word) or metrics.horizontalAdvance(word) <= width:
                return word
            return _BETWEEN_LETTERS.sub(_BREAK, word)

        shown = _LONG_WORD.sub(broken, self._whole)
        if shown != super().text():
            QLabel.setText(self, shown)  # the way of a plain label would spell the places out
        # The text without its places is what is read out, unless the label has a name of its own.
        said = "" if shown == self._whole else self._whole
        if said != self._said and self.accessibleName() == self._said:
            self._said = said
            self.setAccessibleName(said)


def plain_label(
    text: str, style: str, parent: QWidget | None = None, *, wraps: bool = False
) -> QLabel:
    """A label that never takes text for markup.

    Args:
        text: What it says.
        style: A text style of the sheet.
        parent: What it stands on.
        wraps: Whether it goes on in more lines between words; it is as wide as its longest one.
    """
    label = PlainLabel(text, parent)
    label.setProperty("textStyle", style)
    label.setWordWrap(wraps)
    return label


def wrapped_label(text: str, style: str, parent: QWidget | None = None) -> QLabel:
    """The same over as many lines as it needs, selectable with the mouse."""
    label = WrappedLabel(text, parent)
    label.setProperty("textStyle", style)
    policy = label.sizePolicy()
    policy.setHorizontalPolicy(QSizePolicy.Policy.Expanding)
    label.setSizePolicy(policy)
    return label


class ReadingLabel(PlainLabel):
    """A remembered text to read: in the reading face, selectable with the mouse."""

    def __init__(self, theme: Theme, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._theme = theme
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        theme.dress(self._on_theme_changed)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFont(self._theme.font("reading"))


def show_parts(parts: Mapping[QWidget, bool]) -> None:
    """Hide some widgets, then show the others: never is there room wanted for all at once."""
    for part in sorted(parts, key=parts.__getitem__):
        part.setVisible(parts[part])


def rule(parent: QWidget | None = None) -> QFrame:
    """A hairline across."""
    line = QFrame(parent)
    line.setProperty("rule", "true")
    return line


def elided_label(text: str, style: str, parent: QWidget | None = None) -> ElidedLabel:
    """A label of one line, as wide as its text where there is room."""
    label = ElidedLabel(text, parent)
    label.setProperty("textStyle", style)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    return label


class SectionTitle(QWidget):
    """The name of a section at the left, a remark about it at the right."""

    def __init__(
        self,
        text: str,
        remark: str = "",
        *,
        remark_style: str = "caption",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.remark = plain_label(remark, remark_style, self)
        row = hbox(self, margins=0)
        self.name = plain_label(text, "label", self)
        fill(row, self.name, STRETCH, self.remark)


class IconMark(QLabel):
    """A small icon in a role's colour; nothing as long as it has no name."""

    def __init__(
        self, theme: Theme, icon: str, role: str, size: int = 16, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._size = theme, size
        self._icon_name, self._role = icon, role
        theme.dress(self._on_theme_changed)

    def show_icon(self, icon: str, role: str) -> None:
        """Show another icon, or the same in another colour."""
        self._icon_name, self._role = icon, role
        self._on_theme_changed()

    @Slot()
    def _on_theme_changed(self) -> None:
        if not self._icon_name:
            return
        ratio = self.devicePixelRatioF()
        self.setPixmap(self._theme.pixmap(self._icon_name, self._role, self._size, ratio=ratio))


class IconLabel(QWidget):
    """An icon in a role's colour and a word after it."""

    def __init__(
        self,
        theme: Theme,
        style: str = "metaInk",
        parent: QWidget | None = None,
        *,
        edge: int = 16,
        wraps: bool = False,
    ) -> None:
        """An empty label.

        Args:
            style: Of the word.
            edge: Of the icon, in pixels.
            wraps: Whether a long text takes more lines, and is not cut.
        """
        super().__init__(parent)
        self._theme, self._role = theme, ""
        self.icon = IconMark(theme, "", "", edge, self)
        label = wrapped_label if wraps else elided_label
        self.text: QLabel = label("", style, self)
        row = hbox(self, margins=0, spacing=6)
        row.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop if wraps else Qt.AlignmentFlag(0))
        row.addWidget(self.text, 1 if wraps else 0)
        if not wraps:
            row.addStretch(1)
        theme.changed.connect(self._on_theme_changed)

    def show_mark(self, icon: str, role: str, text: str, *, inked: bool = False) -> None:
        """Show an icon and a word; ``inked`` gives the word the colour of the icon."""
        self.icon.show_icon(icon, role)
        self.text.setText(text)
        self._role = role if inked else ""
        self._on_theme_changed()

    @Slot()
    def _on_theme_changed(self) -> None:
        colour = self._theme.color(self._role).name() if self._role else ""
        self.text.setStyleSheet(f"color: {colour};" if colour else "")


class Chip(Grounded, ElidedLabel):
    """A word on a grey ground, such as a source."""

    stands_on = Ground("graphiteSoft", "chip")

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._theme = theme
        self.setProperty("textStyle", "meta")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setContentsMargins(_CHIP_PADDING, 0, _CHIP_PADDING, 0)

    def sizeHint(self) -> QSize:
        """As wide as its word, as high as a chip."""
        return QSize(super().sizeHint().width(), self._theme.scaled(_CHIP_HEIGHT))


class Dot(QWidget):
    """A dot, or a small ring, in a role's colour."""

    def __init__(
        self,
        theme: Theme,
        role: str,
        *,
        filled: bool = True,
        size: int = _DOT,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._role = role
        self._filled = filled
        self.setFixedSize(size, size)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
        colour = self._theme.color(self._role)
        if self._filled:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(QRectF(self.rect()))
        else:
            painter.setPen(QPen(colour, 1.3))
            painter.drawEllipse(QRectF(self.rect()).adjusted(0.7, 0.7, -0.7, -0.7))
        painter.end()
