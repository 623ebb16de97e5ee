"""What the Conversation page stands on: what was said, who may take part, what is not sent yet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import parts
from inklings_desktop.acp_wire.words import WORLD_AGENT
from inklings_desktop.agent_client.presets import agents
from inklings_desktop.agent_client.recording import answering, handed_over
from inklings_desktop.agent_client.rows import AttachmentBlock, text_of_turn
from inklings_desktop.agent_client.talk import new_turn
from inklings_desktop.agent_client.thread_state import turns_of
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.ui.kit.words.places import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inklings_desktop.agent_client.presets import Agent
    from inklings_desktop.agent_client.rows import Turn
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.conversation import Conversation
    from inklings_desktop.domain.rooms.messages import Allowance, Message
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.usecases.bundle import Inklings

PAGE = 50
_LARGEST_PAGE = 100
MANY = 500
"""Above so many turns the days of a conversation are listed."""
MOST_FOUND = 30


@dataclass(frozen=True, slots=True)
class ConversationContent:
    """A conversation as it is stored.

    Attributes:
        talk: It; None where there is none to show.
        channel: Name of its channel.
        n_notes: Working notes in it.
        messages: The latest, oldest first.
        has_earlier: Whether more was said before them.
        is_granted: Whether the author lets the agent that answers work here.
        author: The person's name.
        allowed: What the agent may do in it without asking again.
        agent: The agent of another maker that answers; None for the World Agent.
        agents: Every one that can be chosen beside it.
    """

    talk: Conversation | None = None
    channel: str = ""
    n_notes: int = 0
    messages: tuple[Message, ...] = ()
    has_earlier: bool = False
    is_granted: bool = True
    author: str = ""
    allowed: tuple[Allowance, ...] = ()
    agent: Agent | None = None
    agents: tuple[Agent, ...] = ()

    @property
    def has_days(self) -> bool:
        """Whether it is long enough for its days to be listed."""
        return bool(self.messages) and self.messages[-1].number > MANY

    @property
    def is_ended(self) -> bool:
        """Whether somebody ended it, and it may be taken up again."""
        return self.talk is not None and self.talk.is_over and not self.is_archived

    @property
    def is_archived(self) -> bool:
        """Whether nothing more is said in it."""
        return self.talk is not None and self.talk.state is ConversationState.ARCHIVED


def read_conversation(
    inklings: Inklings, workspace_id: str, conversation_id: str
) -> ConversationContent:
    """Everything the page shows of a conversation; runs on a reader.

    Raises:
        InklingsError: There is no such conversation, or it cannot be read.
    """
    author = inklings.settings.person_name
    if not conversation_id:
        return ConversationContent(author=author)
    talk = inklings.conversations.get(workspace_id, conversation_id)
    channel = inklings.channels.get(workspace_id, talk.channel_id)
    messages, has_earlier = inklings.messages.list(workspace_id, talk.id, limit=PAGE)
    notes = inklings.notes.list((ScopeKey.conversation(workspace_id, talk.id),))
    settings = inklings.settings.agent
    known = tuple(agents(settings.presets, inklings.data_dir))
    client = answering(messages) or settings.preset
    agent = next((one for one in known if client in {one.client, one.id}), None)
    return ConversationContent(
        talk,
        channel.name,
        len(notes),
        messages,
        has_earlier,
        _is_granted(inklings, workspace_id, agent),
        author,
        inklings.messages.allowances(workspace_id, talk.id),
        agent,
        known,
    )


@dataclass(frozen=True, slots=True)
class Earlier:
    """What was said before something else.

    Attributes:
        turns: As rows, oldest first.
        number: Of the first message.
        has_more: Whether more was said before it.
    """

    turns: tuple[Turn, ...]
    number: int
    has_more: bool


def read_earlier(
    inklings: Inklings,
    workspace_id: str,
    conversation_id: str,
    before: int,
    until: int | None = None,
) -> Earlier:
    """What was said before a message; runs on a reader.

    Args:
        inklings: The use cases.
        workspace_id: Where.
        conversation_id: In which conversation.
        before: Number of the message.
        until: Number of another one, which is among them as well; None: a page is enough.

    Raises:
        InklingsError: It cannot be read.
    """
    read, limit = inklings.messages.list, PAGE if until is None else _LARGEST_PAGE
    found: list[Message] = []
    first, has_more = before, True
    while has_more and (first == before or (until is not None and first > until)):
        page, has_more = read(workspace_id, conversation_id, before=first, limit=limit)
        if not page:
            break
        found = [*page, *found]
        first = page[0].number
    return Earlier(turns_of(told(found)), first, has_more)


def _is_granted(inklings: Inklings, workspace_id: str, other: Agent | None) -> bool:
    """Whether the agent may work in the workspace; another's, whether its program may start."""
    clients = inklings.clients.list(calls=0)
    if other is not None:
        rights = (
            one.client.rights_in(workspace_id) for one in clients if one.client.name == other.client
        )
        return other.command is not None and any(rights)
    agent = next((one.client for one in clients if one.client.name == WORLD_AGENT), None)
    if agent is None or agent.kind is not ClientKind.WORLD_AGENT:
        return False
    return any(
        one.tier is Tier.CONVERSATION and one.action is Action.WRITE
        for one in agent.rights_in(workspace_id)
    )


def let_agent_in(inklings: Inklings, workspace_id: str) -> None:
    """Let the World Agent work in a workspace, as the author's own.

    Raises:
        InklingsError: It could not be stored.
    """
    kind = ClientKind.WORLD_AGENT
    inklings.clients.grant(WORLD_AGENT, preset_rights(kind, workspace_id), kind=kind)


def let_other_in(inklings: Inklings, workspace_id: str, agent: Agent) -> None:
    """Agree to what another's agent is started as, and let it read a workspace.

    Raises:
        InklingsError: It could not be stored.
    """
    if agent.command is None:
        inklings.preferences.put_row("agent.presets", agent.confirmed().row())
    kind = ClientKind.EXTERNAL
    known = {one.client.name: one.client for one in inklings.clients.list(calls=0)}
    if agent.client not in known or not known[agent.client].rights_in(workspace_id):
        inklings.clients.grant(agent.client, preset_rights(kind, workspace_id), kind=kind)


def hand_over(
    inklings: Inklings,
    workspace_id: str,
    conversation_id: str,
    client: str,
    title: str,
    model: str = "",
) -> None:
    """Let an agent answer in a conversation from here on, and say so in it.

    Args:
        inklings: The use cases.
        workspace_id: Where.
        conversation_id: In which conversation.
        client: Of the agent.
        title: What is called so: the agent, or its model.
        model: As the agent names it; empty where it is the agent that changes.

    Raises:
        InklingsError: It could not be stored.
    """
    said = handed_over(new_turn(0), client, title, model)
    inklings.messages.keep_answer(workspace_id, conversation_id, client, said)


def told(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Stored messages as ``acp_wire.parts`` tells them."""
    return [
        {
            "id": one.id,
            "turn": one.turn,
            "role": one.role.value,
            "state": one.state.value,
            "parts": json.loads(one.parts_json),
            "client": one.client,
            "produced_by": one.produced_by.value,
            "at": one.created_at.isoformat(),
        }
        for one in messages
    ]


def found_memories(inklings: Inklings, here: Surroundings, text: str) -> Sequence[MemoryEntry]:
    """The memories that a text means, in every tier, the best first; runs on a reader.

    Raises:
        InklingsError: A tier cannot be searched.
    """
    from inklings_desktop.usecases.search.search_memories import SearchRequest

    best: dict[str, tuple[float, MemoryEntry]] = {}
    for tier in Tier:
        scopes = here.scopes(Place(tier))
        if not scopes:
            continue
        if not text.strip():
            page = inklings.listing.browse(scopes, limit=MOST_FOUND)
            best |= {one.id: (one.importance, one) for one in page.entries}
            continue
        request = SearchRequest(text, limit=MOST_FOUND, last_word_is_open=True)
        for hit in inklings.search.find(scopes, request).hits:
            best.setdefault(hit.entry.id, (hit.score, hit.entry))
    sought = text.casefold().split()

    def place(one: tuple[float, MemoryEntry]) -> tuple[bool, float]:
        """What says it comes before what means it: scores of two tiers do not compare."""
        score, entry = one
        says = all(word in entry.content.casefold() for word in sought)
        return not says, -score

    return [entry for _, entry in sorted(best.values(), key=place)[:MOST_FOUND]]


MEMORY_URI = "inklings://memory/"
TEXT_URI = "inklings://text/"
_MOST_TITLE = 120


@dataclass(frozen=True, slots=True)
class Attachment:
    """Something put to a message.

    Attributes:
        uri: Names it.
        title: What stands on its chip.
        text: Its words.
        tier: Of the memory that it is; empty for a text.
    """

    uri: str
    title: str
    text: str
    tier: str = ""

    @property
    def memory_id(self) -> str:
        """Id of the memory that it is; empty for a text."""
        return self.uri.rpartition("/")[2] if self.tier else ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A message that is being written."""

    text: str = ""
    attachments: tuple[Attachment, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it."""
        return not (self.text.strip() or self.attachments)

    def before(self, later: Draft) -> Draft:
        """Both as one message."""
        text = "\n\n".join(one for one in (self.text, later.text) if one)
        return Draft(text, tuple(dict.fromkeys((*self.attachments, *later.attachments))))

    def as_json(self) -> str:
        """It as it is kept until it is sent."""
        return json.dumps(self.said(), ensure_ascii=False)

    def said(self) -> list[dict[str, Any]]:
        """It as the parts of a message."""
        text = self.text.strip()
        found: list[dict[str, Any]] = [{"kind": parts.TEXT, "text": text}] if text else []
        found += [
            {"kind": parts.ATTACHMENT, "uri": one.uri, "title": one.title, "text": one.text}
            for one in self.attachments
        ]
        return found


def attached(entry: MemoryEntry) -> Attachment:
    """A memory as something attached."""
    title = " ".join(entry.content.split())[:_MOST_TITLE]
    tier = entry.scope.tier.value
    return Attachment(f"{MEMORY_URI}{tier}/{entry.id}", title, entry.content, tier)


def draft_of(said: Iterable[Mapping[str, Any]]) -> Draft:
    """A queued message, to be written on."""
    texts: list[str] = []
    found: list[Attachment] = []
    for part in said:
        if part.get("kind") == parts.TEXT:
            texts.append(str(part.get("text", "")))
        elif part.get("kind") == parts.ATTACHMENT:
            uri = str(part.get("uri", ""))
            is_memory = uri.startswith(MEMORY_URI)
            tier = uri.removeprefix(MEMORY_URI).partition("/")[0] if is_memory else ""
            text, title = str(part.get("text", "")), str(part.get("title", ""))
            found.append(Attachment(uri, title, text, tier))
    return Draft("\n\n".join(texts), tuple(found))


def asked_in(turn: Turn) -> Draft:
    """What the author said in a turn, to be asked again."""
    blocks = [one for one in turn.blocks if isinstance(one, AttachmentBlock)]
    return draft_of(
        [
            {"kind": parts.TEXT, "text": text_of_turn(turn)},
            *(
                {
                    "kind": parts.ATTACHMENT,
                    "uri": one.uri,
                    "title": one.title,
                    "text": one.text or "",
                }
                for one in blocks
            ),
        ]
    )
