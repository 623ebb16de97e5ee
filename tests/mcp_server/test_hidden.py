"""Characters that do not show reach no agent as they are; nor do their codes come back as text."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp import Client

from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.mcp_server.words.answers import CODES_ARE_NO_TEXT
from tests.mcp_server.agent_door import LOOM, AgentDoor, sentence
from tests.support.damaging import MARKED, make_unreadable

ORDER = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
OVERRIDE = "\u202e"
CONTENT = f"Keep the {OVERRIDE}gate{ORDER} shut."
SHOWN = "Keep the \u2039U+202E\u203agate\u2039U+E006F \u00d74\u203a shut."
CODES = ["U+202E", "U+E0062", "U+E0065", "U+E006F", "U+E0079"]
PERSIAN = "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"


def remembered(door: AgentDoor, content: str = CONTENT, **fields: Any) -> str:
    scope = ScopeKey.workspace(door.workspace.id)
    draft = MemoryDraft(scope, content, **fields)
    return door.inklings.memories.put(draft).id


def is_plain(text: str) -> bool:
    return OVERRIDE not in text and not set(ORDER) & set(text) and "\\u202e" not in text


def test_memories_are_read_with_codes_and_the_answer_says_which(door: AgentDoor) -> None:
    remembered(door, tags=(f"ga{OVERRIDE}te",))
    found = door.answer("memory_read", tier="workspace", query="gate shut")
    assert found["hits"][0]["content"] == SHOWN
    assert found["hits"][0]["tags"] == ["ga\u2039U+202E\u203ate"]
    assert found["hidden"] == ["U+202E \u00d72", *CODES[1:]]
    listed = door.call("memory_list", tier="workspace", detail="full")
    assert is_plain(sentence(listed))
    assert listed.structured_content is not None
    assert listed.structured_content["hidden"] == found["hidden"]


@pytest.mark.parametrize("content", [PERSIAN, FAMILY, "The gate is shut."])
def test_what_a_script_or_emoji_needs_is_read_as_it_is_stored(
    door: AgentDoor, content: str
) -> None:
    remembered(door, content)
    found = door.answer("memory_list", tier="workspace")
    assert found["memories"][0]["content"] == content
    assert "hidden" not in found


def test_entries_and_orientation_are_told_with_codes_everywhere(door: AgentDoor) -> None:
    remembered(door)
    inklings = door.inklings
    voice = inklings.entries.find(door.workspace.id, "VOICE")
    inklings.entries.save(voice.ref, f"Plainly{ORDER}.", expected_version=voice.version)
    room = door.answer("conversation_start")["conversation"]["id"]
    entry = door.answer("named_entry_read", name="VOICE")
    assert is_plain(entry["body"])
    assert entry["hidden"] == CODES[1:]
    document = door.answer("memory_orient", conversation=room)
    assert is_plain(document["markdown"])
    assert SHOWN in document["markdown"]
    assert document["characters"] == len(document["markdown"])
    assert [one.split()[0] for one in document["hidden"]] == CODES

    async def told() -> list[str]:
        async with Client(door.server(LOOM)) as client:
            addresses = ("inklings://named/workspace/VOICE", f"inklings://orientation/{room}")
            read = [await client.read_resource(one) for one in addresses]
            prompts = [
                await client.get_prompt("orient", {"message": "Go on."}),
                await client.get_prompt("remember", {"what": "gate shut"}),
            ]
            texts = [one.model_dump_json() for one in (*read, *prompts)]
            return [json.dumps(json.loads(one), ensure_ascii=False) for one in texts]

    texts = asyncio.run(told())
    assert all(map(is_plain, texts))
    assert ["\u2039U+E006F \u00d74\u203a" in one for one in texts] == [True] * 4


def test_working_notes_are_told_with_codes(door: AgentDoor) -> None:
    room = door.answer("conversation_start")["conversation"]["id"]
    value = {"place": [CONTENT], f"k{OVERRIDE}": 1}
    noted = door.answer("note_write", conversation=room, key="stand", value=value)
    assert noted["note"]["value"] == {"place": [SHOWN], "k\u2039U+202E\u203a": 1}
    assert noted["hidden"][0] == "U+202E \u00d72"


def test_a_text_that_was_read_with_codes_is_not_written_back_with_them(door: AgentDoor) -> None:
    put = door.answer("memory_put", tier="workspace", content=CONTENT)["memory"]
    which = {"tier": "workspace", "id": put["id"], "expected_version": put["version"]}
    read = door.answer("memory_read", tier="workspace", query="gate")["hits"][0]["content"]
    patch = {"content": f"{read} At night."}
    assert door.refusal("memory_update", **which, patch=patch) == CODES_ARE_NO_TEXT
    again = {"content": f"{read} At night.", "tier": "workspace"}
    assert door.refusal("memory_put", **again) == CODES_ARE_NO_TEXT
    body = {"name": "VOICE", "body": read, "reason": "So that it sounds."}
    assert door.refusal("named_entry_propose", **body) == CODES_ARE_NO_TEXT
    (stored,) = door.inklings.listing.browse([ScopeKey.workspace(door.workspace.id)]).entries
    assert stored.content == CONTENT

    assert door.answer("memory_update", **which, patch={"importance": 0.9})["status"] == "stored"
    assert door.answer("memory_read", tier="workspace", query=read)["hits"]


def test_every_tool_goes_on_without_it(door: AgentDoor) -> None:
    inklings, scope = door.inklings, ScopeKey.workspace(door.workspace.id)
    bad = inklings.memories.put(MemoryDraft(scope, "Gulls count the tide."))
    inklings.memories.put(MemoryDraft(scope, "Herons count the tide."))
    path = inklings.data_dir / "workspaces" / scope.key / "agents.db"
    make_unreadable(path, where=f"sequence = {bad.sequence}")

    found = door.answer("memory_read", tier="workspace", query="count tide")
    listed = door.answer("memory_list", tier="workspace")
    oriented = door.answer("memory_orient")
    put = door.answer("memory_put", tier="workspace", content="Terns count the tide.")
    lost = door.refusal(
        "memory_update",
        tier="workspace",
        id=bad.id,
        expected_version=bad.version,
        patch={"importance": 0.9},
    )

    assert [one["content"] for one in found["hits"]] == ["Herons count the tide."]
    assert [one["content"] for one in listed["memories"]] == ["Herons count the tide."]
    assert put["memory"]["content"] == "Terns count the tide."
    assert lost.endswith("There is no such memory in this scope.")
    assert MARKED not in repr((found, listed, oriented, put))
