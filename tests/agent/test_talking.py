from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.acp_wire.words import PROVIDER_LIST, ROUTE_LIST
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.domain.memory import MemoryDraft, MemoryPatch, ScopeKey
from tests.agent.conftest import Agent, World
from tests.support.acp_client import AcpClient
from tests.support.agent_process import WORLD_AGENT
from tests.support.processes import children_of, started
from tests.support.stopwatch import SLOWNESS, Stopwatch

pytestmark = pytest.mark.slow

STOP_SECONDS = 0.1 * SLOWNESS
SLOW = {"when": "slowly", "say": "one two three four five six seven eight", "pause": 0.2}
QUICK = {"when": "quickly", "say": "Here you are."}


@pytest.fixture(scope="module")
def mechanical(shared_world: World) -> Iterator[Agent]:
    with shared_world.agent() as agent:
        yield agent


@pytest.fixture(scope="module")
def scripted(shared_world: World) -> Iterator[Agent]:
    with shared_world.agent(script=(SLOW, QUICK)) as agent:
        yield agent


def test_what_is_said_is_remembered_and_found_again(mechanical: Agent) -> None:
    client = mechanical.client
    session = client.new()
    assert client.say(session, "Remember that the heron nests on the tower")["stopReason"]
    client.updates.clear()
    ended = client.say(client.new(), "Where does the heron nest?")
    assert ended["stopReason"] == "end_turn"
    assert "The heron nests on the tower" in client.texts()[0]
    own = [one["_meta"]["inklings"] for one in client.updates if "_meta" in one]
    touched = [each for one in own for each in one.get("touched", ()) if each["how"] == "read"]
    quoted = [each for one in own for each in one.get("quotes", ())]
    assert {one["id"] for one in quoted} <= {one["id"] for one in touched}
    assert quoted
    assert [one["seq"] for one in own if "seq" in one] == list(range(1, len(own) + 1))[
        : sum("seq" in one for one in own)
    ]


def test_loaded_conversation_is_told_again_as_it_was(mechanical: Agent) -> None:
    client = mechanical.client
    session = client.new()
    client.updates.clear()
    client.say(session, "Remember that the loft smells of apples")
    live = client.texts()
    client.ask("session/close", {"sessionId": session})
    client.updates.clear()
    loaded = client.load(session)
    assert "unfinished" not in loaded["_meta"]["inklings"]
    kinds = [one["sessionUpdate"] for one in client.updates]
    assert kinds[:3] == ["user_message_chunk", "tool_call", "agent_message_chunk"]
    said = [one for one in client.updates if one["sessionUpdate"] == "agent_message_chunk"]
    assert [one["content"]["text"] for one in said] == live


def test_turn_is_taken_back_once(mechanical: Agent, shared_world: World) -> None:
    client = mechanical.client
    session = client.new()
    ended = client.say(session, "Remember that the attic is locked")
    turn = ended["_meta"]["inklings"]["turn"]
    assert "The attic is locked" in shared_world.memories()
    undone = client.ask("_inklings/turn/undo", {"sessionId": session, "turn": turn})
    assert [one["how"] for one in undone["touched"]] == ["forgotten"]
    assert "The attic is locked" not in shared_world.memories()
    again = client.ask("_inklings/turn/undo", {"sessionId": session, "turn": turn})
    assert again["error"]["data"]["word"] == "nothing_to_undo"


def test_what_was_changed_since_is_not_taken_back(mechanical: Agent, shared_world: World) -> None:
    client = mechanical.client
    session = client.new()
    client.say(session, "Remember that the cellar is flooded")
    with shared_world.inklings() as opened:
        memory = next(
            one for one in opened.listing.browse([shared_world.scope]).entries
            if one.content == "The cellar is flooded"
        )  # fmt: skip
        patch = MemoryPatch(content="The cellar is dry")
        opened.memories.update(memory.ref, patch, expected_version=memory.version)
    answer = client.say(session, "/undo")
    assert answer["error"]["data"]["word"] == "changed_since"
    assert "The cellar is dry" in shared_world.memories()


def test_forgotten_memory_comes_back_with_the_turn(mechanical: Agent, shared_world: World) -> None:
    client = mechanical.client
    session = client.new()
    client.say(session, "Remember that the sundial is chipped")
    client.answer_with = lambda _: "once"
    client.say(session, "Forget that the sundial is chipped")
    assert "The sundial is chipped" not in shared_world.memories()
    assert client.say(session, "/undo")["stopReason"] == "end_turn"
    assert "The sundial is chipped" in shared_world.memories()


def test_denied_question_leaves_everything_and_allowed_ones_ask_no_more(
    mechanical: Agent, shared_world: World
) -> None:
    client = mechanical.client
    session = client.new()
    for thing in ("kiln", "forge"):
        client.say(session, f"Remember that the {thing} is cold")
    client.asked.clear()
    client.answer_with = lambda _: "deny"
    client.say(session, "Forget that the kiln is cold")
    assert "The kiln is cold" in shared_world.memories()
    asked = client.asked[0]
    assert [one["kind"] for one in asked["options"]] == [
        "allow_once", "allow_always", "reject_once", "reject_once",
    ]  # fmt: skip
    assert asked["_meta"]["inklings"]["before"] == "The kiln is cold"
    client.answer_with = lambda _: "always"
    client.say(session, "Forget that the kiln is cold")
    client.say(session, "Forget that the forge is cold")
    assert len(client.asked) == 2
    assert not {"The kiln is cold", "The forge is cold"} & set(shared_world.memories())
    client.answer_with = lambda _: "once"


DECIDED = ("We decided that Nerys dies in chapter nine.", "I prefer that nobody rings the bell.")


def decided(client: AcpClient) -> str:
    """A conversation that has something to keep."""
    session = client.new()
    for one in ("Hello there", *DECIDED):
        client.say(session, one)
    client.asked.clear()
    client.updates.clear()
    return session


def kept_by(world: World, session: str) -> list[str]:
    """What its channel has of a conversation."""
    with world.inklings() as opened:
        channel = opened.conversations.get(world.workspace, session).channel_id
        found = opened.listing.browse([ScopeKey.channel(world.workspace, channel)]).entries
    return sorted(one.content for one in found if one.source_conversation == session)


def test_end_shows_what_it_would_keep_and_says_what_it_kept(world: World) -> None:
    with world.agent() as agent:
        client = agent.client
        session = decided(client)
        client.answer_with = lambda _: "deny"
        client.say(session, "/end")
        own = client.asked[0]["_meta"]["inklings"]
        assert own["after"] == f"1. {DECIDED[0]}\n2. {DECIDED[1]}"
        assert [one["optionId"] for one in client.asked[0]["options"]] == ["once", "deny"]
        assert client.spoken().startswith("The conversation is still open, and nothing was kept.")
        assert kept_by(world, session) == []
        client.answer_with = lambda _: "once"
        client.say(session, "/end")
        said = client.spoken()
        assert said.startswith("The conversation is over.\n\nKept in its channel:\n- \u201cWe dec")
        assert all(one in said for one in DECIDED)
        assert kept_by(world, session) == sorted(DECIDED, key=str)
        client.say(session, "/end")
        assert client.spoken() == "The conversation was over already."


@pytest.mark.parametrize(
    ("chosen", "kept"),
    [
        ("none", []),
        ("2", [DECIDED[1]]),
        ("The bell is silent.\nNerys lives", ["Nerys lives", "The bell is silent."]),
    ],
)
def test_end_keeps_what_is_chosen_without_a_question(
    world: World, chosen: str, kept: list[str]
) -> None:
    with world.agent() as agent:
        session = decided(agent.client)
        agent.client.say(session, f"/end {chosen}")
        assert agent.client.asked == []
        told = [one for one in kept if len(one.split()) > 2]
        assert all(one in agent.client.spoken() for one in told)
        assert kept_by(world, session) == told


def test_end_without_a_look_tells_what_was_kept(world: World) -> None:
    with world.agent() as agent:
        session = decided(agent.client)
        ended = agent.client.ask("_inklings/conversation/end", {"sessionId": session})
        assert (ended["state"], ended["held"]) == ("idle", 0)
        assert [one["content"] for one in ended["kept"]] == list(DECIDED)
        assert kept_by(world, session) == sorted(DECIDED)


MARKS = "\u200b\ufeff\u200f\u00ad\u202e\u2066\u200d\u0007\x7f\U000e0041\u2060"
BELLS = (
    "amber", "bronze", "cedar", "dapple", "ember", "fallow", "garnet", "hazel", "ivory", "jasper",
    "kestrel",
)  # fmt: skip


def test_answer_that_spells_out_what_does_not_show_is_kept(world: World) -> None:
    with world.inklings() as opened:
        for mark, bell in zip(MARKS, BELLS, strict=True):
            text = f"The {bell} bell of Wend{mark} is rung at noon."
            opened.memories.put(MemoryDraft(world.scope, text))
    with world.agent() as agent:
        client = agent.client
        session = client.new()
        every = [
            *(f"When is the {bell} bell rung?" for bell in BELLS),
            "What do you know about this workspace?",
            "What is Wend\u200b?",
            "What is Wend\u2039U+200B\u203a?",
        ]
        for said in every:
            ended = client.say(session, said)
            assert ended.get("stopReason") == "end_turn", (said, ended)
        for mark, answer in zip(MARKS, client.texts(), strict=False):
            assert f"Wend\u2039U+{ord(mark):04X}\u203a" in answer
        for command in ("/why", "/end"):
            assert client.say(session, command).get("stopReason") == "end_turn", command
    assert world.said(session).count(("assistant", "complete")) == len(every)


def test_several_are_forgotten_by_one_question_and_only_those_that_are_checked(
    mechanical: Agent, shared_world: World
) -> None:
    client = mechanical.client
    session = client.new()
    for thing in ("The gong is cracked", "The gong is loud", "The organ is out of tune"):
        client.say(session, f"Remember: {thing}")
    client.asked.clear()

    client.allow_of = lambda choices: [one["id"] for one in choices[1:]]
    client.updates.clear()
    client.say(session, "Forget everything about the gong and the organ.")
    client.allow_of = None
    [asked] = client.asked
    answer = "".join(client.texts())
    assert "All right, these stay:" in answer
    assert "Which of these?" not in answer
    own = asked["_meta"]["inklings"]
    assert len(own["choices"]) == len(own["touched"]) == len(own["before"].splitlines()) == 3
    assert own["effect"] == "3 memories would be forgotten; you can undo that."
    assert [one["optionId"] for one in asked["options"]] == ["once", "deny", "later"]
    left = {"The gong is cracked", "The gong is loud", "The organ is out of tune"} & set(
        shared_world.memories()
    )
    assert left == {own["choices"][0]["before"]}


def test_every_command_is_offered_and_answered(mechanical: Agent) -> None:
    client = mechanical.client
    session = client.new()
    while not (told := [one for one in client.updates if "availableCommands" in one]):
        client.take()
    names = [one["name"] for one in told[0]["availableCommands"]]
    assert names == [
        "continue", "retry", "end", "undo", "remember", "forget", "as", "why", "help", "model",
    ]  # fmt: skip
    for command, answer in (
        ("/help", "I remember and look up"),
        ("/model", "No model is connected."),
        ("/as a clerk: count the barrels", "A role lasts for one message, and needs a model."),
    ):
        client.updates.clear()
        assert client.say(session, command)["stopReason"] == "end_turn"
        assert answer in "".join(client.texts())


def test_why_tells_what_the_answer_quotes_from_what_was_read(mechanical: Agent) -> None:
    client = mechanical.client
    session = client.new()
    for thing in ("The weir is broken", "The weir belongs to the abbey of Saint Osyth in the fen"):
        client.say(session, f"Remember: {thing}")
    client.say(session, "Is the weir broken?")
    client.updates.clear()
    client.say(session, "/why")
    [said] = [one for one in client.updates if one["sessionUpdate"] == "agent_message_chunk"]
    quoted, read = said["content"]["text"].split("Also read for it:")
    assert quoted.startswith("Quoted in the answer:\n- \u201cThe weir is broken\u201d")
    assert "Saint Osyth" in read


def test_conversation_ends_and_goes_on_with_the_next_word(mechanical: Agent) -> None:
    client = mechanical.client
    session = client.new()
    client.say(session, "Hello there")
    ended = client.ask("_inklings/conversation/end", {"sessionId": session})
    assert ended["state"] == "idle"
    assert client.load(session)["_meta"]["inklings"]["state"] == "idle"
    assert client.say(session, "Are you still there?")["stopReason"] == "end_turn"
    assert client.load(session)["_meta"]["inklings"]["state"] == "active"


def test_archived_conversation_is_in_no_list(mechanical: Agent) -> None:
    client = mechanical.client
    session = client.new()

    def listed() -> set[str]:
        return {one["sessionId"] for one in client.ask("session/list", {})["sessions"]}

    assert session in listed()
    assert client.ask("session/delete", {"sessionId": session}) == {}
    assert session not in listed()
    assert client.say(session, "Hello")["error"]["data"]["word"] == "unknown_session"


def test_listed_conversation_names_the_folder_that_it_was_opened_with(
    mechanical: Agent, shared_world: World
) -> None:
    client = mechanical.client

    def listed(**wish: str) -> dict[str, str]:
        found = client.ask("session/list", wish)["sessions"]
        return {one["sessionId"]: one["cwd"] for one in found}

    here = client.ask("session/new", {"cwd": "/srv/loom", "mcpServers": []})["sessionId"]
    client.ask("session/close", {"sessionId": here})
    with shared_world.agent() as other:
        there = other.client.new()
    assert listed()[here] == "/srv/loom"
    assert listed()[there] == "/"
    assert listed(cwd="/srv/loom") == {here: "/srv/loom"}
    assert there in listed(cwd="/")
    assert listed(cwd="/srv") == {}


def test_name_that_the_person_gave_is_kept(mechanical: Agent, shared_world: World) -> None:
    client = mechanical.client
    session = client.new()
    with shared_world.inklings() as opened:
        opened.conversations.rename(shared_world.workspace, session, "Tides")
    client.updates.clear()
    client.say(session, "Hello to the harbour")
    assert not [one for one in client.updates if "title" in one and "toolCallId" not in one]
    found = client.ask("session/list", {})["sessions"]
    assert [one["title"] for one in found if one["sessionId"] == session] == ["Tides"]


def test_forgotten_memory_is_named_with_its_words(mechanical: Agent) -> None:
    client = mechanical.client
    session = client.new()
    client.say(session, "Remember that the trellis is rotten")
    client.answer_with = lambda _: "once"
    client.updates.clear()
    client.say(session, "Forget that the trellis is rotten")
    own = [one["_meta"]["inklings"] for one in client.updates if "_meta" in one]
    touched = [each for one in own for each in one.get("touched", ())]
    [gone] = [one for one in touched if one["how"] == "forgotten"]
    assert (gone["excerpt"], gone["version"]) == ("The trellis is rotten", 1)
    assert gone["scope"]
    client.updates.clear()
    client.say(session, "/undo")
    undone = "Undone.\n\nRestored:\n- \u201cThe trellis is rotten\u201d [workspace]("
    assert client.spoken().startswith(undone)


@pytest.mark.parametrize(
    ("kept", "old", "changed"),
    [
        ("The la\u200bntern hangs by door one", "door one", "The lantern hangs by the lock"),
        ("The bra\u00adzier burns by gate two", "gate two", "The brazier burns by the lock"),
        ("The cafe\u0301 lies by the weir", "The caf\u00e9", "The lock lies by the weir"),
    ],
)
def test_correction_of_a_memory_with_letters_that_do_not_show_is_undone_to_the_letter(
    mechanical: Agent, shared_world: World, kept: str, old: str, changed: str
) -> None:
    client = mechanical.client
    session = client.new()
    client.say(session, f"Remember: {kept}")
    client.say(session, f"Replace {old} with the lock")
    assert changed in shared_world.memories()
    assert client.say(session, "/undo")["stopReason"] == "end_turn"
    assert kept in shared_world.memories()
    assert changed not in shared_world.memories()


def test_policy_never_writes_nothing(mechanical: Agent, shared_world: World) -> None:
    client = mechanical.client
    session = client.new()
    option = {"sessionId": session, "configId": "write_policy", "value": "never"}
    chosen = client.ask("session/set_config_option", option)["configOptions"]
    assert next(one for one in chosen if one["id"] == "write_policy")["currentValue"] == "never"
    client.say(session, "Remember that the pantry is empty")
    assert "The pantry is empty" not in shared_world.memories()
    wrong = client.ask("session/set_config_option", option | {"value": "maybe"})
    assert wrong["error"]["data"]["word"] == "unknown_option"


def test_what_nobody_knows_is_said_so(mechanical: Agent) -> None:
    client = mechanical.client
    assert client.ask("_inklings/nothing", {})["error"]["code"] == -32601
    assert client.ask("session/prompt", {"sessionId": 1})["error"]["code"] == -32602
    unknown = client.load("11111111-2222-4333-8444-555555555555")
    assert unknown["error"]["data"]["word"] == "unknown_session"
    assert unknown["error"]["message"] == "The agent takes part in no such conversation."
    session = client.new()
    assert client.say(session, "/continue")["stopReason"] == "end_turn"
    assert client.spoken() == "Nothing is waiting to be continued."
    assert client.say(session, "/why")["stopReason"] == "end_turn"
    assert client.spoken() == "The last answer was not made from any memory."


@pytest.mark.endurance
def test_cancel_then_talk(
    scripted: Agent, shared_world: World, reduced_or_full: Callable[[int, int], int]
) -> None:
    client, chance = scripted.client, random.Random(7)  # noqa: S311 - moments, no secrets
    session = client.new()
    slowest = 0.0
    for _ in range(n_cancels := reduced_or_full(8, 50)):
        number = client.prompt(session, "Say it slowly")
        _deal_for(client, chance.uniform(0.0, 0.6))
        watch = Stopwatch(scripted.process.pid or 0)
        client.cancel(session)
        assert client.wait(number)["stopReason"] == "cancelled"
        slowest = max(slowest, watch.seconds)
        assert client.say(session, "Say it quickly")["stopReason"] == "end_turn"
    assert slowest < STOP_SECONDS
    said = shared_world.said(session)
    assert said.count(("assistant", "stopped")) == n_cancels
    assert said.count(("assistant", "complete")) == n_cancels


def test_second_prompt_waits_for_nobody(scripted: Agent) -> None:
    client = scripted.client
    session = client.new()
    first = client.prompt(session, "Say it slowly")
    second = client.prompt(session, "Say it quickly")
    assert client.wait(second)["error"]["data"] == {"word": "busy", "retry": True, "detail": ""}
    client.cancel(session)
    assert client.wait(first)["stopReason"] == "cancelled"


def test_what_could_not_be_kept_is_what_is_tried_again(world: World) -> None:
    with world.agent() as agent:
        client = agent.client
        session = client.new()
        client.say(session, "Remember that the gate is blue.")
        with closing(
            sqlite3.connect(
                world.root / "workspaces" / world.workspace / "agents.db", isolation_level=None
            )
        ) as another:
            another.execute("BEGIN IMMEDIATE")
            refused = client.say(session, "Remember that the mill is red.")["error"]["data"]
            another.execute("ROLLBACK")
        assert (refused["word"], refused["retry"]) == ("memory_unreachable", True)
        assert client.say(session, "/retry")["stopReason"] == "end_turn"
    assert world.memories() == ["The gate is blue.", "The mill is red."]
    assert [role for role, _ in world.said(session)] == ["user", "assistant"] * 2


def test_two_hosts_one_conversation(scripted: Agent, shared_world: World) -> None:
    session = scripted.client.new()
    with shared_world.agent(script=(SLOW, QUICK)) as other:
        first = other.client
        first.load(session)
        number = first.prompt(session, "Say it slowly")
        first.until(lambda: bool(first.texts()))
        refused = scripted.client.say(session, "Say it quickly")["error"]["data"]
        assert refused["word"] == "busy_elsewhere"
        assert refused["detail"].endswith(f":{other.process.pid}")
        assert "unfinished" not in scripted.client.load(session)["_meta"]["inklings"]
        other.kill()
        del number
    assert "unfinished" in scripted.client.load(session)["_meta"]["inklings"]
    assert scripted.client.say(session, "Say it quickly")["stopReason"] == "end_turn"


def test_memory_server_that_dies_is_replaced_in_silence(
    mechanical: Agent, shared_world: World
) -> None:
    client = mechanical.client
    session = client.new()
    client.say(session, "Remember that the buoy is red")
    for relay in children_of(mechanical.process.pid or 0):
        os.kill(relay, signal.SIGKILL)
    client.updates.clear()
    assert client.say(session, "Remember that the buoy has a bell")["stopReason"] == "end_turn"
    assert {"The buoy is red", "The buoy has a bell"} <= set(shared_world.memories())
    assert client.ask("_inklings/health", {})["memory_servers"] == 1


def test_prompt_alone_leaves_every_question_to_the_author(world: World, tmp_path: Path) -> None:
    prompts = ("Remember that the dam leaks", "Forget that the dam leaks")
    said = []
    for prompt in prompts:
        file = tmp_path / "prompt.txt"
        file.write_text(prompt, encoding="utf-8")
        alone = started(
            "inklings_desktop.agent_program", "--data-dir", str(world.root), "--headless",
            "--workspace", world.workspace, "--prompt-file", str(file),
        )  # fmt: skip
        out, err = alone.communicate(timeout=120)
        assert alone.returncode == 0, err
        said.append(out)
    assert "The dam leaks" in said[0]
    assert "Nothing changes until you ask again." in said[1]
    assert world.memories() == ["The dam leaks"]


def test_no_socket_without_provider(mechanical: Agent) -> None:
    session = mechanical.client.new()
    for text in ("What do you know?", "Find the heron", "/why", "/retry"):
        assert mechanical.client.say(session, text)["stopReason"] == "end_turn"
    for request, about in ((PROVIDER_LIST, "providers"), (ROUTE_LIST, "routes")):
        assert mechanical.client.ask(request, {})[about]
    assert mechanical.process.exitcode is None  # whoever reaches outside ends at once


@pytest.mark.endurance
def test_nothing_leaks_over_many_turns(
    mechanical: Agent, reduced_or_full: Callable[[int, int], int]
) -> None:
    client = mechanical.client
    session = client.new()
    n_turns = reduced_or_full(20, 500)

    def used() -> tuple[int, int, int]:
        health = client.ask("_inklings/health", {})
        n_processes = len(children_of(mechanical.process.pid or 0))
        return health["rss_kib"], health["descriptors"], n_processes

    for _ in range(5):
        client.say(session, "Where does the heron nest?")
    before = used()
    for _ in range(n_turns):
        client.say(session, "Where does the heron nest?")
    after = used()
    assert after[1] <= before[1] + 2
    assert after[0] - before[0] < 16 * 1024
    assert after[2] == before[2] == 1, "the relay to memory, and nothing else"


def test_who_is_not_let_in_is_told_so(lone_world: World) -> None:
    with lone_world.inklings() as opened:
        opened.clients.revoke(WORLD_AGENT, None)
    with lone_world.agent() as agent:
        refused: dict[str, Any] = agent.client.ask("session/new", {"cwd": "/", "mcpServers": []})
        assert refused["error"]["data"]["word"] == "not_granted"
        with lone_world.inklings() as opened:
            rights = preset_rights(ClientKind.WORLD_AGENT, lone_world.workspace)
            opened.clients.grant(WORLD_AGENT, rights, kind=ClientKind.WORLD_AGENT)
        assert agent.client.new()


def _deal_for(client: Any, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        client.take_within(left)


def prompted(client: AcpClient, session: str, *blocks: dict[str, Any]) -> dict[str, Any]:
    """The answer to a prompt of such blocks."""
    return client.ask("session/prompt", {"sessionId": session, "prompt": list(blocks)})


@pytest.mark.parametrize("kind", ["image", "audio"])
def test_picture_is_said_not_to_be_kept_and_no_word_beside_it_is(
    mechanical: Agent, shared_world: World, kind: str
) -> None:
    session = mechanical.client.new()
    text = {"type": "text", "text": "Remember this map"}
    picture = {"type": kind, "data": "aGk=", "mimeType": f"{kind}/x"}
    error = prompted(mechanical.client, session, text, picture)["error"]
    assert error["code"] == -32602
    assert error["message"].startswith("Pictures and sound cannot be kept here")
    assert shared_world.said(session) == []


@pytest.mark.parametrize(
    ("text", "word", "sentence"),
    [
        ("x" * 262_145, "message_too_long", "A message can have at most 256 KiB."),
        ("Remember " + "x" * 1_000_000, "message_too_long", "A message can have at most 256 KiB."),
        ("Remember that \ud83d sings", "invalid_value", "The message contains half a character"),
        ("Remember that \0 sings", "invalid_value", "The message contains the character NUL."),
    ],
)
def test_message_that_cannot_be_stored_is_refused_in_a_sentence(
    mechanical: Agent, shared_world: World, text: str, word: str, sentence: str
) -> None:
    client = mechanical.client
    session = client.new()
    error = prompted(client, session, {"type": "text", "text": text})["error"]
    assert error["data"]["word"] == word
    assert error["message"].startswith(sentence)
    assert shared_world.said(session) == []
    assert client.say(session, "Hello there")["stopReason"] == "end_turn"


def test_place_of_a_session_is_what_the_protocol_allows(mechanical: Agent) -> None:
    client = mechanical.client
    relative = client.ask("session/new", {"cwd": "here", "mcpServers": []})
    assert relative["error"]["code"] == -32602
    assert relative["error"]["message"] == "cwd must be an absolute path."
    far = {"type": "http", "name": "far", "url": "http://127.0.0.1:1", "headers": []}
    assert client.ask("session/new", {"cwd": "/", "mcpServers": [far]})["error"]["code"] == -32602
    near = {"name": "files", "command": "/bin/files", "args": [], "env": []}
    made = client.ask("session/new", {"cwd": "/", "mcpServers": [near]})
    assert made["_meta"]["inklings"]["unused_servers"] == ["files"]


def test_deleted_conversation_is_not_loaded_and_deleted_once(mechanical: Agent) -> None:
    client = mechanical.client
    session = client.new()
    for _ in range(2):
        assert client.ask("session/delete", {"sessionId": session}) == {}
    for method in ("session/load", "session/resume"):
        asked = {"sessionId": session, "cwd": "/", "mcpServers": []}
        error = client.ask(method, asked)["error"]
        assert error["data"]["word"] == "conversation_archived"
        assert error["message"] == "This conversation is archived. Start a new one."
