"""The ring around the control that listens to the keyboard."""

from typing import ClassVar

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QWindow
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QFocusFrame,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QWidget,
)
from shiboken6 import isValid

from inklings_desktop.ui.kit.look.theme import Theme

_MARGIN = 3
_WIDTH = 2


class _RingStyle(QProxyStyle):
    """Leaves room for the ring outside the control, or none; used by the ring alone."""

    is_inside = False

    def pixelMetric(
        self,
        metric: QStyle.PixelMetric,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        """The base style's measure, but for the ring's distance."""
        if metric in {
            QStyle.PixelMetric.PM_FocusFrameHMargin,
            QStyle.PixelMetric.PM_FocusFrameVMargin,
        }:
            return 0 if self.is_inside else _MARGIN
        return super().pixelMetric(metric, option, widget)

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,  # noqa: N803 - Qt calls it so
    ) -> int:
        """The base style's wish, but above the control where the ring stands within its edge."""
        if hint is QStyle.StyleHint.SH_FocusFrame_AboveWidget and self.is_inside:
            return 1
        return super().styleHint(hint, option, widget, returnData)


class FocusRing(QFocusFrame):
    """One ring per window, drawn one pixel outside the control that has focus.

    It shows while the keyboard leads: focus that came by mouse has no ring. Widgets can set
    dynamic properties: ``ring`` = ``none`` (they draw their own), ``parent`` (the ring goes around
    their parent) or ``inside`` (it stands within their edge, as for a pane that has no room
    around it), and ``ringRadius`` in pixels.
    """

    _leads: ClassVar[bool] = False
    """Whether the keyboard does: there is one, whichever window hears it."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._window = window
        self._around: QWidget | None = None
        self._style = _RingStyle("fusion")
        self._style.setParent(self)
        self.setStyle(self._style)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._watched: QWindow | None = None
        window.installEventFilter(self)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self.follow)
        theme.changed.connect(self.update)
        self._watch_handle()

    @property
    def is_by_key(self) -> bool:
        """Whether keys were used last, and not the mouse."""
        return FocusRing._leads

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Learns whether keys or the mouse were used last."""
        kind = event.type()
        if watched is self._watched:
            if kind in {QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride}:
                FocusRing._leads = True
            elif kind in {QEvent.Type.MouseButtonPress, QEvent.Type.TouchBegin}:
                FocusRing._leads = False
                self._go_around(None)
        elif watched is self._window and kind == QEvent.Type.WinIdChange:
            self._watch_handle()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the ring."""
        target = self._around
        if target is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = target.property("ringRadius")
        if not isinstance(radius, int):
            radius = self._theme.radius("control")
        painter.setPen(QPen(self._theme.color("focus"), _WIDTH))
        rect = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        rounding = min(rect.height() / 2, radius + _MARGIN - 1)
        painter.drawRoundedRect(rect, rounding, rounding)
        painter.end()

    def sizeHint(self) -> QSize:
        """The ring takes its size from its control."""
        return QSize()

    def _watch_handle(self) -> None:
        if not self._window.testAttribute(Qt.WidgetAttribute.WA_WState_Created):
            return
        handle = self._window.windowHandle()
        if handle is not self._watched:
            self._watched = handle
            handle.installEventFilter(self)

    def _go_around(self, widget: QWidget | None) -> None:
        self._around = widget
        self._style.is_inside = widget is not None and widget.property("ring") == "inside"
        # The stubs do not say that no widget at all hides the frame.
        self.setWidget(widget)  # type: ignore[arg-type]

    def _target(self, widget: QWidget | None) -> QWidget | None:
        if widget is None or widget.window() is not self._window:
            return None
        wish = widget.property("ring")
        if wish == "none":
            return None
        return widget.parentWidget() if wish == "parent" else widget

    @Slot(QWidget, QWidget)
    def follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Go around what has the keyboard now, if that leads."""
        if not isValid(self._window):
            return  # a dialog that is being deleted lets go of its focus last
        self._watch_handle()
        self._go_around(self._target(new) if FocusRing._leads else None)


class FocusRings(QObject):
    """Gives every dialog over a window a ring of its own, once the keyboard comes into it."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_app_focus_changed)

    @Slot(QWidget, QWidget)
    def _on_app_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is None:
            return
        top = new.window()
        is_ours = isinstance(top, QDialog) and not isinstance(top, QFileDialog)
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        if is_ours and not top.findChildren(FocusRing, options=direct):
            FocusRing(self._theme, top).follow(old, new)
