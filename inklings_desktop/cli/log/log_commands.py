"""``inklings log``: what happened, as it happens, and whether the record is whole."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NoReturn

import typer

from inklings_desktop.cli.command import command
from inklings_desktop.cli.documents import event_document, verdict_document
from inklings_desktop.cli.keeping.keeping_documents import KEEP_ON_RECORD
from inklings_desktop.cli.log.event_lines import event_cells, event_line, verdict_line
from inklings_desktop.cli.log.log_options import LogOptions
from inklings_desktop.cli.messages import REFUSED, wrong_usage
from inklings_desktop.cli.output import json_line, table
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import required_workspace
from inklings_desktop.domain.log.events import LOST_ANCHORS, EventFilter, LogFault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.log.events import Event, LogVerdict
    from inklings_desktop.usecases.bundle import Inklings

LIST_LIMIT = 50
FOLLOW_LIMIT = 10
POLL_SECONDS = 0.25

_PAGE = 200
_AGE = re.compile(r"(\d{1,6})\s*(h|d|w)")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def add_log_command(app: typer.Typer) -> None:
    """Add the command that stands alone."""
    # A damaged account file is what a check has to tell of.
    command(app, "log", LogOptions, log, require_account=False)


def log(inklings: Inklings, options: LogOptions) -> Answer:
    """Show what happened, the newest first; follow it, or check that nothing of it was changed."""
    if options.verify or options.anchor:
        return _verified(inklings, options)
    where = EventFilter(
        kinds=frozenset(options.kinds or ()),
        actors=frozenset(options.actors or ()),
        tiers=frozenset(tier.value for tier in options.tiers or ()),
        since=None if options.since is None else _instant(options.since, inklings.clock()),
        text=options.find,
    )
    if options.account and options.workspace is not None:
        raise wrong_usage("Choose between --account and --workspace.")
    workspace_id = None if options.account else required_workspace(inklings).id
    if options.follow:
        _follow(inklings, options, workspace_id, where)
    limit = LIST_LIMIT if options.limit is None else options.limit
    events = inklings.log.list(workspace_id, where, limit=limit, before=options.before)
    found = inklings.log.describe(workspace_id, events)
    document = {
        "workspace_id": workspace_id,
        "events": [event_document(one) for one in found],
        "before": events[-1].number if len(events) == limit else None,
    }
    none = ["No events like that." if where != EventFilter() else "Nothing has happened yet."]
    return Answer(document, table([event_cells(one) for one in found]) or none)


def _follow(
    inklings: Inklings, options: LogOptions, workspace_id: str | None, where: EventFilter
) -> NoReturn:
    """Print the last events, then new ones as they come; Ctrl+C ends it well."""
    if options.before is not None:
        raise wrong_usage("--follow and --before exclude each other.")
    limit = FOLLOW_LIMIT if options.limit is None else options.limit
    try:
        latest = inklings.log.list(workspace_id, where, limit=max(limit, 1))
        last = latest[0].number if latest else 0
        if limit:
            _tell(inklings, options, workspace_id, latest)
        while True:
            time.sleep(POLL_SECONDS)
            new = _newer(inklings, workspace_id, where, last)
            if new:
                last = new[0].number
                _tell(inklings, options, workspace_id, new)
    except KeyboardInterrupt:
        raise typer.Exit from None  # everything has been said


def _newer(
    inklings: Inklings, workspace_id: str | None, where: EventFilter, last: int
) -> list[Event]:
    """Events after this number, the newest first."""
    found: list[Event] = []
    before = None
    limit = 1  # mostly nothing is new
    while True:
        page = inklings.log.list(workspace_id, where, limit=limit, before=before)
        found += [event for event in page if event.number > last]
        if len(page) < limit or page[-1].number <= last:
            return found
        before, limit = page[-1].number, _PAGE


def _tell(
    inklings: Inklings, options: LogOptions, workspace_id: str | None, newest_first: Sequence[Event]
) -> None:
    found = inklings.log.describe(workspace_id, newest_first)
    for one in reversed(found):
        typer.echo(json_line(event_document(one)) if options.as_json else event_line(one))


def _verified(inklings: Inklings, options: LogOptions) -> Answer:
    """Check every log, or the one that was named; exit status 1 when one is not whole."""
    selections = (options.limit, options.kinds, options.actors, options.tiers, options.since)
    is_narrowed = options.follow or options.find or options.before or any(selections)
    if is_narrowed or (options.anchor and (options.account or options.workspace)):
        raise wrong_usage(
            "--verify and --anchor work on whole logs; only --account or --workspace go with "
            "--verify."
        )
    check = inklings.log.anchor if options.anchor else inklings.log.verify
    verdicts: Sequence[LogVerdict] = check()
    if options.account:
        verdicts = [one for one in verdicts if one.workspace_id is None]
    elif options.workspace is not None:
        wanted = required_workspace(inklings).id
        verdicts = [one for one in verdicts if one.workspace_id == wanted]
    is_whole = all(one.is_whole for one in verdicts)
    document = {"whole": is_whole, "logs": [verdict_document(one) for one in verdicts]}
    lines = [verdict_line(one) for one in verdicts]
    notes = []
    if any(one.reason not in {None, LogFault.WRITES_LOST} for one in verdicts):
        notes.append("At least one event log could not be verified.")
    if any(one.lost is not None for one in verdicts):
        notes.append(KEEP_ON_RECORD)
    if any(one.reason in LOST_ANCHORS for one in verdicts):
        notes.append(
            "Restore install.key and log_heads.json from a copy, or accept the loss with: "
            "inklings log --anchor"
        )
    return Answer(document, lines, notes, 0 if is_whole else REFUSED)


def _instant(text: str, now: datetime) -> datetime:
    """The time meant by a date, a time or an age; without a zone it is the person's own."""
    try:
        if found := _AGE.fullmatch(text.strip()):
            return now - int(found[1]) * _UNITS[found[2]]
        return datetime.fromisoformat(text.strip()).astimezone()
    except (ValueError, OverflowError):
        raise wrong_usage(
            "--since takes a date such as 2026-03-01, a time such as 2026-03-01T14:30, or an age "
            "such as 12h, 7d or 2w."
        ) from None
