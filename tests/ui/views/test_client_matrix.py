"""Columns of the matrix of clients: rights are read whole, names give way first."""

from __future__ import annotations

from itertools import pairwise

import pytest

from inklings_desktop.ui.access.matrix import columns
from inklings_desktop.ui.access.state import ClientRow
from inklings_desktop.ui.kit.look.rights import RightBadge, RightTone
from inklings_desktop.ui.kit.look.theme import Theme

WRITES = RightBadge("read, write", RightTone.WRITE)
PROPOSES = RightBadge("read, propose", RightTone.READ)
LONG = "Manuscript Studio with a name that goes on and on until it ends"


def a_row(name: str = "Dice Relay", channel: RightBadge = WRITES) -> ClientRow:
    badges = (WRITES, channel, WRITES, PROPOSES)
    return ClientRow(name, "my World Agent", "planet", badges, "never", "")


def starts(theme: Theme, width: int, *rows: ClientRow) -> list[float]:
    return columns(theme, rows, width).starts


def test_columns_stand_as_designed_where_that_cuts_nothing(theme: Theme) -> None:
    found = starts(theme, 1170, a_row())
    assert found == [1170 * share for share in (0.233, 0.38, 0.617, 0.76)]


@pytest.mark.parametrize("scale", [1.0, 1.4])
@pytest.mark.parametrize("width", [918, 1002, 1170])
def test_every_right_is_read_whole(theme: Theme, width: int, scale: float) -> None:
    theme.set_text_scale(scale)
    try:
        row = a_row(LONG)
        made = columns(theme, (row,), width)
        edges = [*made.starts, made.end]
        rooms = [after - before for before, after in pairwise(edges)]
        for badge, room in zip(row.badges, rooms, strict=True):
            assert room >= badge.width(theme) + 12
    finally:
        theme.set_text_scale(1.0)


def test_a_name_takes_the_room_that_no_right_needs(theme: Theme) -> None:
    short = starts(theme, 1002, a_row())
    long = starts(theme, 1002, a_row(LONG))
    assert long[0] > short[0] + 60
    assert long == sorted(long)


def test_where_nothing_fits_every_column_keeps_its_place(theme: Theme) -> None:
    wordy = RightBadge("read all, write in two, propose if taking part" * 2, RightTone.WRITE)
    found = starts(theme, 700, a_row(LONG, wordy))
    assert found[0] >= 140
    assert all(after - before >= 20 for before, after in pairwise([*found, 700]))
