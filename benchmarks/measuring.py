"""Timing things in turn, and writing down what came of it.

On a shared machine a figure alone says little: every path is measured in the same minute as the
bare operation that it cannot do without, and the ratio of the two is what is read.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import statistics
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Row:
    """One path beside its bare operation.

    Attributes:
        path: What was measured.
        ours: The product's figure.
        bare: The same of the bare operation; None when nothing is compared.
        unit: Of both.
        goal: What the ratio should keep to, as in ``<= 1.5``; empty when it is only printed.
        n: How many measurements the figures are medians of.
        note: What has to be known to read it.
    """

    path: str
    ours: float
    bare: float | None
    unit: str
    goal: str = ""
    n: int = 1
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Ours over bare."""
        return None if not self.bare else self.ours / self.bare

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is kept; None without one."""
        if not self.goal or self.ratio is None:
            return None
        sign, bound = self.goal.split()
        return self.ratio <= float(bound) if sign == "<=" else self.ratio >= float(bound)


@dataclass(slots=True)
class Report:
    """What one script measured."""

    name: str
    rows: list[Row] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "benchmark": self.name,
            "machine": machine(),
            "settings": self.settings,
            "rows": [
                {
                    **asdict(row),
                    "ours": _rounded(row.ours),
                    "bare": None if row.bare is None else _rounded(row.bare),
                    "ratio": None if row.ratio is None else _rounded(row.ratio),
                    "met": row.is_met,
                }
                for row in self.rows
            ],
        }

    def print(self, *, as_json: bool) -> None:
        """To stdout: a table, or the document."""
        document = self.document()
        if as_json:
            print(json.dumps(document, indent=2))
            return
        print(f"{self.name}: {document['machine']}")
        for line in table_of(document["rows"]):
            print(line)


def table_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Rows of a document as a Markdown table."""
    lines = ["| path | measured | bare | ratio | goal |", "|---|---|---|---|---|"]
    for row in rows:
        bare = "" if row["bare"] is None else f"{row['bare']:,g} {row['unit']}"
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
        missed = " (missed)" if row["met"] is False else ""
        name = f"{row['path']} ({row['note']})" if row["note"] else row["path"]
        cells = [name, f"{row['ours']:,g} {row['unit']}", bare, ratio, f"{row['goal']}{missed}"]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def machine() -> str:
    """Processor, cores and versions, in one line."""
    cores = os.cpu_count() or 1
    system = f"{platform.system()} {platform.machine()}"
    return f"{system}, {cores} cores, Python {platform.python_version()}"


def in_turn(
    ways: Mapping[str, Sequence[Callable[[], object]]], *, clock: Callable[[], float]
) -> dict[str, list[float]]:
    """Milliseconds of every call, the ways taking turns call by call.

    Args:
        ways: By name, equally many calls each; a slow moment of the machine hits all alike.
        clock: ``time.process_time`` for the processor, ``time.perf_counter`` for the wall.
    """
    spent: dict[str, list[float]] = {name: [] for name in ways}
    gc.collect()
    for calls in zip(*ways.values(), strict=True):
        for name, call in zip(ways, calls, strict=True):
            begun = clock()
            call()
            spent[name].append((clock() - begun) * 1000)
    return spent


def medians(spent: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The median of each."""
    return {name: statistics.median(each) for name, each in spent.items()}


def cpu_in_turn(ways: Mapping[str, Sequence[Callable[[], object]]]) -> dict[str, float]:
    """Median processor milliseconds of each way, all threads counted."""
    return medians(in_turn(ways, clock=time.process_time))


def wall_in_turn(ways: Mapping[str, Sequence[Callable[[], object]]]) -> dict[str, float]:
    """Median elapsed milliseconds of each way."""
    return medians(in_turn(ways, clock=time.perf_counter))


def options(about: str | None, **numbers: int) -> argparse.ArgumentParser:
    """A parser with ``--json`` and these numbers as options, their values the defaults."""
    parser = argparse.ArgumentParser(description=(about or "").partition("\n\n")[0])
    for name, value in numbers.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=value)
    parser.add_argument("--json", action="store_true")
    return parser


def resident_bytes() -> int:
    """Memory of this process that is in use now; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _rounded(figure: float) -> float:
    """Four significant digits."""
    return float(f"{figure:.4g}")
