"""Files that nobody should be able to hurt a store with, made from a sound export by chance."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_IDS = ["", "x", "../../etc/passwd", "0" * 36, "0B8F4C1E-6A1D-4F0A-9C63-0D6E1C1F7A01", 7, None]
_ODD: list[Any] = [None, True, -1, 2**53, 1e300, 0.5, "", "x" * 5_000, [], {}, [[]], {"a": 1}]
_LITERALS = ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5_000, "-" + "9" * 30]


def hostile_files(sound: bytes, n: int, seed: int = 1) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of ``n`` files, none of which may change anything.

    The first ones are made by hand; the rest break the sound one in one place at a time.
    """
    given = list(_by_hand(sound))
    yield from given[:n]
    chance = random.Random(seed)  # noqa: S311  it only chooses what to break
    kinds: list[Callable[[bytes, random.Random], bytes]] = [_cut, _literal, _field, _twice]
    for number in range(max(0, n - len(given))):
        kind = kinds[number % len(kinds)]
        yield f"{kind.__name__.strip('_')}_{number}", kind(sound, chance)


def _by_hand(sound: bytes) -> Iterator[tuple[str, bytes]]:
    parsed = json.loads(sound)
    yield "empty", b""
    yield "no_object", b"[]"
    yield "word", b"null"
    yield "other_json", b'{"name": "somebody else", "memories": []}'
    yield "deep", b'{"format":"inklings-export","account":' + b"[" * 100_000
    yield "deep_row", _row_with(sound, "content", "[" * 5_000 + "]" * 5_000)
    yield "too_large", b'{"a":"' + b"x" * (50 * 1024 * 1024) + b'"}'
    yield "many_lists", b'{"format":"inklings-export","account":[' + b"[]," * 2_000_000 + b"[]]}"
    yield "many_numbers", b'{"format":"inklings-export","a":[' + b"1," * 5_000_000 + b"1]}"
    yield (
        "many_rows",
        (
            b'{"format":"inklings-export","schema_version":1,"account":{"memories":['
            + b"{}," * 300_000
            + b"{}]}}"
        ),
    )
    yield "escapes", b'{"format":"' + b'\\"' * 1_000_000
    yield "quotes", b'{"format":' + b'"' * 999_999
    yield "no_utf8", sound.replace(b"inklings-export", b"inklings-\xff\xfe")
    yield "utf16", sound.decode().encode("utf-16")
    yield "utf16_no_bom", sound.decode().encode("utf-16-le")
    yield "nul", sound + b"\x00"
    yield "newer", sound.replace(b'"schema_version": 2', b'"schema_version": 3', 1)
    yield "schema_text", sound.replace(b'"schema_version": 2', b'"schema_version": "2"', 1)
    yield "schema_true", sound.replace(b'"schema_version": 2', b'"schema_version": true', 1)
    yield "key_twice", sound.replace(b'"app_version"', b'"format": "inklings-export", "x"', 1)
    for literal in _LITERALS:
        yield f"number_{literal[:9]}", _row_with(sound, "importance", literal)
    for text in ('"\\ud800"', '"\\udc00x"', '"a\\u0000b"', '"a\tb\x01"'):
        yield f"text_{text[:8]!r}", _row_with(sound, "content", text)
    for tier in ("account", "nowhere", 3, None):
        yield f"tier_{tier}", _row_with(sound, "tier", json.dumps(tier))
    for one in _IDS:
        yield f"id_{str(one)[:8]}", _row_with(sound, "id", json.dumps(one))
        yield f"key_{str(one)[:8]}", _row_with(sound, "scope_key", json.dumps(one or "elsewhere"))
    for time in ("yesterday", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00Z", 1, None):
        yield f"time_{time}", _row_with(sound, "created_at", json.dumps(time))
    changes: tuple[dict[str, Any], ...] = (
        {"id": "../../../tmp"},
        {"name": ""},
        {"name": "a\nb"},
        {"name": "x" * 500},
        {"memories": {}},
        {"memories": [1]},
        {"memories": [[]]},
        {"channels": "none"},
        {"named_entries": [{}]},
    )
    for change in changes:
        bad = deepcopy(parsed)
        bad["workspaces"][0] |= change
        yield f"workspace_{next(iter(change))}_{change!s:.20}", json.dumps(bad).encode()
    yield from _names_twice(parsed)
    bad = deepcopy(parsed)
    bad["workspaces"][0]["memories"].append(bad["workspaces"][0]["memories"][0])
    yield "memory_twice", json.dumps(bad).encode()
    for where in ("named_entries", "conversations", "notes"):
        bad = deepcopy(parsed)
        for row in bad["workspaces"][0][where]:
            row["curator" if where == "named_entries" else "conversation_id"] = "agent"
            row["channel_id"] = WORLD_ID
        yield f"foreign_{where}", json.dumps(bad).encode()
    for version in (1, 2**52):
        bad = deepcopy(parsed)
        entry = bad["workspaces"][0]["named_entries"][0]
        entry["version"] = len(entry["revisions"]) + version
        yield f"entry_version_{version}", json.dumps(bad).encode()
    bad = deepcopy(parsed)
    for row in bad["workspaces"][0]["memories"]:
        if row["vector"]:
            row["vector"]["dimension"] = 10_000
    yield "vector_length", json.dumps(bad).encode()


WORLD_ID = "11111111-2222-4333-8444-555555555555"


def _names_twice(parsed: Any) -> Iterator[tuple[str, bytes]]:
    bad = deepcopy(parsed)
    bad["workspaces"].append(bad["workspaces"][0])
    yield "workspace_twice", json.dumps(bad).encode()
    other = {"id": WORLD_ID, "name": bad["workspaces"][0]["name"].upper()}
    bad["workspaces"][1] = bad["workspaces"][1] | other | {"memories": []}
    bad["workspaces"][1] |= {"channels": [], "conversations": [], "notes": [], "named_entries": []}
    yield "workspace_name_twice", json.dumps(bad).encode()
    bad["workspaces"][1]["name"] = _in_wide_letters(bad["workspaces"][0]["name"])
    yield "workspace_name_in_wide_letters", json.dumps(bad).encode()
    bad = deepcopy(parsed)
    rooms = bad["workspaces"][0]["channels"]
    rooms.append(rooms[0] | {"id": WORLD_ID, "name": _in_wide_letters(rooms[0]["name"])})
    yield "channel_name_in_wide_letters", json.dumps(bad).encode()


def _in_wide_letters(name: str) -> str:
    """A name that looks otherwise and is the same to whoever compares names."""
    return "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in name)


def _row_with(sound: bytes, field: str, literal: str) -> bytes:
    """The file with one value of its first workspace memory replaced, byte by byte."""
    document = json.loads(sound)
    mark = "@@value@@"
    document["workspaces"][0]["memories"][0][field] = mark
    return json.dumps(document).replace(f'"{mark}"', literal, 1).encode("utf-8", "surrogatepass")


def _cut(sound: bytes, chance: random.Random) -> bytes:
    return sound[: chance.randrange(len(sound) - 4)]


def _literal(sound: bytes, chance: random.Random) -> bytes:
    field = chance.choice(["importance", "access_count", "version", "sequence"])
    return _row_with(sound, field, chance.choice(_LITERALS))


def _field(sound: bytes, chance: random.Random) -> bytes:
    """One field of one row becomes something of another type."""
    document = json.loads(sound)
    rows = document["workspaces"][0]["memories"]
    row = chance.choice(rows)
    field = chance.choice(["id", "created_at", "tags", "history", "pinned", "derived_from"])
    kind = type(row[field])
    fitting = [one for one in _ODD if one is not None and not isinstance(one, kind)]
    row[field] = chance.choice(fitting)
    return json.dumps(document).encode()


def _twice(sound: bytes, chance: random.Random) -> bytes:
    """One name stands in one object twice."""
    name = chance.choice([b'"content": ', b'"id": ', b'"tier": ', b'"name": '])
    places = [at for at in range(len(sound)) if sound.startswith(name, at)]
    at = chance.choice(places)
    return sound[:at] + name + b'"x", ' + sound[at:]
