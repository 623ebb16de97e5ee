"""Events and verdicts as lines for a terminal; what ids are called is looked up when shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.cli.keeping.keeping_documents import lost_words
from inklings_desktop.cli.output import counted, local_time, one_line
from inklings_desktop.domain.log.events import EventKind, LogFault
from inklings_desktop.domain.memory import Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inklings_desktop.domain.log.events import DescribedEvent, EventPlace, LogVerdict

WHAT_COLUMNS = 90
_WIDTHS = (7, 19, 22, 14)
_HASH_CHARACTERS = 12

_WISHES = {
    "named_body": "another text for",
    "named_new": "a new named entry",
    "memory_new": "a new memory",
    "memory_edit": "a change of a memory",
    "memory_forget": "to forget a memory",
    "memory_replace": "to replace a memory",
}
_DECISIONS = {
    "accepted": "accepted",
    "rejected": "rejected",
    "overtaken": "overtaken by a newer version",
}
_FAULTS = {
    LogFault.EDITED: "this event is not what was written",
    LogFault.GAP: "events are missing from here on",
    LogFault.CUT: "events are missing from here to the end",
    LogFault.REPLACED: "this log is another one, perhaps an older copy of the file",
    LogFault.FOREIGN: "another installation wrote this log in the place of the one that was here",
    LogFault.ADOPTED_EDITED: "what another installation wrote is no longer what was adopted",
    LogFault.HEADS_EDITED: (
        "log_heads.json was changed by somebody else, so that missing events cannot be told"
    ),
    LogFault.HEAD_MISSING: (
        "log_heads.json does not tell how far this log had come, so that missing events cannot "
        "be told"
    ),
    LogFault.KEY_NEW: (
        "install.key was replaced; nothing written before that can be verified, nor "
        "whether writes were lost"
    ),
    LogFault.FILE_MISSING: "the file of this log is gone",
    LogFault.WRITES_LOST: "every event is what was written, but not every write is there",
    LogFault.FILE_ALTERED: (
        "every event is what was written, but something else in the file is damaged, or was "
        "changed by another program"
    ),
    LogFault.UNREADABLE: "the file cannot be read",
}


def event_cells(found: DescribedEvent) -> list[str]:
    """Number, time, kind, actor and what happened."""
    event = found.event
    return [
        f"{event.number:,}",
        "" if event.at is None else local_time(event.at),
        event.kind.value,
        event.actor,
        one_line(what_happened(found), WHAT_COLUMNS),
    ]


def event_line(found: DescribedEvent) -> str:
    """The same cells on one line, for events that come one by one."""
    *cells, what = (one_line(cell) for cell in event_cells(found))
    padded = [cell.ljust(width) for cell, width in zip(cells, _WIDTHS, strict=True)]
    return "  ".join([*padded, what]).rstrip()


def what_happened(found: DescribedEvent) -> str:
    """One event in words, for example ``#map-room, 3 memories``."""
    words = _WORDS.get(found.event.kind, _anything)
    return ", ".join(part for part in words(found) if part)


def verdict_line(verdict: LogVerdict) -> str:
    """What the check of one log found."""
    whose = "Account" if verdict.workspace_id is None else one_line(verdict.name)
    head = f"{whose or verdict.workspace_id}: {counted(verdict.n_events, 'event')}"
    if verdict.reason is None:
        if verdict.n_segments == 1:
            return f"{head}, whole."
        return (
            f"{head} in {verdict.n_segments} segments, whole since this installation took it over. "
            "Whether it was before, cannot be verified here."
        )
    where = "" if verdict.first_broken is None else f", event {verdict.first_broken:,}"
    lost = "" if verdict.lost is None else f" {lost_words(verdict.lost)}."
    return f"{head}{where}: {_FAULTS[verdict.reason]}.{lost}"


def place_name(place: EventPlace | None) -> str:
    """Where an event took place, as a person calls it."""
    if place is None:
        return ""
    if place.kind == Tier.ACCOUNT:
        return "account"
    if place.name is None:
        return f"a {place.kind} that is gone"
    if place.kind == Tier.CHANNEL:
        return f"#{place.name}"
    return f"{place.ref_code} {place.name}".strip()


def _memories(found: DescribedEvent) -> Iterable[str]:
    n_memories = found.event.counts.get("memories", len(found.event.ids))
    yield place_name(found.place)
    if n_memories == 1 and found.things:
        yield found.things[0].name or "a memory that is gone"
    else:
        yield counted(n_memories, "memory")


def _named_entry(found: DescribedEvent) -> Iterable[str]:
    counts = found.event.counts
    names = [thing.name or "an entry that is gone" for thing in found.things]
    yield ", ".join(names)
    if "version" in counts:
        yield f"version {counts['version']:,}"
    if "characters" in counts and found.event.kind is not EventKind.ENTRY_DELETED:
        yield counted(counts["characters"], "character")


def _proposal(found: DescribedEvent) -> Iterable[str]:
    counts = found.event.counts
    wish = next((words for kind, words in _WISHES.items() if kind in counts), "a proposal")
    if "named_body" in counts:
        wish = f"{wish} {_first_name(found)}"
    if "named_new" in counts and found.things:
        wish = f"{wish}, {found.things[0].name}"
    yield wish
    yield next((words for state, words in _DECISIONS.items() if state in counts), "")


def _first_name(found: DescribedEvent) -> str:
    return (found.things[0].name if found.things else None) or "an entry"


def _conversation(found: DescribedEvent) -> Iterable[str]:
    counts = found.event.counts
    yield place_name(found.place)
    if counts.get("kept"):
        yield f"{counted(counts['kept'], 'memory')} kept"
    if counts.get("forgotten"):
        yield f"{counted(counts['forgotten'], 'memory')} forgotten"


def _notes(found: DescribedEvent) -> Iterable[str]:
    yield place_name(found.place)
    yield f"{counted(found.event.counts.get('notes', 0), 'working note')} removed"


_SETTLED = {
    "created": "domain made",
    "renamed": "domain renamed",
    "archived": "domain archived",
    "unarchived": "domain in use again",
    "closed": "domain closed",
    "opened": "domain opened",
    "role": "role made",
    "role_unmade": "new role undone",
    "unmade": "new domain undone",
    "none": "domain closed to a role",
    "read": "domain opened to a role for reading",
    "write": "domain opened to a role for writing",
    "default": "role left to the default of the domain",
    "assigned": "role given",
    "unassigned": "role taken away",
    "made": "house rule made",
    "changed": "house rule changed",
    "on": "house rule switched on",
    "off": "house rule switched off",
    "cleared": "working memory cleared",
    "restored": "working memory given back",
}
"""What was done to what is settled, by the figure of its event."""


def _settled(found: DescribedEvent) -> Iterable[str]:
    yield place_name(found.place)
    yield from (_SETTLED.get(did, did) for did in found.event.counts)
    if found.event.kind in _OF_AGENTS:
        yield from found.event.ids[:1]


def _skill(found: DescribedEvent) -> Iterable[str]:
    yield place_name(found.place)
    yield found.event.kind.value.replace("skill.", "a skill was ").replace("saved", "written")


def _facts(found: DescribedEvent) -> Iterable[str]:
    yield place_name(found.place)
    is_back = found.event.kind is EventKind.FACT_REINSTATED
    yield "earlier fact restored" if is_back else "fact replaced by a later one"


def _activity(found: DescribedEvent) -> Iterable[str]:
    yield place_name(found.place)
    counts, marks = found.event.counts, found.event.marks
    if found.event.kind is EventKind.ACTIVITY_SAVED:
        yield from (f"activity {did}" for did in counts)
        return
    yield f"activity {marks.get('outcome', '')}"
    yield marks.get("problem", "")
    if missed := counts.get("missed", 0):
        yield f"makes up for {counted(missed, 'time')}"


def _denied(found: DescribedEvent) -> Iterable[str]:
    yield f"{' '.join(found.event.counts) or 'a write'} refused"
    if found.event.tier is not None:
        yield f"{found.event.tier} tier"
    if found.place is not None and found.place.kind != Tier.ACCOUNT:
        yield place_name(found.place)


def _scrub(found: DescribedEvent) -> Iterable[str]:
    yield place_name(found.place)
    yield found.event.marks.get("mode", "")
    yield f"{found.event.counts.get('removed', 0):,} removed"


def _scrub_request(found: DescribedEvent) -> Iterable[str]:
    if found.event.tier is not None:
        yield f"{found.event.tier} tier"
    if found.place is not None and found.place.kind != Tier.ACCOUNT:
        yield place_name(found.place)
    yield found.event.marks.get("mode", "")
    yield counted(found.event.counts.get("entries", 0), "entry")


def _scrub_verified(found: DescribedEvent) -> Iterable[str]:
    counts = found.event.counts
    yield f"scrub {counts.get('scrub', 0):,}"
    yield f"{counted(counts.get('hits', 0), 'hit')} in {counted(counts.get('files', 0), 'file')}"


def _adopted(found: DescribedEvent) -> Iterable[str]:
    n_events = found.event.counts.get("events", 0)
    yield f"{counted(n_events, 'event')} before this one come from another installation"


def _migrated(found: DescribedEvent) -> Iterable[str]:
    counts, marks = found.event.counts, found.event.marks
    yield f"brought up to date from schema {counts.get('from', 0)} to {counts.get('to', 0)}"
    yield f"kept as it was in backup {marks.get('kept', '')}"


def _anchored(found: DescribedEvent) -> Iterable[str]:
    if found.event.marks.get("because") == LogFault.WRITES_LOST:
        n_writes = found.event.counts.get("writes", 0)
        yield f"the loss of {counted(n_writes, 'write')} is accepted"
        return
    n_events = found.event.counts.get("events", 0)
    yield f"what came after {counted(n_events, 'event')} is anchored again"
    reasons = {
        LogFault.HEADS_EDITED: "log_heads.json had been changed",
        LogFault.KEY_NEW: "install.key had been replaced",
    }
    because = found.event.marks.get("because", "")
    lost = "log_heads.json had been lost"
    yield next((said for one, said in reasons.items() if one == because), lost)


def _anything(found: DescribedEvent) -> Iterable[str]:
    """Everything there is to say, for kinds without words of their own."""
    yield place_name(found.place)
    yield from (f"{name} {_short(text)}" for name, text in found.event.marks.items())
    yield from (f"{name} {_figure(number)}" for name, number in found.event.counts.items())


def _short(text: object) -> str:
    words = str(text)
    return words if len(words) <= 2 * _HASH_CHARACTERS else f"{words[:_HASH_CHARACTERS]}\u2026"


def _figure(number: object) -> str:
    return f"{number:,}" if isinstance(number, int) else str(number)


_OF_AGENTS = frozenset({EventKind.ROLE_ASSIGNED, EventKind.WORKING_MEMORY_CLEARED})
_WORDS: dict[EventKind, Callable[[DescribedEvent], Iterable[str]]] = {
    EventKind.MEMORY_CREATED: _memories,
    EventKind.MEMORY_EDITED: _memories,
    EventKind.MEMORY_FORGOTTEN: _memories,
    EventKind.MEMORY_RESTORED: _memories,
    EventKind.MEMORY_CONFIRMED: _memories,
    EventKind.MEMORY_SET_ASIDE: _memories,
    EventKind.ENTRY_SAVED: _named_entry,
    EventKind.ENTRY_DELETED: _named_entry,
    EventKind.ENTRY_RESTORED: _named_entry,
    EventKind.PROPOSAL_MADE: _proposal,
    EventKind.PROPOSAL_DECIDED: _proposal,
    EventKind.CONVERSATION_STARTED: _conversation,
    EventKind.CONVERSATION_RENAMED: _conversation,
    EventKind.CONVERSATION_IDLED: _conversation,
    EventKind.CONVERSATION_ARCHIVED: _conversation,
    EventKind.CONVERSATION_RESUMED: _conversation,
    EventKind.CONVERSATION_BOOKMARKED: _conversation,
    EventKind.NOTES_CLEARED: _notes,
    EventKind.DENIED: _denied,
    EventKind.SCRUB_REQUESTED: _scrub_request,
    EventKind.SCRUB_DECLINED: _scrub_request,
    EventKind.SCRUB_EXECUTED: _scrub,
    EventKind.SCRUB_VERIFIED: _scrub_verified,
    EventKind.SCHEMA_MIGRATED: _migrated,
    EventKind.LOG_ADOPTED: _adopted,
    EventKind.LOG_ANCHORED: _anchored,
    EventKind.FACT_SUPERSEDED: _facts,
    EventKind.FACT_REINSTATED: _facts,
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
