"""The rows of a thread: turns, a rule between two days, and which turn can still be acted on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.rows import AskBlock, ProblemBlock
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.conversation.words import clock_time, day_words, problem_words, speaker_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from inklings_desktop.agent_client.rows import Turn

LIVE = "live"
"""Key of the row of the turn that can still be acted on: there is at most one."""


@dataclass(frozen=True, slots=True)
class DayRow:
    """A rule before the first turn of a day."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One side of a turn.

    Attributes:
        key: Names it in the thread.
        turn: It.
        is_live: Whether a widget shows it: it is being written, or waits for the person.
    """

    key: str
    turn: Turn
    is_live: bool = False


ThreadRow = DayRow | TurnRow


def thread_rows(turns: Sequence[Turn], now: datetime) -> tuple[ThreadRow, ...]:
    """The rows of turns, oldest first."""
    found: list[ThreadRow] = []
    today = on_the_wall(now).date()
    day: date | None = None
    for position, turn in enumerate(turns):
        if turn.at is not None and (that := on_the_wall(turn.at).date()) != day:
            if day is not None or that != today:
                found.append(DayRow(f"day:{that.isoformat()}", day_words(that, today)))
            day = that
        is_live = position == len(turns) - 1 and _waits(turn)
        key = LIVE if is_live else f"{turn.role}:{turn.id}"
        found.append(TurnRow(key, turn, is_live))
    return tuple(found)


def _waits(turn: Turn) -> bool:
    """Whether a turn, the last, is being written or offers something to press."""
    if turn.role != rows.ASSISTANT:
        return False
    if turn.state in {rows.RUNNING, rows.INTERRUPTED}:
        return True
    return any(
        (isinstance(one, AskBlock) and one.is_open)
        or (isinstance(one, ProblemBlock) and problem_words(one).acts)
        for one in turn.blocks
    )


def spoken_head(row: ThreadRow, author: str, *, has_model: bool) -> str:
    """What a screen reader says of a row first."""
    if isinstance(row, DayRow):
        return row.text
    name = ""
    if row.turn.role != rows.NOTICE:
        name = speaker_of(row.turn, author, has_model=has_model).name
    time = clock_time(row.turn.at) if row.turn.at is not None else ""
    return ", ".join(one for one in (name, time) if one)
