"""Everything about one event, and about the chain, in words; pure, run off the UI thread."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from inklings_desktop.domain.log.events import EventKind, LogFault
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.events.state import (
    ChainState,
    EventDetail,
    EventFact,
    EventLink,
    LogChoice,
)
from inklings_desktop.ui.kit.lists.event_list_model import EventTone
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr, tr_as
from inklings_desktop.ui.kit.words.event_words import SHORT_ID, count_name, door_label, tone_of
from inklings_desktop.ui.kit.words.memory_facts import (
    exact_time,
    name_of_writer,
    spoken_age,
    tier_title,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.log.events import DescribedEvent, Event, LogVerdict

THINGS_SHOWN = 8

_SCRUBS = frozenset({EventKind.SCRUB_EXECUTED, EventKind.SCRUB_VERIFIED})
_CHANGED = frozenset({LogFault.EDITED, LogFault.ADOPTED_EDITED})
_SECTIONS = ("kind", "tier", "source", "curator", "lifetime")


def event_detail(
    found: DescribedEvent, log: LogChoice, log_name: str, relatives: Sequence[Event], now: datetime
) -> EventDetail:
    """What the pane shows of one event.

    Args:
        found: The event, with the names of today.
        log: Whose log it is in.
        log_name: What that log is called.
        relatives: Events of the same scrub, if it is about one.
        now: Stands in for an instant that is not known.
    """
    event = found.event
    is_executed = event.kind is EventKind.SCRUB_EXECUTED
    summary = _summary(event) if is_executed else ()
    return EventDetail(
        log=log,
        number=event.number,
        title=tr("Event {number}").format(number=grouped(event.number)),
        facts=tuple(_facts(found, now)),
        is_permanent=tone_of(event.kind) is EventTone.PERMANENT,
        summary_title=tr("Manifest summary") if summary else "",
        summary=summary,
        receipt=tuple(_receipt(event)) if event.kind is EventKind.SCRUB_VERIFIED else (),
        note=_note(event.kind),
        links=tuple(_link(event, one, now) for one in relatives),
        reference=_reference(event, log_name, now),
    )


# -- names and values -----------------------------------------------------------------------


def _facts(found: DescribedEvent, now: datetime) -> list[EventFact]:
    event = found.event
    is_scrub = event.kind in _SCRUBS
    facts = [
        EventFact(tr("Type"), event.kind.value, is_fixed=True),
        EventFact(tr("When"), exact_seconds(event.at or now)),
        EventFact(tr("By"), _actor(event)),
        EventFact(tr("Through"), door_label(event.door)),
    ]
    facts += [fact for fact in (_scope(found), _about(found)) if fact is not None]
    if is_scrub:
        return [*facts, *_scrub_facts(event)]
    facts += [EventFact(_sentence(count_name(key)), grouped(n)) for key, n in _counts(event)]
    facts += [
        EventFact(_sentence(count_name(key)), text, is_fixed=True)
        for key, text in event.marks.items()
    ]
    return facts


def _actor(event: Event) -> str:
    if operator := event.marks.get("operator"):
        return operator
    kind = {"agent": tr("agent"), "clock": tr("background work")}.get(event.actor_kind, "")
    name = name_of_writer(event.actor)
    return f"{name}, {kind}" if kind and kind != name else name


def _scope(found: DescribedEvent) -> EventFact | None:
    place = found.place
    if place is None:
        return None
    name = tr("Scope")
    if place.kind == Tier.ACCOUNT.value:
        return EventFact(name, tier_title(Tier.ACCOUNT))
    if place.name is None and not place.ref_code:
        return EventFact(name, _gone(place.key), is_gone=True)
    match place.kind:
        case Tier.CHANNEL.value:
            return EventFact(name, f"#{place.name}")
        case Tier.CONVERSATION.value:
            return EventFact(name, place.name or tr("New conversation"))
        case _:
            return EventFact(name, f"{tier_title(Tier.WORKSPACE)}, {place.name}")


def _about(found: DescribedEvent) -> EventFact | None:
    things = found.things
    if not things:
        return None
    lines = [one.name or _gone(one.id) for one in things[:THINGS_SHOWN]]
    n_all = max(len(found.event.ids), found.event.counts.get("memories", 0))
    if n_all > len(lines):
        lines.append(counted(n_all - len(lines), "and 1 more", "and {n} more"))
    is_gone = all(one.name is None for one in things)
    return EventFact(tr("About"), "\n".join(lines), is_gone=is_gone)


def _scrub_facts(event: Event) -> list[EventFact]:
    facts = []
    if mode := event.marks.get("mode"):
        facts.append(EventFact(tr("Mode"), mode, is_fixed=True))
    if "removed" in event.counts:
        counted_first = sum(n for key, n in event.counts.items() if key.startswith("kind:"))
        facts.append(EventFact(tr("Counted"), grouped(counted_first)))
        facts.append(EventFact(tr("Removed"), grouped(event.counts["removed"])))
    if digest := event.marks.get("manifest"):
        facts.append(_code(tr("Manifest"), digest))
    if "workspace" in event.marks:
        # Copied when the workspace was deleted; its own number and time came with it.
        facts.append(EventFact(tr("Copied from"), _origin(event)))
    return facts


def _origin(event: Event) -> str:
    marks = event.marks
    text = tr("event {number} of workspace {id}").format(
        number=marks.get("number", ""), id=marks["workspace"][:SHORT_ID]
    )
    try:
        at = datetime.fromisoformat(marks.get("at", ""))
    except ValueError:
        return text
    return f"{text}, {exact_seconds(at)}"


def _code(name: str, digest: str) -> EventFact:
    """A hash by its beginning; the copy button copies all of it."""
    return EventFact(name, f"{digest[:4]}-{digest[4:8]}", is_fixed=True, copies=digest)


def _receipt(event: Event) -> list[EventFact]:
    counts = event.counts
    names = {
        "files": tr("Files searched"),
        "bytes": tr("Bytes"),
        "needles": tr("Pieces looked for"),
        "hits": tr("Hits"),
    }
    facts = [EventFact(name, grouped(counts[key])) for key, name in names.items() if key in counts]
    backups = []
    if n := counts.get("backups_rewritten"):
        backups.append(counted(n, "1 rewritten", "{n} rewritten"))
    if n := counts.get("backups_deleted"):
        backups.append(counted(n, "1 deleted", "{n} deleted"))
    if backups:
        facts.append(EventFact(tr("Backups"), ", ".join(backups)))
    if counts.get("remaining"):
        facts.append(EventFact(tr("Remaining"), grouped(counts["remaining"])))
    if code := event.marks.get("receipt"):
        facts.append(_code(tr("Receipt code"), code))
    return facts


def _summary(event: Event) -> tuple[str, ...]:
    """The breakdown of a manifest in lines for fixed type, a section after the other."""
    parts = [(*_split(key), n) for key, n in event.counts.items()]
    lines: list[str] = []
    for section in _SECTIONS:
        rows = [(value, n) for one, value, n in parts if one == section]
        rows.sort(key=lambda row: (-row[1], row[0]))
        width = max((len(value) for value, _ in rows), default=0)
        for place, (value, n) in enumerate(rows):
            head = section if place == 0 else ""
            lines.append(f"{head:<10}{value:<{width}} {grouped(n)}")
    for head, key, word in (
        ("forgotten", "forgotten_before", tr("before")),
        ("proposals", "proposals", ""),
        ("named", "kept", tr_as("they stay", "kept")),
    ):
        if event.counts.get(key) or (key == "kept" and lines):
            lines.append(f"{head:<10}{grouped(event.counts.get(key, 0))} {word}".rstrip())
    return tuple(lines)


def _split(key: str) -> tuple[str, str]:
    section, _, value = key.partition(":")
    return section, value


def _counts(event: Event) -> list[tuple[str, int]]:
    return [(key, n) for key, n in event.counts.items() if key != "memories" or n > 1]


def _note(kind: EventKind) -> str:
    if kind in _SCRUBS:
        return tr("This record is permanent.")
    if kind is EventKind.UNKNOWN:
        return tr("This kind of event is from another version of Inklings.")
    return ""


def _link(event: Event, other: Event, now: datetime) -> EventLink:
    apart = (other.at or now) - (event.at or now)
    is_later = other.number > event.number
    words = {
        EventKind.SCRUB_EXECUTED: (tr("Scrub, {age} later"), tr("Scrub, {age} earlier")),
        EventKind.SCRUB_VERIFIED: (tr("Check, {age} later"), tr("Check, {age} earlier")),
    }.get(other.kind, (tr("Event, {age} later"), tr("Event, {age} earlier")))
    return EventLink(
        tr("After this") if is_later else tr("Before this"),
        words[0 if is_later else 1].format(age=spoken_age(abs(apart))),
        other.number,
    )


def _reference(event: Event, log_name: str, now: datetime) -> str:
    """One line that names an event in every language and place, with the hash that proves it."""
    at = (event.at or now).astimezone(UTC)
    return (
        f"{log_name}, event {event.number}, {event.kind.value}, "
        f"{at:%Y-%m-%d %H:%M:%S} UTC, chain {event.chain_hash}"
    )


def exact_seconds(at: datetime) -> str:
    """An instant on the wall clock, to the second: ``14 Mar 2026, 10:44:07``."""
    return f"{exact_time(at)}:{on_the_wall(at):%S}"


def _gone(id_: str) -> str:
    return tr("no longer there, {id}").format(id=id_[:SHORT_ID])


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


# -- the chain ------------------------------------------------------------------------------


def chain_state(verdicts: Sequence[LogVerdict], shown: str | None) -> ChainState:
    """What a check of all logs found, in one sentence.

    Args:
        verdicts: One per log.
        shown: Whose log is on show: its fault is named first.
    """
    broken = sorted(
        (one for one in verdicts if not one.is_whole), key=lambda one: one.workspace_id != shown
    )
    if not broken:
        return ChainState(_whole(verdicts))
    first = broken[0]
    text = f"{_log_name(first)}: {_fault(first)}."
    if len(broken) > 1:
        others = counted(
            len(broken) - 1, "1 more log is not whole.", "{n} more logs are not whole."
        )
        text = f"{text} {others}"
    # Only an event that was changed is certain to be there to be shown.
    number = first.first_broken if first.reason in _CHANGED else None
    return ChainState(text, is_broken=True, broken_log=first.workspace_id, broken_number=number)


def _whole(verdicts: Sequence[LogVerdict]) -> str:
    n_events = sum(one.n_events for one in verdicts)
    events = counted(n_events, "1 event", "{n} events")
    logs = counted(len(verdicts), "1 log", "{n} logs")
    return tr("Verified: {events} in {logs}, nothing altered.").format(events=events, logs=logs)


def _log_name(verdict: LogVerdict) -> str:
    if verdict.workspace_id is None:
        return tr("The account\u2019s log")
    name = verdict.name or verdict.workspace_id[:SHORT_ID]
    return tr("The log of {name}").format(name=name)


def _fault(verdict: LogVerdict) -> str:
    number = grouped(verdict.first_broken) if verdict.first_broken is not None else ""
    words = {
        LogFault.EDITED: tr("event {number} is not what was written"),
        LogFault.ADOPTED_EDITED: tr(
            "the log copied from another installation was altered at event {number}"
        ),
        LogFault.GAP: tr("the numbers do not follow one another at event {number}"),
        LogFault.CUT: tr("it is shorter than it was, from event {number} on"),
        LogFault.REPLACED: tr("it is another log, such as an older copy"),
        LogFault.FOREIGN: tr("another installation wrote all of it"),
        LogFault.HEADS_EDITED: tr("the file of checksums was altered"),
        LogFault.HEAD_MISSING: tr("its noted head is missing"),
        LogFault.KEY_NEW: tr(
            "the key of this installation was replaced, so nothing before that can be verified"
        ),
        LogFault.FILE_MISSING: tr("its file is gone"),
        LogFault.WRITES_LOST: tr("its events are intact, but its file has lost other writes"),
        LogFault.FILE_ALTERED: tr(
            "its events are intact, but something else in its file is damaged or was "
            "changed by another program"
        ),
        LogFault.UNREADABLE: tr("its file cannot be read"),
    }
    if verdict.first_broken is None:
        words[LogFault.EDITED] = tr("it is not what was written")
        words[LogFault.ADOPTED_EDITED] = tr("the log copied from another installation was altered")
        words[LogFault.GAP] = tr("its numbers do not follow one another")
        words[LogFault.CUT] = tr("it is shorter than it was")
    fault = words.get(verdict.reason, words[LogFault.EDITED]) if verdict.reason else ""
    return fault.format(number=number)
