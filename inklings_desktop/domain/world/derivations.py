"""Where a memory comes from in the pages, and what to do once that has changed."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.world.axes import Axes


class DerivationKind(StrEnum):
    """What a reference points at."""

    BLOCK = "block"
    PAGE = "page"
    MEMORY = "memory"
    TEXT = "text"
    """Words that name nothing the program knows."""


class SourceState(StrEnum):
    """Whether what a memory came from still says so."""

    CURRENT = "current"
    MOVED = "moved"
    CHANGED = "changed"
    GONE = "gone"
    UNKNOWN = "unknown"
    """The folder is not linked any more, or not here."""


@dataclass(frozen=True, slots=True)
class PageDerivation:
    """A memory's reference to a page or a block.

    Attributes:
        place: Which of the memory's references it is, from 0.
        target_id: Id of the page or block in the index, or of the memory; empty for words.
        path: Path of the page when it was last seen.
        heading: Headings above the block, joined by ``/``.
        own_id: The author's ``^id`` of the block; empty where there is none.
        base_digest: Digest of the text when the memory was made or last confirmed; empty where
            there is no block.
        seen_digest: Digest of the text as it was last seen.
        changed_at: When another text was first seen; None while it says the same.
    """

    memory_id: str
    place: int
    kind: DerivationKind
    target_id: str
    folder_id: str
    path: str
    heading: str
    own_id: str
    base_digest: bytes
    state: SourceState
    seen_digest: bytes
    changed_at: datetime | None


@dataclass(frozen=True, slots=True)
class SourceStanding:
    """How the source of a memory stands just now, as whoever may read pages sees it.

    Attributes:
        page_title: Title of the page; the reference as it was written where there is none.
        page_id: Of the index; empty where the page is not there.
        block_id: The same for the block.
        axes: Of the page or block; None where it is not there.
    """

    derivation: PageDerivation
    page_title: str
    page_id: str
    block_id: str
    axes: Axes | None

    @property
    def has_changed(self) -> bool:
        """Whether the page does not say any more what the memory was made from."""
        return self.derivation.state in {SourceState.CHANGED, SourceState.GONE}


@dataclass(frozen=True, slots=True)
class ToldSources:
    """What somebody is told of where a memory comes from.

    Attributes:
        standings: Its pages and blocks, as they stand.
        is_withheld: Whether it has some, and whoever asks may not read pages.
    """

    standings: tuple[SourceStanding, ...] = ()
    is_withheld: bool = False

    @property
    def has_changed(self) -> bool:
        """Whether a page does not say any more what the memory was made from."""
        return any(one.has_changed for one in self.standings)

    @property
    def first(self) -> SourceStanding | None:
        """The one that matters most: one that changed, else the first; None without any."""
        ordered = sorted(self.standings, key=lambda one: not one.has_changed)
        return next(iter(ordered), None)


NO_SOURCES = ToldSources()


class RetconState(StrEnum):
    """How far the author has come with a change under memory."""

    OPEN = "open"
    KEPT = "kept"
    UPDATED = "updated"
    FORGOTTEN = "forgotten"
    IGNORED = "ignored"
    """It says again what it said."""


@dataclass(frozen=True, slots=True)
class Retcon:
    """A block that memories come from, and that says something else now.

    Attributes:
        id: Random UUID.
        block_id: The block that it became; empty where it is gone.
        what: ``changed``, ``split`` or ``gone``.
        now_text: What the page says now; empty where the block is gone.
        run_id: Consolidation run that closed it; empty for none.
    """

    id: str
    folder_id: str
    path: str
    block_id: str
    what: str
    base_digest: bytes
    now_text: str
    found_at: datetime
    state: RetconState
    decided_at: datetime | None = None
    decided_by: str = ""
    run_id: str = ""


@dataclass(frozen=True, slots=True)
class RetconCase:
    """A retcon with everything that a decision needs.

    Attributes:
        page_title: Title of the page; its path where the page is gone.
        page_id: Of the index; empty where the page is gone.
        heading: Headings above the block.
        base_text: What the page said when the memories were made.
        memories: Active memories that come from the block and are not answered yet.
        answered: Those that were answered, with what: ``kept``, ``updated`` or ``forgotten``.
    """

    retcon: Retcon
    page_title: str
    page_id: str
    heading: str
    base_text: str
    memories: tuple[MemoryEntry, ...]
    answered: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class KeptVersion:
    """What a page said before an accepted proposal changed it.

    Attributes:
        digest: BLAKE2b of 16 bytes over its bytes.
        size: Bytes.
    """

    id: str
    folder_id: str
    path: str
    digest: bytes
    size: int
    at: datetime
    proposal_id: str
