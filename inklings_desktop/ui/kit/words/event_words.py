"""Events in words: what happened, where, by whom; pure functions, run off the UI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.proposals import ABOUT_NAMED, ProposalKind, ProposalState
from inklings_desktop.domain.log.events import TERMINAL_KINDS, EventKind, LogFault
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.lists.event_list_model import EventRow, EventTone
from inklings_desktop.ui.kit.look.translation import counted, grouped, lowered, tr
from inklings_desktop.ui.kit.words.consolidation_words import counts_words
from inklings_desktop.ui.kit.words.entry_facts import proposal_kind_label
from inklings_desktop.ui.kit.words.memory_facts import (
    age_label,
    exact_time,
    name_of_writer,
    spoken_age,
    tier_title,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.log.events import DescribedEvent, Event


SHORT_ID = 8

_OF_AGENTS = frozenset({EventKind.ROLE_ASSIGNED, EventKind.WORKING_MEMORY_CLEARED})
_NAMED_ROOMS = frozenset({Tier.CHANNEL.value, Tier.CONVERSATION.value})
_ENDS = frozenset({"?", "!", "."})


def event_rows(found: Sequence[DescribedEvent], now: datetime) -> tuple[EventRow, ...]:
    """The rows of these events, in the same order."""
    return tuple(event_row(one, now) for one in found)


def event_row(found: DescribedEvent, now: datetime) -> EventRow:
    """One event, ready to paint."""
    event = found.event
    at = event.at or now
    what, actor = spelled_out(what_happened(found)), spelled_out(name_of_writer(event.actor))
    tone = tone_of(event.kind)
    spoken = [
        tr("event {number}").format(number=grouped(event.number)),
        event.kind.value,
        *([tr("permanent record")] if tone is EventTone.PERMANENT else []),
        *([tr("refused")] if tone is EventTone.REFUSED else []),
        tr("by {name}").format(name=actor),
        tr("{age} ago").format(age=spoken_age(now - at)),
        what,
    ]
    return EventRow(
        number=event.number,
        number_text=grouped(event.number),
        age=age_label(at, now),
        exact=exact_time(at),
        kind=event.kind.value,
        actor=actor,
        what=what,
        accessible_description=", ".join(part for part in spoken if part),
        tone=tone,
    )


def tone_of(kind: EventKind) -> EventTone:
    """How a kind of event is marked."""
    if kind in TERMINAL_KINDS:
        return EventTone.PERMANENT
    return EventTone.REFUSED if kind is EventKind.DENIED else EventTone.PLAIN


def total_sentence(n_shown: int, n_all: int | None) -> str:
    """How many events the list holds, if that is known: ``Newest first, 18 events``.

    Args:
        n_shown: Events that are loaded.
        n_all: Events in the whole list; None when nobody counted them.
    """
    if n_all == 0:
        return tr("No events")
    if n_all is None:
        return tr("Newest first, more than {n} events").format(n=grouped(n_shown))
    return counted(n_all, "Newest first, 1 event", "Newest first, {n} events")


# -- what happened --------------------------------------------------------------------------


def what_happened(found: DescribedEvent) -> str:
    """One line for the table."""
    return _WORDINGS.get(found.event.kind, _other)(found)


def _memories(found: DescribedEvent) -> str:
    event = found.event
    n_memories = event.counts.get("memories", len(event.ids))
    if n_memories == 1 and found.things and found.things[0].name:
        return found.things[0].name
    return _joined(counted(n_memories, "1 memory", "{n} memories"), short_place(found))


def _entry(found: DescribedEvent) -> str:
    counts = found.event.counts
    parts = [_thing_name(found) or tr("A named entry no longer there")]
    if found.event.kind is EventKind.ENTRY_SAVED and "characters" in counts:
        parts.append(counted(counts["characters"], "1 character", "{n} characters"))
    return _joined(*parts)


def _proposal(found: DescribedEvent) -> str:
    counts = found.event.counts
    kind = next((one for one in ProposalKind if one.value in counts), None)
    state = next((one for one in ProposalState if one.value in counts), None)
    name = _thing_name(found)
    is_named = kind in ABOUT_NAMED and name not in {"", kind.value}
    words = proposal_kind_label(kind) if kind is not None else tr("proposal")
    return _joined(
        name if is_named else "",
        words if is_named else _sentence(words),
        "" if is_named else short_place(found),
        _STATES[state]() if state is not None else "",
    )


def _denied(found: DescribedEvent) -> str:
    verb = next(iter(found.event.counts), "")
    refused = tr("Not allowed: {verb}").format(verb=verb) if verb else tr("Not allowed")
    place = found.place
    # The account's log keeps the refusals of every workspace.
    if place is not None and place.kind == Tier.WORKSPACE.value and place.name:
        return _joined(refused, place.name)
    return _joined(refused, short_place(found))


def _rights(found: DescribedEvent) -> str:
    """Which client, and which rights; the first of the ids is the client's name."""
    name = name_of_writer(found.event.ids[0]) if found.event.ids else tr("A client")
    rights = [
        f"{lowered(tier_name(tier))} {action.replace(':', ' ').replace('_', ' ')}"
        for tier, _, action in (key.partition(":") for key in found.event.counts)
    ]
    return f"{name}: {', '.join(rights)}" if rights else name


def _deleted_workspace(found: DescribedEvent) -> str:
    event = found.event
    name = tr("Workspace {id}").format(id=event.ids[0][:SHORT_ID]) if event.ids else ""
    return _joined(name, *_counts(event))


def _adopted(found: DescribedEvent) -> str:
    n_events = found.event.counts.get("events", 0)
    return counted(
        n_events,
        "1 event copied from another installation",
        "{n} events copied from another installation",
    )


def _migrated(found: DescribedEvent) -> str:
    counts = found.event.counts
    return tr("Brought up to date from schema {old} to {new}, a backup was made before").format(
        old=counts.get("from", 0), new=counts.get("to", 0)
    )


def _anchored(found: DescribedEvent) -> str:
    if found.event.marks.get("because") == LogFault.WRITES_LOST:
        return counted(
            found.event.counts.get("writes", 0),
            "The loss of 1 write is accepted",
            "The loss of {n} writes is accepted",
        )
    n_events = found.event.counts.get("events", 0)
    return counted(
        n_events,
        "Recorded again after 1 event, as found",
        "Recorded again after {n} events, as found",
    )


def _scrubbed(found: DescribedEvent) -> str:
    event = found.event
    return _joined(
        _leading(found),
        event.marks.get("mode", ""),
        counted(event.counts.get("removed", 0), "1 removed", "{n} removed"),
    )


def _scrub_request(found: DescribedEvent) -> str:
    event = found.event
    tier = tr("{tier} tier").format(tier=tier_name(event.tier or ""))
    n_entries = event.counts.get("entries", 0)
    return _joined(
        _sentence(tier),
        event.marks.get("mode", ""),
        counted(n_entries, "1 entry", "{n} entries"),
    )


def _verified(found: DescribedEvent) -> str:
    counts = found.event.counts
    n_hits = counts.get("hits", 0)
    searched = counted(counts.get("files", 0), "1 file searched", "{n} files searched")
    traces = counted(n_hits, "1 trace found", "{n} traces found")
    return _joined(_leading(found), searched, traces if n_hits else tr("no trace found"))


def _consolidation(found: DescribedEvent) -> str:
    counts = found.event.counts
    n_left = counts.get("passed_over", 0)
    return _joined(
        _leading(found),
        counts_words(counts),
        counted(n_left, "1 changed since", "{n} changed since") if n_left else "",
    )


def _consolidation_undone(found: DescribedEvent) -> str:
    counts = found.event.counts
    n_back, n_short, n_left = (counts.get(key, 0) for key in ("restored", "demoted", "left"))
    return _joined(
        _leading(found),
        tr("a run undone"),
        counted(n_back, "1 restored", "{n} restored") if n_back else "",
        counted(n_short, "1 short-term again", "{n} short-term again") if n_short else "",
        counted(n_left, "1 left alone", "{n} left alone") if n_left else "",
    )


def _golden_broken(found: DescribedEvent) -> str:
    event = found.event
    n_broken = event.counts.get("questions", 0)
    return _joined(
        _leading(found),
        counted(n_broken, "1 golden question broke", "{n} golden questions broke"),
        {
            "consolidation": tr("after a consolidation"),
            "undo": tr("after a run was undone"),
            "import": tr("after an import"),
            "withdrawal": tr("after an import was undone"),
            "decay": tr("after other rates of decay"),
            "model": tr("after the change of the model"),
        }.get(event.marks.get("after", ""), ""),
    )


def _skill(found: DescribedEvent) -> str:
    return {
        EventKind.SKILL_SAVED: tr("Skill saved"),
        EventKind.SKILL_ENABLED: tr("Skill may be chosen"),
        EventKind.SKILL_DISABLED: tr("Skill may not be chosen"),
        EventKind.SKILL_DELETED: tr("Skill deleted"),
        EventKind.SKILL_IMPORTED: tr("Skill brought in"),
    }[found.event.kind]


def _settled(found: DescribedEvent) -> str:
    """What was done to facts, rules, domains, roles or an agent's own text."""
    event = found.event
    worded = {
        "created": tr("Domain made"),
        "unmade": tr("New domain undone"),
        "renamed": tr("Domain renamed"),
        "archived": tr("Domain archived"),
        "unarchived": tr("Domain in use again"),
        "closed": tr("Domain closed"),
        "opened": tr("Domain opened"),
        "role": tr("Role made"),
        "role_unmade": tr("New role undone"),
        "none": tr("Domain closed to a role"),
        "read": tr("Domain opened to a role for reading"),
        "write": tr("Domain opened to a role for writing"),
        "default": tr("Role left to the default of the domain"),
        "assigned": tr("Role given"),
        "unassigned": tr("Role taken away"),
        "made": tr("House rule made"),
        "changed": tr("House rule changed"),
        "on": tr("House rule switched on"),
        "off": tr("House rule switched off"),
        "cleared": tr("Working memory cleared"),
        "restored": tr("Working memory given back"),
    }
    agent = name_of_writer(event.ids[0]) if event.kind in _OF_AGENTS and event.ids else ""
    return _joined(*(worded.get(did, count_name(did)) for did in event.counts), agent)


def _activity(found: DescribedEvent) -> str:
    """What was done to an activity, or how a run of it went."""
    counts, marks = found.event.counts, found.event.marks
    if found.event.kind is EventKind.ACTIVITY_SAVED:
        worded = {
            "made": tr("Activity made"),
            "accepted": tr("Proposed activity made"),
            "changed": tr("Activity changed"),
            "on": tr("Activity switched on"),
            "off": tr("Activity switched off"),
            "deleted": tr("Activity deleted"),
            "restored": tr("Activity put back"),
        }
        return _joined(*(worded.get(did, count_name(did)) for did in counts))
    said = {
        "done": tr("Activity ran"),
        "budget": tr("Activity stopped at its budget"),
        "stopped": tr("Activity stopped by you"),
        "failed": tr("Activity failed"),
        "paused": tr("Activity failed three times and is paused"),
    }
    missed = counts.get("missed", 0)
    makes_up = counted(missed, "makes up for 1 time", "makes up for {n} times") if missed else ""
    return _joined(said.get(marks.get("outcome", ""), tr("Activity ran")), makes_up)


def _superseded(_found: DescribedEvent) -> str:
    return tr("Fact replaced by a later one")


def _reinstated(_found: DescribedEvent) -> str:
    return tr("Earlier fact restored")


def _other(found: DescribedEvent) -> str:
    place, counts = _leading(found), _joined(*_counts(found.event))
    # A title may end like a sentence.
    return f"{place} {counts}".strip() if place[-1:] in _ENDS else _joined(place, counts)


# -- where and what -------------------------------------------------------------------------


def short_place(found: DescribedEvent) -> str:
    """Where it happened, as short as the table needs it: ``#map-room``."""
    place = found.place
    if place is None:
        return ""
    match place.kind:
        case Tier.CHANNEL.value:
            return f"#{place.name}" if place.name else tr("a channel no longer there")
        case Tier.CONVERSATION.value:
            new = tr("New conversation") if place.ref_code else ""
            return place.name or new or tr("a conversation no longer there")
        case Tier.WORKSPACE.value:
            is_gone = place.name is None
            return tr("a workspace no longer there") if is_gone else tr("workspace")
        case _:
            return tr("account")


def _leading(found: DescribedEvent) -> str:
    """The place at the head of a line: names stay as they are, other words begin like one."""
    place, words = found.place, short_place(found)
    if place is not None and place.kind in _NAMED_ROOMS and (place.name or place.ref_code):
        return words
    return _sentence(words)


def _thing_name(found: DescribedEvent) -> str:
    """What the first thing it is about is called; empty when that is gone."""
    return (found.things[0].name or "") if found.things else ""


def tier_name(tier: str) -> str:
    """The name of a tier in the log, as on its tab; the word itself for one that is unknown."""
    return tier_title(Tier(tier)) if tier in set(Tier) else tier


def door_label(door: str) -> str:
    """Through what it came in."""
    return {
        "window": tr("Window"),
        "cli": tr("Command line"),
        "mcp": tr("MCP server"),
        "clock": tr("Background work"),
    }.get(door, door)


def count_name(key: str) -> str:
    """A key of an event's figures in words."""
    return key.replace("_", " ").replace(".", " ").replace(":", " ")


def _counts(event: Event) -> list[str]:
    """The figures of an event, those that are not nothing."""
    worded: dict[str, Callable[[int], str]] = {
        "kept": lambda n: counted(n, "1 kept", "{n} kept"),
        "forgotten": lambda n: counted(n, "1 forgotten", "{n} forgotten"),
        "held": lambda n: counted(n, "1 to decide", "{n} to decide"),
        "notes": lambda n: counted(n, "1 working note", "{n} working notes"),
        "memories": lambda n: counted(n, "1 memory", "{n} memories"),
        "named_entries": lambda n: counted(n, "1 named entry", "{n} named entries"),
        "conversations": lambda n: counted(n, "1 conversation", "{n} conversations"),
        "events": lambda n: counted(n, "1 event", "{n} events"),
        "message": lambda n: tr("message {n}").format(n=grouped(n)),
        "backups": lambda n: counted(n, "1 backup", "{n} backups"),
    }
    keys = sorted(event.counts, key=lambda key: (key not in worded, [*worded, key].index(key)))
    return [
        worded[key](n) if key in worded else f"{grouped(n)} {count_name(key)}"
        for key in keys
        if (n := event.counts[key])
    ]


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


_STATES: dict[ProposalState, Callable[[], str]] = {
    ProposalState.PENDING: lambda: tr("waits for you"),
    ProposalState.ACCEPTED: lambda: tr("accepted"),
    ProposalState.REJECTED: lambda: tr("rejected"),
    ProposalState.OVERTAKEN: lambda: tr("overtaken by a later change"),
}

_WORDINGS: dict[EventKind, Callable[[DescribedEvent], str]] = {
    EventKind.MEMORY_CREATED: _memories,
    EventKind.MEMORY_EDITED: _memories,
    EventKind.MEMORY_FORGOTTEN: _memories,
    EventKind.MEMORY_RESTORED: _memories,
    EventKind.MEMORY_CONFIRMED: _memories,
    EventKind.MEMORY_SET_ASIDE: _memories,
    EventKind.ENTRY_SAVED: _entry,
    EventKind.ENTRY_DELETED: _entry,
    EventKind.ENTRY_RESTORED: _entry,
    EventKind.PROPOSAL_MADE: _proposal,
    EventKind.PROPOSAL_DECIDED: _proposal,
    EventKind.DENIED: _denied,
    EventKind.GRANTED: _rights,
    EventKind.REVOKED: _rights,
    EventKind.WORKSPACE_DELETED: _deleted_workspace,
    EventKind.SCHEMA_MIGRATED: _migrated,
    EventKind.LOG_ADOPTED: _adopted,
    EventKind.LOG_ANCHORED: _anchored,
    EventKind.SCRUB_REQUESTED: _scrub_request,
    EventKind.SCRUB_DECLINED: _scrub_request,
    EventKind.SCRUB_EXECUTED: _scrubbed,
    EventKind.SCRUB_VERIFIED: _verified,
    EventKind.CONSOLIDATION_RUN: _consolidation,
    EventKind.CONSOLIDATION_UNDONE: _consolidation_undone,
    EventKind.GOLDEN_BROKEN: _golden_broken,
    EventKind.FACT_SUPERSEDED: _superseded,
    EventKind.FACT_REINSTATED: _reinstated,
    EventKind.POLICY_SWITCHED: _settled,
    EventKind.DOMAIN_CHANGED: _settled,
    EventKind.DOMAIN_GRANTED: _settled,
    EventKind.ROLE_ASSIGNED: _settled,
    EventKind.WORKING_MEMORY_CLEARED: _settled,
    EventKind.ACTIVITY_SAVED: _activity,
    EventKind.ACTIVITY_RAN: _activity,
    EventKind.ACTIVITY_FAILED: _activity,
    EventKind.SKILL_SAVED: _skill,
    EventKind.SKILL_ENABLED: _skill,
    EventKind.SKILL_DISABLED: _skill,
    EventKind.SKILL_DELETED: _skill,
    EventKind.SKILL_IMPORTED: _skill,
}
