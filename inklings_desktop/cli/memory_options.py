"""The options of the commands about memories, one frozen class per set.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from typing import Annotated

import typer

from inklings_desktop.cli.options import (
    REQUIRED,
    ChannelKey,
    CommonOptions,
    ConversationKey,
    argument,
    flag,
    option,
)
from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import DEFAULT_IMPORTANCE, Curator, Lifetime, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.search_memories import DEFAULT_LIMIT

LIST_LIMIT = 50

TagList = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="TAG", help="Tag; may be repeated.", show_default=False),
]

_IfVersion = Annotated[
    int | None,
    typer.Option("--if-version", metavar="N", help="Only if it still has this version."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TierOptions(CommonOptions):
    """One tier, and which of its scope keys."""

    tier: Tier = option("--tier", "Tier; always named.", REQUIRED)
    channel: ChannelKey = None
    conversation: ConversationKey = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddOptions(TierOptions):
    """A new memory."""

    text: str = argument("TEXT", "What to remember; - reads stdin.")
    lifetime: Lifetime | None = option("--lifetime", "Lifetime; the tier's own if left out.")
    importance: float = option(
        "--importance", "Importance, 0 to 1.", DEFAULT_IMPORTANCE, metavar="0..1"
    )
    source: str = option("--source", "Who produced it.", "user", metavar="NAME")
    agent: str | None = option("--agent", "Keep it for this agent alone.", metavar="A")
    replaces: str | None = option(
        "--replaces",
        "Forget this memory of the same place: the new one takes its place.",
        metavar="ID",
    )
    tags: TagList = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterOptions(TierOptions):
    """Which memories of a tier."""

    archived: bool = flag("--archived", "Archived channels and conversations as well.")
    sources: list[str] | None = option(
        "--source", "Of this source; may be repeated.", metavar="NAME"
    )
    curators: list[Curator] | None = option(
        "--curator", "Of this curator; may be repeated.", metavar="agent|author|import"
    )
    writers: list[str] | None = option(
        "--by", "Written by this client, or author; may be repeated.", metavar="NAME"
    )
    lifetimes: list[Lifetime] | None = option(
        "--lifetime", "Of this lifetime; may be repeated.", metavar="LIFETIME"
    )
    tags: list[str] | None = option("--tag", "With this tag; may be repeated.", metavar="TAG")
    importance_min: float = option(
        "--importance-min", "At least this important.", 0.0, metavar="0..1"
    )
    importance_max: float = option(
        "--importance-max", "At most this important.", 1.0, metavar="0..1"
    )
    no_embedding: bool = flag("--no-embedding", "Only memories without a vector.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOptions(FilterOptions):
    """A page of a tier."""

    forgotten: bool = flag("--forgotten", "Forgotten memories only.")
    sort: MemorySort = option("--sort", "Order.", MemorySort.NEWEST)
    limit: int = option("--limit", "Most memories.", LIST_LIMIT, metavar="N")
    after: str | None = option(
        "--after", "Show the page after the one that gave this token.", metavar="TOKEN"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions(FilterOptions):
    """A search in a tier."""

    query: str = argument(
        "QUERY",
        "Any text; tag:, source:, curator:, before:, after: (a date), importance:>0.5 and "
        '"quoted phrases" say what a memory must be.',
    )
    mode: SearchMode = option(
        "--mode", "By words and meaning, or by words alone.", SearchMode.HYBRID
    )
    limit: int = option("--limit", "Most hits.", DEFAULT_LIMIT, metavar="N")
    explain: bool = flag("--explain", "Say how each score came about.")
    set_aside: bool = flag(
        "--set-aside", "Show what is paused or forgotten and says these words, too."
    )
    why_not: str | None = option("--why-not", "Say why this memory was not found.", metavar="ID")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryOptions(CommonOptions):
    """One memory."""

    id: str = argument("ID", "Id, or at least its first four characters.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyOptions(TierOptions):
    """A memory, and where it is written once more."""

    id: str = argument("ID", "Id, or at least its first four characters.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreVersionOptions(MemoryOptions):
    """An earlier version of a memory."""

    version: int = argument("VERSION", "Number, as memory show lists it.")
    if_version: _IfVersion = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditOptions(MemoryOptions):
    """A change to one memory; without any of these the text opens in $EDITOR."""

    content: str | None = option("--content", "New text; - reads stdin.", metavar="TEXT")
    importance: float | None = option("--importance", "New importance.", metavar="0..1")
    lifetime: Lifetime | None = option("--lifetime", "New lifetime.")
    tags: list[str] | None = option(
        "--tag", "These tags instead of the present ones.", metavar="TAG"
    )
    add_tags: list[str] | None = option("--add-tag", "One tag more.", metavar="TAG")
    remove_tags: list[str] | None = option("--remove-tag", "Without this tag.", metavar="TAG")
    no_tags: bool = flag("--no-tags", "Without any tag.")
    if_version: _IfVersion = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesOptions(CommonOptions):
    """Several memories."""

    ids: list[str] = argument("ID...", "Ids, or at least their first four characters.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetWrittenOptions(CommonOptions):
    """Everything that one client wrote."""

    client: str = argument("CLIENT", "Name of the client.")
    yes: bool = flag("--yes", "Forget them; without it they are only counted.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutOptions(CommonOptions):
    """Memories by what they say."""

    about: str | None = option(
        "--about", "All that say these words, in every tier or the one named.", metavar="SUBJECT"
    )
    tier: Tier | None = option("--tier", "Tier.")
    channel: ChannelKey = None
    conversation: ConversationKey = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetOptions(AboutOptions):
    """Memories to forget, by id or by what they are about."""

    ids: list[str] | None = argument(
        "[ID...]", "Ids, or at least their first four characters.", default=None
    )
    yes: bool = flag("--yes", "With --about: forget them without being asked.")
    reason: str = option("--reason", "Why, a short phrase.", "", metavar="TEXT")
