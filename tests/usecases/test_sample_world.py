from __future__ import annotations

import json
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.acp_wire.words import WORLD_AGENT
from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.access.clients import ClientKind, Right
from inklings_desktop.domain.entries.proposals import ProposalKind
from inklings_desktop.domain.errors import ConflictError, ScopeDeniedError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Curator, MemoryAction, Tier, checked_lifetime
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.domain.rooms.messages import MessageRole
from inklings_desktop.usecases.transfer.sample_entries import account_age
from tests.support.asking import asked_by
from tests.support.builders import NOON, FixedClock, SeededIds, a_person, an_agent
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fakes import FakePublisher, FakeStore, FakeWorkspaceDirectory

if TYPE_CHECKING:
    from inklings_desktop.usecases.transfer.sample_world import SampleWorldLoaded

RESOURCE = Path(__file__).parents[2] / "resources" / "sample_world.json"


class SampleWorld:
    """An empty data root and what the sample world makes of it."""

    def __init__(self, embedder: FakeEmbedder | None = None) -> None:
        self.document: dict[str, Any] = json.loads(RESOURCE.read_text(encoding="utf-8"))
        self.store = FakeStore(FakePublisher())
        self.directory = FakeWorkspaceDirectory(self.store)
        self.clock, self.new_id = FixedClock(), SeededIds()
        self.embedder = embedder or FakeEmbedder()

    def load(self, caller: Caller) -> SampleWorldLoaded:
        return asked_by(caller, self).transfer.load_sample_world(self.document)

    def loaded(self) -> SampleWorldLoaded:
        return self.load(a_person())


def test_every_memory_channel_conversation_and_note_is_there() -> None:
    sample = SampleWorld()
    result = sample.loaded()
    main, account = sample.store.files[result.workspace.id], sample.store.files[None]
    entries = [*main.memories.values(), *account.memories.values()]
    assert Counter(entry.scope.tier for entry in entries) == {
        Tier.CONVERSATION: 24,
        Tier.CHANNEL: 34,
        Tier.WORKSPACE: 43,
        Tier.ACCOUNT: 18,
    }
    assert result.n_memories == len(entries) == 119
    assert len(main.notes) == 10
    assert len(main.channels) == 6
    assert Counter(one.state for one in main.conversations.values()) == {
        ConversationState.ACTIVE: 1,
        ConversationState.IDLE: 6,
        ConversationState.ARCHIVED: 2,
    }
    assert result.n_embedded == sum(entry.embedding_model is not None for entry in entries) == 109
    assert {entry.scope.tier for entry in account.memories.values()} == {Tier.ACCOUNT}


def test_what_is_loaded_breaks_no_rule() -> None:
    sample = SampleWorld()
    result = sample.loaded()
    main = sample.store.files[result.workspace.id]
    for file in (main, sample.store.files[None]):
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
    assert {one.conversation_id for one in main.notes.values()} <= set(main.conversations)


def test_times_are_shifted_to_look_freshly_used() -> None:
    sample = SampleWorld()
    result = sample.loaded()
    as_of = datetime.fromisoformat(sample.document["as_of"])
    for one in sample.document["memories"]:
        file = sample.store.files[None if one["tier"] == "account" else result.workspace.id]
        age = as_of - datetime.fromisoformat(one["created_at"])
        assert file.memories[one["id"]].created_at == NOON - age
        assert age >= timedelta(0)


def test_the_order_of_writing_follows_the_age() -> None:
    sample = SampleWorld()
    result = sample.loaded()
    for workspace_id in (result.workspace.id, None):
        entries = sorted(
            sample.store.files[workspace_id].memories.values(), key=lambda one: one.sequence
        )
        instants = [one.created_at for one in entries]
        assert instants == sorted(instants)


def test_histories_are_told_as_far_as_known() -> None:
    sample = SampleWorld()
    sample.loaded()
    actions = Counter(
        version.action
        for file in sample.store.files.values()
        for versions in file.versions.values()
        for version in versions
    )
    assert actions == {
        MemoryAction.EDITED: 1,
        MemoryAction.CONFIRMED: 1,
        MemoryAction.REWEIGHTED: 1,
    }


def test_the_other_workspaces_are_empty_but_usable() -> None:
    sample = SampleWorld()
    result = sample.loaded()
    others = [one for one in sample.directory.workspaces() if one.id != result.workspace.id]
    assert len(others) == 2
    for workspace in others:
        file = sample.store.files[workspace.id]
        assert file.memories == {}
        assert [one.name for one in file.channels.values()] == ["general"]
    names = [one.name for one in sample.store.files[result.workspace.id].channels.values()]
    assert names.count("general") == 1


def test_without_a_model_everything_but_the_vectors_is_there() -> None:
    sample = SampleWorld(FakeEmbedder(is_available=False))
    result = sample.loaded()
    assert (result.n_memories, result.n_embedded) == (119, 0)


def test_it_is_loaded_only_into_an_empty_data_root() -> None:
    sample = SampleWorld()
    sample.loaded()
    before = {key: file.copy() for key, file in sample.store.files.items()}
    with pytest.raises(ConflictError):
        sample.loaded()
    assert sample.store.files == before


def test_an_agent_does_not_load_it() -> None:
    sample = SampleWorld()
    with pytest.raises(ScopeDeniedError):
        sample.load(an_agent(tiers=tuple(Tier)))
    assert sample.directory.workspaces() == ()


def test_the_named_entries_come_with_the_revisions_whose_text_is_told() -> None:
    sample = SampleWorld()
    main = sample.loaded().workspace
    told = {one["name"]: one for one in sample.document["named_entries"]}
    entries = asked_by(a_person(), sample).entries.list(main.id)
    assert [one.name for one in entries] == [
        "VOICE",
        "WORLDBUILDING_PRINCIPLES",
        "SOUL",
        "RESEARCH_STYLE",
    ]
    for entry in entries:
        assert entry.body == told[entry.name]["body"]
        assert (entry.curator, entry.is_template) == (Curator.AUTHOR, False)
        revisions = sample.store.files[entry.workspace_id].revisions[entry.id]
        assert [one.number for one in revisions] == list(range(1, entry.version + 1))
        assert (revisions[-1].body, revisions[-1].saved_at) == (entry.body, entry.edited_at)
    assert [one.version for one in entries] == [3, 1, 2, 1]
    voice = sample.store.files[main.id].revisions[entries[0].id]
    assert voice[1].body == told["VOICE"]["previous_body"]


def test_the_other_workspaces_have_the_template_of_voice() -> None:
    sample = SampleWorld()
    main = sample.loaded().workspace
    for workspace in sample.directory.workspaces():
        voice = asked_by(a_person(), sample).entries.list(workspace.id)[0]
        assert voice.is_template is (workspace.id != main.id)
        assert voice.created_at == workspace.created_at


def test_the_account_is_as_old_as_its_first_named_entry() -> None:
    document = SampleWorld().document
    as_of = datetime.fromisoformat(document["as_of"])
    soul = next(one for one in document["named_entries"] if one["name"] == "SOUL")
    assert as_of - account_age(document) == datetime.fromisoformat(soul["created_at"])


def test_it_has_clients_proposals_and_golden_questions_about_what_is_there() -> None:
    sample = SampleWorld()
    main_id = sample.loaded().workspace.id
    main, account = sample.store.files[main_id], sample.store.files[None]
    told = {one["name"]: one for one in sample.document["clients"]}
    assert set(account.clients) == set(told)
    agent = account.clients[WORLD_AGENT]
    assert agent.kind is ClientKind.WORLD_AGENT
    assert Right(Tier.WORKSPACE, main_id, Action.WRITE) in agent.rights
    assert account.clients["Dice Relay"].rights == frozenset()
    waiting = list(main.proposals.values())
    assert {one.kind for one in waiting} == {
        ProposalKind.NAMED_BODY, ProposalKind.MEMORY_EDIT, ProposalKind.MEMORY_FORGET
    }  # fmt: skip
    for one in waiting:
        target = main.entries.get(one.target_id) or main.memories[one.target_id]
        assert target.version == one.base_version
        assert one.client in told
        assert one.text != getattr(target, "body", "") or one.kind is ProposalKind.MEMORY_FORGET
    assert len(main.questions) == len(sample.document["golden_questions"]) == 3
    for question in main.questions.values():
        assert {main.memories[id_].scope for id_ in question.must} == {question.scope}


def test_it_shows_a_talk_that_happened_and_its_log() -> None:
    sample = SampleWorld()
    main = sample.store.files[sample.loaded().workspace.id]
    talk = next(one for one in main.conversations.values() if one.title == "The toll at Wend Gate")
    said = main.messages[talk.id]
    assert [one.role for one in said] == [MessageRole.USER, MessageRole.ASSISTANT] * 5
    assert all(one.created_at <= NOON for one in said)
    parts = [part for one in said for part in json.loads(one.parts_json)]
    touched = [one for part in parts if part["kind"] == "tool" for one in part["touched"]]
    assert {one["how"] for one in touched} == {"read", "written"}
    for one in touched:
        assert main.memories[one["id"]].content[:250] == one["excerpt"]
        told = "".join(part["text"] for part in parts if part["kind"] == "text")
        assert one["how"] == "written" or f"memory:{one['tier']}/{one['id']}" in told
    kinds = Counter(one.kind for one in main.events)
    assert kinds[EventKind.CONVERSATION_STARTED] == len(main.conversations)
    assert kinds[EventKind.MEMORY_CREATED] > 0
    happened = [one.at for one in main.events if one.at is not None]
    assert happened == sorted(happened)


def test_no_conversation_of_it_is_one_that_the_clock_would_clear() -> None:
    sample = SampleWorld()
    main = sample.store.files[sample.loaded().workspace.id]
    held = {one.scope.key for one in main.memories.values() if one.scope.tier is Tier.CONVERSATION}
    assert all(main.conversations[key].ended_at is None for key in held)
    assert not any(one.waits_for_review for one in main.conversations.values())
