"""A program that does each act again and again, another system call failing each time.

Arguments: an empty folder, how many calls of each act to try (0 tries every one), and the acts by
name, all of them if none is named. It is started with the library of ``failing_calls``. One JSON
document comes out: what was tried, and what was found wrong.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.places import DATABASE_NAME
from inklings_desktop.storage.salvage.inspection import LEFT_OVER_AFTER_SECONDS
from tests.end2end.failing_acts import ACTS, Act, Deed, Place, Said, furnish
from tests.support.failing_calls import Failing, FailingCalls

KINDS = {
    Failing.FULL: {"full"},
    Failing.ONCE: {"storage", "full", "read_only", "busy"},
    Failing.READ_ONLY: {"read_only", "storage"},
}
"""What a person may be told while calls fail that way."""

_OF_THE_DAY = re.compile(
    r"[0-9a-f]{64}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{8}T\d{9}Z|\d{13}"
    r"|\d{4}-\d\d-\d\dT[\d:.+Z]+|(?<=\|)[0-9A-Za-z]{11}(?=\|)"
)
_NO_MATTER = re.compile(
    r"(^|/)(logs|\.lock|\.log_heads\.lock|\.purge\.lock|install\.key|log_heads\.json)(/|$)"
)
_TEMPORARY = re.compile(r"(^|/)\.(?!delet|lock|log_heads\.lock|purge\.lock)|\.new($|/)|-journal$")
_SIDE = re.compile(r"/agents\.db-(wal|shm)$")

State = set[tuple[str, tuple[str, ...]]]


def state_of(place: Place) -> State:
    """What every file says, whatever its ids, times and pages are."""
    found: State = set()
    for path in sorted(place.folder.rglob("*")):
        name = path.relative_to(place.folder).as_posix()
        if path.is_dir() or any(one.search(name) for one in (_NO_MATTER, _TEMPORARY, _SIDE)):
            continue
        rows = _rows(path) if path.name == DATABASE_NAME else ()
        found.add((_OF_THE_DAY.sub("*", name), rows))
    return found


def _rows(path: Path) -> tuple[str, ...]:
    place = f"{path.as_uri()}?mode=rw"
    with closing(sqlite_module().connect(place, uri=True)) as connection:
        names = [
            name
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table'"
                " AND name NOT LIKE 'memory\\_fts%' ESCAPE '\\' AND name <> 'meta'"
            )
        ]
        rows = [
            f"{name} {_row(row)}"
            for name in names
            for row in connection.execute(f'SELECT * FROM "{name}"')  # noqa: S608 - our names
        ]
        return tuple(sorted(rows))


def _row(row: tuple[Any, ...]) -> str:
    return _OF_THE_DAY.sub(
        "*", "|".join("~" if isinstance(one, bytes | float) else str(one) for one in row)
    )


def left_over(place: Place) -> list[str]:
    """Files that no finished deed leaves behind."""
    return sorted(
        path.relative_to(place.folder).as_posix()
        for path in place.folder.rglob("*")
        if _TEMPORARY.search(path.relative_to(place.folder).as_posix())
        and "/logs/" not in str(path)
    )


@dataclass(slots=True)
class Sweep:
    """One act, with every call failing in turn.

    Attributes:
        folder: Where cases are played.
        base: The furnished folder that they are copies of.
        act: What is done.
        calls: What lets calls fail.
        problems: What was found wrong.
        outcomes: How often it ended how.
    """

    folder: Path
    base: Path
    act: Act
    calls: FailingCalls
    problems: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    before: State = field(default_factory=set)
    after: State = field(default_factory=set)

    def run(self, how: Failing, n_tried: int) -> int:
        """Try calls, spread evenly; how many there are."""
        place, deed = self._fresh()
        self.before = state_of(place)
        self.calls.arm(place.folder, how, 1_000_000_000)
        said = deed()
        n_calls = self.calls.disarm()
        self.after = state_of(place)
        assert not said.kind, (self.act.name, said)
        every = range(1, n_calls + 1)
        step = max(1, -(-n_calls // n_tried)) if n_tried else 1
        for number in every[(step - 1) // 2 :: step]:
            self._case(how, number)
        return n_calls

    def _fresh(self) -> tuple[Place, Deed]:
        case = self.folder / "case"
        shutil.rmtree(case, ignore_errors=True)
        if self.act.is_new:
            case.mkdir()
        else:
            shutil.copytree(self.base, case)
        place = Place(case)
        return place, self.act.prepare(place)

    def _case(self, how: Failing, number: int) -> None:
        place, deed = self._fresh()
        case = f"{self.act.name}, {how.name} at {number}"
        self.calls.arm(place.folder, how, number)
        try:
            said = deed()
        except Exception as error:  # noqa: BLE001 - whatever a person would see a traceback of
            self.calls.disarm()
            self.problems.append(f"{case}: {type(error).__name__}: {error}")
            return
        self.calls.disarm()
        for word in self._wrong(place, deed, how, said):
            self.problems.append(f"{case}: {word}")

    def _wrong(self, place: Place, deed: Deed, how: Failing, said: Said) -> list[str]:
        found = []
        if said.kind and self.act.reads and how is Failing.FULL:
            found.append(f"not read: {said}")
        if said.kind and said.kind not in KINDS[how]:
            found.append(f"told as {said}")
        left = left_over(place)
        if left and how is Failing.FULL and not self.act.reads:
            found.append(f"left over {left}")
        state = state_of(place)
        word = self._between(state)
        self.outcomes[f"{said.kind or 'done'}, {word}"] += 1
        if word == "between" and not self.act.steps:
            found.append(f"between: {self._difference(state)}")
        # Whoever repairs says file by file what could not be repaired.
        has_effect = self.before != self.after and not self.act.reads
        if not said.kind and word == "before" and has_effect and not self.act.is_broken:
            found.append("said to be done, and was not")
        if (
            said.kind
            and word == "after"
            and self.before != self.after
            and not self.act.steps
            and how is Failing.FULL
        ):
            # Where the last sync is what breaks, nobody can know what the disk holds then.
            found.append(f"was done, and said {said}")
        return found + self._afterwards(place, deed, said, is_done=word == "after", left=left)

    def _afterwards(
        self, place: Place, deed: Deed, said: Said, *, is_done: bool, left: list[str]
    ) -> list[str]:
        """What is wrong with the next start and the next try, now that the disk is sound."""
        found = []
        if not self.act.is_new or (place.root / DATABASE_NAME).exists():
            place.answer("workspace", "list")  # the next start, which finishes what was begun
            long_ago = time.time() - 2 * LEFT_OVER_AFTER_SECONDS
            for name in left:
                if (place.folder / name).exists():
                    os.utime(place.folder / name, (long_ago, long_ago))
            checked = place.answer("check", "--repair")
            odd = [one for one in checked["findings"] if not one["repaired"]]
            if odd and not (self.act.is_broken and not is_done):
                found.append(f"check finds {odd}")
            still = [one for one in left_over(place) if one.startswith("root/")]
            if still:
                found.append(f"check leaves {still}")
        if said.kind and not is_done and self._between(state_of(place)) != "after":
            again = deed()
            # The right to tidy ends by itself where the disk did not let it be given back.
            if again.kind not in {"", "already_running"}:
                found.append(f"not done at the next try: {again}")
            elif not self.act.steps and self._between(state_of(place)) != "after":
                found.append(
                    f"other than it should after the next try: {self._difference(state_of(place))}"
                )
        return found

    def _between(self, state: State) -> str:
        if state == self.after:
            return "after"
        return "before" if state == self.before else "between"

    def _difference(self, state: State) -> list[str]:
        def flat(one: State) -> set[str]:
            return {f"{name}: {row}" for name, rows in one for row in ["", *rows]}

        return sorted(flat(state) ^ flat(self.after))[:4]


def main(folder: str, n_tried: str, *names: str) -> None:
    """Sweep these acts and say what was found."""
    base = Path(folder, "base")
    base.mkdir()
    furnish(base)
    table, problems = [], []
    for act in ACTS:
        if names and act.name not in names:
            continue
        for how in Failing:
            sweep = Sweep(Path(folder), base, act, FailingCalls())
            n_calls = sweep.run(how, int(n_tried))
            table.append([act.name, how.name, n_calls, dict(sweep.outcomes)])
            problems += sweep.problems
    print(json.dumps({"table": table, "problems": problems}))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
