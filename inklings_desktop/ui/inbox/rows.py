"""What waits in the Inbox and is said of it: rows of its list, questions, its row in the rail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.clients import ClientKind
from inklings_desktop.domain.entries.proposals import UNDECIDED, ProposalState
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import MemoryRef
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.lists.badge_list import AnyBadgeRow, BadgeHeading, BadgeRow
from inklings_desktop.ui.kit.look.translation import counted, grouped, quoted, tr
from inklings_desktop.ui.kit.ops.page_spec import RailMark
from inklings_desktop.ui.kit.words.entry_facts import (
    proposal_kind_label,
    proposal_reason,
    proposal_title,
)
from inklings_desktop.ui.kit.words.memory_facts import (
    name_of_writer,
    relative_age,
    spoken_age,
    tier_title,
)
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.kit.words.places import talk_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime, timedelta

    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.knowledge.could_be import CouldBeFact
    from inklings_desktop.domain.scrub.scrub_request import ScrubRequest
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.rooms.conversations import SilentConversation


SCRUB, KNOCK, SILENCE, COULD_BE = "scrub:", "client:", "silence:", "could_be:"
"""What ids of rows begin with that stand for no proposal."""


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that is no proposal, as its pane asks it; empty for none.

    Attributes:
        id: Of its row.
        icon: Before the title.
        title: What is asked.
        text: What follows from the answer.
        quotes: Memories that it is about.
        yes: What the first button says.
        no: What the quiet one says.
    """

    id: str = ""
    icon: str = ""
    title: str = ""
    text: str = ""
    quotes: tuple[str, ...] = ()
    yes: str = ""
    no: str = ""


def inbox_rows(waiting: Waiting, now: datetime) -> tuple[AnyBadgeRow, ...]:
    """The list, top to bottom, by kind.

    Args:
        waiting: What waits.
        now: Ages are counted up to here.
    """
    rows: list[AnyBadgeRow] = []
    groups = (
        ("proposals", tr("Proposals"), [_proposal_row(one, now) for one in waiting.proposals]),
        ("scrubs", tr("Scrubs that agents ask for"), [_scrub_row(o, now) for o in waiting.scrubs]),
        (
            "clients",
            tr("Programs asking for access"),
            [_knock_row(one, now) for one in waiting.knocks],
        ),
        ("silent", tr("Silent conversations"), [_silent_row(one, now) for one in waiting.silent]),
        ("could_be", tr("Could be facts"), [_could_be_row(one) for one in waiting.could_be]),
    )
    for key, heading, found in groups:
        if found:
            rows.append(BadgeHeading(f"heading:{key}", heading, grouped(len(found))))
            rows += found
    return tuple(rows)


def rail_mark(waiting: Waiting) -> RailMark:
    """How much waits, as the rail tells it; narrow, the number alone."""
    n = waiting.n_things
    told = counted(n, "1 thing to decide", "{n} things to decide")
    if not n:
        return RailMark(told=tr("Nothing to decide"))
    return RailMark(None, tr("{count} to decide").format(count=n), str(n), told)


def arrival_words(asked: AskedProposal) -> str:
    """What an agent has just asked for, in passing."""
    proposal = asked.proposal
    what = proposal.target_name or quoted(spelled_out(excerpt(asked.words))[:60])
    return tr("{client} asks: {kind}, {what}").format(
        client=name_of_writer(proposal.client), kind=proposal_kind_label(proposal.kind), what=what
    )


def questions(waiting: Waiting) -> Iterator[Question]:
    """Everything that is no proposal."""
    for scrub in waiting.scrubs:
        yield _scrub_question(scrub)
    for knock in waiting.knocks:
        yield _knock_question(knock)
    for silent in waiting.silent:
        yield _silent_question(silent)
    for could_be in waiting.could_be:
        yield _could_be_question(could_be)


def _proposal_row(asked: AskedProposal, now: datetime) -> BadgeRow:
    proposal = asked.proposal
    is_named = bool(proposal.target_name)
    title = proposal_title(proposal)
    words = spelled_out(excerpt(asked.words)) if asked.words else title
    since = now - proposal.created_at
    by = _by(proposal.client, since)
    overtaken = asked.is_overtaken or proposal.state is ProposalState.OVERTAKEN
    kind = proposal_kind_label(proposal.kind)
    spoken = [
        kind,
        title,
        tr("proposed by {client} {age} ago").format(
            client=name_of_writer(proposal.client), age=spoken_age(since)
        ),
        tr("overtaken") if overtaken else "",
        proposal_reason(proposal),
    ]
    return BadgeRow(
        proposal.id,
        title if is_named else words,
        tr("{by}, overtaken").format(by=by) if overtaken else by,
        badge=kind,
        meta_role="ochre" if overtaken else "inkSoft",
        is_remembered=not is_named,
        description=", ".join(filter(None, spoken)),
    )


def _scrub_row(request: ScrubRequest, now: datetime) -> BadgeRow:
    return BadgeRow(
        f"{SCRUB}{request.id}",
        tr("{n} from {tier}").format(
            n=counted(request.n_removed, "1 entry", "{n} entries"),
            tier=tier_title(request.scope.tier),
        ),
        _by(request.client, now - request.asked_at),
        badge=tr("scrub"),
        role="madder",
        is_remembered=False,
    )


def _knock_row(knock: Knock, now: datetime) -> BadgeRow:
    age = relative_age(now - knock.at)
    return BadgeRow(
        f"{KNOCK}{knock.client}",
        spelled_out(name_of_writer(knock.client)),
        tr("asked for access {age} ago").format(age=age),
        badge=tr("new"),
        role="ochre",
        is_remembered=False,
    )


def _silent_row(silent: SilentConversation, now: datetime) -> BadgeRow:
    room = silent.conversation
    return BadgeRow(
        f"{SILENCE}{room.id}",
        spelled_out(talk_name(room)),
        tr("silent for {age}").format(age=relative_age(now - room.silent_since)),
        badge=counted(len(silent.memories), "1 memory", "{n} memories"),
        is_remembered=False,
    )


def _could_be_row(found: CouldBeFact) -> BadgeRow:
    return BadgeRow(
        f"{COULD_BE}{found.id}",
        spelled_out(excerpt(found.said)),
        _in_conversations(found),
        badge=tr("fact"),
    )


def _in_conversations(found: CouldBeFact) -> str:
    n = counted(found.n_conversations, "1 conversation", "{n} conversations")
    return tr("repeated in {conversations}").format(conversations=n)


def _by(client: str, since: timedelta) -> str:
    client = spelled_out(name_of_writer(client))
    return tr("{client}, {age} ago").format(client=client, age=relative_age(since))


def _scrub_question(request: ScrubRequest) -> Question:
    return Question(
        f"{SCRUB}{request.id}",
        "eraser",
        tr("{client} asks you to delete memories for good.").format(
            client=name_of_writer(request.client)
        ),
        tr(
            "{entries} of {tier} would be deleted for good. You see them first and "
            "confirm by typing a phrase."
        ).format(
            entries=counted(request.n_removed, "1 entry", "{n} entries"),
            tier=tier_title(request.scope.tier),
        ),
        yes=tr("Look at it\u2026"),
        no=tr("Decline"),
    )


def _knock_question(knock: Knock) -> Question:
    return Question(
        f"{KNOCK}{knock.client}",
        "puzzle-piece",
        tr("{client} wants to read this workspace.").format(
            client=spelled_out(name_of_writer(knock.client))
        ),
        tr("It can read nothing until you let it in. You can give it more access later."),
        yes=tr("Let in"),
    )


def _silent_question(silent: SilentConversation) -> Question:
    room = silent.conversation
    return Question(
        f"{SILENCE}{room.id}",
        "chat-circle",
        tr("{title} has fallen silent.").format(title=spelled_out(talk_name(room))),
        tr(
            "Only this conversation can read its memories. Keep them, or close it and "
            "forget them; you can restore each one."
        ),
        tuple(spelled_out(excerpt(one.content)) for one in silent.memories),
        tr("Keep them"),
        tr("Close and forget\u2026"),
    )


def _could_be_question(found: CouldBeFact) -> Question:
    return Question(
        f"{COULD_BE}{found.id}",
        "tree-structure",
        tr("Could be a fact: {text}").format(text=spelled_out(excerpt(found.said))),
        tr(
            "These memories repeat one another. A fact is kept under a topic, and agents read it "
            "first. The memories stay."
        ),
        tuple(spelled_out(excerpt(one.content)) for one in found.notes),
        tr("Make a fact\u2026"),
        tr("Not a fact"),
    )


@dataclass(frozen=True, slots=True)
class AskedProposal:
    """What an agent asks for, with the words of the memory that it is about.

    Attributes:
        proposal: The request.
        words: Of the memory as it would be, or as it is where it would be forgotten; empty for
            named entries.
        is_overtaken: Whether what would change has moved on since.
    """

    proposal: Proposal
    words: str
    is_overtaken: bool


@dataclass(frozen=True, slots=True)
class Knock:
    """A program that wants to be let in.

    Attributes:
        client: Its name.
        at: When it asked last.
    """

    client: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits in the open workspace and the account.

    Attributes:
        proposals: The latest made first.
        scrubs: Scrubs that agents ask for.
        knocks: Programs at the door.
        silent: Conversations that nobody ended.
        could_be: Notes that several conversations repeat.
    """

    proposals: tuple[AskedProposal, ...] = ()
    scrubs: tuple[ScrubRequest, ...] = ()
    knocks: tuple[Knock, ...] = ()
    silent: tuple[SilentConversation, ...] = ()
    could_be: tuple[CouldBeFact, ...] = ()

    @property
    def n_things(self) -> int:
        """How many there are."""
        some = (self.proposals, self.scrubs, self.knocks, self.silent, self.could_be)
        return sum(map(len, some))

    def proposal(self, proposal_id: str) -> Proposal | None:
        """The proposal with this id."""
        found = (one.proposal for one in self.proposals)
        return next((one for one in found if one.id == proposal_id), None)


def read_waiting(inklings: Inklings, workspace_id: str) -> Waiting:
    """All of it; nothing for whoever looks through a client's eyes.

    Raises:
        InklingsError: It cannot be read.
    """
    if inklings.caller.is_agent:
        return Waiting()
    asked = inklings.proposals.list(workspace_id, states=UNDECIDED)
    return Waiting(
        tuple(_asked(inklings, one) for one in asked),
        inklings.scrub.requests(),
        _knocks(inklings, workspace_id),
        inklings.conversations.list_silent(workspace_id),
        inklings.could_be_facts.list(workspace_id),
    )


def _asked(inklings: Inklings, proposal: Proposal) -> AskedProposal:
    words, version = proposal.text, proposal.base_version
    if proposal.target_name:
        words = ""
    elif proposal.target_id:
        try:
            target = inklings.listing.show(MemoryRef(proposal.scope, proposal.target_id)).entry
        except InklingsError:  # gone meanwhile: looking at it says so
            pass
        else:
            words, version = words or target.content, target.version
    return AskedProposal(proposal, words, version != proposal.base_version)


def _knocks(inklings: Inklings, workspace_id: str) -> tuple[Knock, ...]:
    return tuple(
        Knock(found.client.name, call.at)
        for found in inklings.clients.list(calls=1)
        for call in found.activity.calls
        if found.client.kind is ClientKind.UNKNOWN and call.workspace_id == workspace_id
    )
