"""What every group is made of: a heading, cards below it, rows of a name and a control, fields."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QSizePolicy, QWidget

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.settings import SETTINGS, Flag, Line, Number, value_at
from inklings_desktop.ui.kit.controls.number_field import NumberField
from inklings_desktop.ui.kit.dialogs.ask import begin_asking
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, on_ground, vbox
from inklings_desktop.ui.kit.marks.labels import plain_label, wrapped_label
from inklings_desktop.ui.kit.page.declared import LOOK, ContentT, Declared, Place, part
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    check,
    choice,
    grid,
    hairline,
    line,
    plate,
    switch,
    words,
)
from inklings_desktop.ui.settings.groups import setting_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.kit.controls.segmented import Segment
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Inside, Part


_TOP, _SIDE = 18, 32
_CARD_GAP = 14
_NAMES = 118
_ROW = 36
_HEAD_FROM = 720
BESIDE = (0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
"""How something stands beside the title."""
CARD_SIDE, _CARD_TOP = 18, 16


class GroupFrame(QWidget):
    """One group: its title, a sentence, perhaps something at the right; then its cards.

    Attributes:
        head: Where something may be put at the right of the title.
        cards: Where cards are put, from top to bottom.

    Signals:
        resized: There is more or less room.
    """

    resized = Signal()

    def __init__(self, theme: Theme, title: str, lead: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        # As wide as the page, whatever stands in it; what has no room there stands below.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        on_ground(self, "canvas")
        heading = named(plain_label(title, "title", self), "groupTitle")
        self.head = hbox(
            None, (vbox(None, heading, wrapped_label(lead, "meta", self), spacing=2), 1), spacing=18
        )
        self.cards = vbox(None, spacing=_CARD_GAP)
        vbox(
            self,
            self.head,
            self.cards,
            STRETCH,
            margins=(_SIDE, _TOP, _SIDE, _TOP),
            spacing=_CARD_GAP,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts what is beside the title below it where the page is narrow."""
        super().resizeEvent(event)
        self.head.setDirection(
            QBoxLayout.Direction.LeftToRight
            if self.is_wider_than(_HEAD_FROM)
            else QBoxLayout.Direction.TopToBottom
        )
        self.resized.emit()

    def is_wider_than(self, width: float) -> bool:
        """Whether there is more room than this, at the text size on show."""
        return self.width() >= self.theme.scaled(width)


class Group(Declared[ContentT]):
    """A group of settings; it says its cards."""

    view: GroupFrame

    def __init__(self, context: Context, parent: QWidget) -> None:
        frame = GroupFrame(context.theme, *self.heading(), parent)
        self._head = Place(context.theme, frame, frame.head)
        super().__init__(context, frame, frame.cards)

    def heading(self) -> tuple[str, str]:
        """Its title, and a sentence below it."""
        raise NotImplementedError

    def beside(self) -> Part | None:
        """What stands at the right of the title."""
        return None

    @Slot()
    def say_again(self) -> None:
        if (beside := self.beside()) is not None:
            self._head.show(beside)
        super().say_again()

    def setting(
        self, id_: str, *segments: Segment, says: str = "", is_alone: bool = False, **said: Any
    ) -> Part:
        """The control of a setting, made by what kind it is.

        Args:
            id_: Its id in the table of groups.
            segments: What can be chosen, where it is a choice.
            says: A sentence that makes a switch of what would be a box to check.
            said: What every part takes.
        """
        spec = setting_of(id_)
        kind, now = SETTINGS[spec.place], value_at(self.inklings.settings, spec.place)
        name, wanted = spec.spoken or spec.name, partial(self.save, spec.place)
        match kind:
            case Number():
                return part(
                    NumberField,
                    LOOK,
                    name,
                    kind,
                    name=id_,
                    number=now,
                    number_wanted=wanted,
                    **said,
                )
            case Line():
                return line(spoken=name, name=id_, now=now, left=wanted, **said)
            case Flag() if is_alone:
                return switch(name, name=id_, on=now, wanted=wanted, **said)
            case Flag() if says:
                return switch_row(id_, name, says, on=now, wanted=wanted)
            case Flag():
                return check(name, name=id_, on=now, wanted=wanted)
        return choice(name, *segments, name=id_, now=now, wanted=wanted, **said)

    def asks(self, action: Coroutine[Any, Any, None]) -> None:
        """Start what asks in a dialog; what is typed from now on is for that."""
        begin_asking(self.background, action, self.context.window)

    def save(self, place: str, value: Any) -> None:
        """Keep what is wanted at a place of the settings file."""
        table, _, name = place.partition(".")
        if table == "appearance":
            self.context.wear(**{name: value})
            return
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        try:
            if isinstance(kind := SETTINGS[place], Line):
                value = kind.taken(value)
        except InvalidValueError as error:
            self.context.refuse(error)
            self.say_again()
            return
        if value == value_at(self.inklings.settings, place):
            return
        self.spawn(self.change(self.inklings.preferences.save, {place: value}))


# -- parts of a card --------------------------------------------------------------------------


def card(title: str, *inside: Inside, beside: tuple[Inside, ...] = (), **said: Any) -> Part:
    """A plate with a title, perhaps something at its right, and what lies below."""
    if title:
        inside = (across(words(title, "tab", way="plain"), STRETCH, *beside, spacing=12), *inside)
    return plate(
        *inside,
        box=vbox,
        kind="card",
        margins=(CARD_SIDE, _CARD_TOP, CARD_SIDE, _CARD_TOP),
        spacing=10,
        **said,
    )


def table(
    heads: Sequence[str],
    *lines: Sequence[Part | None],
    least: Sequence[int] = (),
    stretch: int = 0,
    line_px: int = 48,
) -> Part:
    """Lines of parts below the heads of their columns.

    Args:
        heads: Of the columns; empty for none.
        lines: From top to bottom, a part or nothing for each column.
        least: Widths of the columns at text scale 1, in pixels; more where a part needs it.
        stretch: Which column takes the room that is left.
        line_px: Least height of a line, likewise.
    """

    def measure(made: QGridLayout, theme: Theme) -> None:
        for column, px in enumerate(least):
            made.setColumnMinimumWidth(column, theme.scaled(px))
        for number in range(2, made.rowCount(), 2):
            made.setRowMinimumHeight(number, theme.scaled(line_px))

    cells = [words(head, "label", way="plain", place=(0, at)) for at, head in enumerate(heads)]
    for number, parts in enumerate(lines, start=1):
        cells.append(hairline(place=(2 * number - 1, 0, 1, len(heads))))
        cells += [replace(one, place=(2 * number, at)) for at, one in enumerate(parts) if one]
    return grid(*cells, stretch=stretch, gap=14, dress=measure)


def rows(*named_controls: tuple[str, tuple[Inside, ...]]) -> Part:
    """Lines of a name at the left, then controls; the names are of one width."""
    cells = (
        (
            across(*controls, STRETCH, spacing=8, place=(number, 1)),
            words(name, way="plain", place=(number, 0)),
        )
        for number, (name, controls) in enumerate(named_controls)
    )
    return grid(*(one for pair in cells for one in pair), stretch=1, gap=12, dress=_measure_rows)


def row(name: str, *controls: Inside) -> tuple[str, tuple[Inside, ...]]:
    """One of them."""
    return name, controls


def _measure_rows(made: QGridLayout, theme: Theme) -> None:
    made.setColumnMinimumWidth(0, theme.scaled(_NAMES))
    for number in range(made.rowCount()):
        made.setRowMinimumHeight(number, theme.scaled(_ROW))


def switch_row(
    id_: str, name: str, sentence: str, *, on: bool, wanted: Callable[[bool], object]
) -> Part:
    """What can be on or off, with a sentence on what that means."""
    told = below(words(name, "fact", way="plain"), words(sentence), spacing=1, place=(0, 0))
    control = switch(
        name, name=id_, accessibleDescription=sentence, on=on, wanted=wanted, place=(0, 1)
    )
    return plate(grid(control, told, stretch=0, gap=18), margins=(0, 4, 0, 4))
