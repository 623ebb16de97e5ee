"""The rows of a thread: turns, a rule between two days, and which turn can still be acted on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.rows import AskBlock, ProblemBlock
from inklings_desktop.domain.plain_data import dataclass
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
    """A rule before the first turn of a day.

    Attributes:
        key: As of ``day_key``.
        text: The day in words.
        opens: Whether pressing it opens the list of days.
    """

    key: str
    text: str
    opens: bool = False


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


def day_key(day: date) -> str:
    """Key of the rule before a day."""
    return f"day:{day.isoformat()}"


class ThreadRows:
    """Makes the rows of turns; what was made for turns that are the same is the same again."""

    def __init__(self) -> None:
        """None yet."""
        self._turns: Sequence[Turn] = ()
        self._rows: tuple[ThreadRow, ...] = ()
        self._before: list[tuple[int, date | None]] = []
        self._about: tuple[date, bool] | None = None

    def of(
        self, turns: Sequence[Turn], now: datetime, *, has_list: bool = False
    ) -> tuple[ThreadRow, ...]:
        """The rows of turns, oldest first.

        Args:
            turns: What is said.
            now: What *Today* is.
            has_list: Whether the rules between days open the list of days.
        """
        today = on_the_wall(now).date()
        n_same = self._n_same(turns) if self._about == (today, has_list) else 0
        self._about, self._turns = (today, has_list), turns
        n_rows, day = self._before[n_same] if n_same else (0, None)
        found = list(self._rows[:n_rows])
        del self._before[n_same:]
        for position in range(n_same, len(turns)):
            turn = turns[position]
            self._before.append((len(found), day))
            if turn.at is not None and (that := on_the_wall(turn.at).date()) != day:
                if day is not None or that != today:
                    found.append(DayRow(day_key(that), day_words(that, today), has_list))
                day = that
            is_live = position == len(turns) - 1 and _waits(turn)
            key = LIVE if is_live else f"{turn.role}:{turn.id}"
            found.append(TurnRow(key, turn, is_live))
        self._rows = tuple(found)
        return self._rows

    def _n_same(self, turns: Sequence[Turn]) -> int:
        """How many turns from the first on are the same, and were not the last: that may live."""
        most = max(min(len(turns), len(self._turns)) - 1, 0)
        pairs = enumerate(zip(turns, self._turns, strict=False))
        differ = (at for at, (one, other) in pairs if one is not other)
        return min(next(differ, most), most)


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
