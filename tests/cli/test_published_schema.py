"""What the command line prints is what its published schema promises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.console import Console

SCHEMA = Path(__file__).parents[2] / "resources" / "schemas" / "memory.schema.json"
KINDS: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


def faults(value: Any, schema: dict[str, Any], place: str = "memory") -> list[str]:
    """Where a value differs from the part of JSON Schema that our schemas use."""
    found = []
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(isinstance(value, KINDS[kind]) for kind in kinds):
        found.append(f"{place} is {type(value).__name__}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{place} is {value!r}")
    if isinstance(value, dict):
        missing = set(schema["required"]) - set(value)
        is_open = schema.get("additionalProperties") is True
        unknown = set() if is_open else set(value) - set(schema["properties"])
        found += [f"{place}.{name} is missing" for name in missing]
        found += [f"{place}.{name} is unknown" for name in unknown]
        for name, part in schema["properties"].items():
            if name in value:
                found += faults(value[name], part, f"{place}.{name}")
    if isinstance(value, list):
        for number, item in enumerate(value):
            found += faults(item, schema["items"], f"{place}[{number}]")
    return found


def test_a_printed_memory_fits_the_schema(world: Console) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    added = world.document(
        "memory", "add", "Glass sings", "--tier", "workspace", "--tag", "glass", "--agent", "reader"
    )
    assert faults(added["memory"], schema) == []
    world("memory", "forget", added["memory"]["id"], "--reason", "wrong")
    shown = world.document("memory", "show", added["memory"]["id"])
    assert faults(shown["memory"], schema) == []


def test_the_check_itself_can_fail() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert "memory.id is missing" in faults({}, schema)
    assert "memory.importance is str" in faults({"importance": "0.5"}, schema)
    assert "memory.colour is unknown" in faults({"colour": "red"}, schema)
