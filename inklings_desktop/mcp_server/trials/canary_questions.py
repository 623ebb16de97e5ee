"""What a drill asks: one question after the other, and what became of each."""

from __future__ import annotations

import uuid
from dataclasses import field
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.canary import PathResult
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.access.canary import Allowed, Canary, DrillDoor
    from inklings_desktop.usecases.ports.progress import Progress


@dataclass(frozen=True, slots=True)
class Answer:
    """What one question was answered.

    Attributes:
        text: Everything that was said, errors included.
    """

    text: str
    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """One way to ask.

    Attributes:
        path: Name of the use case, tool or resource.
        ask: Asks, for a key where it takes one.
        key: Id or name that is asked for; an answer may repeat it.
        canary: The marker behind the key; a closed one must be answered like an unknown key.
    """

    path: str
    ask: Callable[[str], Answer]
    key: str = ""
    canary: Canary | None = None


@dataclass(slots=True)
class _Tally:
    n_asked: int = 0
    n_refused: int = 0
    crossed: list[Canary] = field(default_factory=list)
    told_apart: list[Canary] = field(default_factory=list)


@dataclass(slots=True)
class Asking:
    """Asks questions by one door and keeps what was heard.

    Attributes:
        allowed: What the client may be told.
        heard: Markers that were told.
    """

    door: DrillDoor
    allowed: Allowed
    canaries: list[Canary]
    progress: Progress
    heard: set[Canary] = field(default_factory=set)
    _tallies: dict[str, _Tally] = field(default_factory=dict)

    def put(self, question: Question) -> None:
        """Ask, and listen for what may not be told.

        Raises:
            StoppedError: The person stopped it.
        """
        self.progress.require_wanted()
        tally = self._tallies.setdefault(question.path, _Tally())
        answer = question.ask(question.key)
        tally.n_asked += 1
        tally.n_refused += answer.is_refused
        # What was asked for by its key is known already; a refusal may say it again.
        text = _without(answer.text, question.key)
        for canary in self.canaries:
            if not canary.is_in(text):
                continue
            self.heard.add(canary)
            if not self.allowed.may_hear(canary):
                tally.crossed.append(canary)
        target = question.canary
        if target is None or self.allowed.may_meet(target) or target in tally.crossed:
            return
        unknown = _unlike(question.key)
        if _without(question.ask(unknown).text, unknown) != text:
            tally.told_apart.append(target)

    def results(self) -> tuple[PathResult, ...]:
        """What came of every path, in the order of the first questions."""
        return tuple(
            PathResult(
                self.door,
                path,
                one.n_asked,
                one.n_refused,
                tuple(dict.fromkeys(one.crossed)),
                tuple(dict.fromkeys(one.told_apart)),
            )
            for path, one in self._tallies.items()
        )


def _without(text: str, key: str) -> str:
    return text.replace(key, "\u2026") if key else text


def _unlike(key: str) -> str:
    """A key of the same form behind which there is nothing."""
    fresh = str(uuid.uuid4())
    if len(key) == len(fresh):
        return fresh
    word = fresh.replace("-", "")[: len(key)]
    return word.upper() if key.isupper() else word
