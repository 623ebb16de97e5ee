"""Links from other programs to something kept here: ``inklings://memory/`` and an id."""

from __future__ import annotations

import re
from enum import StrEnum

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass

SCHEME = "inklings://"
_LINK = re.compile(r"(?i:inklings)://([a-z]+)/([A-Za-z0-9][A-Za-z0-9_-]{0,63})/?")


class LinkKind(StrEnum):
    """What a link leads to."""

    MEMORY = "memory"
    ENTRY = "entry"
    CONVERSATION = "conversation"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class Link:
    """A link, taken apart.

    Attributes:
        kind: What it leads to.
        key: Id of that; of a conversation also its code, of a page its name.
    """

    kind: LinkKind
    key: str

    def __str__(self) -> str:
        return f"{SCHEME}{self.kind}/{self.key}"


def parse_link(text: str) -> Link:
    """A link as somebody clicked or pasted it.

    Raises:
        InvalidValueError: It leads to nothing of ours; nothing of it was looked up.
    """
    found = _LINK.fullmatch(text.strip())
    if found is None:
        raise InvalidValueError("link", "format")
    if found[1] not in set(LinkKind):
        raise InvalidValueError("link", "kind")
    return Link(LinkKind(found[1]), found[2])
