"""What is looked for in pages, and what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from inklings_desktop.domain.world.axes import Axes
    from inklings_desktop.domain.world.pages import Block, Page

MAX_WORLD_HITS = 50


@dataclass(frozen=True, slots=True)
class WorldQuery:
    """A question to the pages.

    Attributes:
        text: What is looked for.
        folder: Name or id of one folder; empty for all.
        limit: Most hits, 1 to 50.
        mode: ``hybrid``, ``keyword`` or ``semantic``.
        lifecycle: Only pages of this lifecycle; pages that are ``retired`` are found only so.
        tags: Only pages with all of these.
    """

    text: str
    folder: str = ""
    limit: int = 10
    mode: str = "hybrid"
    lifecycle: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WorldHit:
    """A passage that was found.

    Attributes:
        block: The block of the passage that fits best.
        excerpt: Up to 300 characters around what was found.
        spans: Where in the excerpt the words stand that were looked for: begin and end.
        score: What it was ranked by, 0 to 1.
        by: ``words``, ``meaning`` or ``both``.
    """

    page: Page
    block: Block
    heading: str
    excerpt: str
    spans: tuple[tuple[int, int], ...]
    score: float
    by: str
    axes: Axes


@dataclass(frozen=True, slots=True)
class WorldAnswer:
    """What was found.

    Attributes:
        share_compared: Share of the passages that were compared by meaning, 0 to 1.
        is_stale: Whether a folder that was asked is not there just now.
    """

    hits: tuple[WorldHit, ...]
    share_compared: float
    is_stale: bool
