"""What the tools answer with, as types: the protocol publishes them as each tool's output schema.

Only what stands in every form of an answer is required: the compact form leaves away what an agent
seldom needs.
"""

from __future__ import annotations

from typing import Annotated, Any, Required

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

_KINDS = ("string", "number", "boolean", "null", "array", "object")
AnyJson = Annotated[Any, WithJsonSchema({"anyOf": [{"type": one} for one in _KINDS]})]
"""Any value, said kind by kind: a schema without a word in it is taken for a mistake."""


class Told(TypedDict, total=False):
    """Any answer: which characters in it do not show, and how often each."""

    hidden: list[str]


class Derived(TypedDict):
    """A page that a memory derives from."""

    target: str
    block: str | None


class Axes(TypedDict):
    """What a page says of its own content, or leaves open."""

    origin: str
    lifecycle: str
    weight: str
    standing: str


class Derivation(TypedDict, total=False):
    """The page that a memory comes from, as it stands now."""

    state: Required[str]
    page: Required[str]
    heading: str
    axes: Axes
    explain: list[str]


class Repeats(TypedDict):
    """What says the same: the first ids, and how many there are."""

    ids: list[str]
    count: int


class Memory(TypedDict, total=False):
    """A memory; ``kind``, ``domain`` and ``topic`` are there where it is no note."""

    id: Required[str]
    version: Required[int]
    kind: str
    domain: str
    topic: str
    tier: str
    scope: str | None
    content: str
    by: str
    age: str
    lifetime: str
    source: str
    curator: str
    written_by: str
    importance: float
    tags: list[str]
    private: bool
    locked: bool
    created_at: str | None
    accessed_at: str | None
    derived_from: list[Derived]
    derivation: str | Derivation
    more: str


class Hit(Memory, total=False):
    """A memory that was found."""

    framing: str
    relevance: float
    score: float | None
    also: Repeats
    place: str
    matched: bool


class Found(Told, total=False):
    """What a search found."""

    mode: str
    matched: bool
    note: str
    notice: str
    hits: Required[list[Hit]]
    next: str | None


class Page(Told, total=False):
    """A page of memories."""

    note: str
    memories: Required[list[Memory]]
    next: str | None


class Gotten(Told, total=False):
    """Memories by id."""

    note: str
    memories: Required[list[Hit]]
    missing: list[str]
    next: str


class Held(Told, total=False):
    """What became of a request that may have to wait for the author."""

    status: Required[str]
    reason: str
    proposals: list[str]
    message: str


class Written(Held, total=False):
    """What became of a memory that was written."""

    memory: Memory
    already_known: bool
    named_entry: str
    replaced: str
    repeated: bool


class Outcomes(Told):
    """What became of each, in the order given."""

    outcomes: list[Written]


class Forgotten(Held, total=False):
    """What was forgotten."""

    forgotten: list[str]
    repeated: bool


class Section(TypedDict):
    """How much of one tier an orientation holds."""

    tier: str
    sent: int
    total: int
    left_out: int


class Item(TypedDict, total=False):
    """A memory whose text stands in an orientation."""

    id: Required[str]
    version: Required[int]
    tier: str
    placed_by: str
    relevance: float
    score: float | None
    curator: str
    written_by: str
    importance: float
    source: str
    age: str
    lifetime: str
    derivation: str | Derivation
    derived_from: list[str]
    also: Repeats


class Change(TypedDict, total=False):
    """A memory that others changed."""

    id: Required[str]
    tier: Required[str]
    change: Required[str]
    begins: str


class News(Told, total=False):
    """What others changed since an instant."""

    since: Required[str | None]
    counts: Required[dict[str, int]]
    named_entries: Required[list[str]]
    memories: Required[list[Change]]
    note: str
    notice: str


class Oriented(Told, total=False):
    """The document that begins a turn."""

    markdown: Required[str]
    characters: int
    standing_characters: int
    settled_characters: int
    budget_characters: int
    sections: list[Section]
    items: list[Item]
    left_out: int
    since_last_turn: News
    active_page: dict[str, str]


class Entry(Told, total=False):
    """A named entry."""

    name: Required[str]
    tier: Required[str]
    version: Required[int]
    characters: int
    not_written_yet: bool
    notice: str
    body: str
    more: str
    next: str


class Entries(Told):
    """Named entries."""

    entries: list[Entry]


class Proposed(TypedDict, total=False):
    """A proposal, and what became of it."""

    id: Required[str]
    kind: Required[str]
    tier: Required[str]
    target: str
    state: Required[str]
    reason: str
    begins: str
    answer: str
    proposed_at: str | None
    decided_at: str | None


class Proposals(Told, total=False):
    """Proposals."""

    proposals: Required[list[Proposed]]
    left_out: int


class Channel(TypedDict):
    """A channel, and what may be done there."""

    id: str
    name: str
    description: str
    archived: bool
    may: list[str]


class Channels(Told, total=False):
    """Channels."""

    channels: Required[list[Channel]]
    next: str


class Conversation(TypedDict):
    """A conversation."""

    id: str
    ref_code: str
    channel: str | None
    title: str
    state: str
    started_at: str | None
    ended_at: str | None


class Room(Told, total=False):
    """One conversation."""

    conversation: Required[Conversation]
    repeated: bool


class Message(TypedDict, total=False):
    """What was said; ``parts`` is the JSON text of an array."""

    id: Required[str]
    number: Required[int]
    turn: Required[str]
    role: str
    state: str
    parts: str
    client: str
    produced_by: str
    model: str | None
    at: str | None


class Said(Told, total=False):
    """A message that is kept."""

    message: Required[Message]
    repeated: bool


class Talk(Told):
    """A page of what was said."""

    messages: list[Message]
    more: bool


class Named(TypedDict):
    """Something by its name."""

    id: str
    name: str


class Overview(Told, total=False):
    """A workspace as a whole; ``root`` tells data roots apart, without their place."""

    workspace: Required[Named]
    root: str
    counts: Required[dict[str, int]]
    channels: list[Named]
    model: str
    pages: int


class Kept(TypedDict):
    """A memory that was made of a line."""

    id: str
    content: str


class Ended(Room, total=False):
    """A conversation that rests."""

    held_for_review: int
    kept: list[Kept]
    known: list[str]
    message: str


class Rooms(Told, total=False):
    """Conversations."""

    conversations: Required[list[Conversation]]
    next: str


class Note(TypedDict, total=False):
    """A working note; with ``more``, the value is a part of its JSON text."""

    key: Required[str]
    value: Required[AnyJson]
    updated_at: str | None
    more: str


class OneNote(Told, total=False):
    """One working note, or all of a conversation."""

    note: Note
    notes: list[Note]
    next: str


class Notes(Told, total=False):
    """Working notes."""

    notes: Required[list[Note]]
    next: str


class Cleared(Told):
    """How many notes were removed."""

    removed: int


class Counted(Told, total=False):
    """What a scrub would remove."""

    tier: str
    scope: str
    mode: str
    counted_at: str | None
    digest: str
    removed: Required[int]
    by_kind: dict[str, int]
    by_curator: dict[str, int]
    by_lifetime: dict[str, int]
    forgotten: int
    proposals: int
    golden_questions: int
    kept: int
    phrase: str
    token: str
    expires_at: str | None
    message: str


class Asked(Told, total=False):
    """How a request to scrub stands."""

    status: Required[str]
    request: str
    tier: str
    scope: str
    mode: str
    entries: int
    expires_at: str | None
    ended_at: str | None
    event: int | None
    message: str


class Purge(Told, total=False):
    """What a purge of run state would remove, or how a request for one stands."""

    status: Required[str]
    conversation: str
    checkpoints: int
    writes: int
    traces: int
    compactions: int
    messages: int
    token: str
    phrase: str
    request: str
    expires_at: str | None
    ended_at: str | None
    event: int | None
    message: str
