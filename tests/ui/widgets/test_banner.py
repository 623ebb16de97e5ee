from __future__ import annotations

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.panes.banner import Banner, BannerAction, BannerContent

CONFLICT = BannerContent(
    "ochre",
    "The agent changed this while you were editing.",
    "",
    (BannerAction("keep", "Keep mine"), BannerAction("take", "Take theirs")),
    dismiss_name="Dismiss",
)


@pytest.fixture
def banner(theme: Theme, qtbot: QtBot) -> Banner:
    banner = Banner(theme)
    qtbot.addWidget(banner)
    banner.resize(700, 60)
    return banner


def buttons(banner: Banner) -> dict[str, QAbstractButton]:
    return {
        button.text() or button.accessibleName(): button
        for button in banner.findChildren(QAbstractButton)
        if not button.isHidden()
    }


def test_actions_tell_their_key(banner: Banner, qtbot: QtBot) -> None:
    banner.show_content(CONFLICT)
    assert list(buttons(banner)) == ["Keep mine", "Take theirs", "Dismiss"]
    with qtbot.waitSignal(banner.action_requested, timeout=1000) as asked:
        buttons(banner)["Take theirs"].click()
    assert asked.args == ["take"]


def test_the_cross_dismisses(banner: Banner, qtbot: QtBot) -> None:
    banner.show_content(CONFLICT)
    with qtbot.waitSignal(banner.dismissed, timeout=1000):
        buttons(banner)["Dismiss"].click()
    assert banner.content is None
    assert banner.isHidden()


def test_other_content_replaces_buttons(banner: Banner) -> None:
    banner.show_content(CONFLICT)
    banner.show_content(BannerContent("madder", "Read-only."))
    assert buttons(banner) == {}
    assert banner.accessibleName() == "Read-only."


def test_three_actions_are_too_many(banner: Banner) -> None:
    many = tuple(BannerAction(str(number), str(number)) for number in range(3))
    with pytest.raises(ValueError, match="3"):
        banner.show_content(BannerContent("lapis", "News", "", many))


def test_text_is_shown_as_it_is(banner: Banner) -> None:
    banner.show_content(BannerContent("lapis", "<b>News</b>", "<img src='x'>"))
    shown = "".join(label.text() for label in banner.findChildren(QLabel))
    assert "<img" not in shown
    assert "&lt;b&gt;News" in shown


def test_the_ground_tells_the_kind(banner: Banner, theme: Theme) -> None:
    banner.show_content(CONFLICT)
    ground = banner.grab().toImage().pixelColor(4, 4)
    assert ground == theme.color("ochreSoft")


FULL_DISK = BannerContent(
    "ochre",
    "The disk is nearly full.",
    "143.0 MB are left. You can read, search and write, but a backup, an import or a scrub may "
    "not find room. Free some space.",
    (BannerAction("look", "Look again"), BannerAction("open", "Open the folder")),
    dismiss_name="Dismiss",
)


def test_buttons_go_below_words_that_would_take_many_lines(banner: Banner) -> None:
    banner.show_content(FULL_DISK)
    for width, is_below in ((1100, False), (420, True), (1100, False)):
        banner.resize(width, max(60, banner.heightForWidth(width)))
        QApplication.processEvents()
        words = banner.findChildren(QLabel)[1].geometry()
        look, cross = buttons(banner)["Look again"], buttons(banner)["Dismiss"]
        assert (look.geometry().top() >= words.bottom()) is is_below, width
        assert cross.geometry().left() > words.right(), "the cross stays at the edge"
        assert words.width() >= 0.6 * width
    assert list(buttons(banner)) == ["Look again", "Open the folder", "Dismiss"]
