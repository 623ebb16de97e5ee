from __future__ import annotations

import pytest

from inklings_desktop.domain.log.disk_room import LEAST_FREE_BYTES, DiskRoom

MB = 1_000_000


@pytest.mark.parametrize(
    ("free", "largest", "was_low", "expected"),
    [
        (200 * MB, 0, False, False),
        (200 * MB - 1, 0, False, True),
        (500 * MB, 200 * MB, False, True),  # a scrub of 200 MB asks for 600
        (600 * MB, 200 * MB, False, False),
        (205 * MB, 0, True, True),  # hardly more than before is not enough yet
        (220 * MB, 0, True, False),
        (205 * MB, 0, False, False),
    ],
)
def test_room_is_low_below_what_the_largest_act_needs(
    free: int, largest: int, *, was_low: bool, expected: bool
) -> None:
    assert DiskRoom(free, largest).is_low(was_low=was_low) is expected


def test_small_databases_still_want_the_least() -> None:
    assert DiskRoom(0, 1).needed_bytes == LEAST_FREE_BYTES
