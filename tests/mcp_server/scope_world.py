"""The world that the scope matrix is tried in: a marker in every scope, rooms of every sort."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.access.clients import ClientKind, Right
from inklings_desktop.domain.entries.named_entry import checked_body
from inklings_desktop.domain.knowledge.domains import BUILT_IN_ROLES, Permission
from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memory import Derivation, MemoryDraft, ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import Conversation, ConversationState, new_ref_code
from inklings_desktop.domain.rooms.messages import MessageDraft, MessageRole
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.usecases.knowledge.values import FactDraft
from inklings_desktop.usecases.scrubbing.scrub_asking import ScrubPlace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.scrub.scrub_request import ScrubFigures
    from tests.mcp_server.agent_door import AgentDoor
    from tests.mcp_server.scope_table import Column

CLIENT = "prober"
FOLDER = "folder of {}"
KEEPER = "keeper"
CANON, SECRETS = "Canon", "Secrets"
SKILL = "tides"
"""A skill of the workspace: without one nobody is shown the tools for skills."""
UNKNOWN_ID = "0b6f7c52-0000-4000-8000-00000000dead"
WINDOW = "3d0f9a52-0000-4000-8000-000000000001"
EVERYTHING = frozenset(Action) - {Action.MANAGE}

MARKS = {
    "workspace": "Markworkspace",
    "account": "Markaccount",
    "own channel": "Markmaproom",
    "foreign channel": "Markattic",
    "left channel": "Markcellar",
    "own conversation": "Markmine",
    "foreign conversation": "Marktheirs",
    "private": "Markprivate",
    "elsewhere": "Markelsewhere",
    "forgotten": "Markforgotten",
    "VOICE": "Markvoice",
    "SOUL": "Marksoul",
    "note": "Marknote",
    "page": "Markpage",
    "page elsewhere": "Markforeignpage",
}


@dataclass(frozen=True, slots=True)
class ScopeWorld:
    """One client before one set of grants.

    Attributes:
        door: The data root.
        here: The workspace that the client is bound to.
        elsewhere: Another one.
        channels: ``own`` and ``foreign``.
        conversations: Rooms by name: ``own``, ``foreign``, and some more of the client's own.
    """

    door: AgentDoor
    here: str
    elsewhere: str
    channels: dict[str, str]
    conversations: dict[str, str]
    _numbers: Iterator[int] = field(default_factory=count)

    @property
    def keeper(self) -> Caller:
        """Another client, which may do everything: what it writes is agent-made."""
        places: list[tuple[Tier, str | None]] = [(Tier.ACCOUNT, None)]
        places += [(tier, self.here) for tier in (Tier.CONVERSATION, Tier.CHANNEL, Tier.WORKSPACE)]
        grants = tuple(Grant(tier, place, EVERYTHING) for tier, place in places)
        return Caller(CallerKind.AGENT, KEEPER, Door.MCP, grants)

    def room(self, tier: str, place: str) -> str:
        """Id of a conversation or channel; one that nothing has for ``unknown``."""
        rooms = self.channels if tier == "channel" else self.conversations
        return rooms.get(place, UNKNOWN_ID)

    def scope(self, tier: str, place: str = "own") -> ScopeKey:
        """The scope key of a tier."""
        match tier:
            case "account":
                return ScopeKey.account()
            case "workspace":
                return ScopeKey.workspace(self.here)
            case "channel":
                return ScopeKey.channel(self.here, self.room(tier, place))
            case _:
                return ScopeKey.conversation(self.here, self.room(tier, place))

    def memory(self, tier: str, place: str = "own", **values: Any) -> MemoryEntry:
        """A fresh agent-made memory, to be changed or forgotten."""
        name = tier if tier in MARKS else f"{place} {tier}"
        mark = MARKS["private" if "private_to" in values else name]
        text = f"{mark}, thing {next(self._numbers)} to change."
        draft = MemoryDraft(self.scope(tier, place), text, **values)
        return self.door.inklings.as_caller(self.keeper).memories.put(draft)

    def of_author(self, *, locked: bool = False) -> MemoryEntry:
        """A fresh memory that the author wrote, or one of an agent's that the author locked."""
        inklings = self.door.inklings
        if not locked:
            text = f"{MARKS['workspace']}, thing {next(self._numbers)} of the author's."
            draft = MemoryDraft(self.scope("workspace"), text)
            return inklings.memories.put(draft)
        entry = self.memory("workspace")
        (locked_one,) = inklings.memories.mark([entry.ref], MemoryMark.LOCKED, on=True)
        return locked_one

    def fact(self, domain: str) -> str:
        """A fresh fact of the author's, under a topic of its own."""
        number = next(self._numbers)
        said = f"{MARKS['workspace']}, fact {number} says the marker."
        draft = FactDraft(domain, f"topic {number}", said)
        return self.door.inklings.facts.put(self.here, draft).fact.memory.id

    def retcon(self, *, of_author: bool) -> str:
        """A fresh memory from a page of its own that says something else now."""
        inklings, number = self.door.inklings, next(self._numbers)
        page = self.door.inklings.data_dir.parent / FOLDER.format(MARKS["page"]) / f"{number}.md"
        _save(page, f"{MARKS['page']} said the marker once, {number}. ^m")
        inklings.world.look(self.here)
        draft = MemoryDraft(
            self.scope("workspace"),
            f"{MARKS['workspace']}, thing {number} from a page.",
            derived_from=(Derivation(f"{page.name}^m"),),
        )
        asked = inklings if of_author else inklings.as_caller(self.keeper)
        asked.memories.put(draft)
        _save(page, f"{MARKS['page']} says something else by now, {number}. ^m")
        inklings.world.look(self.here)
        return inklings.derivations.retcons(self.here)[0].retcon.id

    def ran(self, place: str) -> None:
        """An answer that tells of a tool, so that its conversation has run state to purge."""
        draft = MessageDraft(MessageRole.ASSISTANT, '[{"kind":"tool","id":"1"}]', "t1")
        self.door.inklings.messages.append(self.here, self.room("conversation", place), draft)

    def counted(self, tier: str, place: str, mode: str) -> ScrubFigures:
        """A dry run under the name of the client, whatever it was granted."""
        scope = self.scope(tier, place)
        grant = Grant(scope.tier, scope.workspace_id, EVERYTHING)
        caller = Caller(CallerKind.AGENT, CLIENT, Door.MCP, (grant,))
        room = None if tier in {"workspace", "account"} else scope.key
        return self.door.inklings.as_caller(caller).scrub.count(
            ScrubPlace(self.here, scope.tier, room), ScrubMode(mode)
        )


def scope_world(door: AgentDoor, column: Column) -> ScopeWorld:
    """Rooms, markers and the grants of one column."""
    inklings, here = door.inklings, door.workspace.id
    elsewhere = inklings.workspaces.create("Elsewhere").id
    channels = {
        "own": inklings.channels.create(here, "map-room").id,
        "foreign": inklings.channels.create(here, "attic").id,
        "left": inklings.channels.create(here, "cellar").id,
        "elsewhere": inklings.channels.create(elsewhere, "map-room").id,
    }
    names = ("own", "second", "third", "fourth", "fifth")
    rooms = {name: _room(door, channels["own"], CLIENT) for name in names}
    rooms["foreign"] = _room(door, channels["foreign"], KEEPER)
    rooms["away"] = _room(door, channels["left"], CLIENT)
    world = ScopeWorld(door, here, elsewhere, channels, rooms)
    places = {
        "workspace": world.scope("workspace"),
        "account": world.scope("account"),
        "own channel": world.scope("channel", "own"),
        "foreign channel": world.scope("channel", "foreign"),
        "left channel": world.scope("channel", "left"),
        "own conversation": world.scope("conversation", "own"),
        "foreign conversation": world.scope("conversation", "foreign"),
        "elsewhere": ScopeKey.workspace(elsewhere),
    }
    for name, scope in places.items():
        inklings.memories.put(MemoryDraft(scope, f"{MARKS[name]} says the marker."))
    private = MemoryDraft(
        world.scope("workspace"), f"{MARKS['private']} says the marker.", private_to=KEEPER
    )
    inklings.as_caller(world.keeper).memories.put(private)
    gone = MemoryDraft(world.scope("workspace"), f"{MARKS['forgotten']} says the marker.")
    inklings.memories.forget([inklings.memories.put(gone).ref])
    for name in ("VOICE", "SOUL"):
        entry = inklings.entries.find(here, name)
        body = checked_body(f"{MARKS[name]} speaks.")
        inklings.entries.save(entry.ref, body, expected_version=entry.version)
    agent = Caller(
        CallerKind.AGENT,
        KEEPER,
        Door.MCP,
        (Grant(Tier.CONVERSATION, here, frozenset({Action.READ, Action.WRITE})),),
    )
    for room in ("own", "away"):
        inklings.as_caller(agent).notes.write(here, rooms[room], "plan", MARKS["note"])
    inklings.conversations.archive(here, rooms["away"], force=True)
    for workspace_id, name in ((here, "page"), (elsewhere, "page elsewhere")):
        _link(door, workspace_id, name)
    inklings.skills.save(here, skill_files(SKILL))
    inklings.domains.create(here, CANON)
    inklings.domains.create(here, SECRETS, closed=True)
    for role in BUILT_IN_ROLES:
        inklings.domains.grant(here, role, CANON, Permission.WRITE)
    _grant(world, column)
    inklings.scrub.attend(WINDOW, is_open=True)
    return world


def skill_files(name: str) -> dict[str, str]:
    """The one file of a small skill."""
    return {"SKILL.md": f"---\nname: {name}\ndescription: Reads tides.\n---\nRead.\n"}


def _link(door: AgentDoor, workspace_id: str, name: str) -> None:
    """A folder with one page, both called after its marker."""
    mark, inklings = MARKS[name], door.inklings
    folder = inklings.data_dir.parent / FOLDER.format(mark)
    _save(folder / f"{mark}.md", f"# {mark}\n\nThe page says the marker.\n")
    inklings.world.link(workspace_id, folder)
    inklings.world.take_proposals(workspace_id, folder.name, allowed=True)
    inklings.world.look(workspace_id)


def _save(file: Path, text: str) -> None:
    """Save a page as if that had been done long ago."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    at = file.stat().st_mtime - 3_600
    os.utime(file, (at, at))


def _room(door: AgentDoor, channel_id: str, client: str) -> str:
    """A conversation in which a client takes part, whatever it may do there."""
    inklings = door.inklings
    store = inklings.parts.store
    with store.write(door.workspace.id, initiator=client) as unit:
        room = Conversation(
            inklings.parts.new_id(),
            new_ref_code(),
            channel_id,
            "",
            ConversationState.ACTIVE,
            inklings.clock(),
        )
        unit.conversations.add(room, [client])
        unit.commit()
    return room.id


def _grant(world: ScopeWorld, column: Column) -> None:
    inklings = world.door.inklings
    if column.name == "never seen before":
        return
    rights = {_right(one, world.here) for one in column.rights}
    rights |= {_right(one, world.elsewhere) for one in column.elsewhere}
    rights |= {_right(one, world.here, world.channels["foreign"]) for one in column.in_attic}
    kind = ClientKind(column.kind)
    if not rights:
        every = {_right(f"workspace:{action.value}", world.here) for action in EVERYTHING}
        inklings.clients.grant(CLIENT, every, kind=ClientKind.WORLD_AGENT)
        inklings.clients.revoke(CLIENT)
        return
    inklings.clients.grant(CLIENT, rights, kind=kind)


def _right(word: str, workspace_id: str, channel_id: str | None = None) -> Right:
    tier, _, action = word.partition(":")
    place = None if tier == "account" else workspace_id
    return Right(Tier(tier), place, Action(action), channel_id)
