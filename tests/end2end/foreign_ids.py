"""Every verb that takes an id, given ids that mean nothing in the workspace where it is asked."""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Self

from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memory import MemoryDraft, MemoryPatch, MemoryRef, ScopeKey
from inklings_desktop.usecases.memories.values import Edit, Reversion
from tests.end2end.readings import found_by, listed, said
from tests.end2end.worlds import NOTE_KEY, SHARED_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.bundle import Inklings
    from tests.end2end.worlds import World

SHORTENED = 8


@dataclass(frozen=True, slots=True)
class Ids:
    """One id of each kind."""

    workspace: str
    channel: str
    conversation: str
    ref_code: str
    memory: str

    @classmethod
    def of(cls, world: World) -> Self:
        """Ids that are in use, elsewhere."""
        room = world.conversations[0]
        memory = world.memories[-1]
        return cls(world.id, world.channels[1].id, room.id, room.ref_code, memory.id)

    @classmethod
    def unknown(cls) -> Self:
        """Ids that nothing has."""
        workspace, channel, conversation, memory = (str(uuid.uuid4()) for _ in range(4))
        return cls(workspace, channel, conversation, "zzzzzzzzzzz", memory)

    def hidden_in(self, text: str) -> str:
        """A text with the kinds of these ids in their place, whole or cut short."""
        for kind, value in asdict(self).items():
            text = text.replace(value, kind).replace(value[:SHORTENED], kind)
        return text


def answers(inklings: Inklings, caller: Caller, home: World, ids: Ids) -> Iterator[tuple[str, str]]:
    """Every such verb by name, with what it says; the ids themselves are left out of it."""
    for verb, call in _attempts(inklings, caller, home, ids):
        yield ids.hidden_in(verb), ids.hidden_in(said(call))


def _attempts(
    inklings: Inklings, caller: Caller, home: World, ids: Ids
) -> Iterator[tuple[str, Callable[[], object]]]:
    scopes = [
        ScopeKey.channel(home.id, ids.channel),
        ScopeKey.conversation(home.id, ids.conversation),
    ]
    if caller.is_agent:  # a person may look into any workspace, by asking there
        scopes += [
            ScopeKey.workspace(ids.workspace),
            ScopeKey.channel(ids.workspace, ids.channel),
            ScopeKey.conversation(ids.workspace, ids.conversation),
        ]
    for scope in scopes:
        yield f"search {scope}", partial(found_by, inklings, caller, [scope], SHARED_WORDS)
        yield f"browse {scope}", partial(_rows, inklings, caller, scope)
        yield f"facets {scope}", partial(inklings.as_caller(caller).listing.facets, [scope])
        yield f"notes {scope}", partial(inklings.as_caller(caller).notes.list, [scope])
        yield (
            f"put {scope}",
            partial(inklings.as_caller(caller).memories.put, MemoryDraft(scope, "Mine.")),
        )
    for scope in (*scopes, *home.own_scopes):
        ref = MemoryRef(scope, ids.memory)
        for verb, call in _memory_attempts(inklings, caller, ref):
            yield f"{verb} {scope}", call
    workspaces = {home.id, ids.workspace} if caller.is_agent else {home.id}
    for workspace_id in sorted(workspaces, key=home.id.__ne__):
        for verb, call in _workspace_attempts(inklings, caller, workspace_id, ids):
            yield f"{verb} {workspace_id}", call


def _rows(inklings: Inklings, caller: Caller, scope: ScopeKey) -> list[object]:
    return [page.entries for page in listed(inklings, caller, [scope])]


def _memory_attempts(
    inklings: Inklings, caller: Caller, ref: MemoryRef
) -> Iterator[tuple[str, Callable[[], object]]]:
    mine, patch = inklings.as_caller(caller), MemoryPatch(content="Mine.")
    yield "show", partial(mine.listing.show, ref)
    yield (
        "update",
        partial(mine.memories.update, ref, patch, expected_version=1),
    )
    yield "change", partial(mine.memories.change, [ref], add_tags=["mine"])
    yield "forget", partial(mine.memories.forget, [ref])
    yield "restore", partial(mine.memories.restore, [ref])
    yield "confirm", partial(mine.memories.confirm, [ref])
    for mark in MemoryMark:
        yield (
            f"mark {mark.value}",
            partial(mine.memories.mark, [ref], mark, on=True),
        )
    yield "edit each", partial(mine.memories.edit_each, [Edit(ref, patch, 1)])
    yield "revert", partial(mine.memories.revert, [Reversion(ref, 1, 1)])
    yield (
        "version",
        partial(mine.memories.restore_version, ref, 1, expected_version=1),
    )
    yield "copy", partial(mine.memories.copy, ref, ScopeKey.account())


def _workspace_attempts(
    inklings: Inklings, caller: Caller, workspace_id: str, ids: Ids
) -> Iterator[tuple[str, Callable[[], object]]]:
    mine = inklings.as_caller(caller)
    draft = MemoryDraft(
        ScopeKey.workspace(workspace_id), "Mine.", source_conversation=ids.conversation
    )
    yield "put from", partial(mine.memories.put, draft)
    yield (
        "locate",
        partial(mine.listing.locate, ids.memory[:SHORTENED], workspace_id),
    )
    yield "start", partial(mine.conversations.start, workspace_id, channel=ids.channel)
    yield "rename channel", partial(mine.channels.rename, workspace_id, ids.channel, "mine")
    yield "archive channel", partial(mine.channels.archive, workspace_id, ids.channel)
    yield "conversations", partial(mine.places.conversations, workspace_id, channel=ids.channel)
    for key in (ids.conversation, ids.ref_code):
        yield f"open {key}", partial(mine.conversations.get, workspace_id, key)
        yield (
            f"idle {key}",
            partial(mine.conversations.idle, workspace_id, key, summary="All is mine"),
        )
        yield f"archive {key}", partial(mine.conversations.archive, workspace_id, key, force=True)
        yield f"read note {key}", partial(mine.notes.read, workspace_id, key, NOTE_KEY)
        yield f"write note {key}", partial(mine.notes.write, workspace_id, key, NOTE_KEY, "mine")
        yield f"clear notes {key}", partial(mine.notes.clear, workspace_id, key)
