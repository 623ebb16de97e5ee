"""A view said as values: what stays keeps its widget, what goes is gone, what is typed is kept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)

from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.page.declared import DeclaredDialog, Inside, Place, part
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    button,
    check,
    choice,
    grid,
    line,
    link,
    mark,
    more,
    pages,
    plate,
    scrolling,
    slider,
    turned,
    wide,
    words,
)


class Stage:
    """A window with a place in it."""

    def __init__(self, app: QApplication) -> None:
        self.theme = Theme(SchemeChoice.LIGHT, reduced_motion=True)
        self.theme.apply(app)
        self.window = QWidget()
        self.box = vbox(self.window)
        self.place = Place(self.theme, self.window, self.box)
        self.window.show()

    def show(self, *parts: Inside) -> None:
        """Show parts, and let what is gone be gone."""
        self.place.show(*parts)
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def texts(self) -> list[str]:
        """What labels say, in the order of their places."""
        labels = sorted(self.window.findChildren(QLabel), key=lambda one: (one.y(), one.x()))
        return [one.text() for one in labels]


@pytest.fixture
def stage(qapp: QApplication) -> Iterator[Stage]:
    made = Stage(qapp)
    yield made
    made.window.hide()
    made.window.deleteLater()


def test_the_same_part_keeps_its_widget_and_shows_what_is_new(stage: Stage) -> None:
    stage.show(words("one", name="told"), words("two"))
    before = stage.window.findChildren(QLabel)
    stage.show(words("three", name="told"), words("two"))
    assert stage.window.findChildren(QLabel) == before
    assert stage.window.findChild(QLabel, "told") is before[0]
    assert stage.texts() == ["three", "two"]


def test_another_part_takes_the_place_of_the_one_before(stage: Stage) -> None:
    pressed: list[str] = []
    stage.show(words("a"), words("b"), words("c"))
    stage.show(words("a"), link("go", lambda: pressed.append("go")), words("c"))
    (made,) = stage.window.findChildren(QPushButton)
    assert stage.box.indexOf(made) == 1
    made.click()
    assert pressed == ["go"]
    stage.show(words("a"))
    assert stage.box.count() == 1
    assert stage.texts() == ["a"]


def test_what_has_a_key_keeps_its_widget_where_others_come_and_go(stage: Stage) -> None:
    def shown(*keys: str) -> dict[str, QLabel]:
        stage.show(*(words(one, key=one) for one in keys), words("end"))
        assert stage.texts() == [*keys, "end"]
        return {one.text(): one for one in stage.window.findChildren(QLabel)}

    before = shown("a", "b", "c", "d")
    after = shown("b", "new", "d", "last")
    assert after["b"] is before["b"]
    assert after["d"] is before["d"]
    assert shown("a", "b")["b"] is before["b"]


def test_what_lies_deep_inside_comes_and_goes_by_itself(stage: Stage) -> None:
    def said(*names: str) -> Inside:
        return plate(across(below(*(words(one) for one in names)), STRETCH, 4, words("end")))

    stage.show(said("a"))
    (frame, *_) = stage.window.findChildren(
        QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly
    )
    stage.show(said("a", "b", "c"))
    assert sorted(stage.texts()) == ["a", "b", "c", "end"]
    stage.show(said())
    assert stage.texts() == ["end"]
    assert frame.parent() is stage.window


def test_of_pages_one_is_seen_and_another_takes_its_place_among_them(stage: Stage) -> None:
    def seen() -> list[str]:
        return [one.text() for one in stage.window.findChildren(QLabel) if one.isVisible()]

    stage.show(pages(words("a"), words("b"), words("c"), now=0))
    (c,) = (one for one in stage.window.findChildren(QLabel) if one.text() == "c")
    stage.show(pages(words("a"), words("b", name="other"), words("c"), now=1))
    assert seen() == ["b"]
    stage.show(pages(words("a"), words("b", name="other"), words("d"), now=2))
    assert seen() == ["d"]
    assert c.text() == "d"


def test_what_is_turned_or_scrolls_keeps_its_widgets(stage: Stage) -> None:
    def said(*, beside: bool) -> Inside:
        return scrolling(turned(words("a"), words("b"), beside=beside), STRETCH)

    stage.show(said(beside=True))
    one, other = before = stage.window.findChildren(QLabel)
    assert (one.x() < other.x(), one.y() == other.y()) == (True, True)
    stage.show(said(beside=False))
    assert stage.window.findChildren(QLabel) == before
    assert (one.x() == other.x(), one.y() < other.y()) == (True, True)


def test_a_signal_is_told_to_what_was_said_last(stage: Stage) -> None:
    heard: list[object] = []
    for turn in (1, 2):
        stage.show(
            button("Press", partial(heard.append, turn), name="press"),
            check("Tick", on=False, wanted=heard.append),
        )
    press = stage.window.findChild(QPushButton, "press")
    assert press is not None
    press.click()
    assert heard == [2]


def test_a_menu_offers_what_is_offered_by_then_from_the_same_button(stage: Stage) -> None:
    heard: list[str] = []

    def said(*offers: str) -> Inside:
        return more("More", lambda: ((one, partial(heard.append, one)) for one in offers))

    stage.show(said("One"))
    dots = stage.window.findChild(QToolButton)
    assert dots is not None
    stage.show(said("Two", "Here & there"))
    assert stage.window.findChild(QToolButton) is dots
    dots.click()
    (menu,) = dots.findChildren(QMenu)
    assert [one.text() for one in menu.actions()] == ["Two", "Here && there"]
    menu.actions()[1].trigger()
    menu.close()
    assert heard == ["Here & there"]


def test_a_mark_without_an_icon_leaves_no_room_for_one(stage: Stage) -> None:
    stage.show(mark("check-circle", "accent", "ready"), mark("", "inkSoft", "not found"))
    left = {one.text(): one.x() for one in stage.window.findChildren(QLabel)}
    assert left["not found"] == 0 < left["ready"]


def test_showing_says_nothing_and_puts_back_what_a_person_moved(stage: Stage) -> None:
    heard: list[str] = []

    def said(now: str) -> Inside:
        return choice(
            "Which",
            Segment("a", "A"),
            Segment("b", "B"),
            name="which",
            now=now,
            wanted=heard.append,
        )

    stage.show(said("a"))
    control = stage.window.findChild(SegmentedSwitch, "which")
    assert control is not None
    control.choose("b")
    assert heard == ["b"]
    stage.show(said("a"))
    assert control.choice() == "a"
    assert heard == ["b"]


def test_a_slider_says_whether_it_is_held(stage: Stage) -> None:
    heard: list[tuple[int, bool]] = []
    stage.show(slider((0, 9), now=4, name="steps", moved=lambda *told: heard.append(told)))
    control = stage.window.findChild(QWidget, "steps")
    assert control is not None
    QTest.keyClick(control, Qt.Key.Key_Right)
    assert heard == [(5, False)]
    QTest.mousePress(control, Qt.MouseButton.LeftButton, pos=QPoint(1, 12))
    assert heard[-1] == (0, True)
    QTest.mouseRelease(control, Qt.MouseButton.LeftButton, pos=QPoint(1, 12))
    assert heard[-1] == (0, False)


def test_what_is_being_typed_is_not_overwritten(stage: Stage) -> None:
    left: list[str] = []
    stage.show(line(now="first", name="line", left=left.append))
    control = stage.window.findChild(QLineEdit, "line")
    assert control is not None
    stage.window.activateWindow()
    assert QTest.qWaitForWindowActive(stage.window)
    control.setFocus()
    QTest.keyClicks(control, "er")
    stage.show(line(now="second", name="line", left=left.append))
    assert control.text() == "firster"
    QTest.keyClick(control, Qt.Key.Key_Return)
    assert left == ["firster"]
    control.clearFocus()
    stage.show(line(now="third", name="line", left=left.append))
    assert control.text() == "third"


def test_saying_from_within_is_shown_afterwards(stage: Stage) -> None:
    class Talkative(QLabel):
        def show_said(self, said: str) -> None:
            """Says something else while it is being shown."""
            self.setText(said)
            if said == "first":
                stage.place.show(words("again"))

    stage.show(part(Talkative, said="first"), words("second"))
    assert stage.texts() == ["again"]


def test_cells_stand_where_they_are_placed_and_sizes_follow_the_text(stage: Stage) -> None:
    stage.show(
        grid(
            words("right", way="plain", place=(0, 1)),
            words("left", way="plain", name="left", place=(0, 0), dress=wide(100)),
            stretch=1,
            gap=4,
        ),
        mark("check-circle", "accent", "well"),
    )
    control = stage.window.findChild(QLabel, "left")
    assert control is not None
    assert control.width() == 100
    stage.theme.set_text_scale(1.4)
    assert control.width() == stage.theme.scaled(100)
    assert {"left", "right", "well"} <= set(stage.texts())


def test_a_dialog_says_its_parts_and_tells_what_is_new(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Question(DeclaredDialog[str]):
        def head(self, state: str) -> tuple[str, str]:
            return f"About {state}", "below"

        def said(self, state: str) -> tuple[tuple[Inside, ...], ...]:
            return (words("top"),), (words(state, name="state"), STRETCH), (words("foot"),)

        def told(self, state: str) -> tuple[str, ...]:
            return state, ""

    heard: list[str] = []
    announced = "inklings_desktop.ui.kit.page.declared.announce"
    monkeypatch.setattr(announced, lambda _source, text: heard.append(text))
    dialog = Question(stage.theme, stage.window, "Body", size=QSize(300, 300), top=4)
    for state in ("one", "one", "two"):
        dialog.show_state(state)
    assert heard == ["one", "two"]
    assert dialog.windowTitle() == "About two"
    said = [one.text() for one in dialog.findChildren(QLabel) if one.text()]
    assert sorted(said) == ["About two", "below", "foot", "top", "two"]


def test_a_box_can_turn(stage: Stage) -> None:
    for way in (QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom):
        stage.show(across(words("a"), words("b"), direction=way))
        item = stage.box.itemAt(0)
        inner = item.layout() if item is not None else None
        assert isinstance(inner, QBoxLayout)
        assert inner.direction() is way
