"""Stores that export, import and withdraw, and worlds to do it with."""

from __future__ import annotations

import json
import random
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from inklings_desktop.domain.access.access import Caller, Door
from inklings_desktop.domain.background.golden import GoldenQuestion
from inklings_desktop.domain.entries.named_entry import EntryAction
from inklings_desktop.domain.entries.proposals import (
    UNDECIDED,
    Proposal,
    ProposalKind,
    ProposalState,
)
from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.listing import MemoryFilter, MemorySort
from inklings_desktop.domain.memories.saved_filters import FilterWords, SavedFilter
from inklings_desktop.domain.memory import (
    AUTHOR,
    Curator,
    Derivation,
    Lifetime,
    MemoryAction,
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.rooms.conversation import ConversationState, WorkingNote, note_json
from inklings_desktop.domain.rooms.messages import MessageRole, checked_parts
from inklings_desktop.domain.transfer.foreign.formats import NO_WISHES, Wishes
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.storage.keeping.backup_keeper import SqliteBackupKeeper
from inklings_desktop.storage.outside.export_files import LocalExportFiles
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.asking import asked_by
from tests.support.builders import (
    NOON,
    WORKSPACE_ID,
    SeededIds,
    a_channel,
    a_companion,
    a_conversation,
    a_memory,
    a_message,
    set_to,
)
from tests.support.dumps import logical_dump
from tests.support.fake_embedder import FakeEmbedder
from tests.support.sqlite_store import sqlite_world

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from inklings_desktop.domain.rooms.messages import Message
    from inklings_desktop.domain.transfer.import_plan import (
        Decision,
        ImportPreview,
    )
    from inklings_desktop.usecases.transfer.exporting import Exported
    from inklings_desktop.usecases.transfer.import_outcome import Imported
    from inklings_desktop.usecases.transfer.transfer import Transfer
    from tests.support.sqlite_store import SqliteWorld

CAP = 10_000
ADA = Caller.person("Ada", Door.CLI)
MODEL = "tiny"
DIMENSION = 4
NOT_EXPORTED = ("events", "meta", "exports", "imports", "import_steps", "task_runs", "leases")
_STAMPS = {"changed_seq", "read_seq", "notes_seq"}
_ANSWERS = {"asked_at", "asked_after", "answer", "rate", "model_id", "since", "since_after"}
_ANSWERS |= {"since_run"}
_WORDS = ["tide", "harbour glass", "Ottoline", "潮の音", "ملاحظة", "🌊", "café", "Wend Gate"]


@dataclass(slots=True)
class TransferBench:
    """A data root with what exports and imports it."""

    world: SqliteWorld
    new_id: SeededIds
    cap: int = CAP

    def export(self, path: Path, request: ExportRequest | None = None) -> Exported:
        """Write a file; everything unless told otherwise."""
        return self.asked.export(request or ExportRequest(), path)

    def preview(
        self,
        *paths: Path,
        into: str | None = None,
        place: ScopeKey | None = None,
        wishes: Wishes = NO_WISHES,
    ) -> ImportPreview:
        """Look at files."""
        return self.asked.preview_import(*paths, into=into, place=place, wishes=wishes)

    def apply(
        self, preview: ImportPreview, decisions: Mapping[int, Decision] | None = None
    ) -> Imported:
        """Write what was decided."""
        return self.asked.apply_import(preview, decisions or {})

    def bring_in(self, path: Path, decisions: Mapping[int, Decision] | None = None) -> Imported:
        """Look and write at once."""
        return self.apply(self.preview(path), decisions)

    @property
    def asked(self) -> Transfer:
        """Exports and imports, as the person asks them."""
        world = self.world
        keeper = SqliteBackupKeeper(world.databases, world.publisher, world.clock)
        return asked_by(
            ADA,
            world,
            new_id=self.new_id,
            embedder=FakeEmbedder(MODEL),
            settings=set_to(cap=self.cap),
            keeper=keeper,
            export_files=LocalExportFiles(),
            version="0.1",
        ).transfer

    def dumps(self) -> dict[str | None, dict[str, list[tuple[Any, ...]]]]:
        """What every database holds, without counters, stamps and its own history."""
        files = (None, *(one.id for one in self.world.directory.workspaces()))
        return {file: content_of(self.world.path(file)) for file in files}


def content_of(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """A logical dump without what belongs to the file rather than to the memory in it."""
    from tests.support.sqlite_store import raw

    dump = logical_dump(path, without=NOT_EXPORTED)
    with raw(path) as connection:
        for name in [one for one in dump if one != "words"]:
            columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{name}")')]
            apart = _STAMPS | (_ANSWERS if name == "golden_questions" else set())
            stamps = {place for place, column in enumerate(columns) if column in apart}
            dump[name] = [
                tuple(value for place, value in enumerate(row) if place not in stamps)
                for row in dump[name]
            ]
    dump["scope_counts"] = [row for row in dump["scope_counts"] if row[2]]
    return dump


@contextmanager
def transfer_bench(
    root: Path, *, seed: int = 1, workspace_ids: tuple[str, ...] = (WORKSPACE_ID,)
) -> Iterator[TransferBench]:
    """A bench over a data root with these workspaces."""
    with sqlite_world(root, workspace_ids=workspace_ids) as world:
        yield TransferBench(world, SeededIds(seed))


def fill(bench: TransferBench, seed: int, *, n_memories: int = 12) -> None:
    """Write a world by chance: every tier, every state, vectors, history, notes, revisions."""
    chance = random.Random(seed)  # noqa: S311  it only makes up a world
    for file in (WORKSPACE_ID, None):
        _fill_file(bench, file, chance, n_memories)


def _fill_file(
    bench: TransferBench, file: str | None, chance: random.Random, n_memories: int
) -> None:
    def new_id() -> str:
        return str(uuid.UUID(int=chance.getrandbits(128), version=4))

    at = NOON - timedelta(days=40)
    with bench.world.store.write(file, initiator="Ada") as unit:
        scopes = [ScopeKey.account()] if file is None else [ScopeKey.workspace(file)]
        talks: list[str] = []
        if file is not None:
            general = a_channel("general", channel_id=new_id())
            rooms = [general, a_channel("map-room", channel_id=new_id(), archived_at=NOON)]
            for room in rooms:
                unit.conversations.add_channel(room)
                scopes.append(ScopeKey.channel(file, room.id))
            for number, state in enumerate(ConversationState):
                talk = a_conversation(
                    chance.choice(rooms).id,
                    conversation_id=new_id(),
                    ref_code=f"R8VX4ip1w{number:02d}",
                    state=state,
                    ended_at=None if state is ConversationState.ACTIVE else NOON,
                )
                talk = replace(talk, heard_at=NOON if number else None)
                unit.conversations.add(talk, ["researcher"][: chance.randrange(2)])
                scopes.append(ScopeKey.conversation(file, talk.id))
                talks.append(talk.id)
                for said in ("潮の音 <b>hums</b>", "Glass pays the toll."):
                    unit.messages.append(_said(talk.id, said))
                unit.notes.write(
                    WorkingNote(talk.id, "plan", note_json({"n": number, "f": 0.1}), at, NOON)
                )
        for _ in range(n_memories):
            _add(unit, chance, chance.choice(scopes), talks, new_id())
        _add_beside(unit, file, scopes)
        companion = unit.entries.add(
            a_companion(workspace_id=file, entry_id=new_id()),
            action=EntryAction.CREATED,
            saved_by="Ada",
            door="window",
        )
        built_in = unit.entries.entries()[0]
        for entry in (companion, built_in)[: chance.randrange(3)]:
            unit.entries.save(
                replace(entry, body=f"# Body\r\n{chance.random()}", is_template=False),
                expected_version=entry.version,
                action=EntryAction.SAVED,
                saved_by="Ada",
                door="cli",
                saved_at=NOON,
            )
        if chance.random() < 0.5:
            current = unit.entries.get(companion.id)
            unit.entries.save(
                replace(current, deleted_at=NOON),
                expected_version=current.version,
                action=EntryAction.DELETED,
                saved_by="Ada",
                door="window",
                saved_at=NOON,
            )
        unit.commit()


def _said(conversation_id: str, text: str) -> Message:
    """A message; ids are drawn apart, so that the rest stays as it was."""
    parts = json.dumps([{"kind": "text", "text": text}, {"kind": "unheard of", "n": 0.1}])
    id_ = str(uuid.uuid5(uuid.NAMESPACE_OID, conversation_id + text))
    said = replace(a_message(conversation_id), id=id_, parts_json=checked_parts(parts))
    if text.startswith("Glass"):
        return said
    return replace(said, role=MessageRole.ASSISTANT, model="tiny", read_at=NOON)


def _add_beside(unit: Any, file: str | None, scopes: list[ScopeKey]) -> None:
    """What an author keeps beside memories; drawn apart, so that the rest stays as it was."""
    chance = random.Random(str(scopes))  # noqa: S311  it only makes up a world

    def new_id() -> str:
        return str(uuid.UUID(int=chance.getrandbits(128), version=4))

    for number, scope in enumerate(chance.sample(scopes, min(2, len(scopes)))):
        must = (new_id(), new_id())[: 1 + number]
        unit.golden.add(GoldenQuestion(new_id(), scope, f"What hums {number}?", must, (), NOON))
        where = MemoryFilter(
            tags=frozenset(["law", "glass"][: chance.randrange(3)]),
            curators=frozenset(chance.sample(list(Curator), 2)),
            importance_min=0.25,
            written_since=chance.choice([None, NOON]),
            attention=chance.choice([None, *AttentionKind]),
        )
        is_room = scope.tier in {Tier.CHANNEL, Tier.CONVERSATION}
        room = scope.key if is_room and number else None
        words = FilterWords(where, "tide", chance.choice(list(SearchMode)), MemorySort.RELEVANCE)
        name = f"Filter {number}"
        unit.filters.put(SavedFilter(new_id(), file, scope.tier, room, name, words, NOON))
        state = chance.choice(list(ProposalState))
        kind = chance.choice([ProposalKind.MEMORY_NEW, ProposalKind.MEMORY_EDIT])
        is_new = kind is ProposalKind.MEMORY_NEW
        stored = unit.proposals.add(
            Proposal(
                new_id(),
                kind,
                file,
                scope.tier,
                scope.key,
                "" if is_new else new_id(),
                "",
                None if is_new else 3,
                {"content": "Glass sings 潮.", "importance": 0.5, "tags": ["glass"]},
                "It was said.",
                "loom",
                ProposalState.PENDING,
                "",
                NOON,
            )
        )
        if state is not ProposalState.PENDING:
            at = None if state in UNDECIDED else NOON
            unit.proposals.decide(stored.id, state, note="So be it.", decided_at=at)


def _add(
    unit: Any, chance: random.Random, scope: ScopeKey, talks: list[str], memory_id: str
) -> None:
    is_account = scope.tier is Tier.ACCOUNT
    origin = chance.choice([None, *talks]) if not is_account else None
    text = f"{chance.choice(_WORDS)} {chance.choice(_WORDS)} {chance.randrange(10_000)}\n"
    entry = replace(
        a_memory(
            text,
            scope=scope,
            memory_id=memory_id,
            curator=chance.choice(list(Curator)),
            importance=round(chance.random(), 3),
            tags=tuple(chance.sample(["law", "glass", "fog"], chance.randrange(3))),
            created_at=NOON - timedelta(hours=chance.randrange(900), milliseconds=7),
            source_conversation=origin,
            access_count=chance.randrange(4),
            pinned=chance.random() < 0.1,
            paused=chance.random() < 0.1,
        ),
        derived_from=() if is_account else (Derivation("Wend Gate", "b1"),)[: chance.randrange(2)],
        imported_curator=chance.choice([None, *Curator]),
        accessed_at=chance.choice([None, NOON]),
        # Drawn apart, so that what else is drawn stays as it was.
        written_by=random.Random(memory_id).choice(["", AUTHOR, "loom", "Manuscript Studio"]),  # noqa: S311 - a test's choice
    )
    (stored,) = unit.memories.add([entry])
    vector = np.array([chance.gauss(0, 1) for _ in range(DIMENSION)], np.float32)
    vector /= np.linalg.norm(vector)
    if chance.random() < 0.8:
        unit.memories.put_vectors(MODEL, [(stored.id, stored.content, vector)])
    for action in chance.sample(list(MemoryAction), chance.randrange(3)):
        stored = unit.memories.get_many([stored.id])[stored.id]
        after = replace(stored, importance=round(chance.random(), 3))
        if action is MemoryAction.EDITED:
            after = replace(after, content=f"{stored.content} again", written_by=AUTHOR)
        if action is MemoryAction.FORGOTTEN:
            after = replace(after, forgotten_at=NOON, forgotten_reason="wrong")
        if action is MemoryAction.RELABELLED and stored.lifetime is not Lifetime.CONVERSATION:
            after = replace(after, lifetime=Lifetime.LONG_TERM)
        unit.memories.save(
            after,
            expected_version=stored.version,
            action=action,
            changed_by="Ada",
            door="window",
            changed_at=NOON,
        )
