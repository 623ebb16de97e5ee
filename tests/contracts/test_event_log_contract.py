"""What the event log promises about asking it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.log.events import EventDraft, EventFilter, EventKind
from inklings_desktop.usecases.ports.store import Store
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID

DRAFTS = (
    EventDraft(
        EventKind.MEMORY_CREATED, "researcher", "agent", "mcp", "channel", "chan-100%", ("id_1",)
    ),
    EventDraft(EventKind.ENTRY_SAVED, "\u00d6rjan Gro\u00df", "person", "window", "workspace", "w"),
    EventDraft(EventKind.DENIED, "50% off_er", "agent", "mcp", "account", "account"),
    EventDraft(
        EventKind.MEMORY_CREATED, "researcher", "agent", "mcp", "workspace", "w", ("AB", "CD")
    ),
    EventDraft(EventKind.SCRUB_EXECUTED, "Ada", "person", "cli", "channel", "chan-1000"),
    *(
        EventDraft(EventKind.CONVERSATION_STARTED, "Ada", "person", "window", "conversation", "c")
        for _ in range(7)
    ),
)


@pytest.fixture
def log(store: Store) -> Store:
    """A store whose first workspace has twelve events, an hour apart."""
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        for hours, draft in enumerate(DRAFTS):
            unit.events.append(draft, NOON + timedelta(hours=hours))
        unit.commit()
    return store


def numbers(store: Store, where: EventFilter, *, limit: int = 100) -> list[int]:
    with store.read(WORKSPACE_ID) as view:
        return [event.number for event in view.events.latest(limit, None, where)]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (EventFilter(kinds=frozenset({EventKind.MEMORY_CREATED})), [4, 1]),
        (EventFilter(kinds=frozenset({EventKind.DENIED, EventKind.ENTRY_SAVED})), [3, 2]),
        (
            EventFilter(actors=frozenset({"researcher", "Ada"}), tiers=frozenset({"channel"})),
            [5, 1],
        ),
        (EventFilter(since=NOON + timedelta(hours=10)), [12, 11]),
        (EventFilter(since=NOON + timedelta(hours=10), text="11"), [11]),
        (EventFilter(text="scrub"), [5]),
        (EventFilter(text="RESEARCHER mcp"), [4, 1]),
        (EventFilter(text="ada cli"), [5]),
        (EventFilter(text="\u00f6RJAN"), [2]),
        (EventFilter(text="gross"), [2]),
        (EventFilter(text="100%"), [1]),
        (EventFilter(text="id_"), [1]),
        (EventFilter(text="off_er"), [3]),
        (EventFilter(text="d_1"), [1]),
        (EventFilter(text="%"), [3, 1]),
        (EventFilter(text="_"), [3, 2, 1]),
        (EventFilter(text="ab"), [4]),
        (EventFilter(text="["), []),
        (EventFilter(text="\\"), []),
        (EventFilter(text="#12"), [12]),
        (EventFilter(text="#1"), [1]),
        (EventFilter(text="#0"), []),
        (EventFilter(text="#" + "9" * 5_000), []),
        (EventFilter(text="1,2"), [12]),
        (EventFilter(text="#"), []),
        (EventFilter(text="nothing"), []),
        (EventFilter(text="scrub " * 5_000), [5]),
        (EventFilter(text=" ".join(map(str, range(5_000)))), []),
        (EventFilter(text="   "), list(range(12, 0, -1))),
    ],
)
def test_a_filter_holds_what_it_says(log: Store, where: EventFilter, expected: list[int]) -> None:
    assert numbers(log, where) == expected


def test_pages_of_a_filter_follow_one_another(log: Store) -> None:
    where = EventFilter(tiers=frozenset({"conversation", "channel"}))
    found: list[int] = []
    before = None
    with log.read(WORKSPACE_ID) as view:
        while page := view.events.latest(3, before, where):
            assert len(page) <= 3
            found += [event.number for event in page]
            before = found[-1]
    assert found == numbers(log, where) == [*range(12, 4, -1), 1]


def test_values_in_use_are_counted_most_used_first(log: Store) -> None:
    with log.read(WORKSPACE_ID) as view:
        facets = view.events.facets()
    assert facets.kinds[:2] == (("conversation.started", 7), ("memory.created", 2))
    assert facets.actors == (
        ("Ada", 8),
        ("researcher", 2),
        ("50% off_er", 1),
        ("\u00d6rjan Gro\u00df", 1),
    )
    assert dict(facets.tiers) == {"conversation": 7, "channel": 2, "workspace": 2, "account": 1}
    assert facets.total == 12

    with log.read(OTHER_WORKSPACE_ID) as view:
        assert view.events.facets().total == 0


def test_one_event_is_found_by_its_number_in_its_own_log_only(log: Store) -> None:
    with log.read(WORKSPACE_ID) as view:
        assert view.events.get(5).kind is EventKind.SCRUB_EXECUTED
        for number in (0, -1, 13):
            with pytest.raises(NotFoundError) as caught:
                view.events.get(number)
            assert caught.value.key == str(number)
    with log.read(OTHER_WORKSPACE_ID) as view, pytest.raises(NotFoundError):
        view.events.get(5)
