from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.acp_wire.words import WORLD_AGENT
from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.access.clients import ClientKind, Right
from inklings_desktop.domain.entries.proposals import ProposalKind, ProposalState
from inklings_desktop.domain.errors import ConflictError, ScopeDeniedError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import (
    Curator,
    MemoryAction,
    MemoryEntry,
    MemoryVersion,
    Tier,
    checked_lifetime,
)
from inklings_desktop.domain.rooms.conversation import (
    Channel,
    Conversation,
    ConversationState,
    WorkingNote,
)
from inklings_desktop.domain.rooms.messages import MessageRole
from inklings_desktop.usecases.transfer.sample_entries import account_age
from inklings_desktop.usecases.transfer.sample_world import SampleWorldLoaded
from tests.support.asking import asked_by
from tests.support.builders import NOON, a_person, an_agent
from tests.support.dumps import logical_dump
from tests.support.fake_embedder import FakeEmbedder
from tests.support.sqlite_store import SqliteWorld, sqlite_world

RESOURCE = Path(__file__).parents[2] / "resources" / "sample_world.json"


@dataclass(frozen=True)
class Held:
    """What one file holds, by id; a workspace's has rooms, too."""

    memories: Mapping[str, MemoryEntry]
    versions: Mapping[str, tuple[MemoryVersion, ...]]
    channels: Mapping[str, Channel]
    conversations: Mapping[str, Conversation]


class Sample:
    """A data root and what the sample world makes of it."""

    def __init__(self, world: SqliteWorld) -> None:
        self.world = world
        self.document: dict[str, Any] = json.loads(RESOURCE.read_text(encoding="utf-8"))
        self.embedder = FakeEmbedder()

    def load(self, caller: Caller) -> SampleWorldLoaded:
        asked = asked_by(caller, self.world, embedder=self.embedder)
        self.loaded = asked.transfer.load_sample_world(self.document)
        self.main_id = self.loaded.workspace.id
        return self.loaded

    def held(self, workspace_id: str | None) -> Held:
        memories = {one.id: one for one in self.world.memories(workspace_id)}
        with self.world.store.read(workspace_id) as view:
            versions = {id_: view.memories.history(id_) for id_ in memories}
            if workspace_id is None:
                return Held(memories, versions, {}, {})
            channels = view.conversations.channels(include_archived=True)
            rooms = view.conversations.conversations(channel_id=None, include_archived=True)
        by_id = {one.id: one for one in channels}, {one.id: one for one in rooms}
        return Held(memories, versions, *by_id)

    @property
    def main(self) -> Held:
        return self.held(self.main_id)

    @property
    def notes(self) -> tuple[WorkingNote, ...]:
        with self.world.store.read(self.main_id) as view:
            return view.notes.notes(list(self.main.conversations))


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Sample]:
    with sqlite_world(tmp_path, workspace_ids=()) as world:
        yield Sample(world)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sample]:
    """What it makes of an empty one; it is only looked at."""
    with sqlite_world(tmp_path_factory.mktemp("sample"), workspace_ids=()) as world:
        made = Sample(world)
        made.load(a_person())
        yield made


def test_every_memory_channel_conversation_and_note_is_there(sample: Sample) -> None:
    main, account = sample.main, sample.held(None)
    entries = [*main.memories.values(), *account.memories.values()]
    assert Counter(entry.scope.tier for entry in entries) == {
        Tier.CONVERSATION: 24,
        Tier.CHANNEL: 34,
        Tier.WORKSPACE: 43,
        Tier.ACCOUNT: 18,
    }
    assert sample.loaded.n_memories == len(entries) == 119
    assert len(sample.notes) == 10
    assert len(main.channels) == 6
    assert Counter(one.state for one in main.conversations.values()) == {
        ConversationState.ACTIVE: 1,
        ConversationState.IDLE: 6,
        ConversationState.ARCHIVED: 2,
    }
    n_embedded = sum(entry.embedding_model is not None for entry in entries)
    assert sample.loaded.n_embedded == n_embedded == 109
    assert {entry.scope.tier for entry in account.memories.values()} == {Tier.ACCOUNT}


def test_what_is_loaded_breaks_no_rule(sample: Sample) -> None:
    main = sample.main
    for file in (main, sample.held(None)):
        for entry in file.memories.values():
            assert checked_lifetime(entry.lifetime, entry.scope.tier) is entry.lifetime
            assert entry.locked is (entry.curator is Curator.AUTHOR)
            assert entry.created_at <= NOON
            assert entry.accessed_at is None or entry.created_at <= entry.accessed_at <= NOON
            assert (entry.access_count > 0) is (entry.accessed_at is not None)
            assert len(file.versions.get(entry.id, ())) == entry.version - 1
            if entry.scope.tier is Tier.CONVERSATION:
                assert entry.scope.key in main.conversations
            if entry.scope.tier is Tier.CHANNEL:
                assert entry.scope.key in main.channels
            if entry.scope.tier is Tier.ACCOUNT:
                assert (entry.source_conversation, entry.derived_from) == (None, ())
            elif entry.source_conversation is not None:
                assert entry.source_conversation in main.conversations
    assert {one.conversation_id for one in sample.notes} <= set(main.conversations)


def test_times_are_shifted_to_look_freshly_used(sample: Sample) -> None:
    files = {True: sample.held(None), False: sample.main}
    as_of = datetime.fromisoformat(sample.document["as_of"])
    for one in sample.document["memories"]:
        file = files[one["tier"] == "account"]
        age = as_of - datetime.fromisoformat(one["created_at"])
        assert file.memories[one["id"]].created_at == NOON - age
        assert age >= timedelta(0)


def test_the_order_of_writing_follows_the_age(sample: Sample) -> None:
    for workspace_id in (sample.main_id, None):
        instants = [one.created_at for one in sample.world.memories(workspace_id)]
        assert instants == sorted(instants)


def test_histories_are_told_as_far_as_known(sample: Sample) -> None:
    actions = Counter(
        version.action
        for file in (sample.main, sample.held(None))
        for versions in file.versions.values()
        for version in versions
    )
    assert actions == {
        MemoryAction.EDITED: 1,
        MemoryAction.CONFIRMED: 1,
        MemoryAction.REWEIGHTED: 1,
    }


def test_the_other_workspaces_are_empty_but_usable(sample: Sample) -> None:
    others = [one.id for one in sample.world.directory.workspaces() if one.id != sample.main_id]
    assert len(others) == 2
    for file in map(sample.held, others):
        assert file.memories == {}
        assert [one.name for one in file.channels.values()] == ["general"]
    names = [one.name for one in sample.main.channels.values()]
    assert names.count("general") == 1


def test_without_a_model_everything_but_the_vectors_is_there(empty: Sample) -> None:
    empty.embedder.is_available = False
    result = empty.load(a_person())
    assert (result.n_memories, result.n_embedded) == (119, 0)


def test_it_is_loaded_only_into_an_empty_data_root(empty: Sample) -> None:
    empty.load(a_person())
    files = [empty.world.path(one) for one in (None, empty.main_id)]
    before = [logical_dump(one, without=()) for one in files]
    with pytest.raises(ConflictError):
        empty.load(a_person())
    assert [logical_dump(one, without=()) for one in files] == before
    assert len(empty.world.directory.workspaces()) == 3


def test_an_agent_does_not_load_it(empty: Sample) -> None:
    with pytest.raises(ScopeDeniedError):
        empty.load(an_agent(tiers=tuple(Tier)))
    assert empty.world.directory.workspaces() == ()


def test_the_named_entries_come_with_the_revisions_whose_text_is_told(sample: Sample) -> None:
    told = {one["name"]: one for one in sample.document["named_entries"]}
    entries = sample.world.person.entries.list(sample.main_id)
    assert [one.name for one in entries] == [
        "VOICE",
        "WORLDBUILDING_PRINCIPLES",
        "SOUL",
        "RESEARCH_STYLE",
    ]
    for entry in entries:
        assert entry.body == told[entry.name]["body"]
        assert (entry.curator, entry.is_template) == (Curator.AUTHOR, False)
        with sample.world.store.read(entry.workspace_id) as view:
            numbers = {one.number for one in view.entries.revisions(entry.id)}
            last = view.entries.revision(entry.id, entry.version)
        assert numbers == set(range(1, entry.version + 1))
        assert (last.body, last.saved_at) == (entry.body, entry.edited_at)
    assert [one.version for one in entries] == [3, 1, 2, 1]
    with sample.world.store.read(sample.main_id) as view:
        second = view.entries.revision(entries[0].id, 2)
    assert second.body == told["VOICE"]["previous_body"]


def test_the_other_workspaces_have_the_template_of_voice(sample: Sample) -> None:
    for workspace in sample.world.directory.workspaces():
        voice = sample.world.person.entries.list(workspace.id)[0]
        assert voice.is_template is (workspace.id != sample.main_id)
        assert voice.created_at == workspace.created_at


def test_the_account_is_as_old_as_its_first_named_entry(sample: Sample) -> None:
    document = sample.document
    as_of = datetime.fromisoformat(document["as_of"])
    soul = next(one for one in document["named_entries"] if one["name"] == "SOUL")
    assert as_of - account_age(document) == datetime.fromisoformat(soul["created_at"])


def test_it_has_clients_proposals_and_golden_questions_about_what_is_there(sample: Sample) -> None:
    main = sample.main
    with sample.world.store.read(None) as view:
        clients = {one.name: one for one in view.clients.clients()}
    with sample.world.store.read(sample.main_id) as view:
        waiting = view.proposals.proposals(states=tuple(ProposalState))
        entries = {one.id: one for one in view.entries.entries()}
        questions = view.golden.questions()
    told = {one["name"]: one for one in sample.document["clients"]}
    assert set(clients) == set(told)
    agent = clients[WORLD_AGENT]
    assert agent.kind is ClientKind.WORLD_AGENT
    assert Right(Tier.WORKSPACE, sample.main_id, Action.WRITE) in agent.rights
    assert clients["Dice Relay"].rights == frozenset()
    assert {one.kind for one in waiting} == {
        ProposalKind.NAMED_BODY, ProposalKind.MEMORY_EDIT, ProposalKind.MEMORY_FORGET
    }  # fmt: skip
    for one in waiting:
        target = entries.get(one.target_id) or main.memories[one.target_id]
        assert target.version == one.base_version
        assert one.client in told
        assert one.text != getattr(target, "body", "") or one.kind is ProposalKind.MEMORY_FORGET
    assert len(questions) == len(sample.document["golden_questions"]) == 3
    for question in questions:
        assert {main.memories[id_].scope for id_ in question.must} == {question.scope}


def test_it_shows_a_talk_that_happened_and_its_log(sample: Sample) -> None:
    main = sample.main
    talk = next(one for one in main.conversations.values() if one.title == "The toll at Wend Gate")
    with sample.world.store.read(sample.main_id) as view:
        said = view.messages.page(talk.id, None, 100)
        events = view.events.latest(1_000)[::-1]
    assert [one.role for one in said] == [MessageRole.USER, MessageRole.ASSISTANT] * 5
    assert all(one.created_at <= NOON for one in said)
    parts = [part for one in said for part in json.loads(one.parts_json)]
    touched = [one for part in parts if part["kind"] == "tool" for one in part["touched"]]
    assert {one["how"] for one in touched} == {"read", "written"}
    for one in touched:
        assert main.memories[one["id"]].content[:250] == one["excerpt"]
        told = "".join(part["text"] for part in parts if part["kind"] == "text")
        assert one["how"] == "written" or f"memory:{one['tier']}/{one['id']}" in told
    kinds = Counter(one.kind for one in events)
    assert kinds[EventKind.CONVERSATION_STARTED] == len(main.conversations)
    assert kinds[EventKind.MEMORY_CREATED] > 0
    happened = [one.at for one in events if one.at is not None]
    assert happened == sorted(happened)


def test_no_conversation_of_it_is_one_that_the_clock_would_clear(sample: Sample) -> None:
    main = sample.main
    held = {one.scope.key for one in main.memories.values() if one.scope.tier is Tier.CONVERSATION}
    assert all(main.conversations[key].ended_at is None for key in held)
    assert not any(one.waits_for_review for one in main.conversations.values())
