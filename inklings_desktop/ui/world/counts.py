"""How many pages there are, and how many memories wait for a word: read before the page is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.look.translation import counted, grouped
from inklings_desktop.ui.kit.ops.page_spec import RailMark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.world.pages import FolderLook
    from inklings_desktop.usecases.bundle import Inklings


def read_n_changed(inklings: Inklings, here: str, looks: Sequence[FolderLook]) -> int:
    """How many memories come from a text that changed, unanswered; runs on a reader."""
    counts = (inklings.derivations.counts(here, look.folder.id) for look in looks)
    return sum(n for of_folder in counts for _, n in of_folder.values())


def read_mark(inklings: Inklings, here: str) -> RailMark | None:
    """What the rail says of the pages; None where no folder is linked; runs on a reader."""
    if not inklings.world.has_pages(here):
        return None
    looks = inklings.world.folders(here)
    return rail_mark(sum(one.n_pages for one in looks), read_n_changed(inklings, here, looks))


def rail_mark(n_pages: int, n_changed: int) -> RailMark:
    """The same of figures that are known."""
    told = counted(n_pages, "1 page", "{n} pages")
    if n_changed:
        told = f"{told}, {counted(n_changed, '1 changed', '{n} changed')}"
    return RailMark(n_pages, short_hint=grouped(n_changed) if n_changed else "", told=told)
