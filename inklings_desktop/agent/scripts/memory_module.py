"""Module ``inklings`` of the sandbox: memory and pages, as whoever runs the script reaches them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from inklings_desktop.agent.scripts.executor import (
    HostModule,
    RefusedError,
    RlmExecutor,
    sandbox_text,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

STANDARD: Final = (
    "collections", "datetime", "difflib", "functools", "itertools", "json", "math", "random", "re",
    "statistics", "string", "textwrap", "unicodedata",
)  # fmt: skip
"""Modules of the standard library that a script over memory may import."""
READS: Final = frozenset(
    {
        "memory_read", "memory_list", "memory_get", "memory_history", "channel_list", "fact_search",
        "world_read", "world_search", "world_outline", "world_changes",
    }
)  # fmt: skip
NOTES: Final = frozenset({"note_read", "note_write"})
"""Tools of the conversation that a script runs for; it keeps nothing anywhere else."""


class Answered(Protocol):
    """What a tool answered, as the memory door hands it over."""

    @property
    def answer(self) -> Mapping[str, Any]:
        """The structured answer; of an error ``word`` and ``message``."""

    @property
    def is_error(self) -> bool:
        """Whether it was refused or failed."""


def memory_module(
    call: Callable[[str, Mapping[str, Any]], Awaitable[Answered]],
    progress: Callable[[str, float | None], None],
    conversation: str | None = None,
) -> HostModule:
    """The module, for one process of the agent.

    Args:
        call: Calls a tool of memory by name as that process, with its filter and its brief.
        progress: Told what the script does, and which share of it is done, 0 to 1.
        conversation: Whose working notes it reads and writes; None for none.
    """

    async def ask(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        whole = dict(arguments)
        if tool in NOTES and conversation is not None:
            whole["conversation"] = conversation
        elif tool not in READS:
            raise RefusedError(f"A script may not use {tool} here.")
        outcome = await call(tool, whole)
        if outcome.is_error:
            word = str(outcome.answer.get("word") or "failed")
            raise RefusedError(
                str(outcome.answer.get("message") or f"A script may not use {tool} here ({word}).")
            )
        return dict(outcome.answer)

    async def tell(text: str, share: float | None) -> None:
        is_share = isinstance(share, int | float) and 0 <= share <= 1
        progress(str(text)[:200], float(share) if share is not None and is_share else None)

    return HostModule(sandbox_text("inklings.py"), {"ask": ask, "progress": tell})


def over_memory(module: HostModule) -> RlmExecutor:
    """What runs scripts over memory, to be built: with the usual limits, unless they are set."""
    builder = RlmExecutor().with_module("inklings", module)
    for name in STANDARD:
        builder.with_module(name)
    return builder
