"""Scrub over the protocol: counted by the agent, confirmed by the author, or not at all."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.domain.rooms.messages import MessageDraft, MessageRole
from inklings_desktop.domain.scrub.manifest import (
    ManifestChangedError,
    ScrubManifest,
    ScrubMode,
    ScrubOutcome,
)
from inklings_desktop.domain.scrub.scrub_request import (
    MAX_WAITING_PER_CLIENT,
    ScrubRequestEndedError,
    ScrubRequestState,
)
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor

WINDOW = "3d0f9a52-0000-4000-8000-000000000001"
EVERY_SCRUB = (Action.SCRUB_PREVIEW, Action.SCRUB_KEEP_NAMED, Action.SCRUB_FULL)
CROWN = "The Hollow Crown lies under the third quay."


def may_scrub(door: AgentDoor, *actions: Action, client: str = LOOM) -> None:
    """Grant rights to scrub the workspace tier."""
    rights = [Right(Tier.WORKSPACE, door.workspace.id, action) for action in actions]
    door.inklings.clients.grant(client, rights)


def a_window(door: AgentDoor, *, is_open: bool = True) -> None:
    """The author has a window open, or closes it."""
    door.inklings.scrub.attend(WINDOW, is_open=is_open)


def remember(door: AgentDoor, *texts: str) -> None:
    """The author writes into the workspace tier."""
    scope = ScopeKey.workspace(door.workspace.id)
    for text in texts:
        door.inklings.memories.put(MemoryDraft(scope, text))


def asked(door: AgentDoor, mode: str = "keep_named") -> dict[str, Any]:
    """Counted and asked for."""
    counted = door.answer("scrub_preview", tier="workspace", mode=mode)
    return door.answer(
        "scrub_execute",
        tier="workspace",
        mode=mode,
        token=counted["token"],
        confirm=counted["phrase"],
    )


def shown(door: AgentDoor, request_id: str) -> ScrubManifest:
    """What the author's window counts for a request."""
    inklings = door.inklings
    (request,) = [one for one in inklings.scrub.requests() if one.id == request_id]
    return inklings.scrub.preview(request.scope, request.mode)


def confirmed(door: AgentDoor, request_id: str, manifest: ScrubManifest) -> ScrubOutcome:
    """The author types the phrase."""
    inklings = door.inklings
    return inklings.scrub.confirm(request_id, token=manifest.token, phrase=manifest.phrase)


def followed(door: AgentDoor, request_id: str) -> dict[str, Any]:
    """What the agent hears when it asks again."""
    return door.answer("scrub_execute", tier="workspace", request=request_id)


def refusals(door: AgentDoor) -> list[str]:
    """Verbs of the refusals in the account's log, oldest first."""
    where = EventFilter(kinds=frozenset({EventKind.DENIED}))
    found = door.inklings.log.list(None, where)
    return [next(iter(one.counts)) for one in reversed(found)]


def test_scrub_is_listed_only_as_far_as_it_is_granted(door: AgentDoor) -> None:
    def listed() -> set[str]:
        return {tool.name for tool in door.tools() if tool.name.startswith("scrub")}

    assert listed() == set()
    may_scrub(door, Action.SCRUB_PREVIEW)
    assert listed() == {"scrub_preview"}
    may_scrub(door, Action.SCRUB_FULL)
    assert listed() == {"scrub_preview", "scrub_execute"}
    execute = next(tool for tool in door.tools() if tool.name == "scrub_execute")
    assert execute.annotations.destructive_hint is True


def test_the_author_confirms_and_the_agent_hears_it(door: AgentDoor) -> None:
    remember(door, CROWN, "Tide bells ring twice.")
    may_scrub(door, Action.SCRUB_PREVIEW, Action.SCRUB_KEEP_NAMED)
    a_window(door)
    waiting = asked(door)
    assert (waiting["status"], waiting["entries"]) == ("waiting", 2)
    assert followed(door, waiting["request"])["status"] == "waiting"
    manifest = shown(door, waiting["request"])
    outcome = confirmed(door, waiting["request"], manifest)
    assert outcome.is_finished
    told = followed(door, waiting["request"])
    assert (told["status"], told["event"]) == ("executed", outcome.event_number)
    inklings = door.inklings
    event = inklings.log.show(door.workspace.id, outcome.event_number)
    assert event.actor == inklings.caller.name
    assert event.marks["request"] == waiting["request"]
    where = EventFilter(kinds=frozenset({EventKind.SCRUB_REQUESTED}))
    (request,) = inklings.log.list(None, where)
    assert (request.actor, request.marks["request"]) == (LOOM, waiting["request"])
    assert inklings.scrub.requests() == ()


def test_keep_named_never_removes_a_named_entry(door: AgentDoor) -> None:
    inklings = door.inklings
    voice = inklings.entries.find(door.workspace.id, "VOICE")
    inklings.entries.save(voice.ref, "Plainly.", expected_version=voice.version)
    remember(door, CROWN)
    may_scrub(door, *EVERY_SCRUB)
    a_window(door)
    counted = door.answer("scrub_preview", tier="workspace", mode="full")
    assert counted["by_kind"] == {"memory": 1, "named_entry": 1}
    spared = door.answer("scrub_preview", tier="workspace")
    assert (spared["by_kind"], spared["kept"]) == ({"memory": 1}, 1)
    waiting = asked(door)
    confirmed(door, waiting["request"], shown(door, waiting["request"]))
    assert inklings.entries.find(door.workspace.id, "VOICE").body == "Plainly."


def test_a_count_holds_figures_and_no_word_that_anybody_wrote(door: AgentDoor) -> None:
    remember(door, CROWN)
    inklings = door.inklings
    scope = ScopeKey.workspace(door.workspace.id)
    inklings.memories.put(MemoryDraft(scope, "x", source="Kestrel Notes"))
    inklings.workspaces.create("Otherworld")
    may_scrub(door, Action.SCRUB_PREVIEW, client=STRANGER)
    counted = door.answer("scrub_preview", client=STRANGER, tier="workspace")
    assert counted["removed"] == 2
    for word in ("Crown", "Kestrel", "Otherworld", "VOICE", "SOUL"):
        assert word not in repr(counted)


def test_without_a_window_it_is_refused_and_recorded(door: AgentDoor) -> None:
    remember(door, CROWN)
    may_scrub(door, *EVERY_SCRUB)
    counted = door.answer("scrub_preview", tier="workspace", mode="full")
    arguments = {
        "tier": "workspace",
        "mode": "full",
        "token": counted["token"],
        "confirm": counted["phrase"],
    }
    assert "No window of Inklings is open now" in counted["message"]
    said = door.refusal("scrub_execute", **arguments)
    assert "No window of Inklings is open" in said
    assert "Nothing was removed" in said
    assert refusals(door) == ["scrub.execute"]
    a_window(door)
    assert "No window" not in door.answer("scrub_preview", tier="workspace")["message"]
    a_window(door, is_open=False)
    assert door.refusal("scrub_execute", **arguments) == said
    own = door.inklings.clients.show(LOOM).activity
    assert (own.last_error, own.calls[0].answer) == ("no_window", "refused")


def test_a_window_that_stands_still_is_no_window(door: AgentDoor) -> None:
    remember(door, CROWN)
    may_scrub(door, *EVERY_SCRUB)
    now = door.inklings.clock()
    parts = replace(door.inklings.parts, clock=lambda: now - timedelta(seconds=16))
    replace(door.inklings, parts=parts).scrub.attend(WINDOW, is_open=True)
    counted = door.answer("scrub_preview", tier="workspace")
    said = door.refusal(
        "scrub_execute", tier="workspace", token=counted["token"], confirm=counted["phrase"]
    )
    assert "No window" in said


def test_the_author_declines(door: AgentDoor) -> None:
    remember(door, CROWN)
    may_scrub(door, *EVERY_SCRUB)
    a_window(door)
    waiting = asked(door)
    inklings = door.inklings
    manifest = shown(door, waiting["request"])
    inklings.scrub.decline(waiting["request"])
    told = followed(door, waiting["request"])
    assert told["status"] == "declined"
    assert "do not ask again" in told["message"]
    with pytest.raises(ScrubRequestEndedError):
        confirmed(door, waiting["request"], manifest)
    where = EventFilter(kinds=frozenset({EventKind.SCRUB_DECLINED}))
    assert len(inklings.log.list(None, where)) == 1
    again = inklings.scrub.decline(waiting["request"])
    assert again.state is ScrubRequestState.DECLINED
    assert len(inklings.log.list(None, where)) == 1


def test_what_changes_meanwhile_ends_the_request(door: AgentDoor) -> None:
    remember(door, CROWN)
    may_scrub(door, *EVERY_SCRUB)
    a_window(door)
    counted = door.answer("scrub_preview", tier="workspace")
    remember(door, "A second one.")
    said = door.refusal(
        "scrub_execute", tier="workspace", token=counted["token"], confirm=counted["phrase"]
    )
    assert "Memory changed since the preview" in said
    waiting = asked(door)
    remember(door, "A third one.")
    manifest = shown(door, waiting["request"])
    inklings = door.inklings
    with pytest.raises(ManifestChangedError):
        confirmed(door, waiting["request"], manifest)
    assert followed(door, waiting["request"])["status"] == "changed"
    second = asked(door)
    held = inklings.scrub.check_request(second["request"], manifest.digest)
    assert held.state is ScrubRequestState.WAITING
    remember(door, "A fourth one.")
    fourth = shown(door, second["request"])
    gone = inklings.scrub.check_request(second["request"], fourth.digest)
    assert gone.state is ScrubRequestState.CHANGED
    assert fourth.n_removed == 4


def test_a_wrong_phrase_leaves_the_request_waiting(door: AgentDoor) -> None:
    remember(door, CROWN)
    may_scrub(door, *EVERY_SCRUB)
    a_window(door)
    counted = door.answer("scrub_preview", tier="workspace")
    for token, confirm, words in (
        ("", counted["phrase"], "Pass the token"),
        (counted["token"], "", "Pass the phrase"),
        (counted["token"], "scrub workspace 7", "not the phrase"),
        (counted["token"][::-1], counted["phrase"], "no preview of this tier"),
    ):
        said = door.refusal("scrub_execute", tier="workspace", token=token, confirm=confirm)
        assert words in said
    waiting = asked(door)
    manifest = shown(door, waiting["request"])
    with pytest.raises(InvalidValueError):
        confirmed(door, waiting["request"], replace(manifest, n_forgotten=0, by_kind=()))
    assert followed(door, waiting["request"])["status"] == "waiting"
    assert confirmed(door, waiting["request"], manifest).is_finished


def test_nobody_confirms_with_the_token_of_a_client(door: AgentDoor) -> None:
    remember(door, CROWN)
    inklings = door.inklings
    may_scrub(door, *EVERY_SCRUB, client=inklings.caller.name)
    counted = door.answer("scrub_preview", client=inklings.caller.name, tier="workspace")
    with pytest.raises(InvalidValueError) as refused:
        inklings.scrub.execute(
            ScopeKey.workspace(door.workspace.id),
            ScrubMode.KEEP_NAMED,
            token=counted["token"],
            phrase=counted["phrase"],
        )
    assert (refused.value.field, refused.value.rule) == ("token", "unknown")


def test_a_mode_that_is_not_granted_is_refused_like_a_tier_that_is_not(door: AgentDoor) -> None:
    remember(door, CROWN)
    may_scrub(door, Action.SCRUB_PREVIEW, Action.SCRUB_KEEP_NAMED)
    a_window(door)
    counted = door.answer("scrub_preview", tier="workspace", mode="full")
    full = door.refusal(
        "scrub_execute",
        tier="workspace",
        mode="full",
        token=counted["token"],
        confirm=counted["phrase"],
    )
    assert "scrub:full in the workspace tier" in full
    assert "account" in door.refusal("scrub_preview", tier="account")
    assert refusals(door) == ["scrub.execute", "scrub.preview"]


def test_a_right_that_is_taken_back_ends_the_request(door: AgentDoor) -> None:
    remember(door, CROWN)
    may_scrub(door, *EVERY_SCRUB)
    a_window(door)
    waiting = asked(door)
    inklings = door.inklings
    manifest = shown(door, waiting["request"])
    inklings.clients.revoke(
        LOOM, [Right(Tier.WORKSPACE, door.workspace.id, Action.SCRUB_KEEP_NAMED)]
    )
    with pytest.raises(ScrubRequestEndedError) as ended:
        confirmed(door, waiting["request"], manifest)
    assert ended.value.request.state is ScrubRequestState.WITHDRAWN
    assert "Not open to this client" in door.refusal(
        "scrub_execute", tier="workspace", request=waiting["request"]
    )


def test_requests_queue_up_to_a_limit_and_the_same_wish_is_one_request(door: AgentDoor) -> None:
    remember(door, CROWN)
    may_scrub(door, *EVERY_SCRUB)
    a_window(door)
    first = asked(door)
    assert asked(door)["request"] == first["request"]
    second = asked(door, mode="full")
    inklings = door.inklings
    waiting = inklings.scrub.requests()
    assert [one.id for one in waiting] == [first["request"], second["request"]]
    remember(door, "One more.")
    asked(door)
    remember(door, "And one more.")
    counted = door.answer("scrub_preview", tier="workspace")
    said = door.refusal(
        "scrub_execute", tier="workspace", token=counted["token"], confirm=counted["phrase"]
    )
    assert f"{MAX_WAITING_PER_CLIENT} scrubs that wait" in said


def test_a_request_of_another_client_is_unknown(door: AgentDoor) -> None:
    remember(door, CROWN)
    may_scrub(door, *EVERY_SCRUB)
    may_scrub(door, *EVERY_SCRUB, client=STRANGER)
    a_window(door)
    waiting = asked(door)
    answers = {
        door.refusal("scrub_execute", client=STRANGER, tier="workspace", request=key)
        for key in (waiting["request"], "0b6f7c52-0000-4000-8000-00000000ffff", "x")
    }
    assert len(answers) == 1


def test_agents_cannot_answer_for_the_author(door: AgentDoor) -> None:
    remember(door, CROWN)
    may_scrub(door, *EVERY_SCRUB)
    a_window(door)
    waiting = asked(door)
    inklings = door.inklings
    agent = inklings.clients.admit(LOOM, door.workspace.id)
    manifest = shown(door, waiting["request"])
    for attempt in (
        lambda: inklings.as_caller(agent).scrub.confirm(
            waiting["request"], token=manifest.token, phrase=manifest.phrase
        ),
        lambda: inklings.as_caller(agent).scrub.decline(waiting["request"]),
        inklings.as_caller(agent).scrub.requests,
        lambda: inklings.as_caller(agent).scrub.check_request(waiting["request"], manifest.digest),
        lambda: inklings.as_caller(agent).scrub.attend(WINDOW, is_open=True),
        lambda: inklings.as_caller(agent).scrub.preview(manifest.scope, manifest.mode),
    ):
        with pytest.raises(ScopeDeniedError):
            attempt()
    with pytest.raises(NotFoundError):
        inklings.scrub.follow(waiting["request"])
    assert followed(door, waiting["request"])["status"] == "waiting"


def test_nothing_to_remove_is_not_asked_for(door: AgentDoor) -> None:
    may_scrub(door, *EVERY_SCRUB)
    a_window(door)
    counted = door.answer("scrub_preview", tier="workspace")
    assert counted["removed"] == 0
    said = door.refusal(
        "scrub_execute", tier="workspace", token=counted["token"], confirm=counted["phrase"]
    )
    assert said.endswith("There is nothing here to remove.")


def test_run_state_is_purged_when_the_author_confirms(door: AgentDoor) -> None:
    inklings, here = door.inklings, door.workspace.id
    room = door.answer("conversation_start")["conversation"]["id"]
    assert "run_state_purge" not in {tool.name for tool in door.tools()}
    inklings.clients.grant(LOOM, [Right(Tier.CONVERSATION, here, Action.SCRUB_PREVIEW)])
    empty = door.answer("run_state_purge", conversation=room)
    assert (empty["status"], empty["messages"]) == ("counted", 0)
    parts = '[{"kind":"tool","id":"1","title":"Looked"},{"kind":"text","text":"Two bells."}]'
    inklings.messages.append(here, room, MessageDraft(MessageRole.ASSISTANT, parts, "t1"))
    counted = door.answer("run_state_purge", conversation=room)
    assert (counted["messages"], counted["checkpoints"]) == (1, 0)
    asking = {"conversation": room, "token": counted["token"], "confirm": counted["phrase"]}
    assert "No window" in door.refusal("run_state_purge", **asking)
    a_window(door)
    assert "the preview gave" in door.refusal("run_state_purge", **asking | {"confirm": "x"})
    old = asking | {"token": empty["token"], "confirm": empty["phrase"]}
    assert "Memory changed" in door.refusal("run_state_purge", **old)
    waiting = door.answer("run_state_purge", **asking)
    assert waiting["status"] == "waiting"
    assert inklings.messages.list(here, room)[0][0].parts_json == parts
    assert confirmed(door, waiting["request"], shown(door, waiting["request"])).is_finished
    follow = {"conversation": room, "request_id": waiting["request"]}
    assert door.answer("run_state_purge", **follow)["status"] == "executed"
    assert inklings.messages.list(here, room)[0][0].parts_json == (
        '[{"kind":"text","text":"Two bells."}]'
    )
    kinds = [one.kind for one in inklings.log.list(here, limit=4)]
    assert EventKind.RUN_STATE_PURGED in kinds
