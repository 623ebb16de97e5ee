"""References to pages as authors and agents write them, and what the pages make of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.derivations import DerivationKind, PageDerivation, SourceState
from inklings_desktop.domain.world.pages import BlockKind
from inklings_desktop.domain.world.path_rules import path_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import Derivation
    from inklings_desktop.domain.world.pages import Block, Page

_PAGE_FILE = re.compile(r"\.(?:md|markdown|txt|nwd)$", re.IGNORECASE)
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class PageReference:
    """A reference in its parts.

    Attributes:
        page: Path, title, alias or id of the page.
        block_id: What may be the id of a block; looked for first.
        heading: The heading that is meant; empty for none.
        own_id: The author's ``^id`` of the block that is meant; empty for none.
        is_of_page: Whether nothing but a page can be meant, by the form of it.
    """

    page: str
    block_id: str
    heading: str
    own_id: str
    is_of_page: bool


def is_id(text: str) -> bool:
    """Whether a text has the form of an id of the index."""
    return _ID.fullmatch(text) is not None


def page_reference(reference: Derivation) -> PageReference:
    """A reference such as ``People/Nerys.md#Looks``, ``Nerys^oath`` or a plain title.

    The block of a reference may say the heading, the ``^id`` or the id of the block instead.
    """
    target, block = reference.target.strip(), reference.block.strip()
    if is_id(block):
        return PageReference(target, block, "", "", is_of_page=True)
    page, mark, own_id = target.partition("^")
    page, sign, heading = page.partition("#")
    if block.startswith("^"):
        own_id = block[1:]
    elif block:
        heading = block
    has_mark = bool((mark or sign) and page)
    page, own_id = page.strip(), own_id.strip()
    is_of_page = has_mark or _PAGE_FILE.search(page) is not None
    return PageReference(page, target if is_id(target) else "", heading.strip(), own_id, is_of_page)


def block_meant(reference: PageReference, blocks: Sequence[Block]) -> Block | None:
    """The block of a page that a reference means: by its own id, else the first below a heading."""
    if reference.own_id:
        return next((one for one in blocks if one.own_id == reference.own_id), None)
    wanted = [path_key(one.strip()) for one in re.split(r"[#/]", reference.heading)]
    for one in blocks:
        path = [path_key(part) for part in one.heading.split("/")]
        if one.kind is not BlockKind.HEADING and path[-len(wanted) :] == wanted:
            return one
    return None


def to_words(place: int) -> PageDerivation:
    """A reference that names nothing the program knows; a memory's id is put in later."""
    return PageDerivation(
        "", place, DerivationKind.TEXT, "", "", "", "", "", b"", SourceState.CURRENT, b"", None
    )


def to_memory(place: int, memory_id: str) -> PageDerivation:
    """A reference to another memory of the file."""
    return PageDerivation(
        "", place, DerivationKind.MEMORY, memory_id, "", "", "", "", b"", SourceState.CURRENT,
        b"", None,
    )  # fmt: skip


def to_page(place: int, page: Page, block: Block | None) -> PageDerivation:
    """A reference to a page, or to a block of it as it is now."""
    kind = DerivationKind.PAGE if block is None else DerivationKind.BLOCK
    digest = b"" if block is None else block.digest
    return PageDerivation(
        "",
        place,
        kind,
        page.id if block is None else block.id,
        page.folder_id,
        page.path,
        "" if block is None else block.heading,
        "" if block is None else block.own_id,
        digest,
        SourceState.CURRENT,
        digest,
        None,
    )
