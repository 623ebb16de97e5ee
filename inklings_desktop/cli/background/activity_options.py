"""The options of the commands about activities, one frozen class per set.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from inklings_desktop.cli.options import (
    REQUIRED,
    CommonOptions,
    LongOptions,
    argument,
    flag,
    option,
)
from inklings_desktop.domain.plain_data import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WhenOptions(CommonOptions):
    """When an activity is due, and what a run may use."""

    every: int | None = option("--every", "Every so many minutes, from 15.", metavar="MIN")
    daily: str | None = option("--daily", "Each day at this time.", metavar="HH:MM")
    weekly: str | None = option(
        "--weekly", "On these days, such as mon,thu; at 09:00 or --at.", metavar="DAYS"
    )
    monthly: int | None = option(
        "--monthly", "On this day of each month; at 09:00 or --at.", metavar="DAY"
    )
    at: str | None = option("--at", "The time for --weekly and --monthly.", metavar="HH:MM")
    once: str | None = option("--once", "Only then, as 2026-03-10T10:30.", metavar="WHEN")
    after_new: int | None = option(
        "--after-new", "After so many new memories in the channel.", metavar="N"
    )
    timezone: str | None = option(
        "--timezone", "Whose time it is, as Europe/Berlin; else this machine's.", metavar="ZONE"
    )
    missed: str | None = option(
        "--missed", "When a missed run is made up for, as 06:30-23:30.", metavar="FROM-TO"
    )
    tool_calls: int | None = option("--tool-calls", "Most tools a run may call.", metavar="N")
    seconds: int | None = option("--seconds", "Longest a run may take, to 300.", metavar="N")
    cost: float | None = option("--cost", "Most that a run may cost.", metavar="AMOUNT")
    may: str | None = option(
        "--may", "What it does unasked, as keep,propose; or nothing.", metavar="WORDS"
    )
    agent: str | None = option(
        "--agent", "Who carries it out, as inklings agent presets names them.", metavar="NAME"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AddActivityOptions(WhenOptions):
    """An activity to make."""

    name: str = argument("NAME")
    prompt: str = option("--prompt", "What the agent is asked.", REQUIRED, metavar="TEXT")
    channel: str = option("--channel", "Where its conversations begin.", "general", metavar="C")
    off: bool = flag("--off", "Leave it switched off.")


@dataclass(frozen=True, slots=True, kw_only=True)
class EditActivityOptions(WhenOptions):
    """What changes of an activity."""

    name: str = argument("NAME")
    new_name: str | None = option("--name", "Its new name.", metavar="NAME")
    prompt: str | None = option("--prompt", "What the agent is asked from now on.", metavar="TEXT")
    channel: str | None = option("--channel", "Where its conversations begin.", metavar="C")


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityOptions(CommonOptions):
    """One activity."""

    name: str = argument("NAME")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunActivityOptions(LongOptions):
    """An activity to run now."""

    name: str = argument("NAME")


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityRunsOptions(ActivityOptions):
    """Which runs of an activity."""

    limit: int = option("--limit", "Most runs.", 20, metavar="N")
