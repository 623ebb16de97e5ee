"""What an agent did in a turn, as the rows of its step card: verbs, counts, objects; no widget."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.conversation.words import took
from inklings_desktop.ui.kit.look.translation import counted, lowered, quoted, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inklings_desktop.agent_client.rows import StepBlock, Touched

MOST_ROWS = 4
"""Above so many groups of calls the card folds into one row."""
_READS, _NOTED, _NOTES, _ENTRIES, _TALKS = "read", "noted", "notes", "entries", "talks"
_SOUGHT, _PAGES = "sought", "pages"
_VERBS = {
    "memory_read": _READS,
    "memory_orient": _READS,
    "memory_search": _READS,
    "memory_get": _READS,
    "memory_recent": _READS,
    "memory_put": "kept",
    "memory_update": "changed",
    "memory_forget": "forgot",
    "memory_restore": "restored",
    "named_entry_list": _ENTRIES,
    "named_entry_read": _ENTRIES,
    "named_entry_propose": "proposed",
    "note_write": _NOTED,
    "note_read": _NOTES,
    "note_list": _NOTES,
    "conversation_list": _TALKS,
    "world_search": _SOUGHT,
    "world_read": _PAGES,
    "world_outline": _PAGES,
    "world_changes": _PAGES,
    "retcon_list": _PAGES,
    "world_propose": "proposed",
    "skill_propose": "proposed",
}


@dataclass(frozen=True, slots=True)
class StepDetail:
    """A line of an unfolded row: what was found or done, and the memory that it leads to.

    Attributes:
        text: The words.
        touched: The memory; None where the line is about none.
        done: What was done to it, in a word.
    """

    text: str
    touched: Touched | None = None
    done: str = ""

    @property
    def spoken(self) -> str:
        """The line as a screen reader hears it."""
        return f"{self.done}: {self.text}" if self.done else self.text


@dataclass(frozen=True, slots=True)
class StepRow:
    """One row of the step card.

    Attributes:
        key: Names it within its turn.
        icon: Of the row; the role of its colour.
        role: As said.
        done: Verbs and counts, in bold.
        about: What it was about.
        time: How long it took; empty for unknown.
        is_running: Whether it is under way.
        details: What unfolding shows.
    """

    key: str
    icon: str
    role: str
    done: str
    about: str = ""
    time: str = ""
    is_running: bool = False
    details: tuple[StepDetail, ...] = ()

    @property
    def spoken(self) -> str:
        """The row as a screen reader hears it."""
        return ", ".join(one for one in (self.done, self.about, self.time) if one)


def step_rows(
    steps: Sequence[StepBlock], *, goes_on: bool = True, most_ms: int | None = None
) -> tuple[StepRow, ...]:
    """The rows for calls in their order: those that went well in a row are one group.

    Args:
        steps: The calls.
        goes_on: Whether the turn is still under way; else nothing in it is.
        most_ms: How long the whole turn took: calls are made side by side, and a group of them
            took no longer. None for unknown.
    """
    found: list[StepRow] = []
    group: list[StepBlock] = []

    def close() -> None:
        if group:
            found.append(_group_row(group, most_ms))
            group.clear()

    for step in steps:
        if step.status == "completed":
            group.append(step)
            continue
        close()
        found.append(_single_row(step, goes_on=goes_on))
    close()
    if len(found) <= MOST_ROWS or any(one.is_running for one in found):
        return tuple(found)
    whole = _group_row(steps, most_ms)
    details = tuple(detail for row in found for detail in (StepDetail(row.spoken), *row.details))
    return (replace(whole, details=details),)


def _group_row(steps: Sequence[StepBlock], most_ms: int | None) -> StepRow:
    counts: dict[str, set[str]] = {}
    for step in steps:
        for one in step.touched:
            counts.setdefault(_verb(step, one), set()).add(f"{one.tier}/{one.id}")
        if not step.touched:
            counts.setdefault(_VERBS.get(step.tool, f"={step.title}"), set())
    words = [_done(verb, len(ids)) for verb, ids in counts.items()]
    done = ", ".join((words[0], *(lowered(one, is_noun=False) for one in words[1:])))
    ms = [step.ms for step in steps if step.ms is not None]
    taken = sum(ms) if most_ms is None else min(sum(ms), most_ms)
    return StepRow(
        steps[0].id,
        "list-checks",
        "inkSoft",
        done,
        _sought(steps),
        took(taken) if ms else "",
        details=tuple(_details(steps)),
    )


def _verb(step: StepBlock, one: Touched) -> str:
    """What a call did to a memory: one call may keep one memory and forget another."""
    if one.how == "written":
        return "changed" if step.tool == "memory_update" else "kept"
    of_how = {"read": _READS, "forgotten": "forgot", "proposed": "proposed", "restored": "restored"}
    return of_how.get(one.how) or _VERBS.get(step.tool, f"={step.title}")


def _single_row(step: StepBlock, *, goes_on: bool) -> StepRow:
    time = took(step.ms) if step.ms is not None else ""
    if step.is_running and not goes_on:
        words = _doing(step)
        return StepRow(step.id, "stop-circle", "inkSoft", words, tr("not finished"), time)
    if step.is_running:
        icon = "magnifying-glass" if step.kind in {"search", "read"} else "circle-dashed"
        return StepRow(
            step.id, icon, "inkSoft", _doing(step), _sought((step,)), time, is_running=True
        )
    is_refused = step.status == "refused"
    icon = "prohibit" if is_refused else "warning-circle"
    kind = tr("Memory") if step.tool.startswith("memory_") else step.title or step.tool
    words = tr("{what}: refused") if is_refused else tr("{what}: failed")
    if step.tool in {"memory_put", "memory_update", "memory_forget"}:
        words = tr("Memory write refused") if is_refused else tr("Memory write failed")
    details = (StepDetail(step.outcome),) if step.outcome else ()
    return StepRow(
        step.id, icon, "madder", words.format(what=kind), step.outcome, time, details=details
    )


def _done(verb: str, n: int) -> str:
    """A verb with its count, as the beginning of a sentence."""
    if verb.startswith("="):
        return verb[1:] or tr("Used a tool")
    if verb == _TALKS:
        return tr("Looked at earlier conversations")
    if not n:
        return {
            _READS: tr("Looked, found nothing"),
            _NOTED: tr("Kept a note"),
            _NOTES: tr("Read its notes"),
            _ENTRIES: tr("Read the named entries"),
            _SOUGHT: tr("Searched your pages"),
            _PAGES: tr("Read in your pages"),
            "proposed": tr("Proposed a change"),
            "kept": tr("Kept nothing new"),
        }.get(verb, tr("Changed nothing"))
    return {
        _READS: counted(n, "Read 1 memory", "Read {n} memories"),
        "kept": counted(n, "Kept 1 memory", "Kept {n} memories"),
        "changed": counted(n, "Changed 1 memory", "Changed {n} memories"),
        "forgot": counted(n, "Forgot 1 memory", "Forgot {n} memories"),
        "restored": counted(n, "Restored 1 memory", "Restored {n} memories"),
        "proposed": counted(n, "Proposed 1 change", "Proposed {n} changes"),
        _NOTED: counted(n, "Kept 1 note", "Kept {n} notes"),
        _NOTES: counted(n, "Read 1 note", "Read {n} notes"),
        _ENTRIES: counted(n, "Read 1 named entry", "Read {n} named entries"),
    }[verb]


def _doing(step: StepBlock) -> str:
    return {
        _READS: tr("Searching your memories"),
        "kept": tr("Keeping a memory"),
        "changed": tr("Changing a memory"),
        "forgot": tr("Forgetting a memory"),
        "restored": tr("Restoring a memory"),
        "proposed": tr("Proposing a change"),
        _NOTED: tr("Keeping a note"),
        _NOTES: tr("Reading its notes"),
        _ENTRIES: tr("Reading the named entries"),
        _TALKS: tr("Looking at earlier conversations"),
        _SOUGHT: tr("Searching your pages"),
        _PAGES: tr("Reading in your pages"),
    }.get(_VERBS.get(step.tool, ""), step.title or step.tool)


def _sought(steps: Iterable[StepBlock]) -> str:
    """What was looked for, each once."""
    asked = (str(step.input.get("query") or step.input.get("name") or "") for step in steps)
    return ", ".join(dict.fromkeys(quoted(one[:60]) for one in asked if one))


def _details(steps: Iterable[StepBlock]) -> Iterable[StepDetail]:
    """A line for each memory, once for each thing done to it: as many as are counted."""
    told: set[tuple[str, str, str]] = set()
    for step in steps:
        if not step.touched and step.outcome:
            yield StepDetail(step.outcome)
        for one in step.touched:
            verb = _verb(step, one)
            if (verb, one.tier, one.id) in told:
                continue
            told.add((verb, one.tier, one.id))
            done = {
                _READS: tr("Read"),
                "kept": tr("Kept"),
                "changed": tr("Changed"),
                "forgot": tr("Forgot"),
                "restored": tr("Restored"),
                "proposed": tr("Proposed"),
            }.get(verb, "")
            yield StepDetail(one.excerpt or tr("a memory"), one, done)
