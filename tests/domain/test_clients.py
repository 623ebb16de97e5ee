from __future__ import annotations

from inklings_desktop.domain.access.access import Action, Grant
from inklings_desktop.domain.access.clients import (
    Client,
    ClientKind,
    Participation,
    Right,
    caller_of,
    imitated,
)
from inklings_desktop.domain.entries.named_entry import BUILT_IN_NAMES
from inklings_desktop.domain.memory import Tier
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID


def in_channel(action: Action, channel_id: str | None = None) -> Right:
    return Right(Tier.CHANNEL, WORKSPACE_ID, action, channel_id)


def test_rights_in_one_channel_open_no_other() -> None:
    rights = frozenset(
        {
            in_channel(Action.READ, "bells"),
            in_channel(Action.WRITE, "tides"),
            in_channel(Action.PROPOSE),
            Right(Tier.CHANNEL, OTHER_WORKSPACE_ID, Action.WRITE),
        }
    )
    taking_part = Participation(channels=frozenset({"gates"}))
    caller = caller_of(Client("loom", ClientKind.EXTERNAL, NOON, rights), WORKSPACE_ID, taking_part)
    expected = [("gates", Action.PROPOSE), ("bells", Action.READ), ("tides", Action.WRITE)]
    assert caller.grants == tuple(
        Grant(Tier.CHANNEL, WORKSPACE_ID, frozenset({action}), frozenset({channel}))
        for channel, action in expected
    )


def test_rights_are_listed_by_channel_last() -> None:
    rights = [in_channel(Action.READ, one) for one in ("tides", "bells")]
    assert sorted([*rights, in_channel(Action.READ)], key=lambda one: one.sort_key) == [
        in_channel(Action.READ),
        *reversed(rights),
    ]


def test_a_name_imitates_others_and_never_itself() -> None:
    assert imitated("loom", ["loom", "shuttle"]) is None
    assert imitated("l\u043eom", ["shuttle", "loom"]) == "loom"
    assert imitated("Auth\u043er", []) == "author"
    for name in ("author", "person", "you", "user", "import", "consolidation", *BUILT_IN_NAMES):
        assert imitated(name, [name]) == name
