from __future__ import annotations

from datetime import timedelta

import pytest

from inklings_desktop.domain.scrub.scrub_request import REQUEST_LIFE, ScrubRequestState
from tests.support.builders import NOON
from tests.support.scrub_asking import a_request

WAITING, CONFIRMED, EXPIRED = (
    ScrubRequestState.WAITING,
    ScrubRequestState.CONFIRMED,
    ScrubRequestState.EXPIRED,
)


@pytest.mark.parametrize(
    ("state", "later", "expected"),
    [
        (WAITING, timedelta(0), WAITING),
        (WAITING, timedelta(minutes=9, seconds=59), WAITING),
        (WAITING, timedelta(minutes=10), EXPIRED),
        (WAITING, timedelta(seconds=-1), EXPIRED),
        (CONFIRMED, timedelta(minutes=19), CONFIRMED),
        (CONFIRMED, timedelta(minutes=20), EXPIRED),
        (ScrubRequestState.DECLINED, timedelta(days=3), ScrubRequestState.DECLINED),
    ],
)
def test_a_request_lapses_by_itself(
    state: ScrubRequestState, later: timedelta, expected: ScrubRequestState
) -> None:
    assert a_request(state=state).as_of(NOON + later).state is expected


def test_a_request_that_lapsed_says_when() -> None:
    lapsed = a_request().as_of(NOON + timedelta(hours=3))
    assert lapsed.ended_at == NOON + REQUEST_LIFE
    assert not lapsed.is_open
