"""Ask again where text was met that is none: the store has set it aside by then."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from inklings_desktop.domain.errors import UnreadableTextError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def read_on(call: Callable[[], T]) -> T:
    """What the call gives, made again for each file in which it meets such text.

    The store tells of a file once more only where more was set aside in it.
    """
    while True:
        try:
            return call()
        except UnreadableTextError:
            continue
