"""No answer is longer than a page, and everything can be had a page at a time."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inklings_desktop.domain.memory import MemoryDraft, MemoryEntry, ScopeKey
from inklings_desktop.mcp_server.words.sizes import FOR_MODELS, PAGE_CHARACTERS, rest_of
from tests.mcp_server.agent_door import STRANGER, AgentDoor, sentence

N_LONG = 20
LONGEST = 65_536


@pytest.fixture
def long(door: AgentDoor) -> list[MemoryEntry]:
    """Memories as long as they may be, the last one kept last."""
    scope = ScopeKey.workspace(door.workspace.id)
    return [door.inklings.memories.put(MemoryDraft(scope, chronicle(n))) for n in range(N_LONG)]


def chronicle(number: int) -> str:
    """A text of the most bytes that a memory may have."""
    return (f"Chronicle {number}: " + "lorem " * LONGEST)[:LONGEST].strip()


def asked(door: AgentDoor, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structure of an answer, of which neither form is longer than a page."""
    result = door.call(tool, client=STRANGER, **arguments)
    assert not result.is_error, sentence(result)
    assert result.structured_content is not None
    structured = json.dumps(result.structured_content, ensure_ascii=False, separators=(",", ":"))
    assert len(sentence(result)) <= PAGE_CHARACTERS
    assert len(structured) <= PAGE_CHARACTERS
    found: dict[str, Any] = result.structured_content
    return found


def pages(door: AgentDoor, tool: str, **arguments: Any) -> list[dict[str, Any]]:
    """Every page of an answer."""
    found = [asked(door, tool, **arguments)]
    while ahead := found[-1].get("next"):
        found.append(asked(door, tool, next=ahead, **arguments))
    return found


@pytest.mark.parametrize("detail", ["compact", "full"])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("memory_search", {"query": "chronicle"}),
        ("memory_read", {"tier": "workspace", "query": "chronicle"}),
        ("memory_read", {"tier": "workspace"}),
        ("memory_list", {"tier": "workspace"}),
    ],
)
def test_pages_hold_what_they_can_and_all_of_them_hold_all(
    door: AgentDoor, long: list[MemoryEntry], tool: str, arguments: dict[str, Any], detail: str
) -> None:
    found = pages(door, tool, limit=N_LONG, detail=detail, **arguments)
    told = [one for page in found for one in page.get("hits") or page["memories"]]
    assert sorted(one["id"][:8] for one in told) == sorted(one.id[:8] for one in long)
    assert all(one["more"] in {"62 KB more, memory_get", "63 KB more, memory_get"} for one in told)
    texts = {one.content[: FOR_MODELS.text] for one in long}
    assert {one["content"] for one in told} == texts
    if tool != "memory_list":
        author = door.inklings
        n_reads = [author.listing.locate(one.id, door.workspace.id).access_count for one in long]
        assert n_reads == [1] * N_LONG


def test_a_long_text_is_had_by_parts_and_counts_as_one_read(
    door: AgentDoor, long: list[MemoryEntry]
) -> None:
    ids = [long[0].id[:8], "00000000", long[1].id]
    found = pages(door, "memory_get", ids=ids)
    texts: dict[str, str] = {}
    for page in found:
        for one in page["memories"]:
            texts[one["id"]] = texts.get(one["id"], "") + one["content"]
    assert texts == {one.id: one.content for one in long[:2]}
    assert found[0]["missing"] == ["00000000"]
    assert found[0]["memories"][0]["more"].endswith("KB more, next")
    author = door.inklings
    for one in long[:2]:
        assert author.listing.locate(one.id, door.workspace.id).access_count == 1
    for wrong in ("x", "1.x", "9.0", "-1.0"):
        said = door.refusal("memory_get", client=STRANGER, ids=ids, next=wrong)
        assert "takes the word that the page before gave" in said


def test_text_that_is_told_with_codes_takes_no_more_room(door: AgentDoor) -> None:
    scope = ScopeKey.workspace(door.workspace.id)
    text = "a\u202e" * 15_000
    kept = door.inklings.memories.put(MemoryDraft(scope, text))
    told = "".join(
        one["content"]
        for page in pages(door, "memory_get", ids=[kept.id])
        for one in page["memories"]
    )
    assert told.replace("\u2039U+202E\u203a", "\u202e") == text


def test_entries_notes_and_lists_of_rooms_are_had_by_parts(door: AgentDoor) -> None:
    author, here = door.inklings, door.workspace.id
    voice = author.entries.find(here, "VOICE")
    author.entries.save(voice.ref, "Plainly. " * 9_000, expected_version=voice.version)
    read = pages(door, "named_entry_read", name="VOICE")
    assert "".join(one["body"] for one in read) == "Plainly. " * 9_000
    said = sentence(door.call("named_entry_read", client=STRANGER, name="VOICE"))
    assert said.endswith(f"KB more, next: {read[0]['next']}")

    room = door.answer("conversation_start", client=STRANGER)["conversation"]["id"]
    value = ["x" * 100] * 600
    for key in ("plan", "log"):
        door.answer("note_write", client=STRANGER, conversation=room, key=key, value=value)
    parts = [
        one["note"]["value"] for one in pages(door, "note_read", conversation=room, key="plan")
    ]
    assert json.loads("".join(parts)) == value
    (every,) = pages(door, "note_read", conversation=room)
    assert all(one["more"].endswith("note_read with its key") for one in every["notes"])

    for number in range(99):
        title = f"Talk {number} ".ljust(120, "x").strip()
        door.answer("conversation_start", client=STRANGER, title=title)
    rooms = [
        one["id"] for page in pages(door, "conversation_list") for one in page["conversations"]
    ]
    assert len(rooms) == len(set(rooms)) == 100


def test_what_is_left_is_said_in_everyday_units() -> None:
    assert rest_of("x" * 52_224) == "51 KB more"
    assert rest_of("\u00e9" * 10) == "20 bytes more"
