from __future__ import annotations

from typing import Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from tests.cli.console import Console

WORKSPACE = ("--tier", "workspace")


def contents(listing: Any) -> list[str]:
    return [memory["content"] for memory in listing["memories"]]


def test_a_memory_is_added_with_every_value_given(world: Console) -> None:
    memory = world.document(
        "memory", "add", "Glass sings", *WORKSPACE, "--lifetime", "long_term",
        "--importance", "0.8", "--source", "researcher", "--tag", "#glass", "--tag", "harbour",
    )["memory"]  # fmt: skip
    assert memory["content"] == "Glass sings"
    assert (memory["tier"], memory["lifetime"], memory["importance"]) == (
        "workspace",
        "long_term",
        0.8,
    )
    assert (memory["source"], memory["curator"]) == ("researcher", "author")
    assert memory["tags"] == ["glass", "harbour"]
    assert memory["scope_key"] == memory["workspace_id"]
    assert memory["created_at"].endswith("Z")


def test_a_memory_can_be_kept_for_one_agent_alone(world: Console) -> None:
    memory = world.document("memory", "add", "Glass sings", *WORKSPACE, "--agent", "researcher")
    assert memory["memory"]["agent_id"] == "researcher"


def test_text_comes_from_standard_input_exactly(world: Console) -> None:
    memory = world.document("memory", "add", "-", *WORKSPACE, stdin="港\n  second line\n".encode())
    assert memory["memory"]["content"] == "港\n  second line"


def test_a_person_is_told_what_was_remembered(world: Console) -> None:
    said = world("memory", "add", "Glass sings", *WORKSPACE)
    (memory,) = world.document("memory", "list", *WORKSPACE)["memories"]
    assert (said.status, said.err) == (0, "")
    assert said.out == f"Remembered {memory['id'][:8]} in the workspace tier.\n"


def test_the_author_is_told_of_a_memory_that_is_there_already(
    world: Console, memory: dict[str, Any]
) -> None:
    words = ("memory", "add", memory["content"].upper(), *WORKSPACE, "--tag", "heard")
    said = world(*words)
    assert (said.status, said.err) == (0, "")
    short = memory["id"][:8]
    assert said.out == f"You already have this memory, {short}; nothing was added.\n"
    document = world.document(*words)
    assert (document["memory"]["id"], document["already_known"]) == (memory["id"], True)
    assert "heard" in document["memory"]["tags"]
    assert len(world.document("memory", "list", *WORKSPACE)["memories"]) == 1


def test_a_memory_that_is_no_longer_true_is_replaced(
    world: Console, memory: dict[str, Any]
) -> None:
    short = memory["id"][:8]
    said = world("memory", "add", "The glass is silent", *WORKSPACE, "--replaces", short)
    assert said.out.splitlines()[1:] == [f"It replaces {short}, which is forgotten."]
    (made,) = world.document("memory", "list", *WORKSPACE)["memories"]
    gone = world.document("memory", "show", memory["id"])["memory"]
    assert (gone["forgotten_reason"], gone["successor_id"]) == ("replaced", made["id"])
    again = ("memory", "add", "The glass sings", *WORKSPACE, "--replaces")
    document = world.document(*again, made["id"])
    assert (document["replaced"], document["already_known"]) == (made["id"], False)
    assert document["made_room"] == []
    said = world(*again, memory["id"])
    assert said.status == 1
    assert len(world.document("memory", "list", *WORKSPACE)["memories"]) == 1


def test_each_tier_keeps_its_own(world: Console) -> None:
    ref = world.document("conversation", "start")["conversation"]["ref_code"]
    places = {
        "conversation": ("--tier", "conversation", "--conversation", ref),
        "channel": ("--tier", "channel", "--channel", "general"),
        "workspace": WORKSPACE,
        "account": ("--tier", "account"),
    }
    for tier, place in places.items():
        added = world.document("memory", "add", f"Kept in {tier}", *place)["memory"]
        assert added["tier"] == tier
    for tier, place in places.items():
        assert contents(world.document("memory", "list", *place)) == [f"Kept in {tier}"]


@pytest.mark.parametrize(
    ("tier", "option"), [("channel", "--channel"), ("conversation", "--conversation")]
)
def test_a_new_memory_needs_its_place_named(tier: str, option: str, world: Console) -> None:
    said = world("memory", "add", "x", "--tier", tier)
    assert said.status == 2
    assert said.err == f"Name the {tier} with {option}.\n"


@pytest.mark.parametrize(
    "options",
    [
        ("--tier", "workspace", "--channel", "general"),
        ("--tier", "account", "--channel", "general"),
        ("--tier", "workspace", "--conversation", "x"),
        ("--tier", "channel", "--conversation", "x"),
    ],
)
def test_a_place_that_the_tier_does_not_know_is_wrong_usage(
    options: tuple[str, ...], world: Console
) -> None:
    said = world("memory", "list", *options)
    assert said.status == 2
    assert "belongs to --tier" in said.err


def test_where_a_memory_was_written_is_kept_outside_the_account(world: Console) -> None:
    conversation = world.document("conversation", "start")["conversation"]
    named = ("--conversation", conversation["ref_code"])
    memory = world.document("memory", "add", "x y", *WORKSPACE, *named)["memory"]
    assert memory["source_conversation"] == conversation["id"]

    said = world("memory", "add", "x y", "--tier", "account", *named)
    assert said.status == 1
    assert "The account tier is for preferences" in said.err


def test_every_open_channel_is_listed_when_none_is_named(world: Console) -> None:
    for name in ("map-room", "attic"):
        world.document("channel", "create", name)
        world.document("memory", "add", f"In {name}", "--tier", "channel", "--channel", name)
    world.document("channel", "archive", "attic")

    every = ("memory", "list", "--tier", "channel")
    assert contents(world.document(*every)) == ["In map-room"]
    assert contents(world.document(*every, "--archived")) == ["In attic", "In map-room"]
    assert contents(world.document(*every, "--channel", "#attic")) == ["In attic"]
    assert "#map-room" in world(*every).out


def test_every_conversation_that_is_not_archived_is_listed_when_none_is_named(
    world: Console,
) -> None:
    world.document("channel", "create", "map-room")
    refs = [
        world.document("conversation", "start", "--channel", channel)["conversation"]["ref_code"]
        for channel in ("general", "map-room")
    ]
    for ref in refs:
        place = ("--tier", "conversation", "--conversation", ref)
        world.document("memory", "add", f"In {ref}", *place)

    every = ("memory", "list", "--tier", "conversation")
    assert contents(world.document(*every)) == [f"In {refs[1]}", f"In {refs[0]}"]
    assert contents(world.document(*every, "--channel", "map-room")) == [f"In {refs[1]}"]
    world.document("conversation", "archive", refs[0], "--force")
    assert contents(world.document(*every)) == [f"In {refs[1]}"]
    forgotten = world.document(*every, "--archived", "--forgotten")
    assert contents(forgotten) == [f"In {refs[0]}"]


def test_pages_follow_each_other_without_gap_or_repeat(world: Console) -> None:
    for number in range(7):
        importance = f"0.{number // 3}"
        world.document("memory", "add", f"n {number}", *WORKSPACE, "--importance", importance)
    for sort in ("newest", "importance", "relevance", "last_read", "oldest"):
        page = world.document("memory", "list", *WORKSPACE, "--sort", sort, "--limit", "3")
        assert page["total"] == 7
        seen = contents(page)
        while page["next"]:
            page = world.document(
                "memory", "list", *WORKSPACE, "--sort", sort, "--limit", "3",
                "--after", page["next"],
            )  # fmt: skip
            assert page["total"] is None
            seen += contents(page)
        assert len(seen) == 7
        assert set(seen) == {f"n {number}" for number in range(7)}


def test_a_person_is_shown_how_to_go_on(world: Console) -> None:
    for number in range(3):
        world.document("memory", "add", f"number {number}", *WORKSPACE)
    first = world("memory", "list", *WORKSPACE, "--limit", "2")
    assert "2 of 3 memories." in first.out
    token = first.out.split("--after ")[1].strip()
    second = world("memory", "list", *WORKSPACE, "--limit", "2", "--after", token)
    assert "number 0" in second.out
    assert "--after" not in second.out
    assert "3 memories." in world("memory", "list", *WORKSPACE).out


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--source", "researcher"), {"glass"}),
        (("--curator", "author"), {"glass", "tide"}),
        (("--curator", "agent", "--curator", "import"), set()),
        (("--lifetime", "short_term"), {"tide"}),
        (("--tag", "#blue", "--tag", "red"), {"glass", "tide"}),
        (("--tag", "red"), {"tide"}),
        (("--importance-min", "0.6"), {"tide"}),
        (("--importance-max", "0.6"), {"glass"}),
        (("--no-embedding",), {"glass", "tide"}),
        (("--forgotten",), set()),
    ],
)
def test_lists_and_searches_are_filtered_alike(
    options: tuple[str, ...], expected: set[str], world: Console
) -> None:
    world.document("memory", "add", "glass", *WORKSPACE, "--source", "researcher", "--tag", "blue")
    world.document(
        "memory", "add", "tide", *WORKSPACE, "--lifetime", "short_term", "--tag", "red",
        "--importance", "0.9",
    )  # fmt: skip
    assert set(contents(world.document("memory", "list", *WORKSPACE, *options))) == expected
    if "--forgotten" not in options:
        found = world.document("memory", "search", "glass tide", *WORKSPACE, *options)
        assert {hit["content"] for hit in found["hits"]} == expected


def test_a_search_tells_the_person_of_what_is_paused_and_forgotten(
    world: Console, memory: dict[str, Any]
) -> None:
    search = ("memory", "search", "glass", *WORKSPACE)
    gone = world.document("memory", "add", "Forgotten glass", *WORKSPACE)["memory"]
    world("memory", "pause", memory["id"])
    world("memory", "forget", gone["id"])
    assert world.document(*search)["set_aside"] == {
        "paused": 1,
        "forgotten": 1,
        "is_complete": True,
    }
    assert "1 paused and 1 forgotten match too; --set-aside shows them." in world(*search).out
    shown = world.document(*search, "--set-aside")
    assert shown["hits"] == []
    assert [one["id"] for one in shown["set_aside"]["memories"]] == [memory["id"], gone["id"]]
    lines = world(*search, "--set-aside").out.splitlines()
    assert [one for one in lines if one in {"Paused:", "Forgotten:"}] == ["Paused:", "Forgotten:"]
    assert world.document("memory", "search", "salt", *WORKSPACE)["set_aside"]["paused"] == 0


def test_a_search_finds_words_and_says_that_it_used_words_alone(
    world: Console, memory: dict[str, Any]
) -> None:
    world.document("memory", "add", "Nothing of the kind", *WORKSPACE)
    said = world("memory", "search", "Harbour GLASS", *WORKSPACE, "--json")
    assert said.status == 0
    assert said.document["mode"] == "keyword"
    (hit,) = said.document["hits"]
    assert hit["id"] == memory["id"]
    assert hit["score"] > 0
    assert "explanation" not in hit
    assert said.err.startswith("Searching by words only")
    assert world("memory", "search", "glass", *WORKSPACE, "--mode", "keyword").err == ""


def test_a_hit_explains_itself(world: Console, memory: dict[str, Any]) -> None:
    search = ("memory", "search", "glass", *WORKSPACE, "--explain")
    (hit,) = world.document(*search)["hits"]
    assert hit["id"] == memory["id"]
    explanation = hit["explanation"]
    assert (explanation["keyword_rank"], explanation["semantic_rank"]) == (1, None)
    assert explanation["blend"] == pytest.approx(sum(explanation["blend_parts"].values()))
    assert hit["score"] == pytest.approx(explanation["blend"] * explanation["relevance_factor"])
    assert explanation["relevance_parts"]["reads"] == 0
    assert explanation["folded"] == []
    said = world(*search).out
    assert "words, rank 1" in said
    assert "meaning not compared" in said
    assert "explanation" not in world.document(*search[:-1])["hits"][0]


def test_a_folded_repeat_is_named_under_the_better_hit(
    world: Console, memory: dict[str, Any]
) -> None:
    again = world.document("memory", "add", "To be worded otherwise", *WORKSPACE)
    same = "The HARBOUR glass hums at low tide"
    world.document("memory", "edit", again["memory"]["id"], "--content", same)
    search = ("memory", "search", "glass", *WORKSPACE, "--explain")
    (hit,) = world.document(*search)["hits"]
    both = {memory["id"], again["memory"]["id"]}
    (folded,) = hit["explanation"]["folded"]
    assert hit["also"] == {"ids": [folded], "count": 1}
    assert {hit["id"], folded} == both
    assert f"folded into it: {folded[:8]}" in world(*search).out
    why = world.document(*search, "--why-not", folded)["why_not"]
    assert (why["stage"], why["folded_into"]) == ("folded", hit["id"])
    assert "grouped under it" in world(*search, "--why-not", folded).out


def test_why_not_names_the_stage_at_which_a_memory_fell_out(
    world: Console, memory: dict[str, Any]
) -> None:
    def why(query: str, *options: str) -> tuple[str, str]:
        search = ("memory", "search", query, *WORKSPACE, *options, "--why-not", memory["id"][:8])
        return world.document(*search)["why_not"]["stage"], world(*search).out

    assert why("glass")[0] == "found"
    stage, said = why("moonwell")
    assert stage == "no_match"
    assert "no word matches, and it has no embedding" in said
    assert why("glass", "--tag", "other")[0] == "filtered"
    assert why("?!")[0] == "no_words"
    world("memory", "forget", memory["id"])
    stage, said = why("glass")
    assert stage == "forgotten"
    assert "Restore it" in said


def test_why_not_of_an_unknown_memory_is_refused(world: Console, memory: dict[str, Any]) -> None:
    said = world("memory", "search", "glass", *WORKSPACE, "--why-not", "ffffffff")
    assert said.status == 1
    assert "Traceback" not in said.err


@pytest.mark.parametrize("query", ['"', "NEAR(", "*", "a AND b OR", "-x", "港", "\x00"])
def test_any_text_is_a_legal_query(query: str, world: Console) -> None:
    said = world("memory", "search", *WORKSPACE, "--mode", "keyword", "--", query)
    assert (said.status, said.err) == (0, "")
    assert said.out.startswith("Nothing matches")


def test_looking_at_a_memory_counts_as_no_read(world: Console, memory: dict[str, Any]) -> None:
    world.document("memory", "search", "glass", *WORKSPACE)
    world.document("memory", "list", *WORKSPACE)
    shown = world.document("memory", "show", memory["id"])
    assert (shown["memory"]["access_count"], shown["memory"]["accessed_at"]) == (0, None)
    assert shown["history"] == []


def test_a_memory_is_shown_whole_by_the_beginning_of_its_id(
    world: Console, memory: dict[str, Any]
) -> None:
    said = world("memory", "show", memory["id"][:4].upper())
    assert said.status == 0
    assert said.out.startswith("The harbour glass hums at low tide\n")
    for word in (memory["id"], "workspace, Field notes", "author", "importance", "Version"):
        assert word.lower() in said.out.lower()


def test_an_id_needs_four_characters_and_must_exist(world: Console, memory: dict[str, Any]) -> None:
    short = world("memory", "show", memory["id"][:3])
    assert short.status == 1
    assert "at least the first 4 characters" in short.err
    missing = world("memory", "show", "zzzz")
    assert missing.status == 1
    assert "No memory here" in missing.err


def test_a_memory_of_another_workspace_is_not_reached(
    world: Console, memory: dict[str, Any]
) -> None:
    world.document("workspace", "create", "Tide tables")
    said = world("memory", "show", memory["id"], "--workspace", "Tide tables")
    assert said.status == 1
    assert "No memory here" in said.err
    unnamed = world("memory", "show", memory["id"])
    assert unnamed.status == 2
    assert "--workspace" in unnamed.err


def test_a_hostile_memory_is_printed_without_effect(world: Console) -> None:
    text = "\x1b[2J\x1b]0;owned\x07[bold]glass[/bold]\r\u202egnp"
    memory = world.document("memory", "add", text, *WORKSPACE, "--source", "[red]x")["memory"]
    assert memory["content"] == text
    for arguments in (
        ("memory", "list", *WORKSPACE),
        ("memory", "show", memory["id"]),
        ("memory", "search", "glass", *WORKSPACE),
        ("memory", "show", memory["id"], "--json"),
    ):
        out = world(*arguments).out
        assert not {"\x1b", "\x07", "\r", "\u202e"} & set(out)
        assert "[bold]glass[/bold]" in out


def test_a_tier_full_of_protected_memories_takes_no_more(world: Console) -> None:
    (world.data_dir / "settings.toml").write_text("[memory]\ncap = 1\n")
    world.document("memory", "add", "first of all", *WORKSPACE)
    said = world("memory", "add", "second", *WORKSPACE)
    assert said.status == 1
    assert "is full: it has 1 memory, all of them protected." in said.err
    assert contents(world.document("memory", "list", *WORKSPACE)) == ["first of all"]


def test_a_memory_that_had_to_make_room_is_named(world: Console) -> None:
    (world.data_dir / "settings.toml").write_text("[memory]\ncap = 1\n")
    with open_inklings(world.data_dir, embedder=NullEmbedder("none")) as inklings:
        assert inklings.workspace is not None
        scope = ScopeKey.workspace(inklings.workspace.id)
        grant = Grant(scope.tier, scope.workspace_id, frozenset({Action.WRITE}))
        agent = Caller(CallerKind.AGENT, "agent", Door.MCP, (grant,))
        leaving = inklings.as_caller(agent).memories.put(MemoryDraft(scope, "The agent's own"))

    said = world("memory", "add", "The author's", *WORKSPACE, "--json")
    assert said.document["made_room"] == [leaving.id]
    assert contents(world.document("memory", "list", *WORKSPACE)) == ["The author's"]
    world.document("memory", "forget", said.document["memory"]["id"])
    world.document("memory", "restore", leaving.id)
    text = world("memory", "add", "Another", *WORKSPACE).out
    assert f"forgot 1 memory to make room ({leaving.id[:8]})" in text


def test_an_author_is_warned_of_what_looks_like_a_key_and_it_is_kept(world: Console) -> None:
    key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    said = world("memory", "add", f"Use {key}", *WORKSPACE)
    assert said.status == 0
    assert "looks like an API key" in said.err
    assert key not in said.err
    (memory,) = world.document("memory", "list", *WORKSPACE)["memories"]
    assert memory["content"] == f"Use {key}"
    calm = world("memory", "add", "Glass sings", *WORKSPACE)
    assert "looks like" not in calm.err


@pytest.mark.parametrize(
    ("query", "n_hits"),
    [
        ('"harbour glass" source:user', 1),
        ('"glass harbour"', 0),
        ("curator:author", 1),
        ("tag:nothing", 0),
        ("curator:agent glass", 0),
        ("importance:>=0.5 source:user", 1),
        ("importance:>0.5", 0),
        ("before:2020", 0),
        ("after:2020 glass", 1),
    ],
)
def test_a_search_understands_operators(
    world: Console, memory: dict[str, Any], query: str, n_hits: int
) -> None:
    hits = world.document("memory", "search", query, *WORKSPACE)["hits"]
    assert [hit["id"] for hit in hits] == [memory["id"]] * n_hits


@pytest.mark.usefixtures("memory")
def test_an_operator_without_a_meaning_is_said(world: Console) -> None:
    said = world("memory", "search", "glass before:soon", *WORKSPACE, "--mode", "keyword")
    assert said.status == 0
    assert "\u201cbefore:soon\u201d was searched for as text" in said.err
    assert "2026-03-14" in said.err
