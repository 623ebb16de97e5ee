"""The options of the commands about pages, one frozen class per set.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from enum import StrEnum
from pathlib import Path

from inklings_desktop.cli.memory_options import MemoryOptions, TagList
from inklings_desktop.cli.options import CommonOptions, LongOptions, argument, flag, option
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.pages import FolderKind


class Switch(StrEnum):
    """On or off."""

    ON = "on"
    OFF = "off"


class Mode(StrEnum):
    """What a search compares."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"
    SEMANTIC = "semantic"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkOptions(LongOptions):
    """A folder to link."""

    folder: Path = argument("FOLDER", "It is only ever read.", parser=Path)
    name: str = option("--name", "What to call it; else its own name.", "", metavar="NAME")
    kind: FolderKind | None = option("--kind", "How it is read; else what it looks like.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderOptions(CommonOptions):
    """One linked folder."""

    name: str = argument("NAME")


@dataclass(frozen=True, slots=True, kw_only=True)
class RescanOptions(LongOptions):
    """One linked folder, or all."""

    name: str = argument("NAME", "All of them if none is named.", default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesOptions(CommonOptions):
    """What is said of a linked folder."""

    name: str = argument("NAME")
    edit: bool = flag("--edit", "Change them in $EDITOR.")
    file: str | None = option("--file", "Take them from a file, or - for stdin.", metavar="FILE")
    proposals: Switch | None = option("--proposals", "Whether agents may propose changes.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPagesOptions(CommonOptions):
    """What is looked for in pages."""

    query: str = argument("QUERY")
    folder: str = option("--folder", "Only in this folder.", "", metavar="NAME")
    limit: int = option("--limit", "Most hits, 1 to 50.", 10, metavar="N")
    mode: Mode = option("--mode", "By words, by meaning, or both.", Mode.HYBRID)
    lifecycle: str = option(
        "--lifecycle", "Only idea, draft, canon or retired.", "", metavar="WORD"
    )
    tags: TagList = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions(CommonOptions):
    """One page."""

    page: str = argument("PAGE", "Path, title, alias or id.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowPageOptions(PageOptions):
    """One page, or a part of it."""

    heading: str = option("--heading", "Only what is below it.", "", metavar="HEADING")


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineOptions(CommonOptions):
    """A list of pages."""

    folder: str = option("--folder", "Only of this folder.", "", metavar="NAME")
    under: str = option("--under", "Only below this path.", "", metavar="PATH")
    limit: int = option("--limit", "Most pages.", 500, metavar="N")
    after: str = option("--after", "Continue after this path.", "", metavar="PATH")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesOptions(CommonOptions):
    """What changed in pages."""

    since: int = option("--since", "Only after this change.", 0, metavar="NUMBER")
    limit: int = option("--limit", "Most changes.", 200, metavar="N")


class Decision(StrEnum):
    """What is decided of memories whose source changed."""

    KEEP = "keep"
    FORGET = "forget"


@dataclass(frozen=True, slots=True, kw_only=True)
class RetconOptions(CommonOptions):
    """What changed under memories."""

    retcon: str = argument("ID", "One of them, as the list names it.", default="")
    decide: Decision | None = option("--decide", "Keep its memories as still true, or forget them.")


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionsOptions(CommonOptions):
    """Earlier versions of pages."""

    page: str = argument("PATH", "Of one page; of all if none is named.", default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreOptions(CommonOptions):
    """One earlier version of a page."""

    version: str = argument("VERSION", "As inklings world versions names it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromoteOptions(MemoryOptions):
    """A memory, and the page it is to be text of."""

    path: str = argument("PATH", "Of the page in its folder; it is made where there is none.")
    folder: str = option("--folder", "Which folder, where several are linked.", "", metavar="NAME")
    heading: str = option("--heading", "Add it to the end of this section.", "", metavar="HEADING")
    reason: str = option("--reason", "Why.", "It belongs in the world.", metavar="TEXT")


class Right(StrEnum):
    """What is decided of two texts that contradict each other."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
    LATER = "later"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionOptions(CommonOptions):
    """Plain contradictions, or one of them."""

    pair: str = argument("ID", "One of them, as the list names it.", default="")
    decide: Right | None = option(
        "--decide", "Which text is right: the other memory is forgotten. Or both, or later."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeriveOptions(MemoryOptions):
    """A memory, and where it comes from."""

    page: str = argument("PAGE", "Path or title, with #HEADING or ^BLOCK behind it for a part.")
