"""What the tools for pages answer with, as types; what a page says stands in few fields."""

from __future__ import annotations

from typing import Required

from typing_extensions import TypedDict

from inklings_desktop.mcp_server.words.shapes import Axes, Told


class FromPages(Told, total=False):
    """Anything that comes from pages: how fresh it is, and that nobody vouches for it.

    ``as_of`` is when the folders were last looked at; ``stale`` says that one is not there now.
    """

    note: str
    untrusted: bool
    as_of: str | None
    stale: bool


class NamedPage(TypedDict, total=False):
    """A page by its id, folder and path; ``state`` is there where it could not be read."""

    id: Required[str]
    title: Required[str]
    folder: Required[str]
    path: Required[str]
    changed_at: str | None
    state: str


class Passage(TypedDict):
    """A place of a page that was found; ``block`` is what ``world_read`` and derivations take."""

    page: NamedPage
    heading: str
    block: str
    excerpt: str
    score: float
    found_by: str
    axes: Axes


class Passages(FromPages, total=False):
    """What a search of the pages found; ``compared`` is the share compared by meaning."""

    compared: float
    passages: Required[list[Passage]]
    left_out: int


class PageBlock(TypedDict, total=False):
    """A part of a page; ``more`` says that its text goes on in the next answer."""

    block: Required[str]
    kind: str
    heading: str
    line: int
    text: Required[str]
    own_id: str
    standing: str
    more: str


class PageText(FromPages, total=False):
    """A page, or a part of it, as far as one answer goes; ``next`` is the offset to go on from."""

    page: Required[NamedPage]
    tags: list[str]
    axes: Axes
    explain: list[str]
    links: list[str]
    linked_from: list[str]
    blocks: Required[list[PageBlock]]
    next: int | None


class Heading(TypedDict):
    """A heading of a page, below which others, where, and its block."""

    heading: str
    below: str
    line: int
    block: str


class Outlined(FromPages, total=False):
    """Pages by path, or the headings of one."""

    pages: list[NamedPage]
    headings: list[Heading]
    next: str | None


class PageChanged(TypedDict):
    """A change of a page: when it was noticed, and how many blocks were added or edited."""

    page_id: str
    folder: str
    path: str
    what: str
    at: str | None
    counts: dict[str, int]


class PagesChanged(FromPages, total=False):
    """Changes, oldest first."""

    changes: Required[list[PageChanged]]
    next: str | None


class WaitingMemory(TypedDict, total=False):
    """A memory whose page changed; ``suggestion`` is what it would say, where that is certain."""

    id: Required[str]
    tier: Required[str]
    version: Required[int]
    content: Required[str]
    suggestion: str


class RetconTold(TypedDict, total=False):
    """A block that changed under memories: what it said, what it says, and who rests on it."""

    id: Required[str]
    page: NamedPage
    heading: str
    what: str
    state: Required[str]
    found_at: str | None
    was: str
    now: str
    memories: Required[list[WaitingMemory]]


class Retcons(FromPages, total=False):
    """Changes under memories, the latest first."""

    retcons: Required[list[RetconTold]]
    left_out: int
