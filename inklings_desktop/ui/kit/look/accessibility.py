"""Where the keyboard is and goes, and what is said aloud."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, TypeVar

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Slot
from PySide6.QtGui import (
    QKeyEvent,
    QPaintEvent,
    QPen,
    QWindow,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFocusFrame,
    QLayout,
    QProxyStyle,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from inklings_desktop.ui.kit.look.mirror import smooth_painter_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

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
        """The base style's wish, but above the control, and without sparing it.

        Below the control the ring is cut at the edges of what that stands in.
        """
        if hint is QStyle.StyleHint.SH_FocusFrame_AboveWidget:
            return 1
        if hint is QStyle.StyleHint.SH_FocusFrame_Mask:
            return 0  # it spares the corners of the control, where a round ring runs
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
        self._watch_handle()

    @staticmethod
    def is_by_key() -> bool:
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
        is_taken = super().eventFilter(watched, event)
        around = self._around
        if kind == QEvent.Type.Move and around is not None and around.isVisible():
            self.show()  # Qt hid it if its control had to be scrolled into view
        return is_taken

    def paintEvent(self, _event: QPaintEvent) -> None:
        target = self._around
        if target is None:
            return
        painter = smooth_painter_on(self)
        radius = target.property("ringRadius")
        if not isinstance(radius, int):
            radius = self._theme.radius("control")
        painter.setPen(QPen(self._theme.color("focus"), _WIDTH))
        rect = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        rounding = min(rect.height() / 2, radius + _MARGIN - 1)
        painter.drawRoundedRect(rect, rounding, rounding)
        painter.end()

    def sizeHint(self) -> QSize:
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
    """Gives every dialog of ours a ring of its own, once the keyboard comes into it.

    What Qt makes for itself, such as the question inside a file dialog, gets none: its Python half
    goes before it does, and would take that of the ring along.
    """

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
        is_ours = isinstance(top, QDialog) and not type(top).__module__.startswith("PySide6")
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        if is_ours and not top.findChildren(FocusRing, options=direct):
            FocusRing(self._theme, top).follow(old, new)


_TAKING_AWAY = frozenset({"danger", "dangerOutline", "quietDanger"})


class EnterPresses(QObject):
    """Lets Enter press the button that has the keyboard, as Space does.

    Not the button of a dialog that takes something away: there Enter stays with the default.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_app_focus_changed)

    @Slot(QWidget, QWidget)
    def _on_app_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and isValid(old):
            old.removeEventFilter(self)
        if isinstance(new, (QPushButton, QToolButton)):
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Clicks it; a key that is held clicks once."""
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return False
        if event.key() not in {Qt.Key.Key_Return, Qt.Key.Key_Enter} or (
            event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ):
            return False
        assert isinstance(watched, QAbstractButton)
        if isinstance(watched.window(), QDialog) and watched.property("kind") in _TAKING_AWAY:
            return False
        if not event.isAutoRepeat():
            watched.click()
        return True


def step_pane(stops: Sequence[tuple[QWidget, Callable[[], None]]], step: int) -> None:
    """Go to the next pane on show, or the one before.

    Args:
        stops: Panes in order, each with what brings the keyboard into it.
        step: 1 or -1.
    """
    shown = [stop for stop in stops if stop[0].isVisible()]
    if not shown:
        return
    focus = QApplication.focusWidget()
    here = next(
        (n for n in reversed(range(len(shown))) if focus and _holds(shown[n][0], focus)), -step
    )
    for number in range(1, len(shown) + 1):
        pane, enter = shown[(here + number * step) % len(shown)]
        enter()
        focus = QApplication.focusWidget()
        if focus is not None and _holds(pane, focus):
            return  # a pane without a control of its own is passed over


def _holds(pane: QWidget, focus: QWidget) -> bool:
    return pane is focus or pane.isAncestorOf(focus)


def order_tabs(top: QWidget) -> None:
    """Let Tab go through everything in a window, shown now or later, in reading order."""
    for earlier, later in pairwise(_stops(top)):
        QWidget.setTabOrder(earlier, later)


def stand_before(anchor: QWidget, stops: Iterable[QWidget]) -> None:
    """Let Tab reach what was made late right before a stop, and not after all that was there."""
    earlier: QWidget | None = anchor.previousInFocusChain()
    while earlier is not None and not earlier.focusPolicy() & Qt.FocusPolicy.TabFocus:
        earlier = earlier.previousInFocusChain()  # Qt would not put anything after that one
    if earlier is not None:
        stand_after(earlier, stops)


def stand_after(anchor: QWidget, stops: Iterable[QWidget]) -> None:
    """Let Tab reach what was made late right after a stop."""
    for earlier, later in pairwise((anchor, *stops)):
        QWidget.setTabOrder(earlier, later)


def focus_first(top: QWidget, reason: Qt.FocusReason, *, besides: QWidget | None = None) -> bool:
    """Bring the keyboard to the first control on show in a window; whether there is one.

    Args:
        top: The window.
        reason: Why the keyboard comes.
        besides: A control that is passed over.
    """
    for stop in _stops(top):
        if stop.isVisibleTo(top) and stop.isEnabled() and stop is not besides:
            stop.setFocus(reason)
            return True
    return False


def _stops(widget: QWidget) -> Iterator[QWidget]:
    by_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    if by_tab and widget.focusProxy() is None and not widget.isWindow():
        yield widget
    for child in _children(widget):
        yield from _stops(child)


def _children(widget: QWidget) -> Iterator[QWidget]:
    """What stands in a widget, in the order of its layout; then what no layout has."""
    told: set[QWidget] = set()
    only = Qt.FindChildOption.FindDirectChildrenOnly
    direct = widget.findChildren(QWidget, options=only)
    if isinstance(widget, QScrollArea):
        placed = [inner] if (inner := widget.widget()) is not None else []
    elif isinstance(widget, QSplitter):
        placed = [pane for n in range(widget.count()) if (pane := widget.widget(n)) is not None]
    else:
        layout: QLayout | None = widget.layout()
        placed = list(_placed(layout, direct)) if layout is not None else []
    for child in placed:
        if child not in told:
            told.add(child)
            yield child
    for child in direct:
        if child not in told and not child.isWindow() and child not in _viewports(placed):
            yield child


def _viewports(placed: list[QWidget]) -> set[QWidget | None]:
    return {one.parentWidget() for one in placed}


def _placed(layout: QLayout, children: list[QWidget]) -> Iterator[QWidget]:
    """The children that a layout places, in its order.

    Its items are not asked for: one that was handed to Python stands for whatever is made at its
    place once Qt has deleted it with its widget.
    """
    placed: dict[int, QWidget | QLayout] = {layout.indexOf(one): one for one in children}
    for inner in layout.children():
        if isinstance(inner, QLayout):
            placed[layout.indexOf(inner)] = inner
    placed.pop(-1, None)  # placed by another layout
    for _, one in sorted(placed.items(), key=lambda place: place[0]):
        if isinstance(one, QLayout):
            yield from _placed(one, children)
        else:
            yield one


WidgetT = TypeVar("WidgetT", bound=QWidget)


def named(widget: WidgetT, name: str, spoken: str = "") -> WidgetT:
    """The same widget with names from now on.

    Args:
        widget: Just made.
        name: It is found by; style sheets and tests know it.
        spoken: What a screen reader calls it; empty for what it shows or what it has been called.
    """
    widget.setObjectName(name)
    if spoken:
        widget.setAccessibleName(spoken)
    return widget


def announce(source: QObject, text: str, *, urgent: bool = False) -> None:
    """Have a sentence read out; an urgent one interrupts what is being read."""
    # With its 200 roles and events it is imported once there is something to say.
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

    event = QAccessibleAnnouncementEvent(source, text)
    politeness = QAccessible.AnnouncementPoliteness
    event.setPoliteness(politeness.Assertive if urgent else politeness.Polite)
    QAccessible.updateAccessibility(event)
