"""The open workspace at the head of the rail, and the menu that switches it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QIcon, QPainter, QPixmap, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget

from inklings_desktop.ui.plain_text import plain_tool_tip
from inklings_desktop.ui.widgets.crest import paint_crest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QEnterEvent, QPaintEvent

    from inklings_desktop.ui.theme import Theme

_CREST = 32
_PADDING = 8
_GAP = 8
_CARET = 14
_LINES = 2
_COMPACT_CREST = 32


@dataclass(frozen=True, slots=True)
class WorkspaceRow:
    """A workspace in the switcher."""

    id: str
    name: str


class WorkspaceCard(QAbstractButton):
    """Crest, name on up to two lines, caret; pressing it opens the switcher.

    Signals:
        workspace_chosen: Id of another workspace.
        new_workspace_requested: *New workspace...* was chosen.
        sample_world_requested: *Open sample world* was chosen.
        deletion_requested: *Delete this workspace...* was chosen.
    """

    workspace_chosen = Signal(str)
    new_workspace_requested = Signal()
    sample_world_requested = Signal()
    deletion_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._id = ""
        self._compact = False
        self._rows: tuple[WorkspaceRow, ...] = ()
        self._offers_sample = True
        self.setObjectName("workspaceCard")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.clicked.connect(self._on_clicked)
        theme.changed.connect(self._on_theme_changed)

    def show_workspaces(
        self, rows: Sequence[WorkspaceRow], current_id: str, *, offers_sample: bool
    ) -> None:
        """Show the open workspace and remember the others for the menu."""
        self._rows = tuple(rows)
        self._id = current_id
        self._offers_sample = offers_sample
        name = next((row.name for row in rows if row.id == current_id), "")
        self.setText(name)
        self.setToolTip(plain_tool_tip(name))
        self.setAccessibleName(self.tr("Workspace"))
        self.setAccessibleDescription(name)
        self.update()

    def set_compact(self, *, compact: bool) -> None:
        """Show the crest alone, for the narrow rail."""
        self._compact = compact
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def sizeHint(self) -> QSize:
        """Two lines of the name, or the crest alone."""
        if self._compact:
            return QSize(_COMPACT_CREST + 2 * _PADDING, _COMPACT_CREST)
        return QSize(200, self._theme.scaled(52))

    def menu(self) -> QMenu:
        """The switcher, made anew."""
        menu = QMenu(self)
        menu.setMinimumWidth(300)
        for row in self._rows:
            action = QAction(self._crest_icon(row.id), row.name.replace("&", "&&"), menu)
            action.setCheckable(True)
            action.setChecked(row.id == self._id)
            action.setData(row.id)
            menu.addAction(action)
        menu.addSeparator()
        new = menu.addAction(self.tr("New workspace\u2026"))
        new.triggered.connect(self.new_workspace_requested)
        if self._offers_sample:
            sample = menu.addAction(self.tr("Open the sample world"))
            sample.triggered.connect(self.sample_world_requested)
        menu.addSeparator()
        delete = menu.addAction(self.tr("Delete this workspace\u2026"))
        delete.triggered.connect(self.deletion_requested)
        menu.triggered.connect(self._on_menu_triggered)
        return menu

    def enterEvent(self, event: QEnterEvent) -> None:
        """Shows that it can be pressed."""
        super().enterEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws ground, crest, name and caret."""
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self._compact:
            left = (self.width() - _COMPACT_CREST) / 2
            self._paint_crest(painter, QRectF(left, 0, _COMPACT_CREST, _COMPACT_CREST), self._id)
            painter.end()
            return
        painter.setPen(theme.color("line"))
        painter.setBrush(theme.color("hover" if self.underMouse() else "surface"))
        painter.drawRoundedRect(rect, theme.radius("card"), theme.radius("card"))
        top = (self.height() - _CREST) / 2
        self._paint_crest(painter, QRectF(_PADDING, top, _CREST, _CREST), self._id)
        caret = theme.pixmap("caret-down", "inkSoft", _CARET, ratio=self.devicePixelRatioF())
        painter.drawPixmap(
            QPointF(self.width() - _CARET - _GAP, (self.height() - _CARET) / 2), caret
        )
        self._paint_name(painter)
        painter.end()

    def _paint_name(self, painter: QPainter) -> None:
        left = _PADDING + _CREST + _GAP
        width = self.width() - left - _CARET - 2 * _GAP
        font = self._theme.font("tab", px=14)
        layout = QTextLayout(self.text(), font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        layout.setTextOption(option)
        step = self._theme.scaled(18)
        layout.beginLayout()
        n_lines = 0
        while n_lines < _LINES:
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(width)
            line.setPosition(QPointF(0, n_lines * step))
            n_lines += 1
        layout.endLayout()
        painter.setPen(self._theme.color("ink"))
        painter.setClipRect(QRectF(left, 0, width, self.height()))
        layout.draw(painter, QPointF(left, (self.height() - n_lines * step) / 2 - 1))

    def _paint_crest(self, painter: QPainter, rect: QRectF, seed: str) -> None:
        theme = self._theme
        paint_crest(
            painter,
            rect,
            seed,
            ink=theme.color("accent"),
            ground=theme.color("accentSoft"),
            radius=theme.radius("control"),
        )

    def _crest_icon(self, seed: str) -> QIcon:
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(round(20 * ratio), round(20 * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_crest(painter, QRectF(0, 0, 20, 20), seed)
        painter.end()
        return QIcon(pixmap)

    @Slot()
    def _on_clicked(self) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    @Slot(QAction)
    def _on_menu_triggered(self, action: QAction) -> None:
        chosen = action.data()
        if isinstance(chosen, str) and chosen != self._id:
            self.workspace_chosen.emit(chosen)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self.sizeHint().height())
        self.update()
