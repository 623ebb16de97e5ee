"""The parts of the inspector's state, computed from one memory or note; pure functions."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from inklings_desktop.domain.memories.decay import (
    DecayConfig,
    age_hours,
    effective_rate,
    relevance,
    touched_at,
)
from inklings_desktop.domain.memories.memory_history import VersionState, version_states
from inklings_desktop.domain.memory import (
    MERGED_SOURCE,
    Lifetime,
    MemoryAction,
    MemoryEntry,
    MemoryVersion,
    Tier,
)
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.lists.memory_row_layout import CurveNumbers
from inklings_desktop.ui.kit.look.text_layout import editor_text
from inklings_desktop.ui.kit.look.translation import lowered, tr
from inklings_desktop.ui.kit.words.memory_facts import (
    exact_time,
    forgotten_reason_label,
    importance_figure,
    lifetime_label,
    reads_label,
    relative_age,
    relevance_figure,
    writer_label,
)
from inklings_desktop.ui.kit.words.places import talk_name
from inklings_desktop.ui.memory.subject.state import (
    ChartFacts,
    ConflictFacts,
    ConflictKind,
    DraftValues,
    ForgottenFacts,
    HistoryLine,
    NoteFacts,
    OfferFacts,
    ProvenanceFacts,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from inklings_desktop.domain.memories.memory_typing import MemoryTyping
    from inklings_desktop.domain.rooms.conversation import Conversation, WorkingNote
    from inklings_desktop.usecases.ports.store import Embedder


_ONE_LINE_CHARACTERS = 40
_INDENT = "  "


def readable_json(text: str) -> str:
    """The same JSON over several lines; short lists and objects inside it stay on one.

    What cannot be laid out (nested too deeply, numbers too long) comes back as it is.
    """
    try:
        value = json.loads(text)
        if isinstance(value, dict | list) and value:
            return _over_lines(value, "")
        return _on_one_line(value)
    except (ValueError, RecursionError):
        return text


def memory_text(note: WorkingNote) -> str:
    """What a memory made from a note would say: its key and its value in one line."""
    try:
        value = json.loads(note.value_json)
    except (ValueError, RecursionError):
        value = None
    return f"{note.key}: {value if isinstance(value, str) else note.value_json}"


def _over_lines(value: object, indent: str) -> str:
    inner = indent + _INDENT
    match value:
        case dict():
            rows = [
                f"{inner}{_on_one_line(key)}: {_laid_out(one, inner)}" for key, one in value.items()
            ]
            opening, closing = "{", "}"
        case list():
            rows = [f"{inner}{_laid_out(one, inner)}" for one in value]
            opening, closing = "[", "]"
        case _:
            return _on_one_line(value)
    return "\n".join([opening, ",\n".join(rows), f"{indent}{closing}"])


def _laid_out(value: object, indent: str) -> str:
    line = _on_one_line(value)
    return line if len(line) <= _ONE_LINE_CHARACTERS else _over_lines(value, indent)


def _on_one_line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def values_of(entry: MemoryEntry) -> DraftValues:
    """What stands in the fields of a memory that nobody has touched."""
    return DraftValues(editor_text(entry.content), entry.importance, entry.lifetime, entry.tags)


def chart_facts(
    entry: MemoryEntry, importance: float, decay: DecayConfig, now: datetime
) -> ChartFacts:
    """The relevance of a memory over time, with an importance that may not be saved yet."""
    curve = _curve(entry, importance, decay, now)
    saved = _curve(entry, entry.importance, decay, now)
    rate, hours, n_reads = curve.rate_per_hour, curve.hours_since_base, entry.access_count
    present = relevance(importance, rate, hours, n_reads)
    return ChartFacts(
        curve=curve,
        saved_curve=None if saved == curve else saved,
        base_at=touched_at(entry),
        base_label=_base_label(entry),
        figure=relevance_figure(present),
        can_be_promoted=entry.lifetime is Lifetime.SHORT_TERM,
    )


def history_lines(
    entry: MemoryEntry, history: Sequence[MemoryVersion], now: datetime
) -> tuple[HistoryLine, ...]:
    """The life of a memory, newest first, down to its creation."""
    lines = []
    states = version_states(entry, history)
    now_state, can_change = states[0], not entry.is_forgotten
    after: MemoryEntry | MemoryVersion = entry
    for before, state in zip(history, states, strict=False):
        lines.append(
            HistoryLine(
                title=_action_title(before.action),
                by=tr("by {name}").format(name=before.changed_by),
                detail=_change_detail(before, after),
                age=_ago(before.changed_at, now),
                exact=f"{exact_time(before.changed_at)}, {_door_phrase(before.door)}",
                version=state.number,
                is_edit=before.content is not None,
                differs=state.content != now_state.content,
                can_restore=can_change and not state.reads_as(now_state),
            )
        )
        after = before
    if entry.source == MERGED_SOURCE and entry.edited_at is not None and not _was_edited(history):
        at = entry.edited_at
        lines.append(HistoryLine(tr("Merged"), "", "", _ago(at, now), exact_time(at)))
    if entry.imported_at is not None:
        at = entry.imported_at
        lines.append(HistoryLine(tr("Imported"), "", "", _ago(at, now), exact_time(at)))
    lines.append(
        HistoryLine(
            title=tr("Created"),
            by=tr("by {name}").format(name=_first_writer(entry, states[-1])),
            detail="",
            age=_ago(entry.created_at, now),
            exact=exact_time(entry.created_at),
            version=states[-1].number,
            differs=states[-1].content != now_state.content,
            can_restore=can_change and not states[-1].reads_as(now_state),
        )
    )
    return tuple(lines)


def _first_writer(entry: MemoryEntry, first: VersionState) -> str:
    before = replace(entry, written_by=first.written_by)
    if entry.imported_curator is not None:
        before = replace(before, curator=entry.imported_curator)
    label = writer_label(before)
    return label if label == first.written_by else lowered(label)


def _was_edited(history: Sequence[MemoryVersion]) -> bool:
    """Whether the text was changed since: then the instant of the merge is not known any more."""
    return any(one.content is not None for one in history)


def provenance_facts(entry: MemoryEntry, scope_name: str, embedder: Embedder) -> ProvenanceFacts:
    """Where a memory came from and what has happened to it."""
    curator: Literal["author", "agent", "import"] = entry.curator.value
    labels = {Tier.CHANNEL: tr("Channel"), Tier.CONVERSATION: tr("Conversation")}
    return ProvenanceFacts(
        curator=curator,
        curator_label=writer_label(entry),
        source=entry.source,
        agent_id=entry.agent_id,
        scope_label=labels.get(entry.scope.tier, "") if scope_name else "",
        scope_name=scope_name,
        created=exact_time(entry.created_at),
        last_read=exact_time(entry.accessed_at) if entry.accessed_at else tr("Never"),
        reads=reads_label(entry.access_count) if entry.access_count else "",
        confirmed=exact_time(entry.confirmed_at) if entry.confirmed_at else "",
        imported=exact_time(entry.imported_at) if entry.imported_at else "",
        embedding=_embedding_text(entry, embedder),
        has_embedding=entry.embedding_model is not None,
    )


def conflict_facts(
    draft: DraftValues, newer: MemoryEntry | None, *, by_agent: bool = False
) -> ConflictFacts:
    """The two versions between which a person has to choose.

    Args:
        draft: What stands in the fields.
        newer: What is stored by now; None if nothing is stored any more.
        by_agent: Whether an agent stored it.
    """
    if newer is None:
        title = tr("This memory was removed while you were editing.")
        return ConflictFacts(ConflictKind.GONE, title, draft.content, None, "")
    theirs = values_of(newer)
    figures = []
    if theirs.importance != draft.importance:
        figures.append(tr("importance {n}").format(n=importance_figure(theirs.importance)))
    if theirs.lifetime is not draft.lifetime:
        figures.append(lowered(lifetime_label(theirs.lifetime), is_noun=False))
    if theirs.tags != draft.tags:
        figures.append(" ".join(f"#{spelled_out(tag)}" for tag in theirs.tags) or tr("no tags"))
    if newer.is_forgotten:
        kind, title = (
            ConflictKind.FORGOTTEN,
            tr("This memory was forgotten while you were editing."),
        )
    else:
        kind = ConflictKind.CHANGED
        title = (
            tr("The agent changed this while you were editing.")
            if by_agent
            else tr("This memory was changed while you were editing.")
        )
    return ConflictFacts(kind, title, draft.content, theirs.content, ", ".join(figures))


def offer_facts(typing: MemoryTyping, stored: str) -> OfferFacts:
    """What an earlier run had not saved, and what it would replace."""
    title = tr("A draft from {time} was not saved.").format(time=exact_time(typing.kept_at))
    return OfferFacts(title, editor_text(stored), editor_text(typing.content))


def forgotten_facts(entry: MemoryEntry, now: datetime) -> ForgottenFacts | None:
    """Since when and why a memory is forgotten; None while it is active."""
    if entry.forgotten_at is None:
        return None
    return ForgottenFacts(
        title=tr("Forgotten {age} ago").format(age=relative_age(now - entry.forgotten_at)),
        reason=forgotten_reason_label(entry.forgotten_reason),
        exact=exact_time(entry.forgotten_at),
    )


def note_facts(note: WorkingNote, conversation: Conversation | None) -> NoteFacts:
    """A working note as a person reads it."""
    return NoteFacts(
        key=note.key,
        json=readable_json(note.value_json),
        conversation=talk_name(conversation) if conversation else "",
        ref_code=conversation.ref_code if conversation else "",
        written=exact_time(note.updated_at),
        started=exact_time(note.created_at),
        memory_text=memory_text(note),
    )


def _curve(
    entry: MemoryEntry, importance: float, decay: DecayConfig, now: datetime
) -> CurveNumbers:
    return CurveNumbers(
        hours_since_base=age_hours(entry, now),
        start=importance * (1.0 + math.log1p(entry.access_count)),
        rate_per_hour=effective_rate(entry, decay),
    )


def _base_label(entry: MemoryEntry) -> str:
    base = touched_at(entry)
    if base == entry.accessed_at:
        return tr("last read")
    if base == entry.confirmed_at:
        return tr("confirmed")
    if base == entry.imported_at:
        return tr("imported")
    return tr("written")


def _action_title(action: MemoryAction) -> str:
    return {
        MemoryAction.EDITED: tr("Edited"),
        MemoryAction.RETAGGED: tr("Tags changed"),
        MemoryAction.REWEIGHTED: tr("Importance changed"),
        MemoryAction.RELABELLED: tr("Lifetime changed"),
        MemoryAction.REVERTED: tr("Earlier version restored"),
        MemoryAction.FORGOTTEN: tr("Forgotten"),
        MemoryAction.RESTORED: tr("Restored"),
        MemoryAction.CONFIRMED: tr("Re-confirmed"),
        MemoryAction.PINNED: tr("Pinned"),
        MemoryAction.UNPINNED: tr("Unpinned"),
        MemoryAction.PAUSED: tr("Paused"),
        MemoryAction.RESUMED: tr("Resumed"),
        MemoryAction.LOCKED: tr("Locked"),
        MemoryAction.UNLOCKED: tr("Unlocked"),
    }[action]


def _change_detail(before: MemoryVersion, after: MemoryEntry | MemoryVersion) -> str:
    """Every value but the text that a step changed, whatever it is called after."""
    steps = (
        (importance_figure(before.importance), importance_figure(after.importance)),
        (lifetime_label(before.lifetime), lifetime_label(after.lifetime)),
    )
    parts = [" \u2192 ".join(step) for step in steps if step[0] != step[1]]
    gone = [f"\u2212{tag}" for tag in before.tags if tag not in after.tags]
    new = [f"+{tag}" for tag in after.tags if tag not in before.tags]
    if gone or new:
        parts.append(spelled_out(" ".join([*gone, *new])))
    return " \u00b7 ".join(parts)


def _door_phrase(door: str) -> str:
    return {
        "window": tr("in the window"),
        "cli": tr("on the command line"),
        "mcp": tr("by an agent\u2019s tool"),
        "clock": tr("in the background"),
    }.get(door, door)


def _embedding_text(entry: MemoryEntry, embedder: Embedder) -> str:
    if entry.embedding_model is None:
        return tr("By words only, until it is prepared")
    if entry.embedding_model == embedder.model_id and embedder.is_available:
        return tr("By words and meaning")
    return tr("By words; prepared by {model}").format(model=entry.embedding_model)


def _ago(at: datetime, now: datetime) -> str:
    return tr("{age} ago").format(age=relative_age(now - at))
