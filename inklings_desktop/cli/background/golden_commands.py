"""``inklings golden``: questions whose answers must stay right, and how they fare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.background.golden_options import GoldenOptions, SaveGoldenOptions
from inklings_desktop.cli.command import command, group
from inklings_desktop.cli.memories.memory_lines import short_id
from inklings_desktop.cli.memory_options import TierOptions
from inklings_desktop.cli.messages import REFUSED, UNCHANGED, wrong_usage
from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.cli.output import counted, local_time, one_line
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import (
    account_place,
    channel_place,
    find_memories,
    place_named,
    required_workspace,
)
from inklings_desktop.domain.background.golden import GoldenCause
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.plain_rows import row_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import typer

    from inklings_desktop.domain.background.golden import GoldenQuestion, GoldenRecord
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.bundle import Inklings

LOOK_AT_GOLDEN = "See which golden questions are not answered with: inklings golden list"

MIN_ID_PREFIX = 4
_TEXT_COLUMNS = 70
_AFTER = {
    GoldenCause.REQUEST: "when you asked",
    GoldenCause.CONSOLIDATION: "after a consolidation",
    GoldenCause.UNDO: "after a run was undone",
    GoldenCause.IMPORT: "after an import",
    GoldenCause.WITHDRAWAL: "after an import was undone",
    GoldenCause.DECAY: "after other rates of decay",
    GoldenCause.MODEL: "after the change of the model",
    GoldenCause.MEANWHILE: "between two checks",
}


def golden_group() -> typer.Typer:
    """Every command about golden questions."""
    golden = group("golden", "Golden questions: what must be found, whatever is tidied up.")
    command(golden, "list", CommonOptions, list_questions)
    command(golden, "ask", CommonOptions, ask)
    command(golden, "save", SaveGoldenOptions, save)
    command(golden, "delete", GoldenOptions, delete)
    return golden


def list_questions(inklings: Inklings, _options: CommonOptions) -> Answer:
    """List the questions of this workspace and the account, and how each fared last.

    They are asked before and after every consolidation and import, and after every change of the
    embedding model or of the rates of decay.
    """
    records = {
        id_: record
        for file in _files(inklings)
        for id_, record in inklings.golden.records(file).items()
    }
    return Answer(*_told(inklings, records))


def ask(inklings: Inklings, _options: CommonOptions) -> Answer:
    """Ask every question now.

    Exit status: 0 all are answered as they must be. 1 some are not.
    """
    records = {
        id_: record
        for file in _files(inklings)
        for id_, record in inklings.golden.watch(file).items()
    }
    all_right = all(one.is_right for one in records.values())
    return Answer(*_told(inklings, records), status=0 if all_right else REFUSED)


def save(inklings: Inklings, options: SaveGoldenOptions) -> Answer:
    """Keep a question with memories that must, or must not, be among its first ten hits.

    It is asked where its memories are: one channel, the workspace tier or the account.
    """
    must = find_memories(inklings, options.must or ())
    must_not = find_memories(inklings, options.must_not or ())
    scopes = {one.scope for one in (*must, *must_not)}
    if not scopes:
        raise wrong_usage("Name at least one memory with --must or --must-not.")
    if len(scopes) > 1:
        raise wrong_usage(f"All memories of a question are in one place. {UNCHANGED}")
    if scopes != _asked_in(inklings, options, scopes):
        raise wrong_usage(f"The memories of this question are in another place. {UNCHANGED}")
    kept = inklings.golden.save(
        scopes.pop(),
        options.question,
        must=[one.id for one in must],
        must_not=[one.id for one in must_not],
    )
    file = kept.scope.workspace_id
    record = inklings.golden.watch(file, kept.scope).get(kept.id)
    lines = [f"Kept as {short_id(kept.id)}."]
    if record is not None and not record.is_right:
        lines.append("It is not answered as it must be now.")
    return Answer({"question": _document(kept, record)}, lines)


def delete(inklings: Inklings, options: GoldenOptions) -> Answer:
    """Remove a question; its memories stay."""
    found = [
        one
        for file in _files(inklings)
        for one in inklings.golden.list(file)
        if one.id.startswith(options.id.lower()) and len(options.id) >= MIN_ID_PREFIX
    ]
    if not found:
        raise NotFoundError("golden_question", options.id)
    if len(found) > 1:
        raise wrong_usage(f"Several questions have an id that begins so; give more. {UNCHANGED}")
    inklings.golden.delete(found[0])
    return Answer({"deleted": found[0].id}, [f"Deleted {short_id(found[0].id)}."])


def _asked_in(
    inklings: Inklings, options: SaveGoldenOptions, scopes: set[ScopeKey]
) -> set[ScopeKey]:
    """The place that was named; where the memories are when none was."""
    if options.tier is None:
        if options.channel is not None:
            raise wrong_usage("--channel belongs to --tier channel.")
        return scopes
    place = TierOptions(tier=options.tier, channel=options.channel)
    return {place_named(inklings, place).scope}


def _told(
    inklings: Inklings, records: Mapping[str, GoldenRecord]
) -> tuple[dict[str, Any], list[str]]:
    questions = [one for file in _files(inklings) for one in inklings.golden.list(file)]
    names = _names(inklings)
    lines: list[str] = []
    for one in questions:
        lines += _lines(one, names.get(one.scope, one.scope.tier.value), records.get(one.id))
    if not questions:
        lines.append("There is no golden question yet. Save one with: inklings golden save")
    else:
        wrong = sum(not one.is_right for one in records.values())
        n_asked = counted(len(questions), "golden question")
        fare = f"{wrong} not answered as it must be" if wrong else "nothing is wrong"
        lines.append(f"{n_asked}, {fare}.")
    documents = [_document(one, records.get(one.id)) for one in questions]
    return {"questions": documents}, lines


def _lines(question: GoldenQuestion, place: str, record: GoldenRecord | None) -> list[str]:
    text = one_line(question.question, _TEXT_COLUMNS)
    head = f"{short_id(question.id)}  {text}  ({one_line(place)})"
    if record is None:
        return [f"?  {head}", "   not asked yet"]
    asked = f"asked {local_time(record.asked_at)}, {_AFTER[record.cause]}"
    since = local_time(record.since)
    if record.is_right:
        return [f"+  {head}", f"   answered since {since}; {asked}"]
    why = _AFTER[record.since_cause]
    lines = [f"!  {head}", f"   not answered since {since}, {why}; {asked}"]
    answer = record.answer
    lines += [f"   not found: {short_id(id_)}" for id_ in answer.missing]
    lines += [
        f"   found as no. {answer.ranks[id_]}, and must not be: {short_id(id_)}"
        for id_ in answer.unwanted
    ]
    if answer.instead:
        found = ", ".join(short_id(id_) for id_ in answer.instead)
        lines.append(f"   found first instead: {found}")
    return lines


def _document(question: GoldenQuestion, record: GoldenRecord | None) -> dict[str, Any]:
    last = (
        None
        if record is None
        else {
            **row_of(record, "is_right asked_at after=cause since since_after=since_cause"),
            "run": record.run_id or None,
            **row_of(record.answer, "missing unwanted ranks instead"),
        }
    )
    names = "id tier=scope.tier scope_key=scope.key question must must_not"
    return {**row_of(question, names), "last": last}


def _files(inklings: Inklings) -> tuple[str | None, ...]:
    return (required_workspace(inklings).id, None)


def _names(inklings: Inklings) -> dict[ScopeKey, str]:
    workspace = required_workspace(inklings)
    channels = inklings.places.channels(workspace.id)
    places = (*(channel_place(workspace, one) for one in channels), account_place())
    return {one.scope: one.name for one in places}
