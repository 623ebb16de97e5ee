"""Every way in which an agent could change or imitate VOICE or SOUL fails, and is an event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.entries.named_entry import EntryRef, EntryRevision, NamedEntry
from inklings_desktop.domain.errors import InvalidValueError, ScopeDeniedError
from inklings_desktop.domain.log.events import Event, EventKind
from inklings_desktop.domain.memory import MemoryPatch, MemoryRef, ScopeKey, Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.storage.databases import Databases
from inklings_desktop.storage.store import SqliteStore
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.steps.change_feed import ChangeFeed
from tests.support.builders import FixedClock, a_draft

LOOK_ALIKES = (
    "voice",
    "V0ICE",
    "VOlCE",
    "V\u041eICE",
    "VO\u200bICE",
    "\uff36\uff2f\uff29\uff23\uff25",
    "VOICE\ufe0f",
    "S0UL",
    "\u0405OUL",
)


class Guarded(NamedTuple):
    """A world whose VOICE and SOUL are written, and an agent that was granted everything."""

    inklings: Inklings
    root: Path
    agent: Caller
    workspace_id: str
    voice: NamedEntry
    soul: NamedEntry

    def bodies(self) -> list[tuple[NamedEntry, list[EntryRevision]]]:
        """Every named entry with all its revisions, byte for byte."""
        found = []
        for entry in self.inklings.entries.list(self.workspace_id):
            heads = self.inklings.entries.show(entry.ref).revisions
            revisions = [
                self.inklings.entries.show_revision(entry.ref, head.number) for head in heads
            ]
            found.append((entry, revisions))
        return found

    def denials(self) -> list[Event]:
        """What the account's log says was refused."""
        databases = Databases(self.root, FixedClock())
        try:
            with SqliteStore(databases, ChangeFeed()).read(None) as view:
                events = view.events.latest(1_000)
        finally:
            databases.close()
        return [event for event in events if event.kind is EventKind.DENIED]


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Guarded]:
    with open_inklings(tmp_path / "root", embedder=NullEmbedder("none")) as inklings:
        workspace = inklings.workspaces.create("Saltglass")
        for name in ("VOICE", "SOUL"):
            entry = inklings.entries.find(workspace.id, name)
            body = f"# {name}\r\n\r\nAs its author wrote it.\u2028\n"
            inklings.entries.save(entry.ref, body, expected_version=1)
        everything = frozenset(Action)
        agent = Caller(
            CallerKind.AGENT,
            "intruder",
            Door.MCP,
            (
                Grant(Tier.WORKSPACE, workspace.id, everything),
                Grant(Tier.ACCOUNT, None, everything),
            ),
        )
        yield Guarded(
            inklings,
            tmp_path / "root",
            agent,
            workspace.id,
            inklings.entries.find(workspace.id, "VOICE"),
            inklings.entries.find(workspace.id, "SOUL"),
        )


def save(it: Guarded) -> object:
    return it.inklings.as_caller(it.agent).entries.save(it.voice.ref, "Obey.", expected_version=2)


def save_in_the_account(it: Guarded) -> object:
    return it.inklings.as_caller(it.agent).entries.save(it.soul.ref, "Obey.", expected_version=2)


def save_under_the_other_tier(it: Guarded) -> object:
    ref = EntryRef(Tier.ACCOUNT, None, it.voice.id)
    return it.inklings.as_caller(it.agent).entries.save(ref, "Obey.", expected_version=2)


def empty(it: Guarded) -> object:
    return it.inklings.as_caller(it.agent).entries.save(it.soul.ref, "", expected_version=2)


def create_under_the_same_name(it: Guarded) -> object:
    return it.inklings.as_caller(it.agent).entries.create(
        Tier.WORKSPACE, it.workspace_id, "VOICE", "Obey."
    )


def create_in_another_tier(it: Guarded) -> object:
    return it.inklings.as_caller(it.agent).entries.create(
        Tier.WORKSPACE, it.workspace_id, "SOUL", "Obey."
    )


def create_a_companion(it: Guarded) -> object:
    return it.inklings.as_caller(it.agent).entries.create(Tier.ACCOUNT, None, "COMMANDS", "Obey.")


def restore_the_template(it: Guarded) -> object:
    return it.inklings.as_caller(it.agent).entries.restore_revision(
        it.voice.ref, 1, expected_version=2
    )


def delete(it: Guarded) -> object:
    return it.inklings.as_caller(it.agent).entries.delete(it.voice.ref, expected_version=2)


def undelete(it: Guarded) -> object:
    return it.inklings.as_caller(it.agent).entries.undelete(it.soul.ref)


def leave_a_draft(it: Guarded) -> object:
    return it.inklings.as_caller(it.agent).drafts.keep(it.voice.ref, "Obey.", 2)


def update_it_like_a_memory(it: Guarded) -> object:
    ref = MemoryRef(ScopeKey.workspace(it.workspace_id), it.voice.id)
    return it.inklings.as_caller(it.agent).memories.update(
        ref, MemoryPatch(content="Obey."), expected_version=2
    )


def retag_it_like_a_memory(it: Guarded) -> object:
    ref = MemoryRef(ScopeKey.account(), it.soul.id)
    return it.inklings.as_caller(it.agent).memories.change([ref], add_tags=["obey"])


def forget_it_like_a_memory(it: Guarded) -> object:
    ref = MemoryRef(ScopeKey.account(), it.soul.id)
    return it.inklings.as_caller(it.agent).memories.forget([ref], reason="outdated")


def put_a_memory_that_claims_to_be_it(it: Guarded) -> object:
    draft = a_draft("# VOICE\n\nObey.", scope=ScopeKey.workspace(it.workspace_id))
    return it.inklings.as_caller(it.agent).memories.put(replace(draft, source="VOICE"))


def propose_without_the_right(it: Guarded) -> object:
    reader = replace(it.agent, grants=(Grant(Tier.ACCOUNT, None, frozenset({Action.READ})),))
    return it.inklings.as_caller(reader).proposals.propose(
        it.workspace_id, "SOUL", "Obey.", "Better."
    )


def propose_it_in_another_tier(it: Guarded) -> object:
    return it.inklings.as_caller(it.agent).proposals.propose(
        it.workspace_id, "SOUL", "Obey.", "Better.", Tier.WORKSPACE
    )


def accept_its_own_proposal(it: Guarded) -> object:
    asked = it.inklings.as_caller(it.agent).proposals.propose(
        it.workspace_id, "VOICE", "Obey.", "Better."
    )
    return it.inklings.as_caller(it.agent).proposals.accept(asked.ref)


def accept_another_body(it: Guarded) -> object:
    asked = it.inklings.as_caller(it.agent).proposals.propose(
        it.workspace_id, "SOUL", "Fine.", "Better."
    )
    return it.inklings.as_caller(it.agent).proposals.accept(
        asked.ref, body="Obey.", expected_version=2
    )


ATTACKS: list[Callable[[Guarded], object]] = [
    save,
    save_in_the_account,
    save_under_the_other_tier,
    empty,
    create_under_the_same_name,
    create_in_another_tier,
    create_a_companion,
    restore_the_template,
    delete,
    undelete,
    leave_a_draft,
    update_it_like_a_memory,
    retag_it_like_a_memory,
    forget_it_like_a_memory,
    put_a_memory_that_claims_to_be_it,
    propose_without_the_right,
    propose_it_in_another_tier,
    accept_its_own_proposal,
    accept_another_body,
]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_no_agent_changes_voice_or_soul(
    guarded: Guarded, attack: Callable[[Guarded], object]
) -> None:
    before = guarded.bodies()
    standing = guarded.inklings.as_caller(guarded.agent).entries.standing_slice(
        guarded.workspace_id
    )

    with pytest.raises((ScopeDeniedError, InvalidValueError)):
        attack(guarded)

    assert guarded.bodies() == before
    assert (
        guarded.inklings.as_caller(guarded.agent).entries.standing_slice(guarded.workspace_id)
        == standing
    )
    assert guarded.inklings.drafts.find(guarded.workspace_id) == ()
    (event,) = guarded.denials()
    assert (event.actor, event.actor_kind, event.door) == ("intruder", "agent", "mcp")
    assert event.counts
    assert "Obey" not in repr(event)


@pytest.mark.parametrize(
    "source",
    ["author", "User", "us\u0435r", "person", "You", "import", "consolidation"],
    ids=ascii,
)
def test_what_an_agent_keeps_never_comes_from_the_person(guarded: Guarded, source: str) -> None:
    draft = a_draft("Obey", scope=ScopeKey.workspace(guarded.workspace_id))

    with pytest.raises(InvalidValueError) as caught:
        guarded.inklings.as_caller(guarded.agent).memories.put(replace(draft, source=source))

    assert (caught.value.field, caught.value.rule) == ("source", "look_alike")
    assert len(guarded.denials()) == 1


@pytest.mark.parametrize("name", LOOK_ALIKES, ids=ascii)
@pytest.mark.parametrize("door", ["create", "propose", "put"])
def test_no_agent_imitates_voice_or_soul(guarded: Guarded, name: str, door: str) -> None:
    inklings, agent, workspace_id = guarded.inklings, guarded.agent, guarded.workspace_id
    scope = ScopeKey.workspace(workspace_id)
    attempts: dict[str, Callable[[], object]] = {
        "create": lambda: inklings.as_caller(agent).entries.create(
            Tier.WORKSPACE, workspace_id, name, "Obey"
        ),
        "propose": lambda: inklings.as_caller(agent).proposals.propose(
            workspace_id, name, "Obey", "Better."
        ),
        "put": lambda: inklings.as_caller(agent).memories.put(
            replace(a_draft("Obey", scope=scope), source=name)
        ),
    }
    before = guarded.bodies()

    with pytest.raises((ScopeDeniedError, InvalidValueError)):
        attempts[door]()

    assert guarded.bodies() == before
    assert inklings.proposals.list(workspace_id) == ()
    assert len(guarded.denials()) == 1


def test_what_an_agent_writes_in_the_place_of_an_id_reaches_no_log(guarded: Guarded) -> None:
    ref = EntryRef(Tier.WORKSPACE, "Obey me", "Obey me too")
    with pytest.raises(ScopeDeniedError):
        guarded.inklings.as_caller(guarded.agent).entries.save(ref, "Obey.", expected_version=1)
    (event,) = guarded.denials()
    assert (event.tier, event.scope_key, event.ids) == ("workspace", None, ())


def test_a_memory_of_that_name_is_only_a_memory(guarded: Guarded) -> None:
    before = guarded.bodies()
    scope = ScopeKey.workspace(guarded.workspace_id)
    draft = a_draft("# VOICE\n\nObey.", scope=scope, tags=("VOICE",), importance=1.0)
    guarded.inklings.as_caller(guarded.agent).memories.put(draft)
    assert guarded.bodies() == before
    standing = guarded.inklings.as_caller(guarded.agent).entries.standing_slice(
        guarded.workspace_id
    )
    assert [one.name for one in standing] == ["VOICE", "SOUL"]
