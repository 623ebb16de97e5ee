from __future__ import annotations

import pytest

from inklings_desktop.domain.access.access import Action, Grant
from inklings_desktop.domain.access.clients import (
    WORLD_ACTIONS,
    Client,
    ClientKind,
    Participation,
    Right,
    caller_of,
    imitated,
    preset_rights,
)
from inklings_desktop.domain.entries.named_entry import BUILT_IN_NAMES
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import ScopeKey, Tier
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


@pytest.mark.parametrize("action", sorted(WORLD_ACTIONS))
def test_pages_are_opened_by_the_workspaces_own_tier_alone(action: Action) -> None:
    right = Right(Tier.WORKSPACE, WORKSPACE_ID, action)
    client = Client("loom", ClientKind.EXTERNAL, NOON, frozenset({right}))
    caller = caller_of(client, WORKSPACE_ID, Participation())
    assert caller.actions_in(ScopeKey.workspace(WORKSPACE_ID)) == {action}
    for tier in set(Tier) - {Tier.WORKSPACE}:
        with pytest.raises(InvalidValueError) as refused:
            Right(tier, None if tier is Tier.ACCOUNT else WORKSPACE_ID, action)
        assert refused.value.rule == "workspace_only"


def test_my_world_agent_reads_pages_and_an_external_client_does_not() -> None:
    told = {kind: preset_rights(kind, WORKSPACE_ID) for kind in ClientKind}
    reading = Right(Tier.WORKSPACE, WORKSPACE_ID, Action.WORLD_READ)
    assert [kind for kind, rights in told.items() if reading in rights] == [ClientKind.WORLD_AGENT]
    assert not any(one.action is Action.WORLD_PROPOSE for rights in told.values() for one in rights)


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
