"""What a model says, as it may be told: it names no memory that the turn was not given.

A link to one becomes plain words; so does a picture, which would be fetched from somewhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.agent.planning import Quote

if TYPE_CHECKING:
    from collections.abc import Mapping

_LINK = re.compile(
    r"\[([^\]\n]*)\]\((?:memory:|inklings://memory/)(?:[a-z]+/)?([0-9a-fA-F-]*)[^)\n]*\)"
)
_PICTURE = re.compile(r"!(?=\[)")
_OPEN = re.compile(r"(?:!|!?\[[^\]\n]{0,300}(?:\](?:\([^)\n]{0,300})?)?)\Z")
"""The end of what was said so far, where it may yet become a link."""
_SHORT_ID = 8


class Links:
    """Passes text on as it comes, links put right."""

    def __init__(self, known: Mapping[str, str]) -> None:
        """Know the memories that may be named.

        Args:
            known: The tier of each, by its id.
        """
        self._known = known
        self._held = ""
        self._quotes: dict[str, Quote] = {}

    @property
    def quotes(self) -> tuple[Quote, ...]:
        """The memories that were named, in the order in which they first were."""
        return tuple(self._quotes.values())

    def take(self, text: str) -> str:
        """What of it can be told by now."""
        whole = self._held + text
        found = _OPEN.search(whole)
        at = found.start() if found else len(whole)
        self._held = whole[at:]
        return self._put_right(whole[:at])

    def rest(self) -> str:
        """What was held back, once nothing more comes."""
        held, self._held = self._held, ""
        return self._put_right(held)

    def _put_right(self, text: str) -> str:
        return _LINK.sub(self._link, _PICTURE.sub("", text))

    def _link(self, found: re.Match[str]) -> str:
        words, named = found[1], found[2].lower()
        ids = [one for one in self._known if len(named) >= _SHORT_ID and one.startswith(named)]
        if len(ids) != 1:
            return words
        quote = Quote(ids[0], self._known[ids[0]])
        self._quotes[quote.id] = quote
        return f"[{words}](memory:{quote.tier}/{quote.id})"
