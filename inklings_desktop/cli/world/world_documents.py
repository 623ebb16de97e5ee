"""Pages, folders and what was found as documents and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.output import counted, local_time, one_line, visible
from inklings_desktop.domain.plain_rows import plain, row_of
from inklings_desktop.domain.world.axes import KNOWN, explained_axis

if TYPE_CHECKING:
    from inklings_desktop.domain.world.axes import Axes
    from inklings_desktop.domain.world.finding import WorldHit
    from inklings_desktop.domain.world.pages import (
        Block,
        FolderLook,
        FolderRules,
        Page,
        PageChange,
    )

_STATES = {
    "ready": "looked at {at}",
    "reading": "is being read",
    "missing": "is not there; last looked at {at}",
    "denied": "cannot be opened; last looked at {at}",
    "unread": "has not been read yet",
}
_UNREAD = {
    "too_large": "too large",
    "not_text": "no text",
    "unreadable": "not to be read",
    "link": "a link",
}
_WIDTH = 100


def look_document(look: FolderLook) -> dict[str, Any]:
    """A linked folder, and how it was last looked at."""
    return {
        **row_of(
            look, "id=folder.id name=folder.name kind=folder.kind path=folder.path"
            " takes_proposals=folder.takes_proposals added_at=folder.added_at state"
            " pages=n_pages"
        ),
        "unread": {state.value: n for state, n in look.unread.items()},
        **row_of(look, "left_out=n_left_out other=n_other share_compared looked_at way"
                 " every_seconds"),
    }  # fmt: skip


def look_lines(look: FolderLook) -> list[str]:
    """The same for a person."""
    at = "" if look.looked_at is None else local_time(look.looked_at)
    state = _STATES[look.state].format(at=at)
    lines = [f"{one_line(look.folder.name)}: {counted(look.n_pages, 'page')}, {state}."]
    if not look.folder.path:
        lines = [f"{one_line(look.folder.name)}: came with an import and is not linked yet; link"]
        lines[0] += " its folder under this name."
    if look.n_pages:
        lines.append(f"  Compared by meaning: {look.share_compared:.0%}.")
    for state_of, n in look.unread.items():
        lines.append(f"  {counted(n, 'file')} known by name alone: {_UNREAD[state_of.value]}.")
    if look.n_left_out:
        lines.append(f"  {counted(look.n_left_out, 'file')} left out: there are too many.")
    return lines


def rules_document(rules: FolderRules) -> dict[str, Any]:
    """What the author says about a folder, as it can be given back."""
    return {
        "ignore": list(rules.ignore),
        "axes": {axis: dict(words) for axis, words in rules.axes.items()},
        "folders": {pattern: dict(axes) for pattern, axes in rules.folders.items()},
    }


def page_document(page: Page) -> dict[str, Any]:
    """A page without its text."""
    return {
        **row_of(page, "id folder_id path title aliases front front_problem tags state"),
        **row_of(page, "encoding newline size order changed_at noticed_at is_copy"),
        "digest": page.digest.hex(),
    }


def block_document(block: Block) -> dict[str, Any]:
    """A block of a page."""
    return row_of(block, "id kind heading text own_id first_line last_line")


def hit_document(hit: WorldHit) -> dict[str, Any]:
    """A passage that was found."""
    return {
        "page": page_document(hit.page),
        "block": block_document(hit.block),
        **row_of(hit, "heading excerpt"),
        "spans": [list(span) for span in hit.spans],
        **row_of(hit, "score by"),
        "axes": axes_document(hit.axes),
    }


def hit_lines(hit: WorldHit) -> list[str]:
    """The same for a person."""
    heading = f" > {one_line(hit.heading)}" if hit.heading else ""
    place = f"{visible(hit.page.path)}, line {hit.block.first_line}"
    axes = ", ".join(getattr(hit.axes, name).value for name in ("lifecycle", "standing"))
    return [
        f"{one_line(hit.page.title)}{heading}  ({place}; {one_line(axes)})",
        f"  {one_line(hit.excerpt, _WIDTH)}",
    ]


def change_document(change: PageChange) -> dict[str, Any]:
    """A change of a page."""
    return row_of(change, "number page_id folder_id path what at counts")


def axes_document(axes: Axes) -> dict[str, Any]:
    """Each axis with where it was read."""
    return {name: plain(getattr(axes, name)) for name in KNOWN}


def axes_lines(axes: Axes) -> list[str]:
    """The same for a person, one line each."""
    return [f"{name}: {visible(explained_axis(getattr(axes, name)))}" for name in KNOWN]
