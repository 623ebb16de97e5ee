"""What every store promises about saying that the event log grew."""

from __future__ import annotations

from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.usecases.ports.store import Store
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.fake_publisher import FakePublisher


def test_an_event_alone_is_published(store: Store, publisher: FakePublisher) -> None:
    for workspace_id in (WORKSPACE_ID, None):
        with store.write(workspace_id, initiator="Ada") as unit:
            unit.events.append(EventDraft(EventKind.DENIED, "Dice Relay", "agent", "mcp"), NOON)
            unit.commit()
    heard = publisher.published[-2:]
    assert [(one.workspace_id, one.events) for one in heard] == [(WORKSPACE_ID, True), (None, True)]
    assert all(one.scopes == frozenset() for one in heard)


def test_other_commits_say_that_the_log_is_as_it_was(
    store: Store, publisher: FakePublisher
) -> None:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("one")])
        unit.commit()
    assert not publisher.published[-1].events
