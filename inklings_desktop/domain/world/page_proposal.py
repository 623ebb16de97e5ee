"""What an agent, or a memory, wants to become of a page; the author decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.proposals import ABOUT_PAGES, ProposalKind
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.pages import MAX_PAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.world.pages import Block, WorldFolder

MAX_PROPOSED_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class PageWish:
    """What a proposal about a page asks for, as it is kept in its payload.

    Attributes:
        folder: Id of the folder.
        path: Of the page below its folder; of the one that is to be made.
        title: Of the page when it was proposed; empty for a new one.
        base: Digest of the bytes that it was made against; empty for a new page.
        text: What the page is to say, whole; empty where it is only to move.
        to: The path that it is to move to; empty where it stays.
        memory: The memory that is to become text of the page; empty for none.
    """

    folder: str
    path: str
    title: str = ""
    base: bytes = b""
    text: str = ""
    to: str = ""
    memory: str = ""

    @property
    def payload(self) -> Mapping[str, object]:
        """The same as a proposal keeps it."""
        words = {
            "folder": self.folder,
            "path": self.path,
            "title": self.title,
            "base": self.base.hex(),
            "content": self.text,
            "to": self.to,
            "memory": self.memory,
        }
        return {name: value for name, value in words.items() if value}


def wish_of(proposal: Proposal) -> PageWish:
    """What a proposal about a page asks for.

    Raises:
        InvalidValueError: It is about something else.
    """
    if proposal.kind not in ABOUT_PAGES:
        raise InvalidValueError("proposal", "not_a_page")
    values = {name: str(value) for name, value in proposal.payload.items()}
    return PageWish(
        values.get("folder", ""),
        values.get("path", ""),
        values.get("title", ""),
        bytes.fromhex(values.get("base", "")),
        values.get("content", ""),
        values.get("to", ""),
        values.get("memory", ""),
    )


@dataclass(frozen=True, slots=True)
class PageComparison:
    """A proposal beside the page as it is now.

    Attributes:
        folder: None where it is not linked any more.
        old_text: What the page says now; empty for a new one.
        new_text: What it would say.
        seen: Digest of the bytes of ``old_text``: what accepting names.
        is_overtaken: Whether the page has changed since it was proposed.
        is_gone: Whether the page or its folder is not there.
        linked_from: For a move: paths of the pages that name this one, which stay as they are.
    """

    proposal: Proposal
    wish: PageWish
    folder: WorldFolder | None
    old_text: str
    new_text: str
    seen: bytes
    is_overtaken: bool
    is_gone: bool
    linked_from: tuple[str, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether the page would be made."""
        return self.proposal.kind is ProposalKind.PAGE_NEW


@dataclass(frozen=True, slots=True)
class AcceptedPage:
    """A page after a proposal was accepted.

    Attributes:
        made: Digest of its bytes: while it has this one, the change can be taken back.
    """

    proposal: Proposal
    made: bytes


def with_blocks_replaced(
    text: str, blocks: Sequence[Block], replacements: Sequence[tuple[str, str]]
) -> str:
    r"""The text of a page with some of its blocks said anew.

    Args:
        text: The page, with ``\n`` between lines.
        blocks: Its blocks.
        replacements: For each block that changes its id and what it is to say; empty takes it out.

    Raises:
        InvalidValueError: A block is not on the page, or is named twice.
    """
    known = {one.id: one for one in blocks}
    wanted = dict(replacements)
    if len(wanted) < len(replacements) or not wanted.keys() <= known.keys():
        raise InvalidValueError("replace", "not_on_page")
    lines = text.split("\n")
    for id_ in sorted(wanted, key=lambda one: known[one].first_line, reverse=True):
        block, said = known[id_], wanted[id_]
        first, last = block.first_line - 1, block.last_line
        if not said:  # with the empty line behind it
            last += last < len(lines) and not lines[last].strip()
        lines[first:last] = said.strip("\n").split("\n") if said else []
    return "\n".join(lines)


def with_text_added(text: str, heading: str, addition: str) -> str:
    """The text of a page with a paragraph more: at the end of a section, or of the page.

    A heading that is not there is made at the end of the page.
    """
    added = addition.strip("\n")
    lines = text.rstrip("\n").split("\n")
    if not heading:
        return "\n".join([*lines, "", added, ""])
    place = next(
        (
            number
            for number, line in enumerate(lines)
            if line.startswith("#") and line.strip("# \t") == heading
        ),
        None,
    )
    if place is None:
        return "\n".join([*lines, "", f"## {heading}", "", added, ""])
    depth = len(lines[place]) - len(lines[place].lstrip("#"))
    end = next(
        (
            number
            for number in range(place + 1, len(lines))
            if lines[number].startswith("#")
            and len(lines[number]) - len(lines[number].lstrip("#")) <= depth
        ),
        len(lines),
    )
    while not lines[end - 1].strip():
        end -= 1
    return "\n".join([*lines[:end], "", added, *lines[end:], ""])


def checked_page_text(text: object) -> str:
    r"""What a page is to say, with ``\n`` between lines.

    Raises:
        InvalidValueError: No text, over 256 KiB, or with a NUL or half a character in it.
    """
    if not isinstance(text, str):
        raise InvalidValueError("text", "type")
    tidy = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        size = len(tidy.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise InvalidValueError("text", "control_characters") from error
    if size > min(MAX_PROPOSED_BYTES, MAX_PAGE_BYTES):
        raise InvalidValueError("text", "too_long", MAX_PROPOSED_BYTES)
    if "\0" in tidy:
        raise InvalidValueError("text", "control_characters")
    return tidy
