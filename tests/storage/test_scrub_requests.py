"""What the rules of the table refuse, and what the file keeps of old requests and windows."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from inklings_desktop.domain.access.clients import Client, ClientKind
from inklings_desktop.domain.scrub.scrub_request import MAX_REQUESTS_KEPT, ScrubRequestState
from inklings_desktop.storage.schema.purge_schema import scrub_requests
from inklings_desktop.storage.schema.task_schema import leases
from tests.support.builders import NOON
from tests.support.scrub_asking import a_request
from tests.support.sqlite_store import sqlite_world


def test_old_requests_leave_and_open_ones_stay(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world, world.store.write(None, initiator="loom") as unit:
        unit.clients.save(Client("loom", ClientKind.EXTERNAL, NOON))
        unit.scrub_requests.save(a_request())
        for number in range(MAX_REQUESTS_KEPT + 5):
            ended = a_request(id=f"0b6f7c52-0000-4000-9000-{number:012}").ended(
                ScrubRequestState.DECLINED, NOON
            )
            unit.scrub_requests.save(ended)
        rows = unit._transaction.connection.execute(select(scrub_requests)).all()
        assert len(rows) == MAX_REQUESTS_KEPT + 1
        assert unit.scrub_requests.open_requests() == (a_request(),)


def test_windows_that_were_killed_leave_nothing_behind(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world, world.store.write(None, initiator="Ada") as unit:
        for number in range(20):
            unit.scrub_requests.note_window(f"w{number}", NOON + timedelta(minutes=number), 15)
        rows = unit._transaction.connection.execute(select(leases.c.name)).scalars().all()
        assert rows == ["window:w19"]


@pytest.mark.parametrize(
    "change",
    [
        "digest = 'The Hollow Crown lies under the third quay and hums at the turn.'",
        "state = 'undone'",
        "mode = 'most'",
        "tier = 'account'",
        "state = 'declined'",
        "ended_at = 'later'",
    ],
)
def test_the_table_takes_nothing_but_what_a_request_is_made_of(tmp_path: Path, change: str) -> None:
    with sqlite_world(tmp_path) as world, world.store.write(None, initiator="loom") as unit:
        unit.clients.save(Client("loom", ClientKind.EXTERNAL, NOON))
        unit.scrub_requests.save(a_request())
        with pytest.raises(IntegrityError):
            unit._transaction.connection.execute(text(f"UPDATE scrub_requests SET {change}"))  # noqa: S608 - words of this test
