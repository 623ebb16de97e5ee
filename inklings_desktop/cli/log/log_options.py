"""The options of ``inklings log``.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from typing import Annotated

import typer

from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LogOptions(CommonOptions):
    """Which events, or the check of every log."""

    account: Annotated[
        bool, typer.Option("--account", help="The account's log instead of a workspace's.")
    ] = False
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", help="Most events; 50, or 10 with --follow."),
    ] = None
    kinds: Annotated[
        list[EventKind] | None,
        typer.Option(
            "--kind", metavar="KIND", help="Of this kind; may be repeated.", show_default=False
        ),
    ] = None
    actors: Annotated[
        list[str] | None,
        typer.Option(
            "--actor", metavar="NAME", help="By this actor; may be repeated.", show_default=False
        ),
    ] = None
    tiers: Annotated[
        list[Tier] | None,
        typer.Option("--tier", help="About this tier; may be repeated.", show_default=False),
    ] = None
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="WHEN",
            help="Not older than a date (2026-03-01), a time (2026-03-01T14:30) or an age (12h, "
            "7d).",
            show_default=False,
        ),
    ] = None
    find: Annotated[
        str,
        typer.Option(
            "--find",
            metavar="WORDS",
            help="Every word is in number, kind, actor, door, tier or ids; #12 is one event.",
            show_default=False,
        ),
    ] = ""
    before: Annotated[
        int | None,
        typer.Option(
            "--before", metavar="NUMBER", help="Show events before this one.", show_default=False
        ),
    ] = None
    follow: Annotated[
        bool, typer.Option("--follow", help="Print new events as they come, until Ctrl+C.")
    ] = False
    anchor: Annotated[
        bool,
        typer.Option(
            "--anchor",
            help=(
                "After log_heads.json or install.key was lost: note how far each log has come, "
                "accept lost writes, record both, then check."
            ),
        ),
    ] = False
    verify: Annotated[
        bool, typer.Option("--verify", help="Check every log: whole, or what is wrong where.")
    ] = False
