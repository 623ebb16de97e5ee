"""How the window looks: theme, rows, text size, motion, and a few words to judge them by."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.settings import MAX_TEXT_SCALE, MIN_TEXT_SCALE
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.controls.sliders import LineSlider
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import hbox
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.translation import (
    LANGUAGE_NAMES,
    language_of,
    spoken_language,
    tr,
)
from inklings_desktop.ui.kit.marks.labels import ReadingLabel, plain_label
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.destinations import ToRestart
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.settings.frame import GroupFrame

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from inklings_desktop.settings import Appearance
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context

_STEP = 0.05
_SLIDER = 150
_SMALL, _LARGE = 12, 20


def step_of(scale: float) -> int:
    """The step of the slider that is nearest to a text size."""
    return round((scale - MIN_TEXT_SCALE) / _STEP)


def scale_of(step: int) -> float:
    """The text size of a step."""
    return round(MIN_TEXT_SCALE + step * _STEP, 2)


class AppearanceGroup(Page[None]):
    """Each choice is worn at once; the View menu has the same ones."""

    watches = About.SETTINGS
    view: AppearanceView

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, AppearanceView(context.theme, parent))
        view = self.view
        for name, chosen in (
            ("theme", view.theme_choice.choice_changed),
            ("density", view.density.choice_changed),
            ("reduce_motion", view.reduce_motion.toggled),
            ("check_spelling", view.check_spelling.toggled),
            ("send_key", view.send_key.choice_changed),
            ("language", view.language.choice_changed),
        ):
            chosen.connect(partial(self._wear, name))
        view.restart.clicked.connect(lambda: context.go(ToRestart()))
        view.text_size.valueChanged.connect(self._on_text_size_moved)
        view.text_size.sliderReleased.connect(self._on_text_size_chosen)

    def read_content(self) -> None:
        """Nothing: what is worn is known."""

    def show_content(self, _content: None) -> None:
        self.view.show_appearance(self.inklings.settings.appearance)

    def _wear(self, name: str, value: object) -> None:
        self.context.wear(**{name: value})

    @Slot(int)
    def _on_text_size_moved(self, step: int) -> None:
        self.view.show_text_size(step)
        if not self.view.text_size.isSliderDown():  # all is laid out anew: not at every pixel
            self._on_text_size_chosen()

    @Slot()
    def _on_text_size_chosen(self) -> None:
        self.context.wear(text_scale=scale_of(self.view.text_size.value()))


class AppearanceView(GroupFrame):
    """One card."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(
            theme,
            tr("Appearance and language"),
            tr("How the window looks, and its language."),
            parent,
        )
        card = self.add_card()
        self.theme_choice = SegmentedSwitch(
            theme,
            (
                Segment("light", tr("Light"), "sun"),
                Segment("dark", tr("Dark"), "moon"),
                Segment("system", tr("System"), "circle-half"),
            ),
            tr("Theme"),
            parent=card,
        )
        self.theme_choice.setObjectName("theme")
        card.add_row(tr("Theme"), self.theme_choice)
        self.density = SegmentedSwitch(
            theme,
            (
                Segment("comfortable", tr("Comfortable"), tooltip=tr("Two lines each")),
                Segment("compact", tr("Compact"), tooltip=tr("One line each")),
            ),
            tr("Rows"),
            parent=card,
        )
        self.density.setObjectName("density")
        card.add_row(tr("Rows"), self.density)
        self.text_size = LineSlider(theme, (0, step_of(MAX_TEXT_SCALE)), parent=card)
        self.text_size.setObjectName("textSize")
        self.text_size.setAccessibleName(tr("Text size"))
        self.text_size.setPageStep(2)
        self._figure = plain_label("", "metaInk", card)
        self._letters = (plain_label("A", "letter", card), plain_label("A", "letter", card))
        small, large = self._letters
        card.add_row(tr("Text size"), small, self.text_size, large, 6, self._figure)
        self.reduce_motion = named(CheckBox(theme, tr("Reduce motion"), card), "reduceMotion")
        card.add_row(tr("Motion"), self.reduce_motion)
        self.check_spelling = CheckBox(theme, tr("Check spelling as I type"), card)
        self.check_spelling.setObjectName("checkSpelling")
        self.check_spelling.setChecked(True)
        card.add_row(tr("Spelling"), self.check_spelling)
        self.send_key = SegmentedSwitch(
            theme,
            (
                Segment("enter", tr("Enter sends")),
                Segment("ctrl_enter", tr("Ctrl+Enter sends")),
            ),
            tr("Messages"),
            parent=card,
        )
        self.send_key.setObjectName("sendKey")
        card.add_row(tr("Messages"), self.send_key)
        self.language = SegmentedSwitch(
            theme,
            (
                Segment("system", tr("System")),
                *(Segment(code, name) for code, name in LANGUAGE_NAMES.items()),
            ),
            tr("Language"),
            parent=card,
        )
        self.language.setObjectName("language")
        self.restart = named(LinkButton(tr("Restart now"), card), "restartNow")
        card.add_row(tr("Language"), self.language, 4, self.restart)
        card.add(_Specimen(theme, card))
        theme.dress(self._on_theme_dressed)

    def show_appearance(self, look: Appearance) -> None:
        """Show what is worn, without a signal."""
        self.theme_choice.show_choice(look.theme)
        self.density.show_choice(look.density)
        self.language.show_choice(look.language)
        self.send_key.show_choice(look.send_key)
        self.restart.setVisible(language_of(look.language) != spoken_language())
        controls = (self.text_size, self.reduce_motion, self.check_spelling)
        for control in controls:
            control.blockSignals(True)
        self.text_size.setValue(step_of(look.text_scale))
        self.reduce_motion.setChecked(look.reduce_motion)
        self.check_spelling.setChecked(look.check_spelling)
        for control in controls:
            control.blockSignals(False)
        self.show_text_size(step_of(look.text_scale))

    def show_text_size(self, step: int) -> None:
        """Say a size in words while it is being chosen."""
        self._figure.setText(
            tr("{now} %, up to {most} %").format(
                now=round(scale_of(step) * 100), most=round(MAX_TEXT_SCALE * 100)
            )
        )
        self.text_size.setAccessibleDescription(self._figure.text())

    @Slot()
    def _on_theme_dressed(self) -> None:
        self.text_size.setFixedWidth(self.theme.scaled(_SLIDER))
        for label, px in zip(self._letters, (_SMALL, _LARGE), strict=True):
            label.setFont(self.theme.font("reading", px=px))


class _Specimen(QFrame):
    """A line of memory as it is read."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        words = tr("The tide reads the map before we do. \u201cWhat you measure, you owe.\u201d")
        hbox(self, ReadingLabel(theme, words, self), margins=(12, 10, 12, 10))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
        self._theme.draw_box(painter, self.rect(), "sunken", "control", line="line")
        painter.end()
