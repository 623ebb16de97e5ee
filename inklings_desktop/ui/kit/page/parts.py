"""What pages say: words, marks, links, buttons, choices, fields, and how they lie together.

Each takes besides what every part takes (``part``): ``spoken=``, ``visible=``, ``enabled=``, any
other value that its widget shows, and any signal that it has.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QLineEdit,
    QMenu,
    QScrollArea,
    QStackedWidget,
    QWidget,
)

from inklings_desktop.ui.kit.controls.buttons import IconButton, LinkButton, PushButton
from inklings_desktop.ui.kit.controls.segmented import SegmentedSwitch
from inklings_desktop.ui.kit.controls.sliders import LineSlider
from inklings_desktop.ui.kit.controls.toggles import CheckBox, Switch
from inklings_desktop.ui.kit.look.layouts import FlowLayout, hbox, on_ground, vbox
from inklings_desktop.ui.kit.marks.labels import (
    IconLabel,
    elided_label,
    plain_label,
    rule,
    wrapped_label,
)
from inklings_desktop.ui.kit.page.declared import LOOK, Part, part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QLayout

    from inklings_desktop.ui.kit.controls.segmented import Segment
    from inklings_desktop.ui.kit.look.layouts import Margins
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Inside

    Offer = tuple[str, Callable[[], object]]
    Offers = Callable[[], Iterable[Offer]]

_LABELS = {"plain": plain_label, "wraps": wrapped_label, "elided": elided_label}


# -- how parts lie together -------------------------------------------------------------------


def across(
    *inside: Inside, spacing: int | None = None, margins: Margins | None = None, **said: Any
) -> Part:
    """Parts side by side."""
    return part(_box, hbox, margins, spacing, inside=inside, **said)


def below(
    *inside: Inside, spacing: int | None = None, margins: Margins | None = None, **said: Any
) -> Part:
    """Parts below each other."""
    return part(_box, vbox, margins, spacing, inside=inside, **said)


def _box(box: Callable[..., QLayout], margins: Margins, spacing: int, **_on: QWidget) -> QLayout:
    return box(None, margins=margins, spacing=spacing)


def turned(
    *inside: Inside, beside: bool, back: bool = False, spacing: int | None = None, **said: Any
) -> Part:
    """Parts side by side, ``back`` from the right, or the same ones below each other."""
    ways = QBoxLayout.Direction
    way = (ways.RightToLeft if back else ways.LeftToRight) if beside else ways.TopToBottom
    return part(_turned, spacing, direction=way, inside=inside, **said)


def _turned(spacing: int | None, **_on: QWidget) -> QBoxLayout:
    made = QBoxLayout(QBoxLayout.Direction.TopToBottom)
    if spacing is not None:
        made.setSpacing(spacing)
    return made


def pages(*inside: Part, now: int, **said: Any) -> Part:
    """Parts of which one is seen; the others keep what they hold."""
    return part(QStackedWidget, inside=inside, currentIndex=now, **said)


def scrolling(
    *inside: Inside, spacing: int | None = None, margins: Margins | None = 0, **said: Any
) -> Part:
    """Parts below each other that scroll where they have no room, on the ground below them."""
    return part(_Scrolling, margins, spacing, inside=inside, **said)


class _Scrolling(QScrollArea):
    def __init__(self, margins: Margins, spacing: int | None, *, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is in it has it
        self.setProperty("ring", "inside")
        page = QWidget(self)
        self._inside = vbox(page, margins=margins, spacing=spacing)
        self.setWidget(page)
        for ground in (self.viewport(), page):
            ground.setAutoFillBackground(False)

    def layout(self) -> QLayout:
        return self._inside


def plate(
    *inside: Inside,
    box: Callable[..., QLayout] = hbox,
    kind: str = "",
    ground: str = "",
    spacing: int | None = None,
    margins: Margins | None = 0,
    **said: Any,
) -> Part:
    """Parts on a widget of their own: read as one, or shown and hidden together.

    Args:
        inside: What lies on it.
        box: Lays it out.
        kind: A property of the style sheet, ``card``; empty for none.
        ground: Its own, as the style sheet calls it; empty for none.
        spacing: Between two parts, in pixels; None for that of the style.
        margins: Around them all, in pixels.
        said: What every part takes.
    """
    return part(_plate, box, kind, ground, margins, spacing, inside=inside, **said)


def _plate(
    box: Callable[..., QLayout],
    kind: str,
    ground: str,
    margins: Margins,
    spacing: int,
    *,
    parent: QWidget,
) -> QWidget:
    made = QFrame(parent) if kind else QWidget(parent)
    if kind:
        made.setProperty(kind, "true")
    if ground:
        on_ground(made, ground)
    box(made, margins=margins, spacing=spacing)
    return made


def grid(*cells: Part, stretch: int, gap: int, side: int = 0, **said: Any) -> Part:
    """Parts in rows and columns, each at its ``place=``; one column takes the room that is left."""
    return part(_grid, stretch, gap, side, inside=cells, **said)


def _grid(stretch: int, gap: int, side: int, **_on: QWidget) -> QGridLayout:
    made = QGridLayout()
    made.setContentsMargins(side, 0, side, 0)
    made.setHorizontalSpacing(gap)
    made.setVerticalSpacing(0)
    made.setColumnStretch(stretch, 1)
    return made


def flow(*inside: Part, gap: int, **said: Any) -> Part:
    """Parts side by side, on as many lines as they need."""
    return part(_flow, gap, inside=inside, **said)


def _flow(gap: int, **_on: QWidget) -> FlowLayout:
    return FlowLayout(gap=gap)


def wide(px: int) -> Callable[[QWidget, Theme], None]:
    """Dresses a widget to a width that grows with the text."""
    return sized(fixedWidth=px)


def sized(**sizes: int) -> Callable[[QWidget, Theme], None]:
    """The same for any size that Qt sets: ``maximumWidth``, ``fixedHeight``."""

    def dress(widget: QWidget, theme: Theme) -> None:
        widget.ensurePolished()  # the style sheet has sizes of its own, and these are to hold
        for name, px in sizes.items():
            getattr(widget, f"set{name[0].upper()}{name[1:]}")(theme.scaled(px))

    return dress


# -- what is read and pressed -----------------------------------------------------------------


def words(text: str, style: str = "meta", *, way: str = "wraps", **said: Any) -> Part:
    """Words over as many lines as they need, ``plain`` on one, or ``elided`` where they are cut."""
    return part(_LABELS[way], "", style, text=text, **said)


def mark(
    icon: str,
    role: str,
    text: str,
    style: str = "metaInk",
    *,
    inked: bool = True,
    wraps: bool = False,
    edge: int = 16,
    **said: Any,
) -> Part:
    """An icon or none, and words after it, in the same colour of a role where ``inked``."""
    how = {"wraps": wraps, "edge": edge}
    return part(_Mark, LOOK, style, how=how, said=(icon, role, text, inked), **said)


class _Mark(IconLabel):
    def show_said(self, said: tuple[str, str, str, bool]) -> None:
        *what, inked = said
        self.show_mark(*what, inked=inked)
        self.icon.setVisible(bool(said[0]))


def hairline(**said: Any) -> Part:
    """A line across."""
    return part(rule, **said)


def link(text: str, clicked: Callable[[], object], **said: Any) -> Part:
    """Words that lead somewhere, or do something small."""
    return part(LinkButton, "", text=text, clicked=clicked, **said)


def button(
    text: str,
    clicked: Callable[[], object],
    *,
    kind: str = "plain",
    icon: str = "",
    small: bool = False,
    **said: Any,
) -> Part:
    """A button with a word."""
    how = {"kind": kind, "icon": icon, "small": small}
    # The icon has air after it where there is a word, whatever that is.
    word = " " if icon and text else ""
    return part(PushButton, LOOK, word, how=how, text=text, clicked=clicked, **said)


def opening(make: Callable[..., Any], *like: object, offers: Offers, **said: Any) -> Part:
    """A button that opens a menu of what is offered by then, each with what is done."""
    opens = partial(open_menu, offers)
    return part(_opening, make, *like, opens=opens, **said)


def more(spoken: str, offers: Offers, **said: Any) -> Part:
    """Three dots that open such a menu."""
    return opening(_More, LOOK, spoken, offers=offers, **said)


def open_menu(offers: Offers, button: QWidget) -> None:
    """Open a menu of what is offered below a button."""
    menu = QMenu(button)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for text, act in offers():
        menu.addAction(text.replace("&", "&&")).triggered.connect(
            partial(lambda one, *_: one(), act)
        )
    menu.popup(button.mapToGlobal(QPoint(0, button.height())))


def _opening(make: Callable[..., Any], *like: object, parent: QWidget) -> Any:
    made = make(*like, parent=parent)
    made.opens = _Wish(made).opens
    return made


class _Wish(QObject):
    """Lets any button say that it was pressed, and which one it is."""

    opens = Signal(object)

    def __init__(self, button: Any) -> None:
        super().__init__(button)
        button.clicked.connect(lambda: self.opens.emit(button))


class _More(IconButton):
    def __init__(self, theme: Theme, name: str, *, parent: QWidget) -> None:
        super().__init__(theme, "dots-three", name, bold=True, parent=parent)


def check(text: str, *, on: bool, wanted: Callable[[bool], object], **said: Any) -> Part:
    """A box that is checked or not."""
    return part(CheckBox, LOOK, text, checked=on, toggled=wanted, **said)


def switch(spoken: str, *, on: bool, wanted: Callable[[bool], object], **said: Any) -> Part:
    """A switch alone; what it switches stands elsewhere."""
    return part(Switch, LOOK, spoken, checked=on, wanted=wanted, **said)


def choice(
    spoken: str, *segments: Segment, now: str, wanted: Callable[[str], object], **said: Any
) -> Part:
    """A few of which one is chosen."""
    like = (LOOK, segments, spoken)
    return part(SegmentedSwitch, *like, choice=now, choice_changed=wanted, **said)


def slider(steps: tuple[int, int], *, role: str = "accent", now: int, **said: Any) -> Part:
    """Whole steps on a line; it says ``moved``: the step, and whether the mouse still holds it."""
    return part(_Slider, LOOK, steps, how={"role": role}, value=now, **said)


class _Slider(LineSlider):
    moved = Signal(int, bool)

    def __init__(self, theme: Theme, steps: tuple[int, int], *, role: str, parent: QWidget) -> None:
        super().__init__(theme, steps, role=role, parent=parent)
        self.valueChanged.connect(lambda step: self.moved.emit(step, self.isSliderDown()))
        self.sliderReleased.connect(lambda: self.moved.emit(self.value(), False))


def line(*, now: str, **said: Any) -> Part:
    """A line to type in; what is said otherwise waits while somebody types."""
    return part(_Line, now=now, **said)


class _Line(QLineEdit):
    left = Signal(str)

    def __init__(self, parent: QWidget, **how: Any) -> None:
        super().__init__(parent, **how)
        self.editingFinished.connect(lambda: self.left.emit(self.text().strip()))

    def show_now(self, text: str) -> None:
        if not self.hasFocus() and self.text() != text:
            self.setText(text)
