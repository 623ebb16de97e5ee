"""Everything the dialog of a canary drill shows, as finished texts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DrillRow:
    """One way to ask, and what came of it.

    Attributes:
        path: Name of the use case, tool or resource.
        door: By which door.
        asked: How often.
        refused: How often that was refused.
        result: ``tight``, or what crossed.
        is_tight: Whether nothing crossed.
        told: The row in one sentence.
    """

    path: str
    door: str
    asked: str
    refused: str
    result: str
    is_tight: bool
    told: str


@dataclass(frozen=True, slots=True)
class DrillState:
    """What the dialog shows.

    Attributes:
        client: Whose rights are tried.
        is_running: Whether a drill is under way.
        share: How far it is, 0 up to 1.
        step: What it does now.
        verdict: What it came to, in one sentence; empty before the end.
        is_passed: Whether that is good.
        notes: What was done, and what to know of it.
        rows: Every way that was tried; where something crossed first.
        report: The same as a text to copy; empty before the end.
    """

    client: str = ""
    is_running: bool = False
    share: float = 0.0
    step: str = ""
    verdict: str = ""
    is_passed: bool = False
    notes: tuple[str, ...] = ()
    rows: tuple[DrillRow, ...] = ()
    report: str = ""
