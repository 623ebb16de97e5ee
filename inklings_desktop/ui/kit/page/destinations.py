"""Where one page leads to on another: pages know these, and never each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.ops.page_spec import (
    CONTROL_PAGE,
    CONVERSATION_PAGE,
    ENTRIES_PAGE,
    KNOWLEDGE_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
    SETTINGS_PAGE,
    SKILLS_PAGE,
    WORLD_PAGE,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inklings_desktop.domain.entries.proposals import Proposal, ProposalRef
    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey, Tier
    from inklings_desktop.domain.scrub.manifest import ChosenScope
    from inklings_desktop.domain.scrub.scrub_request import ScrubRequest


class Destination:
    """Something that can be gone to.

    Attributes:
        page: Id of the page that has it; empty for what the window opens over any page.
    """

    __slots__ = ()

    page: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class ToMemories(Destination):
    """Memories of a tier, over all its rooms, filtered."""

    page: ClassVar[str] = MEMORY_PAGE
    tier: Tier
    where: MemoryFilter | None = None


@dataclass(frozen=True, slots=True)
class ToMemory(Destination):
    """One memory in its list."""

    page: ClassVar[str] = MEMORY_PAGE
    entry: MemoryEntry


@dataclass(frozen=True, slots=True)
class ToNewMemory(Destination):
    """A memory that is still to be written, with this text to begin with."""

    page: ClassVar[str] = MEMORY_PAGE
    text: str


@dataclass(frozen=True, slots=True)
class ToMemoryBeside(Destination):
    """One memory in the inspector, beside the page on show.

    Attributes:
        id: Of the memory.
        label: What it is here: *Read for this turn, 3rd of 6*.
        why: Why it was found; empty for not told.
        said: What was said from it; empty for nothing.
    """

    id: str
    label: str = ""
    why: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class ToRoom(Destination):
    """The memories of a conversation and its working notes."""

    page: ClassVar[str] = MEMORY_PAGE
    conversation_id: str


@dataclass(frozen=True, slots=True)
class AgentQuestion:
    """Something that the World Agent is asked outside every conversation.

    Attributes:
        on_answer: Told of the answer.
        on_error: Told of the word of a problem and its detail; exactly one of the two is called.
        seconds: How long the answer may take.
    """

    method: str
    params: Mapping[str, Any]
    on_answer: Callable[[dict[str, Any]], None]
    on_error: Callable[[str, str], None]
    seconds: float


@dataclass(frozen=True, slots=True)
class ToAgent(Destination):
    """The World Agent's process, which nobody looks at: it begins, and no page is shown.

    Attributes:
        question: What it is asked; None for nothing yet.
    """

    page: ClassVar[str] = CONVERSATION_PAGE
    question: AgentQuestion | None = None


@dataclass(frozen=True, slots=True)
class ToConversation(Destination):
    """What is said in a conversation; the one that was on show last for none.

    Attributes:
        attached: Name, title and text of what is put to the next message; None for nothing.
        text: What the next message begins with.
    """

    page: ClassVar[str] = CONVERSATION_PAGE
    conversation_id: str
    attached: tuple[str, str, str] | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class ToWorld(Destination):
    """The author's pages.

    Attributes:
        key: Id, path, title or alias of a page there; empty for the one that was read last.
        block: Id of a block of it; empty for its beginning.
        tab: Key of a tab; empty for that of the pages.
        links: Whether the person wants to link a folder.
    """

    page: ClassVar[str] = WORLD_PAGE
    key: str = ""
    block: str = ""
    tab: str = ""
    links: bool = False


@dataclass(frozen=True, slots=True)
class ToKnowledge(Destination):
    """What is settled.

    Attributes:
        fact: Id of a fact; empty for the one that was on show last.
        tab: Key of a tab; empty for that of the facts.
    """

    page: ClassVar[str] = KNOWLEDGE_PAGE
    fact: str = ""
    tab: str = ""


@dataclass(frozen=True, slots=True)
class ToSkillReview(Destination):
    """A skill that an agent made or mended, beside what is there, to be taken or left."""

    page: ClassVar[str] = SKILLS_PAGE
    proposal: ProposalRef


@dataclass(frozen=True, slots=True)
class ToEntry(Destination):
    """One named entry; with a proposal, its text as that would have it, to be edited."""

    page: ClassVar[str] = ENTRIES_PAGE
    entry_id: str
    proposal: Proposal | None = None


@dataclass(frozen=True, slots=True)
class ToSettings(Destination):
    """A group of settings, or one setting in it; with neither, the group that was on show last.

    Attributes:
        group: Its id in ``ui/settings/groups.py``.
        control: Id of a setting there; the keyboard goes to it.
    """

    page: ClassVar[str] = SETTINGS_PAGE
    group: str = ""
    control: str = ""


@dataclass(frozen=True, slots=True)
class ToPageBefore(Destination):
    """The page that was on show before this one."""


@dataclass(frozen=True, slots=True)
class ToRestart(Destination):
    """The same data in a window that is opened again, as after another language was chosen."""


@dataclass(frozen=True, slots=True)
class ToTurn(Destination):
    """The next turn with a sample message."""

    page: ClassVar[str] = PREVIEW_PAGE
    message: str


@dataclass(frozen=True, slots=True)
class ToTab(Destination):
    """A tab of the control plane, by its key in the register.

    Attributes:
        row: What is looked at there, such as a client by its name; empty for what it was.
    """

    page: ClassVar[str] = CONTROL_PAGE
    key: str
    row: str = ""


@dataclass(frozen=True, slots=True)
class ToTask(Destination):
    """A row of the table of background work; an empty key leaves the current one."""

    page: ClassVar[str] = CONTROL_PAGE
    key: str


@dataclass(frozen=True, slots=True)
class ToEvent(Destination):
    """One event in the log it is in; no workspace for the account's."""

    page: ClassVar[str] = CONTROL_PAGE
    workspace_id: str | None
    number: int


@dataclass(frozen=True, slots=True)
class ToScrubRequest(Destination):
    """What an agent asked to be scrubbed, in the one dialog that scrubs."""

    page: ClassVar[str] = CONTROL_PAGE
    request: ScrubRequest


@dataclass(frozen=True, slots=True)
class ToScrub(Destination):
    """The one dialog that scrubs, with a tier chosen or none."""

    page: ClassVar[str] = CONTROL_PAGE
    tier: Tier | None = None


@dataclass(frozen=True, slots=True)
class ToScrubChosen(Destination):
    """The same about chosen memories, over any page."""

    scope: ChosenScope


@dataclass(frozen=True, slots=True)
class ToPlan(Destination):
    """The plan of a consolidation: of a scope key, or of a tier's scope where most waits."""

    of: ScopeKey | Tier


@dataclass(frozen=True, slots=True)
class ToRuns(Destination):
    """The consolidations of a tier, or of all of them."""

    tier: Tier | None = None


@dataclass(frozen=True, slots=True)
class ToGolden(Destination):
    """The golden questions."""


@dataclass(frozen=True, slots=True)
class ToExport(Destination):
    """What is to be written to a file: a tier, or all that can be chosen."""

    tier: Tier | None = None


@dataclass(frozen=True, slots=True)
class ToAnalysis(Destination):
    """The dialog in which a script looks through memories and pages."""


@dataclass(frozen=True, slots=True)
class ToConnection(Destination):
    """How an agent that has not come yet is connected."""


@dataclass(frozen=True, slots=True)
class ToClientsView(Destination):
    """The window as a client sees it in a workspace.

    Attributes:
        role: Under which of its roles; empty for its usual one.
    """

    client: str
    workspace_id: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class ToForgetWritten(Destination):
    """The question whether what a client wrote in a workspace and the account is forgotten."""

    client: str
    workspace_id: str


@dataclass(frozen=True, slots=True)
class ToGoldenQuestion(Destination):
    """A golden question that begins with this memory as its answer."""

    question: str
    entry: MemoryEntry
