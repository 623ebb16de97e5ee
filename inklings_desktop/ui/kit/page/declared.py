"""A view said as values: what is the same part stays the same widget, and shows what is new."""

from __future__ import annotations

from dataclasses import field, replace
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

from PySide6.QtCore import QObject, QSignalBlocker, QSize, Qt, Slot
from PySide6.QtWidgets import QBoxLayout, QLayout, QStackedLayout, QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.dialogs.pieces import StepBody, StepFoot
from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.layouts import vbox
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.page.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inklings_desktop.ui.kit.look.layouts import Margins, Stretch
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context

ContentT = TypeVar("ContentT")
StateT = TypeVar("StateT")


class Look(Enum):
    """Stands for the look among what a widget is made with."""

    LOOK = 1


LOOK: Final = Look.LOOK


@dataclass(frozen=True, slots=True)
class Part:
    """One widget, or one box, as it is to be.

    Attributes:
        make: Makes it; it is given ``like``, ``how`` and, as ``parent``, what it stands on.
        like: What it is made with: where that differs, it is another widget.
        how: The same by names.
        name: It is found by.
        stores: Whether it stores something.
        shows: Its values by name; ``text`` is shown by ``show_text``, ``set_text`` or ``setText``.
        hears: What is done at its signals, by their names; a click is told without its payload.
        inside: What lies in its box, in order.
        key: Tells it apart from others of its kind: it keeps its widget where one comes or goes.
        place: Where it lies in the box around it, as the box takes it.
        dress: Gives it the sizes that belong to text, whenever the look changes.
    """

    make: Callable[..., Any]
    like: tuple[object, ...] = ()
    how: Mapping[str, object] = field(default_factory=dict)
    name: str = ""
    stores: bool = False
    shows: Mapping[str, object] = field(default_factory=dict)
    hears: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    inside: tuple[Inside, ...] = ()
    key: str = ""
    place: tuple[Any, ...] = ()
    dress: Callable[[Any, Theme], object] | None = None

    def is_like(self, other: Part) -> bool:
        """Whether what shows the one can show the other as well."""
        return self._kind() == other._kind()

    def _kind(self) -> tuple[object, ...]:
        of_widget = (self.make, self.like, self.how, self.name, self.key)
        return (*of_widget, self.place, self.hears.keys())


Inside: TypeAlias = "Part | int | Stretch"
"""A part, a distance, or what takes the room that is left."""


def part(make: Callable[..., Any], *like: object, **said: Any) -> Part:
    """A part; of what else is said by name it hears what can be called, and shows the rest."""
    own = {name: said.pop(name) for name in tuple(said) if name in _OWN}
    if "spoken" in said:
        said["accessibleName"] = said.pop("spoken")
    hears = {name: one for name, one in said.items() if callable(one)}
    shows = {name: one for name, one in said.items() if name not in hears}
    return Part(make, like, shows=shows, hears=hears, **own)


_OWN = {"how", "name", "stores", "inside", "key", "place", "dress"}


class Kept:
    """A part on show, with what lies in it.

    Attributes:
        said: What it is to be.
        thing: Its widget or its box.
    """

    def __init__(self, said: Part, theme: Theme, parent: QWidget) -> None:
        self.said, self._theme = said, theme
        like = (theme if one is LOOK else one for one in said.like)
        self.thing: Any = said.make(*like, parent=parent, **said.how)
        if said.name:
            self.thing.setObjectName(said.name)
        if said.stores:
            storing(self.thing)
        box: Any = self.thing if isinstance(self.thing, QLayout) else self.thing.layout()
        self._box = box
        self._parent = parent
        if isinstance(self.thing, QWidget):
            self._parent = self.thing if self._box is None else self._box.parentWidget()
        self._first = 0 if self._box is None else self._box.count()
        self._inside: list[Kept | int | Stretch] = []
        for name in said.hears:
            getattr(self.thing, name).connect(partial(self._hear, name))
        self._fill(said.inside)
        self._show({})

    def show(self, said: Part) -> None:
        """Show the same part with other values, and what else lies in it now."""
        before, self.said = self.said.shows, said
        self._fill(said.inside)
        # What a person moved by hand is put back to what is true; the rest is told what is new.
        self._show({} if said.hears else before)

    def dress(self) -> None:
        """Take on sizes of another look."""
        self._dress()
        for one in self._inside:
            if isinstance(one, Kept):
                one.dress()

    def _dress(self) -> None:
        if self.said.dress is not None:
            self.said.dress(self.thing, self._theme)

    def _fill(self, inside: tuple[Inside, ...]) -> None:
        for number, said in enumerate(inside):
            while self._is_gone(number, inside[number:]):
                self._drop(number)
            before = self._inside[number] if number < len(self._inside) else None
            if isinstance(before, Kept) and isinstance(said, Part) and before.said.is_like(said):
                before.show(said)
            elif before is None or before != said:
                if before is not None and not (isinstance(before, Kept) and before.said.key):
                    self._drop(number)
                self._inside.insert(number, self._put(number, said))
        while len(self._inside) > len(inside):
            self._drop(len(self._inside) - 1)

    def _is_gone(self, number: int, to_come: tuple[Inside, ...]) -> bool:
        """Whether there stands what has a key and does not come any more."""
        one = self._inside[number] if number < len(self._inside) else None
        if not (isinstance(one, Kept) and one.said.key):
            return False
        return not any(isinstance(other, Part) and one.said.is_like(other) for other in to_come)

    def _put(self, number: int, said: Inside) -> Kept | int | Stretch:
        box, at = self._box, self._first + number
        if not isinstance(said, Part):
            if isinstance(said, int):
                box.insertSpacing(at, said)
            else:
                box.insertStretch(at, 1)
            return said
        kept = Kept(said, self._theme, self._parent)
        kind = "Widget" if isinstance(kept.thing, QWidget) else "Layout"
        if isinstance(box, QBoxLayout | QStackedLayout):
            getattr(box, f"insert{kind}")(at, kept.thing, *said.place)
        else:
            getattr(box, f"add{kind}")(kept.thing, *said.place)
        return kept

    def _drop(self, number: int) -> None:
        gone = self._inside.pop(number)
        if not isinstance(gone, Kept):
            self._box.takeAt(self._first + number)
            return
        gone.leave()
        if isinstance(gone.thing, QLayout):
            self._box.removeItem(gone.thing)
        else:
            self._box.removeWidget(gone.thing)
        gone.thing.deleteLater()

    def leave(self) -> None:
        """Let nothing of it be seen any more."""
        if isinstance(self.thing, QWidget):
            self.thing.hide()
            return
        while self._inside:
            self._drop(len(self._inside) - 1)

    def _show(self, before: Mapping[str, object]) -> None:
        said = self.said
        new = [
            one for one in said.shows.items() if one[0] not in before or before[one[0]] != one[1]
        ]
        self._dress()
        if not new:
            return
        blocker = QSignalBlocker(self.thing) if said.hears else None
        for name, value in new:
            setter = f"set{name[0].upper()}{name[1:]}"
            names = (f"show_{name}", f"set_{name}", setter)
            next(getattr(self.thing, one) for one in names if hasattr(self.thing, one))(value)
        if blocker is not None:
            blocker.unblock()

    def _hear(self, name: str, *payload: object) -> None:
        self.said.hears[name](*(() if name == "clicked" else payload))


class Place(QObject):
    """A box whose parts are said again and again; those that stay keep their widgets."""

    def __init__(self, theme: Theme, owner: QWidget, box: QLayout) -> None:
        super().__init__(owner)
        self._root = Kept(Part(lambda **_: box), theme, owner)
        self._next: tuple[Inside, ...] | None = None
        self._is_showing = False
        theme.changed.connect(self._on_theme_changed)

    def show(self, *parts: Inside) -> None:
        """Show these parts; said from within, they are shown afterwards."""
        self._next = parts
        if self._is_showing:
            return
        self._is_showing = True
        try:
            while (inside := self._next) is not None:
                self._next = None
                self._root.show(replace(self._root.said, inside=inside))
        finally:
            self._is_showing = False

    @Slot()
    def _on_theme_changed(self) -> None:
        self._root.dress()


class DeclaredDialog(ProcessDialog[StateT], Generic[StateT]):
    """A dialog that says its parts: perhaps a top, then a body that scrolls, and a foot."""

    def __init__(
        self, theme: Theme, window: QWidget, body: str, *, size: QSize, top: Margins | None = None
    ) -> None:
        """Show nothing yet.

        Args:
            body: What a screen reader calls what scrolls.
            size: Width and height at text scale 1, in pixels.
            top: The margins of what stands above the body; None: nothing does.
        """
        super().__init__(theme, window, title="", size=size)
        # Another window, such as a client's view, goes on beside it.
        self.setWindowModality(Qt.WindowModality.WindowModal)
        above = [] if top is None else [vbox(None, margins=top, spacing=10)]
        step, foot = StepBody(theme, body, self), StepFoot(self)
        self.fill(*above, step, foot)
        self._places = [Place(theme, self, one) for one in (*above, step.stack, foot.row)]
        self._told: tuple[str, ...] = ()
        self.fit()

    def head(self, state: StateT) -> tuple[str, str]:
        """What it is about, and a line below."""
        raise NotImplementedError

    def said(self, state: StateT) -> tuple[tuple[Inside, ...], ...]:
        """What stands in the top, where there is one, in the body and in the foot."""
        raise NotImplementedError

    def told(self, state: StateT) -> tuple[str, ...]:  # noqa: ARG002 - most tell nothing
        """What is read out once it is said."""
        return ()

    def show_state(self, state: StateT) -> None:
        title, under = self.head(state)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.show_head(title, under)
        for place, parts in zip(self._places, self.said(state), strict=True):
            place.show(*parts)
        before, self._told = self._told, self.told(state)
        for sentence in set(self._told) - {"", *before}:
            announce(self, sentence)


class Declared(Page[ContentT], Generic[ContentT]):
    """A page whose view is a function of its state: it says its parts, and one keeper shows them.

    What is state beside the content is an attribute: set it, then ``say_again``.
    """

    def __init__(self, context: Context, view: QWidget, box: QLayout) -> None:
        super().__init__(context, view)
        self._place = Place(context.theme, view, box)
        self.say_again()

    def said(self, content: ContentT | None) -> tuple[Inside, ...]:
        """What is on show; before the first answer there is no content."""
        raise NotImplementedError

    def show_content(self, content: ContentT) -> None:
        self.content = content
        self.say_again()

    @Slot()
    def say_again(self) -> None:
        """Show what there is to say now."""
        self._place.show(*self.said(self.content))
