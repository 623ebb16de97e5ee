"""A data root in which every kind of text says which scope it belongs to, and scrubs over it."""

from __future__ import annotations

import hashlib
import json
import random
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from inklings_desktop.domain.background.golden import GoldenQuestion
from inklings_desktop.domain.entries.named_entry import EntryAction, EntryDraft, entry_scope
from inklings_desktop.domain.entries.proposals import Proposal, ProposalKind, ProposalState
from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memories.memory_typing import NEW_MEMORY, MemoryTyping
from inklings_desktop.domain.memories.saved_filters import FilterWords, SavedFilter
from inklings_desktop.domain.memory import (
    Curator,
    Lifetime,
    MemoryAction,
    ScopeKey,
    Tier,
    own_lifetime,
)
from inklings_desktop.domain.rooms.conversation import WorkingNote
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.storage.scrubbing.erasure import SqliteEraser
from inklings_desktop.usecases.scrubbing.scrub import (
    ExecuteScrub,
    Manifests,
    PendingScrubs,
    PreviewScrub,
    ResumeScrubs,
)
from tests.support.builders import (
    NOON,
    OTHER_WORKSPACE_ID,
    WORKSPACE_ID,
    SeededIds,
    a_channel,
    a_companion,
    a_conversation,
    a_memory,
    a_message,
    a_person,
    set_to,
)
from tests.support.sqlite_store import SqliteWorld, raw, sqlite_world

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.scrub.manifest import ScrubManifest, ScrubOutcome
    from inklings_desktop.storage.unit_of_work import SqliteUnitOfWork

ADA = a_person()
MODEL = "model-of-tests"
COMING_MODEL = "model-to-come"
CHANNELS = ("ch-map", "ch-tides")
CONVERSATIONS = ("co-toll", "co-gate")
MARKED_PLACES = 12
"""Kinds of places of a full scope in which a mark is planted."""

_SOURCES = ("user", "researcher", "consolidation", "the diary of Nerys", "orchestrator")


@dataclass(slots=True)
class ScrubWorld:
    """Two workspaces with rooms, and the use cases of scrub over them.

    Attributes:
        world: Its adapters.
        ids: Where new ids come from.
        chance: Decides what is written.
        eraser: Clears the files.
    """

    world: SqliteWorld
    chance: random.Random
    ids: SeededIds
    eraser: SqliteEraser
    manifests: Manifests = field(init=False)

    def __post_init__(self) -> None:
        """Wire the use cases."""
        self.manifests = Manifests(
            self.world.store,
            self.world.directory,
            self.eraser,
            self.world.clock,
            set_to(),
            self.world.databases.key,
        )

    def preview(self, scope: ScopeKey, mode: ScrubMode) -> ScrubManifest:
        """The dry run of a scrub."""
        return PreviewScrub(self.manifests)(ADA, scope, mode)

    def execute(self, manifest: ScrubManifest) -> ScrubOutcome:
        """The scrub that a manifest shows, confirmed."""
        execute = ExecuteScrub(self.manifests, lambda: "ada")
        scope, mode = manifest.scope, manifest.mode
        return execute(ADA, scope, mode, token=manifest.token, phrase=manifest.phrase)

    def scrub(self, scope: ScopeKey, mode: ScrubMode = ScrubMode.FULL) -> ScrubOutcome:
        """Dry run and execution in one."""
        return self.execute(self.preview(scope, mode))

    @property
    def pending(self) -> PendingScrubs:
        """The use case."""
        return PendingScrubs(self.manifests)

    @property
    def resume(self) -> ResumeScrubs:
        """The use case."""
        return ResumeScrubs(self.manifests)

    def write(self, scope: ScopeKey, change: Callable[[SqliteUnitOfWork], object]) -> None:
        """Change something in the file of a scope."""
        with self.world.store.write(scope.workspace_id, initiator="Ada") as unit:
            change(unit)
            unit.commit()

    def dump(self, workspace_id: str | None) -> dict[str, list[tuple[object, ...]]]:
        """Every row of every table of one file."""
        return logical_dump(self.world.path(workspace_id))

    def add_memories(self, scope: ScopeKey, n_memories: int, mark: str = "") -> list[MemoryEntry]:
        """Memories in every state, with history and vectors, all saying the mark."""
        fresh = [self._memory(scope, mark) for _ in range(n_memories)]
        stored: list[MemoryEntry] = []

        def change(unit: SqliteUnitOfWork) -> None:
            stored.extend(unit.memories.add(fresh))
            for entry in stored:
                kept = entry
                if self.chance.random() < 0.5:
                    text = f"{kept.content} Edited once, {mark or 'plainly'}, by a careful hand."
                    kept = self._saved(unit, replace(kept, content=text), MemoryAction.EDITED)
                if self.chance.random() < 0.3:
                    reason = f"no longer true {mark}".strip()
                    gone = replace(kept, forgotten_at=NOON, forgotten_reason=reason)
                    kept = self._saved(unit, gone, MemoryAction.FORGOTTEN)
                if not kept.is_forgotten and self.chance.random() < 0.7:
                    unit.memories.put_vectors(MODEL, [(kept.id, kept.content, self._vector())])
                    unit.tokens.put(MODEL, [(kept.id, kept.content, _words(kept.content))])
                    unit.tokens.put_tags(MODEL, {tag: _words(tag) for tag in kept.tags})
                if not kept.is_forgotten and self.chance.random() < 0.4:
                    waiting = [(kept.id, kept.content, self._vector())]
                    unit.memories.put_vectors(COMING_MODEL, waiting)

        self.write(scope, change)
        self._type(scope, mark, stored)
        return stored

    def add_talk(self, scope: ScopeKey, stored: Sequence[MemoryEntry], mark: str = "") -> None:
        """What was said of a scope's memories, and how far an agent had come with it."""
        if scope.workspace_id is None:
            return
        talk = scope.key if scope.tier is Tier.CONVERSATION else CONVERSATIONS[0]
        quoted = [
            {"kind": "text", "text": "Nothing of it stands here."},
            {"kind": "text", "text": f"As you said: {stored[0].content}"},
            {"kind": "memory", "id": stored[-1].id, "title": f"what {mark} is"},
        ]
        said = replace(a_message(talk), id=self.ids(), parts_json=json.dumps(quoted))
        self.write(scope, lambda unit: unit.messages.append(said))
        body = json.dumps({"results": [f"In the middle of {mark}, as it was read."]}).encode()
        run_id, path = self.ids(), self.world.path(scope.workspace_id)
        with raw(path) as connection:
            connection.execute(
                "INSERT INTO runs VALUES (?, ?, NULL, 'orchestrator', NULL, 'parked', 'act', 1,"
                " NULL, NULL, NULL, 0, 0, 0, NULL, NULL, 0, '')",
                (run_id, talk),
            )
            connection.execute(
                "INSERT INTO run_checkpoints VALUES (?, '', ?, NULL, 1, ?, x'7b7d')",
                (talk, run_id, body),
            )
            connection.execute(
                "INSERT INTO run_traces VALUES (?, 1, 'act', 'tool', '{}', ?, 1)", (run_id, body)
            )

    def add_note(self, conversation_id: str, key: str, value: str) -> None:
        """A working note."""
        text = json.dumps({"value": value}, ensure_ascii=False)
        note = WorkingNote(conversation_id, key, text, NOON, NOON)
        scope = ScopeKey.conversation(WORKSPACE_ID, conversation_id)
        self.write(scope, lambda unit: unit.notes.write(note))

    def add_proposals(self, scope: ScopeKey, mark: str = "") -> None:
        """A golden question, and a proposal of a new memory, undecided or decided with a note."""
        payload = {"content": f"A proposed memory {mark}, which nobody has accepted so far."}
        proposal = Proposal(
            self.ids(), ProposalKind.MEMORY_NEW, scope.workspace_id, scope.tier, scope.key, "", "",
            None, payload, f"Because {mark} says so, as was told.", "researcher",
            ProposalState.PENDING, "", NOON,
        )  # fmt: skip

        question = GoldenQuestion(
            self.ids(), scope, f"Where is it said that {mark} is so?", (self.ids(),), (), NOON
        )

        words = FilterWords(
            MemoryFilter(phrases=frozenset({f"so says {mark} of it"})), f"where {mark} is"
        )
        is_room = scope.tier in {Tier.CONVERSATION, Tier.CHANNEL}
        id_ = self.ids()
        saved = SavedFilter(
            id_, scope.workspace_id, scope.tier, scope.key if is_room else None,
            f"About {mark} {id_[:8]}", words, NOON,
        )  # fmt: skip

        def change(unit: SqliteUnitOfWork) -> None:
            unit.filters.put(saved)
            unit.golden.add(question)
            unit.proposals.add(proposal)
            if self.chance.random() < 0.5:
                note = f"Not this one, {mark}, for it is not so."
                unit.proposals.decide(
                    proposal.id, ProposalState.REJECTED, note=note, decided_at=NOON
                )

        self.write(scope, change)

    def add_entries(self, workspace_id: str | None, mark: str = "") -> None:
        """Named entries with revisions and drafts, one deleted, the built-in one edited."""
        names = [f"RULES_{self.chance.randrange(10**9)}", f"GONE_{self.chance.randrange(10**9)}"]

        def change(unit: SqliteUnitOfWork) -> None:
            for name in names:
                entry = unit.entries.add(
                    a_companion(
                        name,
                        f"# {name}\n\nThe first body {mark}, as it was written.\n",
                        workspace_id=workspace_id,
                        entry_id=self.ids(),
                    ),
                    action=EntryAction.CREATED,
                    saved_by="Ada",
                    door="cli",
                )
                is_gone = name.startswith("GONE")
                saved = replace(
                    entry,
                    body=f"# {name}\n\nThe second body {mark}, as it reads now.\n",
                    deleted_at=NOON if is_gone else None,
                )
                self._save_entry(unit, saved)
                if not is_gone:
                    body = f"# {name}\n\nUnsaved typing {mark}, which was kept for later.\n"
                    unit.drafts.keep(EntryDraft(entry.id, body, 2, NOON))
                payload = {"body": f"# {name}\n\nA proposed body {mark}, of an agent.\n"}
                scope = entry_scope(entry.tier, workspace_id)
                for kind, target, version in (
                    (ProposalKind.NAMED_BODY, entry.id, 2),
                    (ProposalKind.NAMED_NEW, "", None),
                ):
                    asked = Proposal(
                        self.ids(), kind, workspace_id, entry.tier, scope.key, target, name,
                        version, payload, f"It reads better {mark} than before.", "researcher",
                        ProposalState.PENDING, "", NOON,
                    )  # fmt: skip
                    unit.proposals.add(asked)
            built_in = next(one for one in unit.entries.entries() if one.is_built_in)
            body = f"{built_in.body}\nAn author's own line {mark}, added by hand.\n"
            self._save_entry(unit, replace(built_in, body=body, is_template=False))

        scope = ScopeKey.account() if workspace_id is None else ScopeKey.workspace(workspace_id)
        self.write(scope, change)

    def fill(self, scope: ScopeKey, mark: str = "", n_memories: int = 6) -> None:
        """Everything that a scope can hold."""
        stored = self.add_memories(scope, n_memories, mark)
        self.add_talk(scope, stored, mark)
        self.add_proposals(scope, mark)
        if scope.tier is Tier.CONVERSATION:
            for _ in range(2):
                key = f"{mark or 'key'}-{self.chance.randrange(10**6)}"
                self.add_note(scope.key, key, f"A working note of {mark}, for this turn alone.")
        if scope.tier in {Tier.WORKSPACE, Tier.ACCOUNT}:
            self.add_entries(scope.workspace_id, mark)

    def _type(self, scope: ScopeKey, mark: str, stored: Sequence[MemoryEntry]) -> None:
        """Unsaved typing in a new memory of the scope, and in one that is there."""
        there = [one for one in stored if not one.is_forgotten][:1]

        def change(unit: SqliteUnitOfWork) -> None:
            for memory_id, version in [(NEW_MEMORY, 0), *((one.id, one.version) for one in there)]:
                unit.drafts.keep_typing(
                    MemoryTyping(
                        scope,
                        memory_id,
                        version,
                        f"Typed and never saved {mark}, in the middle of a thought.",
                        0.5,
                        own_lifetime(scope.tier, Curator.AUTHOR),
                        (f"typed {mark}".strip(),),
                        NOON,
                    )
                )

        self.write(scope, change)

    def _memory(self, scope: ScopeKey, mark: str) -> MemoryEntry:
        is_account = scope.tier is Tier.ACCOUNT
        lifetime = None if scope.tier is Tier.CONVERSATION else self.chance.choice(_LIFETIMES)
        words = " ".join(self.chance.choices(_WORDS, k=self.chance.randrange(3, 30)))
        source = self.chance.choice(_SOURCES)
        return replace(
            a_memory(
                f"{words.capitalize()} {mark} {words}.",
                scope=scope,
                memory_id=self.ids(),
                lifetime=lifetime,
                source=f"{source} {mark}".strip() if mark else source,
                curator=self.chance.choice(tuple(Curator)),
                importance=self.chance.random(),
                tags=(f"tag {mark}".strip(), self.chance.choice(_WORDS)),
                agent_id=self.chance.choice((None, None, "researcher")),
                source_conversation=None if is_account else self.chance.choice((None, "c1")),
                access_count=self.chance.randrange(4),
                paused=self.chance.random() < 0.1,
            )
        )

    def _saved(
        self, unit: SqliteUnitOfWork, entry: MemoryEntry, action: MemoryAction
    ) -> MemoryEntry:
        return unit.memories.save(
            entry,
            expected_version=entry.version,
            action=action,
            changed_by="Ada",
            door="cli",
            changed_at=NOON,
        )

    def _save_entry(self, unit: SqliteUnitOfWork, entry: NamedEntry) -> None:
        unit.entries.save(
            entry,
            expected_version=entry.version,
            action=EntryAction.SAVED,
            saved_by="Ada",
            door="cli",
            saved_at=NOON,
        )

    def _vector(self) -> npt.NDArray[np.float32]:
        found = np.array([self.chance.gauss(0, 1) for _ in range(16)], np.float32)
        return found / np.float32(np.linalg.norm(found))


_LIFETIMES = (Lifetime.LONG_TERM, Lifetime.SHORT_TERM)
_WORDS = (
    "lighthouse", "tide", "glass", "harbour", "keeper", "counts", "storm",
    "ledger", "salt", "chart", "Øresund", "café", "港", "gate",
    "toll", "map", "north", "wind", "rope", "anchor", "quay",
    "bell", "fog", "lamp", "wick", "oil", "shore",
)  # fmt: skip


def scopes(workspace_id: str = WORKSPACE_ID) -> tuple[ScopeKey, ...]:
    """Every scope of a workspace, and the account's."""
    return (
        *(ScopeKey.conversation(workspace_id, one) for one in CONVERSATIONS),
        *(ScopeKey.channel(workspace_id, one) for one in CHANNELS),
        ScopeKey.workspace(workspace_id),
        ScopeKey.account(),
    )


@contextmanager
def scrub_world(
    root: Path, *, seed: int = 0, free_bytes: Callable[[Path], int] | None = None
) -> Iterator[ScrubWorld]:
    """Two workspaces with two channels and two conversations each, empty at first."""
    with sqlite_world(root, workspace_ids=(WORKSPACE_ID, OTHER_WORKSPACE_ID)) as world:
        for workspace_id in (WORKSPACE_ID, OTHER_WORKSPACE_ID):
            with world.store.write(workspace_id, initiator="Ada") as unit:
                if not unit.conversations.channels(include_archived=True):
                    for number, channel_id in enumerate(CHANNELS):
                        unit.conversations.add_channel(
                            a_channel(f"room-{number}", channel_id=channel_id)
                        )
                    for number, conversation_id in enumerate(CONVERSATIONS):
                        conversation = a_conversation(
                            CHANNELS[number],
                            conversation_id=conversation_id,
                            ref_code=f"R8VX4ip1wN{number}",
                        )
                        unit.conversations.add(conversation, ["researcher"])
                    unit.commit()
        # In use from here on: the first connection to a file makes an empty WAL beside it.
        for file in (None, WORKSPACE_ID, OTHER_WORKSPACE_ID):
            with world.store.read(file) as view:
                view.scrubs.pending()
        yield ScrubWorld(
            world,
            random.Random(seed),  # noqa: S311  it only makes up texts
            SeededIds(seed),
            SqliteEraser(world.databases, free_bytes=free_bytes),
        )


def _words(text: str) -> bytes:
    """What might be the vectors of two words, of this text alone."""
    return hashlib.shake_128(text.encode()).digest(128)


def logical_dump(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table of a database, the parts of its index left out."""
    with raw(path) as connection:
        names = [
            name
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table'"
                " AND name NOT LIKE 'memory\\_fts%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'"
            )
        ]
        return {
            name: sorted(
                connection.execute(f"SELECT * FROM {name}").fetchall(),  # noqa: S608
                key=repr,
            )
            for name in names
        }
