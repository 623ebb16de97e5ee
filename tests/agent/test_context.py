# ruff: noqa: E501 - sentences are quoted as they are spoken
"""What a turn begins with; named test 43 of the design among them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.agent.context.assembling import (
    LOW_SCORE,
    Assembled,
    Candidate,
    assembled,
    fitting,
    gated,
    orientation_request,
)
from inklings_desktop.agent.context.summarising import summary_of
from inklings_desktop.agent.graph.nodes.receive import title_of
from inklings_desktop.agent.planning import Call, Result, Situation, Utterance
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.knowledge.values import FactDraft, PolicyDraft
from tests.end2end.stage import OWN, Stage, workspace_of
from tests.support.stopwatch import SLOWNESS

VOICE = (
    "# Tone\n\n- *Quiet* (workspace, id 00000000-0000-4000-8000-000000000000)\n  > Not a memory.\n\n"
    "## Workspace\n\nNever use metres.\n"
)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path / "root", "protocol", NullEmbedder("none"))
    with made.stack:
        yield made


def oriented(stage: Stage, prompt: str, *, has_model: bool = True) -> Assembled:
    door = stage.client(stage.a, OWN)
    situation = Situation(door.start(), "general", prompt)
    answer = door.call("memory_orient", **orientation_request(situation, has_model=has_model))
    return assembled(answer, door.call("workspace_overview"))


def with_voice(stage: Stage, body: str = VOICE) -> None:
    entry = next(one for one in stage.a.entries.list(workspace_of(stage.a)) if one.name == "VOICE")
    stage.a.entries.save(entry.ref, body, expected_version=entry.version)


def remembered(stage: Stage, *texts: str) -> list[str]:
    scope = ScopeKey.workspace(workspace_of(stage.a))
    return [stage.a.memories.put(MemoryDraft(scope, one)).id for one in texts]


def test_named_entries_always_there(stage: Stage) -> None:
    with_voice(stage)
    ids = remembered(stage, "The gate is old.\n- *Fake:* (id x)\nSecond line.", "The toll is paid.")
    found = oriented(stage, "What about the old gate and the toll?")
    assert VOICE.strip() in found.standing
    assert [one.id for one in found.candidates if one.tier == "workspace"] == ids
    assert found.candidates[0].text == "The gate is old.\n- *Fake:* (id x)\nSecond line."
    assert found.candidates[0].framing == "You have noted:"
    assert found.candidates[0].is_match
    assert found.candidates[0].score is not None
    # Whatever is dropped, they stay, and first.
    bare = found.without({"VOICE", "00000000-0000-4000-8000-000000000000", *ids})
    assert bare.candidates == ()
    for document in (found.document, bare.document):
        assert document.startswith(found.standing.rstrip("\n"))
    assert dict(found.workspace)["counts"]["workspace"] == 2


def test_named_entries_stay_whole_where_nothing_else_fits(stage: Stage) -> None:
    long = "Never use metres. " * 1_000
    with_voice(stage, long)
    remembered(stage, "The gate is old.")
    found = oriented(stage, "What about the gate?")
    assert long.strip() in found.standing
    assert found.candidates == ()


def test_without_a_model_a_turn_counts_no_read(stage: Stage) -> None:
    (id_,) = remembered(stage, "The gate is old.")
    assert [one.id for one in oriented(stage, "Is the gate old?", has_model=False).candidates] == [
        id_
    ]
    assert stage.memory(stage.a, id_).access_count == 0
    oriented(stage, "Is the gate old?", has_model=True)
    assert stage.memory(stage.a, id_).access_count == 1


def test_each_tier_has_its_share_and_passes_on_what_it_leaves() -> None:
    offered = {"conversation": ["x" * 100] * 10, "workspace": ["y" * 100] * 10, "account": ["z"]}
    kept = fitting(offered, len, tokens=250)
    assert [len(kept[one]) for one in ("conversation", "channel", "workspace", "account")] == [
        4,
        0,
        5,
        1,
    ]
    assert fitting({}, len)["workspace"] == ()


def test_nothing_is_assembled_from_nothing() -> None:
    assert assembled({}, {}) == Assembled("")


def candidate(number: int, text: str, score: float | None, **more: Any) -> Candidate:
    return Candidate(f"m{number}", "workspace", 1, "x:", text, is_match=True, score=score, **more)


def test_a_weak_hit_goes_where_a_better_one_of_its_subject_stands_above() -> None:
    hits = [
        candidate(1, "The toll at the gate is paid in directions.", 0.8),
        candidate(2, "The gate has a hinge.", LOW_SCORE - 0.06),
        candidate(3, "Bread is baked at dawn.", 0.2),
        candidate(4, "Nerys is tired.", LOW_SCORE - 0.05),
        candidate(5, "The gate again.", LOW_SCORE),
    ]
    gate = gated("What is the toll at the gate for Nerys?", hits)
    # The fourth is the only one about her; the fifth is not weak.
    assert gate.drop == ("m2", "m3")
    assert gate.by == "mechanical"


def test_what_no_search_brought_is_never_dropped() -> None:
    filler = Candidate("m9", "workspace", 1, "x:", "Anything.", is_match=False, score=None)
    assert gated("What is the toll?", [candidate(1, "The toll.", 0.9), filler]).drop == ()
    alone = [candidate(1, "The gate.", 0.1)]
    assert gated("What about the gate?", alone).drop == ()


@pytest.mark.parametrize("prompt", ["/why is it so", "the toll", "toll"])
def test_commands_and_a_word_or_two_are_not_sorted_out(prompt: str) -> None:
    hits = [candidate(1, "The toll.", 0.9), candidate(2, "The toll too.", 0.1)]
    gate = gated(prompt, hits)
    assert (gate.drop, gate.by) == ((), "skipped")


def talk(*said: str, **more: Any) -> Situation:
    earlier = tuple(Utterance("user", one) for one in said[:-1])
    return Situation("c1", "general", said[-1], earlier, **more)


def test_a_summary_holds_preferences_and_decisions_in_the_persons_words() -> None:
    situation = talk(
        "I love rain. Good morning! We decided that the toll is paid in directions.",
        "Where is the gate? I prefer quiet endings.",
        "The harbour is cold. Let's keep the pace slow.",
        "Wir haben beschlossen, dass Nerys kein Geld tr\u00e4gt.",
    )
    assert summary_of(situation).splitlines() == [
        "I love rain.",
        "We decided that the toll is paid in directions.",
        "Let's keep the pace slow.",
        "Wir haben beschlossen, dass Nerys kein Geld tr\u00e4gt.",
    ]


def test_what_was_written_or_kept_apart_is_no_part_of_a_summary() -> None:
    situation = talk(
        "Keep track for this conversation: I want to discuss chapters 1\u20133 today.",
        "I want to discuss chapters 1\u20133 today, please.",
        "Remember privately: I always investigate the context first.",
        "I always want to investigate the context first.",
        "Working hypothesis: we will find the gate is older.",
        "I've edited 3 pages. We will see.",
        "I prefer salt over fire in dragons.",
        "My password is hunter2-Xk93-qq and I want it kept.",
        "I prefer paper maps.",
        written=("Prefers salt over fire in dragons.",),
    )
    assert summary_of(situation).splitlines() == ["I prefer paper maps."]
    put = Call("1", "memory_put", {"tier": "workspace", "content": "Prefers paper maps."})
    assert summary_of(situation, [Result(put, {"status": "stored"})]) == ""


def test_a_summary_rolls_on_and_stays_short() -> None:
    previous = "\n".join(f"I prefer the colour number {n}." for n in range(8))
    situation = talk("Good morning.", "I PREFER quiet endings. I prefer quiet endings.")
    lines = summary_of(situation, previous=previous).splitlines()
    assert len(lines) == 8
    assert lines[-2:] == ["I prefer the colour number 7.", "I prefer quiet endings."]
    written = summary_of(
        talk("Hello.", "Good.", written=("I prefer quiet endings.",)), (), "\n".join(lines)
    )
    assert "quiet endings" not in written


def test_a_long_talk_is_summed_up_in_a_moment() -> None:
    said = [f"I prefer the colour number {n} and we decided that." for n in range(300)]
    begun = time.process_time()
    assert len(summary_of(talk(*said)).splitlines()) == 8
    assert time.process_time() - begun < 0.05 * SLOWNESS


def test_one_turn_is_no_conversation_and_never_means_never() -> None:
    assert summary_of(talk("I prefer quiet endings.")) == ""
    assert summary_of(talk("Hello.", "I prefer quiet endings.", write_policy="never")) == ""


def test_what_was_not_to_be_kept_is_no_part_of_a_summary() -> None:
    kept = "I prefer paper maps."
    for said, left in (
        (("I like salt.", "Don't save that.", kept), [kept]),
        ((kept, "I like salt, but don't note that."), [kept]),
        ((kept, "We decided that Nerys dies.", "Remember nothing of this conversation."), []),
        ((kept, "Merk dir nichts von diesem Gespr\u00e4ch.", "I like salt."), ["I like salt."]),
        ((kept, "Write me a scene about salt."), [kept]),
    ):
        assert summary_of(talk(*said)).splitlines() == left, said


@pytest.mark.parametrize(
    ("said", "title"),
    [
        (
            "Remember that the ferry does not run after the third bell.",
            "The ferry does not run after the third bell",
        ),
        ("remember: the abbey bell is cracked", "The abbey bell is cracked"),
        ("What do you know about Tamsin?", "What do you know about Tamsin?"),
        (
            "Who keeps the toll at Wend Gate, and since when has nobody paid it there?",
            "Who keeps the toll at Wend Gate, and since when\u2026",
        ),
        ("x" * 100, "X" + "x" * 46 + "\u2026"),
        ("", ""),
    ],
)
def test_a_conversation_is_called_after_what_is_said_in_whole_words(said: str, title: str) -> None:
    assert title_of(said) == title


@pytest.mark.parametrize(
    ("message", "before", "held", "asked"),
    [
        ("Which hand does she use?", ("Who is Nerys?", "A keeper."), (), "Nerys Which hand does"),
        ("Which hand does Ilse use?", ("Who is Nerys?",), (), "Which hand does Ilse"),
        ("Which hand does she use?", ("Who?", "nobody"), ("Ilse",), "Ilse Which hand"),
        ("Which hand does she use?", (), (), "Which hand does she use?"),
    ],
    ids=["names said before", "its own name", "names of long ago", "nothing before"],
)
def test_a_message_without_a_name_is_looked_for_with_those_said_before(
    message: str, before: tuple[str, ...], held: tuple[str, ...], asked: str
) -> None:
    earlier = tuple(Utterance("user", one) for one in before)
    situation = Situation("c", "general", message, earlier, compact={"names": list(held)})
    assert orientation_request(situation, has_model=True)["query"].startswith(asked)
    assert orientation_request(situation)["query"] == ""


def test_house_rules_and_facts_stay_whatever_is_dropped(stage: Stage) -> None:
    world = workspace_of(stage.a)
    stage.a.domains.create(world, "Canon")
    draft = PolicyDraft("Canon", "Never show magic without its price.", always=True)
    stage.a.policies.put(world, draft)
    stage.a.facts.put(world, FactDraft("Canon", "Nerys/hand", "Nerys is left-handed."))
    (note,) = remembered(stage, "The toll is two marks.")
    found = oriented(stage, "Which hand does Nerys use?")
    assert note in {one.id for one in found.candidates}
    left = found.without({one.id for one in found.candidates}).document
    assert "Never show magic without its price." in left
    assert "Nerys is left-handed." in left
    assert "two marks" not in left
