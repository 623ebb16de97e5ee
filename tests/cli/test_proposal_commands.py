from __future__ import annotations

from typing import Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.errors import HeldForReviewError
from inklings_desktop.domain.memory import MemoryDraft, MemoryPatch, MemoryRef, ScopeKey, Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from tests.cli.console import Console

BODY = "# How it sounds\n\nClose third.\n"


def asked(world: Console, body: str = BODY, reason: str = "It reads better.") -> str:
    """Id of an agent's proposal for VOICE."""
    with open_inklings(world.data_dir, embedder=NullEmbedder("none")) as inklings:
        assert inklings.workspace is not None
        proposal = inklings.as_caller(agent(inklings.workspace.id)).proposals.propose(
            inklings.workspace.id, "VOICE", body, reason
        )
    return proposal.id


def new_entry(world: Console, name: str) -> str:
    """Id of an agent's proposal for an entry that is not there."""
    with open_inklings(world.data_dir, embedder=NullEmbedder("none")) as inklings:
        assert inklings.workspace is not None
        here = inklings.workspace.id
        return (
            inklings.as_caller(agent(here))
            .proposals.propose(here, name, "Magic costs.\n", "You said so twice.", is_new=True)
            .id
        )


def agent(workspace_id: str) -> Caller:
    rights = frozenset({Action.READ, Action.WRITE, Action.PROPOSE})
    grant = Grant(Tier.WORKSPACE, workspace_id, rights)
    return Caller(CallerKind.AGENT, "researcher", Door.MCP, (grant,))


def held(world: Console, memory_id: str, patch: MemoryPatch | None) -> str:
    """Id of an agent's proposal to change an author-made memory, or to forget it."""
    with open_inklings(world.data_dir, embedder=NullEmbedder("none")) as inklings:
        assert inklings.workspace is not None
        caller = agent(inklings.workspace.id)
        ref = MemoryRef(ScopeKey.workspace(inklings.workspace.id), memory_id)
        try:
            if patch is None:
                inklings.as_caller(caller).memories.forget([ref], reason="outdated")
            else:
                inklings.as_caller(caller).memories.update(ref, patch, expected_version=1)
        except HeldForReviewError as error:
            return error.proposal_id
    pytest.fail("an agent changed an author-made memory")


def voice(world: Console) -> dict[str, Any]:
    shown: dict[str, Any] = world.document("entry", "show", "VOICE")["entry"]
    return shown


def test_nothing_is_asked_at_first(world: Console) -> None:
    assert world("entry", "proposals").out == "No agent asks for anything.\n"
    assert world.document("entry", "proposals") == {"proposals": []}


def test_a_proposal_is_listed_shown_and_accepted(world: Console) -> None:
    proposal_id = asked(world)
    (listed,) = world.document("entry", "proposals")["proposals"]
    assert (listed["id"], listed["state"], listed["client"]) == (
        proposal_id,
        "pending",
        "researcher",
    )
    assert "another body for VOICE" in world("entry", "proposals").out

    shown = world("entry", "proposals", "--show", proposal_id[:8])
    assert "It reads better." in shown.out
    assert "{+" in shown.out
    assert "much shorter" in shown.out
    document = world.document("entry", "proposals", "--show", proposal_id)
    assert document["shrinks_much"]
    assert document["current"] == voice(world)["body"]

    said = world("entry", "proposals", "--accept", proposal_id)
    assert said.out == f"Accepted {proposal_id[:8]}: another body for VOICE.\n"
    assert (voice(world)["body"], voice(world)["version"]) == (BODY, 2)
    assert world("entry", "proposals").out == "No agent asks for anything.\n"
    (decided,) = world.document("entry", "proposals", "--all")["proposals"]
    assert decided["state"] == "accepted"
    again = world("entry", "proposals", "--accept", proposal_id)
    assert (again.status, again.err.startswith("This proposal was already decided.")) == (1, True)


def test_a_proposal_is_accepted_in_other_words(world: Console) -> None:
    proposal_id = asked(world)
    arguments = ("--accept", proposal_id, "--from-file", "-")
    assert world("entry", "proposals", *arguments, stdin=b"Mine.\r\n").status == 0
    assert voice(world)["body"] == "Mine.\r\n"


def test_a_proposal_is_rejected_with_a_note(world: Console) -> None:
    proposal_id = asked(world)
    said = world("entry", "proposals", "--reject", proposal_id, "--note", "Too cold.")
    assert said.out == f"Rejected {proposal_id[:8]}; nothing was changed.\n"
    assert voice(world)["version"] == 1
    shown = world("entry", "proposals", "--show", proposal_id)
    assert "Too cold." in shown.out


def test_a_proposal_is_accepted_with_a_note(world: Console) -> None:
    proposal_id = asked(world)
    document = world.document("entry", "proposals", "--accept", proposal_id, "--note", "Nice. ")
    assert (document["proposal"]["state"], document["proposal"]["note"]) == ("accepted", "Nice.")
    assert "Nice." in world("entry", "proposals", "--show", proposal_id).out


def test_what_moved_on_is_decided_again_naming_the_version(world: Console) -> None:
    proposal_id = asked(world)
    world("entry", "edit", "VOICE", "-", stdin=b"By hand.")
    said = world("entry", "proposals", "--accept", proposal_id)
    assert said.status == 1
    assert said.err.startswith("Somebody saved a newer version of this named entry first")
    assert voice(world)["body"] == "By hand."
    shown = world.document("entry", "proposals", "--show", proposal_id)
    assert (shown["proposal"]["state"], shown["current_version"]) == ("overtaken", 2)
    arguments = ("--accept", proposal_id, "--if-version", "2")
    assert world("entry", "proposals", *arguments).status == 0
    assert voice(world)["body"] == BODY


def test_changes_of_memories_come_to_the_same_inbox(world: Console, memory: dict[str, Any]) -> None:
    edit = held(world, memory["id"], MemoryPatch(content="The glass sings", tags=("song",)))
    forget = held(world, memory["id"], None)
    listed = world("entry", "proposals").out
    assert "to change a memory" in listed
    assert "to forget a memory" in listed
    shown = world("entry", "proposals", "--show", edit).out
    assert "tags: ['song']" in shown
    assert "harbour glass" in world("entry", "proposals", "--show", forget).out

    assert world("entry", "proposals", "--accept", edit).status == 0
    after = world.document("memory", "show", memory["id"])["memory"]
    assert (after["content"], after["tags"]) == ("The glass sings", ["song"])
    overtaken = world("entry", "proposals", "--accept", forget)
    assert overtaken.status == 1
    refused = world(
        "entry", "proposals", "--accept", forget, "--if-version", "2", "--from-file", "-"
    )
    assert (refused.status, "has no text" in refused.err) == (1, True)
    assert world("entry", "proposals", "--accept", forget, "--if-version", "2").status == 0
    assert world.document("memory", "list", "--tier", "workspace")["total"] == 0


def test_a_memory_that_was_forgotten_meanwhile_is_named_as_such(
    world: Console, memory: dict[str, Any]
) -> None:
    forget = held(world, memory["id"], None)
    assert world("memory", "forget", memory["id"]).status == 0
    said = world("entry", "proposals", "--accept", forget)
    assert said.status == 1
    assert said.err == (
        "The memory was forgotten or removed after this was proposed. Nothing was changed. "
        f"Restore it first, or decline with --reject {forget[:8]}.\n"
    )
    assert world("entry", "proposals", "--reject", forget[:8]).status == 0


def test_what_the_author_forgot_says_so_when_it_is_asked_for_again(
    world: Console, memory: dict[str, Any]
) -> None:
    world("memory", "forget", memory["id"])
    with open_inklings(world.data_dir, embedder=NullEmbedder("none")) as inklings:
        assert inklings.workspace is not None
        here = inklings.workspace.id
        draft = MemoryDraft(ScopeKey.workspace(here), memory["content"])
        with pytest.raises(HeldForReviewError) as error:
            inklings.as_caller(agent(here)).memories.put(draft)
    shown = world("entry", "proposals", "--show", error.value.proposal_id).out
    assert "you put this away on " in shown
    assert "forgotten_at" not in shown
    assert world("entry", "proposals", "--accept", error.value.proposal_id).status == 0
    assert world.document("memory", "list", "--tier", "workspace")["total"] == 1


def test_a_reason_acts_on_no_terminal_and_a_long_one_is_cut(world: Console) -> None:
    proposal_id = asked(world, reason="It\nreads " + "better " * 60)
    (line,) = world("entry", "proposals").out.splitlines()
    assert line.endswith("\u2026")
    assert "It reads better" in world("entry", "proposals", "--show", proposal_id).out


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("--show", "a", "--accept", "b"), 2, "Show, accept or reject: one of them at a time."),
        (("--from-file", "x"), 2, "--from-file belongs to --accept."),
        (("--note", "x"), 2, "--note belongs to --accept or --reject."),
        (("--show", "nothing"), 1, "There is no proposal “nothing” here."),
        (("--accept", ""), 1, "There is no proposal"),
    ],
)
def test_what_makes_no_sense_is_refused(
    arguments: tuple[str, ...], status: int, sentence: str, world: Console
) -> None:
    said = world("entry", "proposals", *arguments)
    assert said.status == status
    assert said.err.startswith(sentence)


def test_a_beginning_of_two_ids_names_neither(world: Console) -> None:
    ids = {asked(world, f"Body {number}")[:1] for number in range(17)}
    assert len(ids) < 17
    shared = next(
        one
        for one in sorted(ids)
        if sum(
            proposal["id"].startswith(one)
            for proposal in world.document("entry", "proposals")["proposals"]
        )
        > 1
    )
    said = world("entry", "proposals", "--accept", shared)
    assert (said.status, said.err.startswith("Several proposals have an id")) == (1, True)
    assert voice(world)["version"] == 1


def test_a_new_entry_is_shown_and_comes_to_be_when_it_is_accepted(world: Console) -> None:
    first, second = (new_entry(world, name) for name in ("RULES", "CAST"))
    listed = world("entry", "proposals").out
    assert "a new entry, RULES" in listed
    assert "a new entry, CAST" in listed
    shown = world("entry", "proposals", "--show", first).out
    assert "a new entry, RULES" in shown
    assert "nothing yet" in shown
    assert "Magic costs." in shown
    assert world("entry", "show", "RULES").status == 1
    said = world("entry", "proposals", "--accept", first).out
    assert said == f"Accepted {first[:8]}: a new entry, RULES.\n"
    assert world.document("entry", "show", "RULES")["entry"]["body"] == "Magic costs.\n"
    assert world("entry", "proposals", "--reject", second).status == 0
    assert world("entry", "show", "CAST").status == 1
    assert "a new named entry" in world("log").out
