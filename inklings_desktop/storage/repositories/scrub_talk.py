"""What was said of what a scrub removes: which messages hold it, and how it leaves them.

A message stays with its number; what it held is gone. The state of agents' runs may hold any of
it, in any form: all that the file has goes with a scrub of more than one conversation. With one
conversation go its own talk and runs, and those of another that goes on from it and tells of its
memories. Where the
state of one conversation's runs goes alone, messages lose what tells of tools and no word.
"""

# ruff: noqa: S608  the statements are put together from names of ours, never from values

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.memory import ACCOUNT_KEY, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.manifest import ScrubKind
from inklings_desktop.storage.engine.maintenance import LossyText
from inklings_desktop.storage.repositories.scrub_skills import delete_traces, quoting_traces
from inklings_desktop.storage.schema import talk_schema  # noqa: F401  its tables are known then

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inklings_desktop.domain.scrub.scrub_contents import Said

SCRUBBED = {"kind": "scrubbed"}
"""What stands in the place of a part that is gone."""
ALL_SCRUBBED = json.dumps([SCRUBBED], separators=(",", ":"))

_OF_TOOLS = frozenset({"tool", "permission"})
"""Kinds of parts that tell what an agent did rather than what was said."""
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_MESSAGES = "SELECT id, conversation_id, role, changed_seq, parts FROM messages"
CHOSEN = "IN (SELECT value FROM json_each(:chosen))"
OF_MEMORIES = f"FROM memories WHERE (tier = :tier AND scope_key = :key OR memories.id {CHOSEN})"
_SAID = (
    f"SELECT id, content {OF_MEMORIES}",
    (
        "SELECT memory_id, content FROM memory_versions WHERE content IS NOT NULL AND memory_id IN"
        f" (SELECT id {OF_MEMORIES})"
    ),
)
_RUN_TABLES = {
    "run_checkpoints": ("body, metadata", "thread_id"),
    "run_writes": ("body", "thread_id"),
    "run_compactions": ("compact", "thread_id"),
    "run_traces": ("summary, detail", "run_id"),
    "runs": ("node, problem", "conversation_id"),
    "permission_rules": ("tool", "conversation_id"),
}
_OF_TURNS = (
    "WHERE EXISTS (SELECT 1 FROM messages WHERE conversation_id = :key"
    " AND substr(request_keys.key, 1, length(turn) + 1) = turn || ':')"
)
"""A request's key begins with the turn that it was made in."""
_COUNTED = {
    ScrubKind.CHECKPOINT: (
        "SELECT ns || '/' || checkpoint_id, length(body), checkpoint_id FROM run_checkpoints"
        " WHERE thread_id = :key ORDER BY ns, checkpoint_id"
    ),
    ScrubKind.CHECKPOINT_WRITE: (
        "SELECT ns || '/' || checkpoint_id || '/' || task_id || '/' || idx, length(body), channel"
        " FROM run_writes WHERE thread_id = :key ORDER BY ns, checkpoint_id, task_id, idx"
    ),
    ScrubKind.TRACE: (
        "SELECT run_id || '/' || step, ifnull(length(detail), 0), run_traces.node FROM run_traces"
        " JOIN runs ON runs.id = run_id WHERE conversation_id = :key ORDER BY run_id, step"
    ),
    ScrubKind.COMPACTION: (
        "SELECT thread_id || '/' || number, up_to_message, substr(compact, 1, 400)"
        " FROM run_compactions WHERE thread_id = :key ORDER BY number"
    ),
}


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message that holds something of what goes.

    Attributes:
        id: Its id.
        conversation_id: Where it was said.
        version: Changes with every write to it.
        role: Whose words they are.
        begins: How its words begin.
        gone: What it held, as it is stored.
        left: Its parts afterwards, as they are stored.
    """

    id: str
    conversation_id: str
    version: int
    role: str
    begins: str
    gone: tuple[str, ...]
    left: str


@dataclass(frozen=True, slots=True)
class ScrubTalk:
    """The talk that goes with a tier under a scope key, in one workspace's file.

    Attributes:
        tier: The tier.
        key: The scope key, or the ids of chosen memories as a JSON array.
        is_of_runs: Whether only the state of a conversation's runs goes.
        said: Ids and texts of the memories that go, where they lie in another file; None for
            those of this file.
    """

    tier: str
    key: str
    is_of_runs: bool = False
    said: Said | None = None

    @property
    def is_of_one(self) -> bool:
        """Whether one conversation is scrubbed: all that was said in it goes."""
        return self.tier == Tier.CONVERSATION.value

    def spoken(self, run: Callable[..., Any]) -> Iterator[Spoken]:
        """Messages that hold something of it, in the order in which they were said."""
        if not _is_there(run):
            return
        if self.is_of_runs:
            asked = f"{_MESSAGES} WHERE conversation_id = :key ORDER BY sequence"
            for id_, of, role, version, parts in run(asked, self._key).fetchall():
                told, rest = _without_tools(parts)
                if told:
                    yield Spoken(id_, of, version, role, _begins(parts), told, rest)
            return
        holds = self.holding(run)
        for id_, of, role, version, parts in run(f"{_MESSAGES} ORDER BY sequence").fetchall():
            if self.is_of_one and of == self.key:
                if parts not in {ALL_SCRUBBED, "[]"}:
                    yield Spoken(id_, of, version, role, _begins(parts), (parts,), ALL_SCRUBBED)
                continue
            listed = _parts_of(parts)
            if listed is None:  # damage: nobody can tell what it holds
                yield Spoken(id_, of, version, role, "", (str(parts),), ALL_SCRUBBED)
                continue
            gone = [holds(part) for part in listed]
            if any(gone):
                left = [SCRUBBED if one else part for one, part in zip(gone, listed, strict=True)]
                removed = tuple(
                    _dumped(part) for one, part in zip(gone, listed, strict=True) if one
                )
                yield Spoken(id_, of, version, role, _begins(parts), removed, _dumped(left))

    def saying(self, run: Callable[..., Any]) -> Said:
        """Ids and texts of the memories that go, earlier texts included."""
        place = {"tier": self.tier, "key": self.key, "chosen": chosen_in(self.key)}
        return tuple(
            (str(id_), str(text)) for ask in _SAID for id_, text in run(ask, place).fetchall()
        )

    def counted(self, run: Callable[..., Any]) -> Iterator[tuple[ScrubKind, str, int, str]]:
        """Kind, id, version and beginning of what the state of a conversation's runs is made of."""
        if self.is_of_runs and _is_there(run):
            for kind, asked in _COUNTED.items():
                for id_, version, begins in run(asked, self._key).fetchall():
                    yield kind, id_, version, begins

    def texts(self, run: Callable[..., Any]) -> Iterator[bytes]:
        """Everything that goes, in the bytes in which it is stored."""
        if not _is_there(run):
            return
        yield from (text.encode() for one in self.spoken(run) for text in one.gone)
        yield self._title(run).encode()
        for table, (columns, _) in _RUN_TABLES.items():
            asked = f"SELECT {columns} FROM {table} {self._whose(table)}"
            for value in (
                value
                for thread in self._threads(run)
                for row in run(asked, thread).fetchall()
                for value in row
            ):
                if isinstance(value, LossyText):
                    yield value.stored
                elif value:
                    yield value.encode() if isinstance(value, str) else bytes(value)

    def delete(self, run: Callable[..., Any], changed_seq: int) -> None:
        """Take it out of the messages, and remove the state of the runs that may hold it.

        Args:
            run: Inside the transaction that removes the rest; the memories are there still.
            changed_seq: Change number of the transaction.
        """
        if not _is_there(run):
            return
        title, threads = self._title(run), self._threads(run)
        for one in list(self.spoken(run)):
            run(
                "UPDATE messages SET parts = :left, changed_seq = :stamp WHERE id = :id",
                {"left": one.left, "stamp": changed_seq, "id": one.id},
            )
        if title:
            run("UPDATE conversations SET title = '' WHERE id = :key", self._key)
        for table in sorted(_RUN_TABLES, key=lambda one: one == "runs"):
            for thread in threads:
                run(f"DELETE FROM {table} {self._whose(table)}", thread)
        run(f"DELETE FROM request_keys {_OF_TURNS if self.is_of_one else ''}", self._key)

    def are_held(self, run: Callable[..., Any]) -> bool:
        """Whether a file holds any of it."""
        if not _is_there(run):
            return False
        runs = " OR ".join(
            f"EXISTS (SELECT 1 FROM {table} {self._whose(table)})" for table in _RUN_TABLES
        )
        if run(f"SELECT {runs}", self._key).fetchone()[0]:
            return True
        return next(self.spoken(run), None) is not None

    def _title(self, run: Callable[..., Any]) -> str:
        """The title of the conversation if it was made of what is said there, and goes with it."""
        if not self.is_of_one or self.is_of_runs:
            return ""
        row = run("SELECT title FROM conversations WHERE id = :key", self._key).fetchone()
        title = str(row[0]) if row else ""
        words = title.rstrip(" …")
        own = (one.begins for one in self.spoken(run) if one.conversation_id == self.key)
        return title if words and any(words in begins for begins in own) else ""

    def _threads(self, run: Callable[..., Any]) -> list[dict[str, str]]:
        """Whose runs go, as values of ``_whose``; with one conversation not only its own."""
        if not self.is_of_one:
            return [{}]
        of_others = () if self.is_of_runs else (one.conversation_id for one in self.spoken(run))
        return [{"key": key} for key in sorted({self.key, *of_others})]

    @property
    def _key(self) -> dict[str, str]:
        return {"key": self.key} if self.is_of_one else {}

    def _whose(self, table: str) -> str:
        if not self.is_of_one:
            return ""
        if table == "run_traces":
            return "WHERE run_id IN (SELECT id FROM runs WHERE conversation_id = :key)"
        return f"WHERE {_RUN_TABLES[table][1]} = :key"

    def holding(self, run: Callable[..., Any]) -> Callable[[Any], bool]:
        """Tells of such values as parts of messages whether they hold some of what goes."""
        from inklings_desktop.domain.likeness.quoting import Quoting

        rows = self.saying(run) if self.said is None else self.said
        ids = frozenset(str(id_) for id_, _ in rows)
        quoting = Quoting(str(text) for _, text in rows)

        def holds(part: Any) -> bool:
            texts = list(_texts_in(part))
            named = (found for text in texts for found in _ID.findall(text))
            return not ids.isdisjoint(named) or any(map(quoting.is_quoted_in, texts))

        return holds


@dataclass(frozen=True, slots=True)
class QuotedRows:
    """Rows of one workspace's file that may hold some of what the account's scrub removes."""

    said: Said
    tier: str = Tier.ACCOUNT.value
    key: str = ACCOUNT_KEY

    @property
    def talk(self) -> ScrubTalk:
        """What was said of it here."""
        return ScrubTalk(self.tier, self.key, said=self.said)

    def are_held(self, run: Callable[..., Any]) -> bool:
        """Whether a file holds any of them: the state of runs goes only where talk shows why."""
        is_said = next(self.talk.spoken(run), None) is not None
        return is_said or next(quoting_traces(run, self.talk.holding(run)), None) is not None

    def delete(
        self, run: Callable[..., Any], _template: object, _created_at: int, changed_seq: int
    ) -> None:
        """Take them out; as ``ScrubRows.delete``."""
        delete_traces(run, list(quoting_traces(run, self.talk.holding(run))))
        self.talk.delete(run, changed_seq)


def chosen_in(key: str) -> str:
    """Ids of chosen memories as a JSON array: they stand in the place of the key of a scope."""
    return key if key.startswith("[") else "[]"


def _is_there(run: Callable[..., Any]) -> bool:
    """Whether this file has talk at all: a workspace's of this version."""
    found = run("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'messages'")
    return found.fetchone() is not None


def _parts_of(text: object) -> list[Any] | None:
    try:
        parts = json.loads(str(text))
    except ValueError:
        return None
    return parts if isinstance(parts, list) else None


def _without_tools(text: object) -> tuple[tuple[str, ...], str]:
    """What the parts of a message tell of tools, as it is stored, and the parts without it."""
    listed = _parts_of(text)
    if listed is None:  # damage: nobody can tell what it holds
        return (str(text),), ALL_SCRUBBED
    is_of_tools = [isinstance(one, dict) and one.get("kind") in _OF_TOOLS for one in listed]
    gone = tuple(_dumped(one) for one, goes in zip(listed, is_of_tools, strict=True) if goes)
    return gone, _dumped([one for one, goes in zip(listed, is_of_tools, strict=True) if not goes])


def _dumped(value: object) -> str:
    """As messages are stored."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _begins(parts: object) -> str:
    words = (
        str(part["text"])
        for part in _parts_of(parts) or ()
        if isinstance(part, dict) and part.get("kind") == "text" and part.get("text")
    )
    return next(words, "")


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts_in(one)
