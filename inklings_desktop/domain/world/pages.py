"""World folders, their pages and the blocks of a page, as they are read and found."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

MAX_PAGE_BYTES = 2 * 1024 * 1024
"""A larger file is known by its name alone."""
MAX_BLOCK_BYTES = 64 * 1024
MAX_PASSAGE_CHARACTERS = 1_000
MAX_PAGES = 50_000
"""Pages of one workspace; what is beyond is left out, with a count."""
MOST_INODE = (1 << 63) - 1


class FolderKind(StrEnum):
    """What kind of folder it is, which decides how it is read."""

    VAULT = "vault"
    NOVELWRITER = "novelwriter"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class FolderRules:
    """What the author says about a folder.

    Attributes:
        ignore: Patterns of paths that are not read, as in a ``.gitignore``.
        axes: For each axis the author's own words and what they mean:
            ``{"lifecycle": {"wip": "draft"}}``.
        folders: For patterns of paths the axes of what lies there:
            ``{"Archive/**": {"lifecycle": "retired"}}``.
    """

    ignore: tuple[str, ...] = ()
    axes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    folders: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WorldFolder:
    """A folder of the author's, linked to one workspace.

    Attributes:
        id: Random UUID.
        name: As the author calls it; none is twice in a workspace, however it is written.
        path: Absolute, on the installation that linked it.
        installation: Names the machine whose path it is.
        takes_proposals: Whether agents may propose changes of its pages.
    """

    id: str
    name: str
    kind: FolderKind
    path: str
    installation: str
    rules: FolderRules
    takes_proposals: bool
    added_at: datetime


class PageState(StrEnum):
    """How far a file could be read."""

    READ = "read"
    TOO_LARGE = "too_large"
    NOT_TEXT = "not_text"
    UNREADABLE = "unreadable"
    LINK = "link"
    """A symbolic link or junction, which is never followed."""


class BlockKind(StrEnum):
    """What a block is."""

    FRONT = "front"
    """The front matter of a page between its two marks, which are no part of it."""
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    QUOTE = "quote"
    CALLOUT = "callout"
    TABLE = "table"
    CODE = "code"
    COMMENT = "comment"
    PLAIN = "plain"
    """Text that no rule of Markdown covers; it is found like any other."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a page: what a derivation points at.

    Attributes:
        id: Random UUID that the index gave it; empty in a page that was just read.
        heading: The headings above it, joined by ``/``; empty above the first.
        text: As it stands in the file, at most 64 KiB.
        digest: BLAKE2b of 16 bytes over the folded text.
        own_id: The author's ``^id`` without its mark; empty where there is none.
        first_line: Its first line in the file, from 1.
        last_line: Its last line.
    """

    id: str
    kind: BlockKind
    heading: str
    text: str
    digest: bytes
    own_id: str
    first_line: int
    last_line: int


class LinkKind(StrEnum):
    """How a page names something else."""

    WIKI = "wiki"
    EMBED = "embed"
    MARKDOWN = "markdown"
    TAG = "tag"
    NOVELWRITER = "novelwriter"


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link, an embed or a tag.

    Attributes:
        block: Place of the block that holds it, from 0.
        target: What is named, as it is written: ``Nerys#Looks``; a tag without ``#``. Only a
            Markdown link is made plain: ``Nerys%20II.md`` is ``Nerys II.md``.
    """

    block: int
    target: str
    kind: LinkKind


class FileStamp(NamedTuple):
    """What tells whether a file has changed since it was read.

    Attributes:
        path: Below its folder, with ``/`` between the parts.
        size: Bytes.
        mtime_ns: When it was changed last, as the file system says.
        inode: Its lowest 63 bits; some systems count beyond.
        is_link: Whether it is a symbolic link or a junction.
    """

    path: str
    size: int
    mtime_ns: int
    inode: int
    is_link: bool = False


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A file as it was read and cut into blocks.

    Attributes:
        stamp: The file as it was while it was read; for a file that could not be read to its end
            one that no scan gives, so that it is read again.
        digest: BLAKE2b of 16 bytes over its bytes; empty unless it was read whole. Of a page of a
            novelWriter project it is also over its title, order and status.
        encoding: ``utf-8``, ``utf-8-bom``, ``utf-16-le``, ``utf-16-be`` or ``guessed``; empty
            unless it was read. A page whose encoding is guessed is never written.
        newline: ``lf``, ``crlf``, ``cr`` or ``mixed``; empty unless it was read.
        title: From its front matter or project file, else the heading of the first level that it
            begins with, else its name.
        front: Its front matter as JSON takes it. Only whole numbers, plain fractions, ``true``,
            ``false`` and ``null`` are more than text: a date, ``no`` and ``12:30`` stay as written.
        front_lines: For each key of the front matter its line in the file, from 1.
        front_problem: The line at which the front matter cannot be understood; None if it can.
        blocks: Everything that the file says, in order, so that every word of it is in one.
        order: Its place among the pages of a project that has an order of its own.
    """

    stamp: FileStamp
    state: PageState
    digest: bytes = b""
    encoding: str = ""
    newline: str = ""
    title: str = ""
    aliases: tuple[str, ...] = ()
    front: Mapping[str, object] = field(default_factory=dict)
    front_lines: Mapping[str, int] = field(default_factory=dict)
    front_problem: int | None = None
    tags: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    links: tuple[PageLink, ...] = ()
    order: int | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page as the index knows it, without its text.

    Attributes:
        id: Random UUID that the index gave it; another one after the index was rebuilt.
        path: Below its folder, with ``/`` between the parts.
        tags: Without ``#``, each once.
        changed_at: When its file was changed last.
        noticed_at: When the index last saw another text in it.
        gone_at: When the file was missed; None while it is there.
        is_copy: Whether its name says that a sync program made it beside the page.
    """

    id: str
    folder_id: str
    path: str
    title: str
    aliases: tuple[str, ...]
    front: Mapping[str, object]
    front_lines: Mapping[str, int]
    front_problem: int | None
    tags: tuple[str, ...]
    state: PageState
    encoding: str
    newline: str
    digest: bytes
    size: int
    order: int | None
    changed_at: datetime
    noticed_at: datetime
    gone_at: datetime | None = None
    is_copy: bool = False


@dataclass(frozen=True, slots=True)
class WholePage:
    """A page with its text and what it names.

    Attributes:
        linked_from: Pages that name this one.
    """

    page: Page
    blocks: tuple[Block, ...]
    links: tuple[PageLink, ...]
    linked_from: tuple[Page, ...] = ()


class PageEvent(StrEnum):
    """What happened to a page."""

    ADDED = "added"
    EDITED = "edited"
    MOVED = "moved"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class PageChange:
    """One change of one page, as the index noticed it.

    Attributes:
        number: Counts up within a workspace; a list can be asked for from one on.
        path: Where the page was then.
        counts: How many blocks were ``added``, ``edited``, ``moved``, ``split`` or ``gone``.
    """

    number: int
    page_id: str
    folder_id: str
    path: str
    what: PageEvent
    at: datetime
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class FolderLook:
    """How a folder was last looked at.

    Attributes:
        state: ``ready``, ``reading``, ``missing`` (not there), ``denied`` (not to be opened), or
            ``unread`` (linked, and never looked at).
        n_pages: Pages that were read.
        unread: For each reason how many files are known by name alone.
        n_left_out: Files beyond the limit of a workspace.
        n_other: Files that are no text and are left alone.
        share_compared: Share of its passages that have a vector, 0 to 1.
        looked_at: When it was last looked at; None if never.
        way: ``watched`` (the system tells of changes) or ``looked_at`` (every so often).
        every_seconds: How often it is looked at without being told.
    """

    folder: WorldFolder
    state: str
    n_pages: int
    unread: Mapping[PageState, int]
    n_left_out: int
    n_other: int
    share_compared: float
    looked_at: datetime | None
    way: str
    every_seconds: float
