"""One banner at a time, the worst first."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from inklings_desktop.domain.log.disk_room import DiskRoom
from inklings_desktop.domain.log.events import LostWrites
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.panes.banner import (
    MOST_ACTIONS,
    Banner,
    BannerCause,
    BannerSlot,
    worst_of,
)
from inklings_desktop.ui.window.banners.damage import damage_banner
from inklings_desktop.ui.window.banners.words import (
    catch_up_banner,
    keyword_only_banner,
    knock_banner,
    loss_banner,
    low_disk_banner,
    open_files_banner,
    purge_banner,
    read_only_banner,
    silence_banner,
)
from inklings_desktop.usecases.background.background_work import TaskPhase, TaskStatus
from tests.support.builders import NOON
from tests.ui.fake_clock import BACKFILL

MB = 1_000_000
RUN = TaskStatus(BACKFILL, TaskPhase.RUNNING, "embed", 6, 16, "start")
CONTENTS = {
    BannerCause.READ_ONLY: read_only_banner(),
    BannerCause.DAMAGE: damage_banner(None),
    BannerCause.LOST_WRITES: loss_banner(((None, LostWrites(2, NOON, NOON)),)),
    BannerCause.KNOCK: knock_banner("loom", "Saltglass"),
    BannerCause.OPEN_FILES: open_files_banner(2),
    BannerCause.LOW_DISK: low_disk_banner(DiskRoom(143 * MB)),
    BannerCause.PURGE: purge_banner(),
    BannerCause.SILENCE: silence_banner("The toll", 3, 1),
    BannerCause.KEYWORD_ONLY: keyword_only_banner(has_failed=False),
    BannerCause.CATCH_UP: catch_up_banner(RUN),
}
SEVERITY = ("madder", "ochre", "lapis")


@pytest.fixture
def slot(theme: Theme, qtbot: QtBot) -> BannerSlot:
    banner = Banner(theme)
    qtbot.addWidget(banner)
    return BannerSlot(banner)


def names(slot: BannerSlot) -> list[str]:
    return [
        one.text() or one.accessibleName()
        for one in slot.banner.findChildren(QAbstractButton)
        if not one.isHidden()
    ]


def press(slot: BannerSlot, name: str) -> None:
    next(
        one
        for one in slot.banner.findChildren(QAbstractButton)
        if not one.isHidden() and name in {one.text(), one.accessibleName()}
    ).click()


@pytest.mark.parametrize("missing", list(CONTENTS))
def test_the_worst_of_all_there_is_to_say(missing: BannerCause) -> None:
    rest = [one for one in CONTENTS if one is not missing]
    assert worst_of(rest) is rest[0]
    assert worst_of(rest, put_away=rest[:1]) is rest[1]
    assert worst_of(rest, put_away=rest) is None


def test_madder_goes_before_ochre_and_ochre_before_lapis() -> None:
    kinds = [SEVERITY.index(CONTENTS[cause].kind) for cause in sorted(CONTENTS)]
    assert kinds == sorted(kinds)
    assert worst_of(()) is None


def test_no_banner_has_more_buttons_than_fit() -> None:
    assert all(len(one.actions) <= MOST_ACTIONS for one in CONTENTS.values())
    # To wait is all that can be done about a scrub that is held up.
    assert [cause for cause, one in CONTENTS.items() if not one.actions] == [BannerCause.PURGE]


def test_only_keyword_search_can_be_put_away() -> None:
    assert [cause for cause, one in CONTENTS.items() if one.dismiss_name] == [
        BannerCause.KEYWORD_ONLY
    ]


def test_what_is_worse_takes_the_place_and_gives_it_back(slot: BannerSlot) -> None:
    for cause in reversed(CONTENTS):
        slot.say(cause, CONTENTS[cause])
        assert slot.cause is cause
        assert slot.banner.content == CONTENTS[cause]
    for cause, after in zip(CONTENTS, [*list(CONTENTS)[1:], None], strict=True):
        slot.say(cause, None)
        assert slot.cause is after
    assert slot.banner.isHidden()


def test_what_was_put_away_stays_away_for_the_session(slot: BannerSlot) -> None:
    for cause in (BannerCause.KEYWORD_ONLY, BannerCause.CATCH_UP):
        slot.say(cause, CONTENTS[cause])
    press(slot, "Put this notice away")
    assert slot.cause is BannerCause.CATCH_UP
    slot.say(BannerCause.CATCH_UP, None)
    slot.say(BannerCause.KEYWORD_ONLY, CONTENTS[BannerCause.KEYWORD_ONLY])
    assert slot.banner.isHidden()


def test_a_button_tells_which_banner_it_stood_in(slot: BannerSlot) -> None:
    heard: list[tuple[object, str]] = []
    slot.acted.connect(lambda cause, key: heard.append((cause, key)))
    slot.say(BannerCause.KEYWORD_ONLY, CONTENTS[BannerCause.KEYWORD_ONLY])
    slot.say(BannerCause.READ_ONLY, CONTENTS[BannerCause.READ_ONLY])
    assert names(slot) == ["Try again", "Export to\u2026"]
    press(slot, "Try again")
    assert heard == [(BannerCause.READ_ONLY, "tryWriting")]


def test_progress_moves_no_button_and_is_not_read_aloud_again(
    slot: BannerSlot, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[tuple[str, bool]] = []

    def hear(_source: object, text: str, *, urgent: bool = False) -> None:
        said.append((text, urgent))

    monkeypatch.setattr("inklings_desktop.ui.kit.panes.banner.announce", hear)
    slot.say(BannerCause.CATCH_UP, CONTENTS[BannerCause.CATCH_UP])
    before = slot.banner.findChildren(QAbstractButton)
    later = TaskStatus(BACKFILL, TaskPhase.RUNNING, "embed", 7, 16, "start")
    slot.say(BannerCause.CATCH_UP, catch_up_banner(later))
    assert slot.banner.findChildren(QAbstractButton) == before
    assert "7 of 16" in slot.banner.accessibleName()
    assert said == [
        (
            "Catching up on background work. Preparing for search. You can keep working.",
            False,
        )
    ]
    slot.say(BannerCause.READ_ONLY, CONTENTS[BannerCause.READ_ONLY])
    assert said[-1][1]
