from __future__ import annotations

from datetime import timedelta

import pytest

from inklings_desktop.domain.access.clients import Client, ClientKind
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.domain.scrub.scrub_request import ScrubRequestState
from inklings_desktop.usecases.ports.store import Store
from tests.support.builders import NOON
from tests.support.fake_publisher import FakePublisher
from tests.support.scrub_asking import REQUEST_ID, a_request

OTHER_ID = "0b6f7c52-0000-4000-8000-000000000002"
LATER = NOON + timedelta(seconds=4)


@pytest.fixture
def known(store: Store) -> Store:
    with store.write(None, initiator="Ada") as unit:
        for name in ("loom", "kiln"):
            unit.clients.save(Client(name, ClientKind.EXTERNAL, NOON))
        unit.commit()
    return store


def test_a_request_is_kept_as_it_was_asked_and_as_it_ended(
    known: Store, publisher: FakePublisher
) -> None:
    of_account = a_request(
        id=OTHER_ID, client="kiln", scope=ScopeKey.account(), mode=ScrubMode.FULL
    )
    with known.write(None, initiator="loom") as unit:
        unit.scrub_requests.save(a_request())
        unit.scrub_requests.save(of_account)
        unit.commit()
    assert publisher.published[-1].scrub_requests
    with known.read(None) as view:
        assert view.scrub_requests.get(REQUEST_ID) == a_request()
        assert view.scrub_requests.open_requests() == (a_request(), of_account)
        assert view.scrub_requests.open_requests("kiln") == (of_account,)
        with pytest.raises(NotFoundError):
            view.scrub_requests.get("0b6f7c52")
    done = a_request().ended(ScrubRequestState.EXECUTED, LATER, 7)
    with known.write(None, initiator="Ada") as unit:
        unit.scrub_requests.save(done)
        unit.commit()
    with known.read(None) as view:
        assert view.scrub_requests.get(REQUEST_ID) == done
        assert view.scrub_requests.open_requests() == (of_account,)


def test_a_window_counts_from_its_note_until_it_runs_out_or_is_closed(known: Store) -> None:
    def is_there(at_seconds: float) -> bool:
        with known.read(None) as view:
            return view.scrub_requests.has_window(NOON + timedelta(seconds=at_seconds))

    assert not is_there(0)
    with known.write(None, initiator="Ada") as unit:
        unit.scrub_requests.note_window("first", NOON, 15)
        unit.scrub_requests.note_window("second", NOON, 15)
        unit.commit()
    assert [is_there(at) for at in (-1, 0, 14.9, 15)] == [False, True, True, False]
    with known.write(None, initiator="Ada") as unit:
        unit.scrub_requests.note_window("first", LATER, 15)
        unit.scrub_requests.drop_window("second")
        unit.commit()
    assert [is_there(at) for at in (0, 4, 18, 19)] == [False, True, True, False]
    with known.write(None, initiator="Ada") as unit:
        unit.scrub_requests.drop_window("first")
        unit.commit()
    assert not is_there(5)
