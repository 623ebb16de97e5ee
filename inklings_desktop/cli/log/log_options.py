"""The options of ``inklings log``.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from inklings_desktop.cli.options import CommonOptions, flag, option
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LogOptions(CommonOptions):
    """Which events, or the check of every log."""

    account: bool = flag("--account", "The account's log instead of a workspace's.")
    limit: int | None = option("--limit", "Most events; 50, or 10 with --follow.", metavar="N")
    kinds: list[EventKind] | None = option(
        "--kind", "Of this kind; may be repeated.", metavar="KIND"
    )
    actors: list[str] | None = option("--actor", "By this actor; may be repeated.", metavar="NAME")
    tiers: list[Tier] | None = option("--tier", "About this tier; may be repeated.")
    since: str | None = option(
        "--since",
        "Not older than a date (2026-03-01), a time (2026-03-01T14:30) or an age (12h, 7d).",
        metavar="WHEN",
    )
    find: str = option(
        "--find",
        "Every word is in number, kind, actor, door, tier or ids; #12 is one event.",
        "",
        metavar="WORDS",
    )
    before: int | None = option("--before", "Show events before this one.", metavar="NUMBER")
    follow: bool = flag("--follow", "Print new events as they come, until Ctrl+C.")
    anchor: bool = flag(
        "--anchor",
        "After log_heads.json or install.key was lost: note how far each log has come, "
        "accept lost writes, record both, then check.",
    )
    verify: bool = flag("--verify", "Check every log: whole, or what is wrong where.")
