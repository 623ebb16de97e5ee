"""How the window looks: theme, rows, text size, motion, and a few words to judge them by."""

from __future__ import annotations

from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame

from inklings_desktop.settings import MAX_TEXT_SCALE, MIN_TEXT_SCALE
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import hbox
from inklings_desktop.ui.kit.look.translation import (
    LANGUAGE_NAMES,
    language_of,
    spoken_language,
    tr,
)
from inklings_desktop.ui.kit.marks.labels import ReadingLabel
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToRestart
from inklings_desktop.ui.kit.page.parts import link, slider, wide, words
from inklings_desktop.ui.settings.frame import Group, card, row, rows

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLabel, QWidget

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Inside, Part

_STEP = 0.05
_SLIDER = 150
_SMALL, _LARGE = 12, 20


def step_of(scale: float) -> int:
    """The step of the slider that is nearest to a text size."""
    return round((scale - MIN_TEXT_SCALE) / _STEP)


def scale_of(step: int) -> float:
    """The text size of a step."""
    return round(MIN_TEXT_SCALE + step * _STEP, 2)


class AppearanceGroup(Group[None]):
    """Each choice is worn at once; the View menu has the same ones."""

    watches = About.SETTINGS
    _moved: int | None = None
    """The step of the text size that is being chosen."""

    def heading(self) -> tuple[str, str]:
        return tr("Appearance and language"), tr("How the window looks, and its language.")

    def read_content(self) -> None:
        """Nothing: what is worn is known."""

    def show_content(self, content: None) -> None:
        self._moved = None
        super().show_content(content)

    def said(self, _content: None) -> tuple[Part, ...]:
        light, dark = Segment("light", tr("Light"), "sun"), Segment("dark", tr("Dark"), "moon")
        system = Segment("system", tr("System"), "circle-half")
        two = Segment("comfortable", tr("Comfortable"), tooltip=tr("Two lines each"))
        one = Segment("compact", tr("Compact"), tooltip=tr("One line each"))
        enter = Segment("enter", tr("Enter sends"))
        ctrl_enter = Segment("ctrl_enter", tr("Ctrl+Enter sends"))
        spoken = (Segment("system", tr("System")), *starmap(Segment, LANGUAGE_NAMES.items()))
        language = self.inklings.settings.appearance.language
        restart = link(
            tr("Restart now"),
            lambda: self.context.go(ToRestart()),
            name="restartNow",
            visible=language_of(language) != spoken_language(),
        )
        return (
            card(
                "",
                rows(
                    row(tr("Theme"), self.setting("theme", light, dark, system)),
                    row(tr("Rows"), self.setting("density", two, one)),
                    self._text_size(),
                    row(tr("Motion"), self.setting("reduceMotion")),
                    row(tr("Spelling"), self.setting("checkSpelling")),
                    row(tr("Messages"), self.setting("sendKey", enter, ctrl_enter)),
                    row(tr("Language"), self.setting("language", *spoken), 4, restart),
                ),
                part(_Specimen, LOOK),
            ),
        )

    def _text_size(self) -> tuple[str, tuple[Inside, ...]]:
        step = step_of(self.inklings.settings.appearance.text_scale)
        step = step if self._moved is None else self._moved
        told = tr("{now} %, up to {most} %").format(
            now=round(scale_of(step) * 100), most=round(MAX_TEXT_SCALE * 100)
        )
        control = slider(
            (0, step_of(MAX_TEXT_SCALE)),
            now=step,
            name="textSize",
            spoken=tr("Text size"),
            accessibleDescription=told,
            pageStep=2,
            dress=wide(_SLIDER),
            moved=self._on_moved,
        )
        small, large = (
            words("A", "letter", way="plain", dress=partial(_write_letter, px))
            for px in (_SMALL, _LARGE)
        )
        figure = words(told, "metaInk", way="plain")
        return row(tr("Text size"), small, control, large, 6, figure)

    def _on_moved(self, step: int, is_held: bool) -> None:  # noqa: FBT001 - a signal's payload
        self._moved = step
        self.say_again()
        if not is_held:  # all is laid out anew: not at every pixel
            self.save("appearance.text_scale", scale_of(step))


def _write_letter(px: int, label: QLabel, theme: Theme) -> None:
    label.setFont(theme.font("reading", px=px))


class _Specimen(Grounded, QFrame):
    """A line of memory as it is read."""

    stands_on = Ground("sunken", "control", "line")

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        words = tr("The tide reads the map before we do. \u201cWhat you measure, you owe.\u201d")
        hbox(self, ReadingLabel(theme, words, self), margins=(12, 10, 12, 10))
