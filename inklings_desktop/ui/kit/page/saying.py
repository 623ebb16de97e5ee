"""Refusals about named entries and proposals, said to the person in words of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.kit.words.entry_facts import entry_message

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from inklings_desktop.ui.kit.page.context import Context

T = TypeVar("T")


async def said(context: Context, answer: Awaitable[T]) -> T | None:
    """The answer of a use case; None where it was refused, which is said to the person."""
    try:
        return await answer
    except InklingsError as error:
        refuse(context, error)
        return None


def refuse(context: Context, error: InklingsError) -> None:
    """Say why something could not be done, in words of its own where it has any."""
    context.say(entry_message(error))
