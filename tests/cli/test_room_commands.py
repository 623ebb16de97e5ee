from __future__ import annotations

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.memory import Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from tests.cli.console import Console

SUMMARY = b"- The glass hums at low tide\n* too short\n1. Mira fears the bell tower\n"


@pytest.fixture
def ref(world: Console) -> str:
    """Ref code of a running conversation."""
    started = world.document("conversation", "start", "--title", "Glass and tide")
    code: str = started["conversation"]["ref_code"]
    return code


def write_note(world: Console, ref: str, key: str, value: object) -> None:
    """Write a working note as the agent that takes part in the conversation."""
    with open_inklings(world.data_dir, embedder=NullEmbedder("none")) as inklings:
        assert inklings.workspace is not None
        actions = frozenset({Action.READ, Action.WRITE})
        grant = Grant(Tier.CONVERSATION, inklings.workspace.id, actions)
        agent = Caller(CallerKind.AGENT, "agent", Door.MCP, (grant,))
        inklings.as_caller(agent).notes.write(inklings.workspace.id, ref, key, value)


def test_a_channel_is_found_by_its_name_in_letters_of_another_form(world: Console) -> None:
    world.document("channel", "create", "map-room")
    assert world("channel", "rename", "\uff2d\uff41\uff50-room", "charts").out == (
        "#map-room is now #charts.\n"
    )


def test_channels_are_opened_listed_renamed_and_archived(world: Console) -> None:
    created = world.document("channel", "create", "map-room", "--description", "Where maps hang")
    assert created["channel"]["description"] == "Where maps hang"
    assert world("channel", "rename", "#Map-Room", "charts").out == "#map-room is now #charts.\n"
    names = [one["name"] for one in world.document("channel", "list")["channels"]]
    assert names == ["general", "charts"]

    archived = world.document("channel", "archive", "charts")["channel"]
    assert archived["archived_at"] is not None
    assert len(world.document("channel", "list")["channels"]) == 1
    assert len(world.document("channel", "list", "--archived")["channels"]) == 2
    assert "archived" in world("channel", "list", "--archived").out
    assert world("channel", "unarchive", "charts").out == "#charts is open again.\n"
    assert len(world.document("channel", "list")["channels"]) == 2


def test_a_conversation_is_named_anew(world: Console, ref: str) -> None:
    assert (
        world("conversation", "rename", ref, "The toll").out == f"{ref} is now called The toll.\n"
    )
    assert world.document("conversation", "list")["conversations"][0]["title"] == "The toll"
    assert world("conversation", "rename", ref, "").out == "It has no title now.\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("create", "GENERAL"), "There is already a channel called"),
        (("create", " "), "A name needs at least one visible character."),
        (("create", "x" * 121), "A name has at most 120 characters."),
        (("create", "a\nb"), "A name is a single line of text"),
        (("archive", "general"), "The channel general can't be archived or renamed."),
        (("archive", "attic"), "There is no channel “attic” here."),
        (("rename", "attic", "cellar"), "There is no channel “attic” here."),
    ],
)
def test_refused_changes_of_channels_say_why(
    arguments: tuple[str, ...], sentence: str, world: Console
) -> None:
    before = world.document("channel", "list", "--archived")
    said = world("channel", *arguments)
    assert said.status == 1
    assert said.err.startswith(sentence)
    assert world.document("channel", "list", "--archived") == before


def test_a_conversation_lives_from_start_to_archive(world: Console, ref: str) -> None:
    place = ("--tier", "conversation", "--conversation", ref)
    world.document("memory", "add", "Only for now", *place)
    shown = world.document("conversation", "show", ref)
    assert (shown["conversation"]["state"], shown["memories"], shown["notes"]) == ("active", 1, 0)
    assert "Glass and tide" in world("conversation", "show", ref).out

    rested = world.document("conversation", "idle", ref, "--summary", "-", stdin=SUMMARY)
    assert rested["conversation"]["state"] == "idle"
    assert (rested["kept"], rested["forgotten"]) == (2, 1)
    kept = world.document("memory", "list", "--tier", "channel")["memories"]
    assert {(one["content"], one["source"], one["lifetime"]) for one in kept} == {
        ("The glass hums at low tide", "summary", "long_term"),
        ("Mira fears the bell tower", "summary", "long_term"),
    }

    assert world("conversation", "archive", ref).out == f"Archived {ref}.\n"
    assert world.document("conversation", "list")["conversations"] == []
    (listed,) = world.document("conversation", "list", "--archived")["conversations"]
    assert (listed["ref_code"], listed["state"]) == (ref, "archived")


def test_without_a_summary_nothing_is_kept(world: Console, ref: str) -> None:
    said = world("conversation", "idle", ref)
    assert said.out == (
        f"{ref} rests. Kept 0 memories of its summary, forgot 0 memories of its tier.\n"
    )
    assert world.document("memory", "list", "--tier", "channel")["total"] == 0


def test_an_active_conversation_is_archived_by_force_only(world: Console, ref: str) -> None:
    said = world("conversation", "archive", ref, "--json")
    assert said.status == 1
    assert said.document["error"]["kind"] == "illegal_transition"
    assert "--force" in said.err
    assert world.document("conversation", "show", ref)["conversation"]["state"] == "active"
    assert world("conversation", "archive", ref, "--force").status == 0
    again = world("conversation", "archive", ref, "--force")
    assert (again.status, again.out) == (0, f"Archived {ref}.\n")


def test_a_conversation_that_is_over_takes_nothing_new_and_ends_twice(
    world: Console, ref: str
) -> None:
    world("conversation", "idle", ref)
    again = world("conversation", "idle", ref, "--summary", "-", stdin=SUMMARY)
    assert again.status == 0
    assert again.out == f"{ref} was over already; nothing was kept or forgotten.\n"
    assert world.document("memory", "list", "--tier", "channel")["total"] == 0
    late = world("memory", "add", "--tier", "conversation", "--conversation", ref, "Too late.")
    assert late.status == 1
    assert late.err.startswith("That conversation has ended, and takes nothing new")


def test_conversations_are_listed_by_channel(world: Console, ref: str) -> None:
    world.document("channel", "create", "map-room")
    started = world.document("conversation", "start", "--channel", "Map-room")["conversation"]
    listed = world.document("conversation", "list", "--channel", "#map-room")["conversations"]
    assert [one["id"] for one in listed] == [started["id"]]
    text = world("conversation", "list").out
    assert ref in text
    assert "#map-room" in text


def test_no_conversation_starts_in_an_archived_channel(world: Console) -> None:
    world.document("channel", "create", "attic")
    world.document("channel", "archive", "attic")
    said = world("conversation", "start", "--channel", "attic")
    assert said.status == 1
    assert "That channel is archived" in said.err
    assert world.document("conversation", "list", "--archived")["conversations"] == []


@pytest.mark.parametrize("command", ["show", "idle", "archive"])
def test_a_conversation_that_is_not_there_is_named(command: str, world: Console) -> None:
    said = world("conversation", command, "nowhere")
    assert said.status == 1
    assert "There is no conversation “nowhere” here." in said.err


def test_working_notes_are_read_and_cleared_not_written(world: Console, ref: str) -> None:
    notes = ("--conversation", ref)
    assert world("note", "list", *notes).out == "The agent has no notes open.\n"
    write_note(world, ref, "plan", {"next": ["tower", "港"]})
    write_note(world, ref, "mood", "grey")

    listed = world.document("note", "list", *notes)["notes"]
    assert [(one["key"], one["value"]) for one in listed] == [
        ("mood", "grey"),
        ("plan", {"next": ["tower", "港"]}),
    ]
    assert world("note", "read", "--key", "plan", *notes).out == '{"next": ["tower", "港"]}\n'
    assert world.document("note", "read", "mood", *notes)["note"]["value"] == "grey"
    for wrong in ((), ("--key", "plan", "mood")):
        said = world("note", "read", *wrong, *notes)
        assert (said.status, said.err) == (2, "Name one note with --key.\n")
    missing = world("note", "read", "--key", "map", *notes)
    assert missing.status == 1
    assert "“map”" in missing.err

    assert world("note", "clear", *notes).out == "Cleared 2 working notes.\n"
    assert world.document("note", "clear", *notes) == {"cleared": 0}


def test_a_conversation_that_fell_silent_is_shown_with_what_it_holds_and_decided(
    world: Console,
) -> None:
    def fall_silent(title: str) -> str:
        started = world.document("conversation", "start", "--title", title)["conversation"]
        put = ("memory", "add", f"Said in {title}.", "--tier", "conversation")
        assert world(*put, "--conversation", started["ref_code"]).status == 0
        with open_inklings(world.data_dir, embedder=NullEmbedder("none")) as inklings:
            assert inklings.workspace is not None
            with inklings.parts.store.write(inklings.workspace.id, initiator="test") as unit:
                unit.conversations.save(unit.conversations.get(started["id"]).fallen_silent())
                unit.commit()
        return str(started["ref_code"])

    assert world("conversation", "review").out == "No silent conversation waits for you.\n"
    kept, closed = fall_silent("Tide"), fall_silent("Toll")
    shown = world("conversation", "review").out
    assert f"{kept} Tide, last heard now, with:" in shown
    assert "  Said in Toll.\n" in shown
    assert "Tide" not in world("conversation", "review", closed).out
    assert world("conversation", "review", kept).status == 0
    assert world("conversation", "review", kept, "--keep", "--close").status == 2
    assert "all its memories are kept" in world("conversation", "review", kept, "--keep").out
    assert "forgot 1 memory" in world("conversation", "review", closed, "--close").out
    assert world.document("conversation", "review")["silent"] == []
    assert world("conversation", "review", closed, "--keep").status != 0
