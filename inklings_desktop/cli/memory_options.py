"""The options of the commands about memories, one frozen class per set.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from typing import Annotated

import typer

from inklings_desktop.cli.options import ChannelKey, CommonOptions, ConversationKey
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

    tier: Annotated[Tier, typer.Option("--tier", help="Tier; always named.", show_default=False)]
    channel: ChannelKey = None
    conversation: ConversationKey = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddOptions(TierOptions):
    """A new memory."""

    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to remember; - reads stdin.")]
    lifetime: Annotated[
        Lifetime | None,
        typer.Option("--lifetime", help="Lifetime; the tier's own if left out."),
    ] = None
    importance: Annotated[
        float, typer.Option("--importance", metavar="0..1", help="Importance, 0 to 1.")
    ] = DEFAULT_IMPORTANCE
    source: Annotated[str, typer.Option("--source", metavar="NAME", help="Who produced it.")] = (
        "user"
    )
    agent: Annotated[
        str | None,
        typer.Option("--agent", metavar="A", help="Keep it for this agent alone."),
    ] = None
    replaces: Annotated[
        str | None,
        typer.Option(
            "--replaces",
            metavar="ID",
            help="Forget this memory of the same place: the new one takes its place.",
            show_default=False,
        ),
    ] = None
    tags: TagList = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterOptions(TierOptions):
    """Which memories of a tier."""

    archived: Annotated[
        bool, typer.Option("--archived", help="Archived channels and conversations as well.")
    ] = False
    sources: Annotated[
        list[str] | None,
        typer.Option(
            "--source", metavar="NAME", help="Of this source; may be repeated.", show_default=False
        ),
    ] = None
    curators: Annotated[
        list[Curator] | None,
        typer.Option(
            "--curator",
            metavar="agent|author|import",
            help="Of this curator; may be repeated.",
            show_default=False,
        ),
    ] = None
    writers: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="NAME",
            help="Written by this client, or author; may be repeated.",
            show_default=False,
        ),
    ] = None
    lifetimes: Annotated[
        list[Lifetime] | None,
        typer.Option(
            "--lifetime",
            metavar="LIFETIME",
            help="Of this lifetime; may be repeated.",
            show_default=False,
        ),
    ] = None
    tags: Annotated[
        list[str] | None,
        typer.Option(
            "--tag", metavar="TAG", help="With this tag; may be repeated.", show_default=False
        ),
    ] = None
    importance_min: Annotated[
        float, typer.Option("--importance-min", metavar="0..1", help="At least this important.")
    ] = 0.0
    importance_max: Annotated[
        float, typer.Option("--importance-max", metavar="0..1", help="At most this important.")
    ] = 1.0
    no_embedding: Annotated[
        bool, typer.Option("--no-embedding", help="Only memories without a vector.")
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOptions(FilterOptions):
    """A page of a tier."""

    forgotten: Annotated[bool, typer.Option("--forgotten", help="Forgotten memories only.")] = False
    sort: Annotated[MemorySort, typer.Option("--sort", help="Order.")] = MemorySort.NEWEST
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="Most memories.")] = LIST_LIMIT
    after: Annotated[
        str | None,
        typer.Option(
            "--after",
            metavar="TOKEN",
            help="Show the page after the one that gave this token.",
            show_default=False,
        ),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions(FilterOptions):
    """A search in a tier."""

    query: Annotated[
        str,
        typer.Argument(
            metavar="QUERY",
            help=(
                "Any text; tag:, source:, curator:, before:, after: (a date), importance:>0.5 and "
                '"quoted phrases" say what a memory must be.'
            ),
        ),
    ]
    mode: Annotated[
        SearchMode, typer.Option("--mode", help="By words and meaning, or by words alone.")
    ] = SearchMode.HYBRID
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="Most hits.")] = DEFAULT_LIMIT
    explain: Annotated[bool, typer.Option("--explain", help="Say how each score came about.")] = (
        False
    )
    set_aside: Annotated[
        bool,
        typer.Option(
            "--set-aside", help="Show what is paused or forgotten and says these words, too."
        ),
    ] = False
    why_not: Annotated[
        str | None,
        typer.Option("--why-not", metavar="ID", help="Say why this memory was not found."),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryOptions(CommonOptions):
    """One memory."""

    id: Annotated[
        str, typer.Argument(metavar="ID", help="Id, or at least its first four characters.")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyOptions(TierOptions):
    """A memory, and where it is written once more."""

    id: Annotated[
        str, typer.Argument(metavar="ID", help="Id, or at least its first four characters.")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreVersionOptions(MemoryOptions):
    """An earlier version of a memory."""

    version: Annotated[
        int, typer.Argument(metavar="VERSION", help="Number, as memory show lists it.")
    ]
    if_version: _IfVersion = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditOptions(MemoryOptions):
    """A change to one memory; without any of these the text opens in $EDITOR."""

    content: Annotated[
        str | None,
        typer.Option("--content", metavar="TEXT", help="New text; - reads stdin."),
    ] = None
    importance: Annotated[
        float | None, typer.Option("--importance", metavar="0..1", help="New importance.")
    ] = None
    lifetime: Annotated[Lifetime | None, typer.Option("--lifetime", help="New lifetime.")] = None
    tags: Annotated[
        list[str] | None,
        typer.Option("--tag", metavar="TAG", help="These tags instead of the present ones."),
    ] = None
    add_tags: Annotated[
        list[str] | None, typer.Option("--add-tag", metavar="TAG", help="One tag more.")
    ] = None
    remove_tags: Annotated[
        list[str] | None, typer.Option("--remove-tag", metavar="TAG", help="Without this tag.")
    ] = None
    no_tags: Annotated[bool, typer.Option("--no-tags", help="Without any tag.")] = False
    if_version: _IfVersion = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesOptions(CommonOptions):
    """Several memories."""

    ids: Annotated[
        list[str],
        typer.Argument(metavar="ID...", help="Ids, or at least their first four characters."),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetWrittenOptions(CommonOptions):
    """Everything that one client wrote."""

    client: Annotated[str, typer.Argument(metavar="CLIENT", help="Name of the client.")]
    yes: Annotated[
        bool, typer.Option("--yes", help="Forget them; without it they are only counted.")
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutOptions(CommonOptions):
    """Memories by what they say."""

    about: Annotated[
        str | None,
        typer.Option(
            "--about",
            metavar="SUBJECT",
            help="All that say these words, in every tier or the one named.",
            show_default=False,
        ),
    ] = None
    tier: Annotated[Tier | None, typer.Option("--tier", help="Tier.", show_default=False)] = None
    channel: ChannelKey = None
    conversation: ConversationKey = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetOptions(AboutOptions):
    """Memories to forget, by id or by what they are about."""

    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID...]",
            help="Ids, or at least their first four characters.",
            show_default=False,
        ),
    ] = None
    yes: Annotated[
        bool, typer.Option("--yes", help="With --about: forget them without being asked.")
    ] = False
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="Why, a short phrase.")
    ] = ""
