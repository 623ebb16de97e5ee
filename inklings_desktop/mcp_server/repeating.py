"""Writes that a client may send again: the second time they are answered with what they did."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

from pydantic import Field

from inklings_desktop.domain.access.requests import (
    KeptRequest,
    RequestMark,
    checked_request_key,
)
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inklings_desktop.usecases.bundle import Inklings

RequestKey = Annotated[
    str | None, Field(description="Your name for this call; sent again, it does nothing more.")
]
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Repeatable(Generic[Answer]):
    """A call that may be sent again.

    Attributes:
        key: What the client calls it; None for one that it will not send again.
        arguments: The others; JSON.
        again: The answer where it was carried out before; None carries it out once more, which
            then does nothing new.
    """

    key: str | None
    arguments: Mapping[str, Any]
    again: Callable[[Inklings, KeptRequest], Answer | None]

    def mark(self, tool: str) -> RequestMark | None:
        """What is kept of it with what it does; None without a key.

        Raises:
            InvalidValueError: No key can look like this.
        """
        if self.key is None:
            return None
        text = json.dumps(self.arguments, sort_keys=True, ensure_ascii=False)
        digest = hashlib.sha256(text.encode()).hexdigest()
        return RequestMark(checked_request_key(self.key), tool, digest)
