"""What becomes of a file of another program, or of one's own hand: the table of formats."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inklings_desktop.cli.import_refusals import refusal_sentence
from inklings_desktop.domain.memory import Lifetime, Tier
from inklings_desktop.domain.memory_values import checked_content, checked_tags
from inklings_desktop.domain.rooms.conversation import Channel
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.domain.search.search_operators import typed_search
from inklings_desktop.domain.transfer.document import (
    ImportRefusedError,
    MemoryRecord,
    RefusedMemory,
    TransferDocument,
)
from inklings_desktop.domain.transfer.foreign.formats import FORMATS, FormatId, Wishes
from inklings_desktop.domain.transfer.foreign.making import Destination, Reading
from inklings_desktop.ui.kit.words.import_refusals import refusal_of
from tests.support.builders import NOON, WORKSPACE_ID, SeededIds
from tests.support.stopwatch import SLOWNESS, Stopwatch
from tests.support.time_zones import standing_in
from tests.support.wide import examples

SAMPLES = Path(__file__).parents[1] / "data" / "imports"
HERE = Destination(Workspace(WORKSPACE_ID, "Saltglass", NOON))


def read(
    name: str,
    data: bytes | str | None = None,
    *,
    wanted: FormatId | None = None,
    to: Destination = HERE,
    **wishes: Any,
) -> TransferDocument:
    """The document of a sample, or of these bytes under a name."""
    if data is None:
        data = (SAMPLES / name).read_bytes()
    reading = Reading(wishes=Wishes(wanted, **wishes))
    reading.read(name, data.encode() if isinstance(data, str) else data)
    return reading.document(to, NOON, SeededIds(3))


def kept(document: TransferDocument) -> list[MemoryRecord]:
    return [one for one in document.sections[0].memories if isinstance(one, MemoryRecord)]


def refused(document: TransferDocument) -> list[RefusedMemory]:
    return [one for one in document.sections[0].memories if isinstance(one, RefusedMemory)]


def texts(document: TransferDocument) -> list[str]:
    return [one.entry.content for one in kept(document)]


@dataclass(frozen=True)
class Sample:
    """What a sample is known as and becomes."""

    name: str
    format: FormatId
    n_kept: int
    n_refused: int = 0
    left_out: tuple[tuple[str, int], ...] = ()
    unknown: tuple[str, ...] = ()


TABLE = (
    Sample("harbour.md", FormatId.MARKDOWN, 5, 0, (("heading", 1), ("picture", 1))),
    Sample("lines.txt", FormatId.TEXT, 3),
    Sample("paragraphs.txt", FormatId.TEXT, 3),
    Sample("facts.csv", FormatId.CSV, 3, 0, (("empty", 1),)),
    Sample("semicolons.csv", FormatId.CSV, 2),
    Sample("memory.jsonl", FormatId.MCP_MEMORY, 4, 1),
    Sample("mem0.json", FormatId.MEM0, 2, 0, (), ("id", "metadata", "user_id")),
    Sample("chatgpt.txt", FormatId.CHATGPT, 3),
    Sample("chatgpt_memory.json", FormatId.CHATGPT, 2),
    Sample(
        "world_info.json",
        FormatId.SILLYTAVERN,
        2,
        0,
        (("empty", 1), ("keyword", 1)),
        ("depth", "name", "order", "position", "probability", "selective", "uid"),
    ),
    Sample(
        "card.json",
        FormatId.SILLYTAVERN,
        2,
        0,
        (),
        ("card.first_mes", "extensions", "insertion_order", "name", "spec", "spec_version"),
    ),
    Sample(
        "glass.lorebook",
        FormatId.NOVELAI,
        2,
        0,
        (),
        ("contextConfig", "searchRange", "settings"),
    ),
    Sample("minimal.json", FormatId.JSON, 3, 0, (("repeated", 1),)),
    Sample("minimal.jsonl", FormatId.JSON, 2),
)


@pytest.mark.parametrize("sample", TABLE, ids=lambda one: one.name)
def test_each_format_is_known_and_nothing_of_it_goes_in_silence(sample: Sample) -> None:
    document = read(sample.name)
    assert document.foreign is not None
    assert document.foreign.formats == (sample.format.value,)
    assert len(kept(document)) == sample.n_kept
    assert len(refused(document)) == sample.n_refused
    assert tuple(document.foreign.left_out.items()) == sample.left_out
    assert document.unknown == sample.unknown


def test_every_format_has_a_sample() -> None:
    shown = {one.format for one in TABLE}
    assert {one.id for one in FORMATS} - shown == {FormatId.CLAUDE}, "see test_foreign_words"


@pytest.mark.parametrize("sample", TABLE, ids=lambda one: one.name)
def test_a_file_is_known_by_what_stands_in_it(sample: Sample) -> None:
    """JSON is known under any name; of a text the ending says whether it is one at all."""
    data = (SAMPLES / sample.name).read_bytes()
    is_json = data.lstrip()[:1] in {b"{", b"["}
    document = read("renamed.bak" if is_json else "renamed.txt", data)
    assert document.foreign is not None
    if sample.name != "semicolons.csv":  # nothing in it says that it is a table
        assert document.foreign.formats == (sample.format.value,)


def test_markdown_keeps_blocks_whole_and_headings_as_tags() -> None:
    document = read("harbour.md")
    assert texts(document) == [
        "title: Harbour\nmood: grey",
        "The toll at the Wend Gate is paid in glass,\nnever in coin.",
        "The Wend Gate: Bells ring twice at low water.\n- The second bell is a warning.",
        "The Wend Gate: Ottoline keeps the ledger.",
        "The Wend Gate, Keepers:\n> Nobody crosses after the second bell.",
    ]
    _head, first, *_, last = kept(document)
    assert first.entry.tags == ("The Wend Gate", "Harbour", "saltglass", "places")
    assert last.entry.tags[:2] == ("The Wend Gate", "Keepers")
    assert first.origin is not None
    assert (first.origin.file, first.origin.line) == ("", 9)
    assert first.entry.created_at == datetime(2025, 4, 2, tzinfo=UTC)
    assert first.entry.source == "harbour.md"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n```\n# no heading\n\nx\n```\n", ["A:\n```\n# no heading\n\nx\n```"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", ["| a | b |\n|---|---|\n| 1 | 2 |"]),
        ("1. one\n\n   more of one\n2. two\n", ["one\n\nmore of one", "two"]),
        ("- [x] done\n- [ ] open\n", ["[x] done", "[ ] open"]),
        ("a\n\n***\n\nb\n", ["a", "b"]),
        ("```\nnever closed\n", ["```\nnever closed"]),
        ("---\ntags: a\nno end\n", ["tags: a\nno end"]),
        ("# A ##\nx\n", ["A: x"]),
        ("#tag no heading\n", ["#tag no heading"]),
        ("words ![p](p.png) around\n", ["words ![p](p.png) around"]),
    ],
)
def test_blocks_of_markdown(text: str, expected: list[str]) -> None:
    assert texts(read("x.md", text)) == expected


def test_what_a_person_wrote_is_meant_to_stay_and_what_agents_gathered_where_theirs_would() -> None:
    for name in ("harbour.md", "lines.txt", "facts.csv", "chatgpt.txt", "world_info.json"):
        assert {one.entry.lifetime for one in kept(read(name))} == {Lifetime.LONG_TERM}, name
    channel = Destination(HERE.workspace, Channel(SeededIds(8)(), "map-room", "", NOON))
    for name in ("memory.jsonl", "mem0.json"):
        assert {one.entry.lifetime for one in kept(read(name))} == {Lifetime.LONG_TERM}
        in_channel = kept(read(name, to=channel))
        assert {one.entry.lifetime for one in in_channel} == {Lifetime.SHORT_TERM}
        assert {one.entry.scope.tier for one in in_channel} == {Tier.CHANNEL}
    assert kept(read("minimal.json"))[1].entry.lifetime is Lifetime.SHORT_TERM


def test_a_standing_rule_weighs_more_and_what_is_switched_off_is_paused() -> None:
    rule, off = kept(read("world_info.json"))
    assert (rule.entry.importance, rule.entry.paused) == (0.9, False)
    assert rule.entry.tags == ("The toll", "toll", "Wend Gate", "glass")
    assert (off.entry.importance, off.entry.paused) == (0.5, True)
    forced, in_closed_category = kept(read("glass.lorebook"))
    assert (forced.entry.importance, forced.entry.paused) == (0.9, False)
    assert in_closed_category.entry.paused
    assert [one.entry.paused for one in kept(read("chatgpt_memory.json"))] == [False, True]


def test_an_observation_says_whom_it_is_about() -> None:
    document = read("memory.jsonl")
    assert texts(document) == [
        "Wren: Hears the bell-buoys as a choir",
        "Wren: Never learned to swim",
        "Wend Gate: place",
        "Wren keeps watch at Wend Gate",
    ]
    (broken,) = refused(document)
    assert broken.origin is not None
    assert broken.origin.line == 3
    graph = {"entities": [{"name": "Wren", "entityType": "person", "observations": ["Sings"]}]}
    assert texts(read("graph.json", json.dumps(graph | {"relations": []}))) == ["Wren: Sings"]


def test_what_a_table_says_beside_its_text_stays_with_it() -> None:
    assert texts(read("facts.csv")) == [
        "Glass pays the toll, always.\ncolour: green",
        "Nobody owns the fog.\nimportance: 1.4\ncolour: grey",
        "The choir has nine voices.\ncolour: white\nextra",
    ]
    quoted = 'content,tags\n"two\nlines",a\nx,y,z\n'
    assert [(one.origin and one.origin.line) for one in kept(read("x.csv", quoted))] == [2, 4]


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_sign_between_columns_is_found(sign: str) -> None:
    rows = [["text", "tags"], ["a, b; c", "x"], ["second", "y"]]
    table = "\n".join(sign.join(f'"{cell}"' for cell in row) for row in rows)
    assert texts(read("x.csv", table)) == ["a, b; c", "second"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_that_say_what_they_are(encoding: str) -> None:
    document = read("x.txt", "潮の音 is heard\nמלח\n".encode(encoding))
    assert texts(document) == ["潮の音 is heard", "מלח"]
    assert document.foreign is not None
    assert not document.foreign.is_guessed


def test_a_guessed_encoding_is_said() -> None:
    document = read("x.txt", "caf\u00e9 \u201cau lait\u201d".encode("cp1252"))
    assert texts(document) == ["caf\u00e9 \u201cau lait\u201d"]
    assert document.foreign is not None
    assert document.foreign.is_guessed


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("x.txt", b"", "empty"),
        ("x.md", b"\xef\xbb\xbf \r\n", "empty"),
        ("x.md", b"# Only a heading\n", "no_memory"),
        ("x.csv", b"content,tags\n,a\n", "no_memory"),
        ("x.json", b"[]", "unknown"),
        ("x.json", b'{"memories": []}', "unknown"),
        ("x.json", b'{"a": 1}', "unknown"),
        ("x.json", b'[{"title": "A chat", "mapping": {}}]', "other_program"),
        ("x.json", b"not json", "unknown"),
        ("x.json", b'{"content": "cut', "broken_json"),
        ("x.json", b"[" * 100 + b"]" * 100, "too_deep"),
        ("x.json", b'["a"' + b',"a"' * 1_600_000 + b"]", "too_many"),
        ("x.png", b"\x89PNG\r\n\x1a\n\x00\x00", "other_program"),
        ("x.txt", b"PK\x03\x04\x14\x00\x06\x00", "broken_zip"),
        ("x.md", bytes(range(1, 32)) * 4, "unknown"),
        ("x.txt", "no mark".encode("utf-16-le"), "unknown"),
        ("x.html", b"<p>Words</p>", "other_program"),
    ],
)
def test_what_cannot_be_read_is_refused_as_a_whole(name: str, data: bytes, reason: str) -> None:
    with pytest.raises(ImportRefusedError) as caught:
        read(name, data)
    assert caught.value.reason == reason


def test_a_format_that_is_named_is_believed_or_refused() -> None:
    assert texts(read("x.html", "<p>Words</p>", wanted=FormatId.TEXT)) == ["<p>Words</p>"]
    assert len(kept(read("harbour.md", wanted=FormatId.TEXT))) > 4
    for wanted in (FormatId.NOVELAI, FormatId.SILLYTAVERN, FormatId.MEM0, FormatId.MCP_MEMORY):
        with pytest.raises(ImportRefusedError) as caught:
            read("minimal.json", wanted=wanted)
        assert caught.value.reason == "other_format"


def test_a_value_that_cannot_be_read_never_costs_the_text() -> None:
    rows = [
        {"content": "x" * 70_000},
        {"content": "half \ud800"},
        {"content": "fine", "tags": ["t" * 200, "ok"], "source": "s" * 300},
        {"content": "no lifetime", "lifetime": "forever"},
        {"content": "no number", "importance": "high"},
        3,
    ]
    document = read("x.json", json.dumps(rows))
    faults = [(one.faults[0].field, one.faults[0].rule) for one in refused(document)]
    assert faults == [("content", "too_long"), ("content", "encoding"), ("json", "object")]
    fine, *others = kept(document)
    assert fine.entry.tags == ("ok",)
    assert fine.entry.source == "s" * 64
    assert [one.entry.content for one in others] == [
        "no lifetime\nlifetime: forever",
        "no number\nimportance: high",
    ]
    assert document.foreign is not None
    assert document.foreign.left_out == {"keyword": 1}


@pytest.mark.parametrize("odd", [["a"], {"a": "b"}])
def test_a_list_or_object_in_place_of_a_word_is_told_as_it_is(odd: object) -> None:
    rows = [{"content": "x", "type": odd, "kind": odd, "lifetime": odd}]
    (found,) = kept(read("x.json", json.dumps(rows)))
    assert "lifetime: " in found.entry.content
    users = [{"memory": "likes tea", "user_id": odd}, {"memory": "likes fog", "user_id": "k"}]
    assert texts(read("x.json", json.dumps(users))) == ["likes tea", "likes fog"]


def test_times_of_other_programs() -> None:
    rows = [
        {"content": "a", "created_at": "2025-01-01"},
        {"content": "b", "created_at": 1735689600},
        {"content": "c", "created_at": 1735689600000},
        {"content": "d", "created_at": "2025-01-01T02:00:00+02:00"},
        {"content": "e", "created_at": "next year"},
        {"content": "f", "created_at": "2999-01-01"},
    ]
    found = kept(read("x.json", json.dumps(rows)))
    new_year = datetime(2025, 1, 1, tzinfo=UTC)
    assert [one.entry.created_at for one in found] == [*[new_year] * 4, NOON, NOON]
    assert found[4].entry.content == "e\ncreated_at: next year"


def test_a_day_begins_where_the_person_is() -> None:
    with standing_in("America/New_York"):
        (found,) = kept(read("x.md", "---\ncreated: 2024-03-05\n---\nThe bell is rung."))
        day = typed_search("bell after:2024-03-05 before:2024-03-06").where
        assert day.admits(found.entry)
    assert found.entry.created_at == datetime(2024, 3, 5, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.md", "![" * 200_000),
        ("x.md", "# " + " " * 200_000 + "x"),
        ("x.md", "# x" + " #" * 200_000),
        ("x.md", "- x\n" + "\n" * 200_000 + "  y\n"),
        ("x.md", "- x\n\n" * 30_000),
        ("x.md", "%%x" * 100_000),
        ("x.md", "<!--" * 100_000),
        ("x.md", "".join(" " * depth + "- x\n" for depth in range(2_000))),
        ("x.txt", ("[2025-01-01]" + " " * 200_000 + "\n") * 2),
        ("x.txt", "1" * 200_000),
        ("x.csv", '"' * 200_000),
        ("x.json", '{"content":"' + "\\" * 200_000),
    ],
)
def test_no_text_takes_longer_than_its_length_deserves(name: str, text: str) -> None:
    watch = Stopwatch()
    with suppress(ImportRefusedError):
        read(name, text)
    assert watch.seconds < 5 * SLOWNESS


@settings(max_examples=examples(150), deadline=None)
@given(
    data=st.one_of(
        st.binary(max_size=400),
        st.text(alphabet="#-*`>|[](){}:,;\"' \n\tab12\u00e9\u202e", max_size=200).map(str.encode),
    ),
    suffix=st.sampled_from([".md", ".txt", ".csv", ".json", ".jsonl", ".lorebook", ""]),
    wanted=st.sampled_from([None, *(one.id for one in FORMATS)]),
)
def test_whatever_a_file_holds_it_comes_in_soundly_or_is_refused_with_a_sentence(
    data: bytes, suffix: str, wanted: FormatId | None
) -> None:
    refusals: list[ImportRefusedError] = []
    try:
        found = kept(read(f"x{suffix}", data, wanted=wanted))
    except ImportRefusedError as error:
        found, refusals = [], [error]
    for refusal in refusals:
        title, text = refusal_of(refusal)
        assert all(one.endswith(".") for one in (refusal_sentence(refusal), text))
        assert title
    for one in found:
        assert checked_content(one.entry.content)
        assert checked_tags(one.entry.tags) == one.entry.tags
        assert one.entry.created_at <= NOON
