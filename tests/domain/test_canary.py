"""What a drill lets a client hear of: the rule, apart from the code that it judges."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.canary import (
    Allowed,
    Canary,
    CanaryKind,
    CanaryState,
    DrillDoor,
    DrillReport,
    PathResult,
    Room,
)
from inklings_desktop.domain.access.clients import ClientKind, Right, preset_rights
from inklings_desktop.domain.memory import Tier

HERE, CHANNEL = "a-workspace", "a-channel"
EXTERNAL = Allowed(ClientKind.EXTERNAL, preset_rights(ClientKind.EXTERNAL, HERE))
OWN = Allowed(ClientKind.WORLD_AGENT, preset_rights(ClientKind.WORLD_AGENT, HERE))
SHUT = Allowed(ClientKind.EXTERNAL, ())
IN_WORKSPACE = Canary(("mark",), CanaryKind.MEMORY, Tier.WORKSPACE)
IN_ACCOUNT = replace(IN_WORKSPACE, tier=Tier.ACCOUNT)
IN_CHANNEL = replace(IN_WORKSPACE, tier=Tier.CHANNEL, room=Room.STRANGE)
IN_CONVERSATION = replace(IN_WORKSPACE, tier=Tier.CONVERSATION, room=Room.STRANGE)


@pytest.mark.parametrize(
    ("canary", "hearers"),
    [
        (IN_WORKSPACE, {"external", "own"}),
        (IN_ACCOUNT, {"own"}),
        (IN_CHANNEL, {"own"}),
        (replace(IN_CHANNEL, room=Room.OWN), {"external", "own"}),
        (IN_CONVERSATION, set()),
        (replace(IN_CONVERSATION, room=Room.OWN), {"external", "own"}),
    ],
)
def test_the_usual_rights_open_what_the_presets_promise(canary: Canary, hearers: set[str]) -> None:
    asked = {"external": EXTERNAL, "own": OWN, "shut": SHUT}
    assert {name for name, allowed in asked.items() if allowed.may_hear(canary)} == hearers


@pytest.mark.parametrize("state", CanaryState)
def test_what_is_hidden_is_hidden_from_everybody(state: CanaryState) -> None:
    is_open = state in {CanaryState.PLAIN, CanaryState.PRIVATE_OWN}
    assert OWN.may_hear(replace(IN_WORKSPACE, state=state)) == is_open


def test_another_workspace_is_closed_whatever_was_granted_there() -> None:
    assert not OWN.may_hear(replace(IN_WORKSPACE, is_elsewhere=True))
    assert not OWN.may_meet(replace(IN_WORKSPACE, is_elsewhere=True))


def test_one_channel_opens_that_channel_alone() -> None:
    right = Right(Tier.CHANNEL, HERE, Action.READ, CHANNEL)
    reader = Allowed(ClientKind.EXTERNAL, (right,))
    granted = replace(IN_CHANNEL, room=Room.GRANTED, channel_id=CHANNEL)
    assert reader.may_hear(granted)
    assert not reader.may_hear(replace(granted, channel_id="another"))
    assert not reader.may_hear(replace(IN_CHANNEL, room=Room.OWN))


def test_who_may_write_finds_out_what_is_there_and_hears_nothing_of_it() -> None:
    writer = Allowed(ClientKind.EXTERNAL, (Right(Tier.WORKSPACE, HERE, Action.WRITE),))
    assert not writer.may_hear(IN_WORKSPACE)
    assert writer.may_meet(IN_WORKSPACE)
    assert not writer.may_meet(IN_ACCOUNT)


def test_names_are_told_with_what_they_name() -> None:
    workspace = replace(IN_WORKSPACE, kind=CanaryKind.WORKSPACE)
    assert EXTERNAL.may_hear(workspace)
    account_only = Allowed(ClientKind.EXTERNAL, (Right(Tier.ACCOUNT, None, Action.READ),))
    assert not account_only.may_hear(workspace)
    channel = replace(IN_CHANNEL, kind=CanaryKind.CHANNEL)
    assert not EXTERNAL.may_hear(channel)
    assert EXTERNAL.may_hear(replace(channel, room=Room.OWN))
    assert not EXTERNAL.has_to_hear(replace(channel, room=Room.OWN))


def test_a_report_passes_only_when_nothing_crossed_and_all_was_heard() -> None:
    tight = PathResult(DrillDoor.USE_CASES, "list_facets", 2, 1)
    report = DrillReport("x", (), 0, (tight,), (), has_meaning=True)
    assert report.is_passed
    assert report.n_asked == 2
    crossed = replace(tight, crossed=(IN_ACCOUNT,))
    assert not replace(report, paths=(crossed,)).is_passed
    apart = replace(tight, told_apart=(IN_ACCOUNT,))
    assert replace(report, paths=(tight, apart)).crossed == (apart,)
    assert not replace(report, unheard=(IN_WORKSPACE,)).is_passed


def test_a_marker_is_heard_by_any_of_its_traces() -> None:
    canary = replace(IN_WORKSPACE, traces=("zq12", "an-id"))
    assert canary.is_in("told zq12 here")
    assert canary.is_in("{'id': 'an-id'}")
    assert not canary.is_in("nothing")
