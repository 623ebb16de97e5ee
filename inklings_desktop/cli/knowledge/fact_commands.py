"""``inklings fact``: state, list, find and replace what is settled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.command import command, group
from inklings_desktop.cli.knowledge.knowledge_options import (
    AddFactOptions,
    FromMemoryOptions,
    ListFactsOptions,
    ReinstateOptions,
    SearchFactsOptions,
    SettleOptions,
    SupersedeOptions,
)
from inklings_desktop.cli.memory_options import MemoryOptions
from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.cli.output import counted, local_time, one_line, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import find_memory, required_workspace
from inklings_desktop.domain.knowledge.facts import FactState, StoryInterval
from inklings_desktop.domain.plain_rows import row_of
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.knowledge.values import FactDraft, FactQuery, FactSearch

if TYPE_CHECKING:
    from collections.abc import Iterable

    import typer

    from inklings_desktop.domain.knowledge.could_be import CouldBeFact
    from inklings_desktop.domain.knowledge.facts import Fact, FactView
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.knowledge.values import FactPut

_ID_CHARACTERS = 8
_STATES = {
    FactState.SUPERSEDED: "superseded",
    FactState.FORGOTTEN: "forgotten",
    FactState.DISAGREES: "another fact says otherwise",
    FactState.SOURCE_CHANGED: "its source changed",
    FactState.UNSUPPORTED: "no source left",
}


def fact_group() -> typer.Typer:
    """Every command about facts."""
    facts = group("fact", "What is settled: facts in domains, with what they were concluded from.")
    command(facts, "add", AddFactOptions, add)
    command(facts, "list", ListFactsOptions, list_facts)
    command(facts, "show", MemoryOptions, show)
    command(facts, "search", SearchFactsOptions, search)
    command(facts, "supersede", SupersedeOptions, supersede)
    command(facts, "take-back", MemoryOptions, take_back)
    command(facts, "reinstate", ReinstateOptions, reinstate)
    command(facts, "history", MemoryOptions, history)
    command(facts, "from-memory", FromMemoryOptions, from_memory)
    command(facts, "could-be", CommonOptions, could_be)
    command(facts, "make", FromMemoryOptions, make)
    command(facts, "dismiss", MemoryOptions, dismiss)
    command(facts, "ask-again", MemoryOptions, ask_again)
    command(facts, "disagreements", CommonOptions, disagreements)
    command(facts, "settle", SettleOptions, settle)
    return facts


def add(inklings: Inklings, options: AddFactOptions) -> Answer:
    """State a fact; facts of its topic that say otherwise are named, and stay."""
    draft = FactDraft(
        options.domain,
        options.topic,
        options.text,
        options.confidence,
        tuple(options.sources or ()),
        tags=tuple(options.tags or ()),
        story=StoryInterval(options.first, options.until),
    )
    return _put(inklings.facts.put(required_workspace(inklings).id, draft))


def list_facts(inklings: Inklings, options: ListFactsOptions) -> Answer:
    """List facts by domain and topic."""
    wanted = {
        FactState.DISAGREES: options.disagreeing,
        FactState.UNSUPPORTED: options.unsupported,
    }
    query = FactQuery(
        options.domain,
        options.topic,
        with_superseded=options.superseded,
        states=frozenset(state for state, is_wanted in wanted.items() if is_wanted),
        at_story=options.at_story,
        limit=options.limit,
    )
    found = inklings.facts.list(required_workspace(inklings).id, query)
    document = {"facts": [view_document(one) for one in found.facts], "total": found.total}
    return Answer(document, _lines(found.facts) or ["There are no such facts."])


def show(inklings: Inklings, options: MemoryOptions) -> Answer:
    """Show one fact with its sources."""
    view = inklings.facts.show(find_memory(inklings, options.id).ref)
    lines = [*_lines([view]), *(f"  from {visible(one)}" for one in _sources(view))]
    return Answer({"fact": view_document(view)}, lines)


def search(inklings: Inklings, options: SearchFactsOptions) -> Answer:
    """Find facts; what was replaced is left out unless it is asked for."""
    wanted = FactSearch(
        options.query,
        options.domain,
        options.topic,
        options.superseded,
        options.at_story,
        options.limit,
        SearchMode(options.mode.value),
    )
    hits = inklings.facts.search(required_workspace(inklings).id, wanted)
    rows = [view_document(one.view) | {"score": round(one.score, 6)} for one in hits]
    lines = _lines(one.view for one in hits)
    return Answer({"facts": rows}, lines or ["No fact was found."])


def supersede(inklings: Inklings, options: SupersedeOptions) -> Answer:
    """Put a new fact in the place of one; the earlier one stays readable in its chain."""
    fact = inklings.facts.supersede(
        find_memory(inklings, options.id).ref,
        options.text,
        reason=options.reason,
        confidence=options.confidence,
        sources=tuple(options.sources or ()),
        topic=options.topic,
        story=None if options.first is None else StoryInterval(options.first),
    )
    return _done("Replaced", fact)


def take_back(inklings: Inklings, options: MemoryOptions) -> Answer:
    """Withdraw a fact, and let the one stand again whose place it took."""
    return _done("Restored", inklings.facts.take_back(find_memory(inklings, options.id).ref))


def reinstate(inklings: Inklings, options: ReinstateOptions) -> Answer:
    """State again what an earlier fact of a chain said."""
    ref = find_memory(inklings, options.id).ref
    return _done("Stated again", inklings.facts.reinstate(ref, options.reason))


def history(inklings: Inklings, options: MemoryOptions) -> Answer:
    """List how a fact came to be, the oldest first."""
    chain = inklings.facts.chain(find_memory(inklings, options.id).ref)
    return Answer({"facts": [view_document(one) for one in chain]}, _lines(chain))


def from_memory(inklings: Inklings, options: FromMemoryOptions) -> Answer:
    """Make a fact of what a memory says; the memory stays, and is its source."""
    done = inklings.facts.from_memory(
        find_memory(inklings, options.id).ref,
        domain=options.domain,
        topic=options.topic,
        confidence=options.confidence,
    )
    return _put(done)


def could_be(inklings: Inklings, _options: CommonOptions) -> Answer:
    """List notes that three conversations or more repeat; make or dismiss answers them."""
    found = inklings.could_be_facts.list(required_workspace(inklings).id)
    lines = [
        line
        for one in found
        for line in (
            f"{counted(one.n_conversations, 'conversation')}: {visible(one_line(one.said))}",
            *(f"  {_short(note)}  {visible(one_line(note.content))}" for note in one.notes),
        )
    ]
    document = {"could_be_facts": [_group_document(one) for one in found]}
    return Answer(document, lines or ["No three conversations repeat a note."])


def make(inklings: Inklings, options: FromMemoryOptions) -> Answer:
    """Make one fact of notes that several conversations repeat; all of them are its sources."""
    done = inklings.could_be_facts.make(
        required_workspace(inklings).id,
        find_memory(inklings, options.id).id,
        domain=options.domain,
        topic=options.topic,
        confidence=options.confidence,
    )
    return _put(done)


def dismiss(inklings: Inklings, options: MemoryOptions) -> Answer:
    """Say that repeated notes are no fact: they stay, and are not listed again."""
    note = find_memory(inklings, options.id).id
    found = inklings.could_be_facts.dismiss(required_workspace(inklings).id, note)
    return Answer(_group_document(found), [f"Not listed again: {visible(one_line(found.said))}"])


def ask_again(inklings: Inklings, options: MemoryOptions) -> Answer:
    """Undo a dismissal, or let notes be listed again whose fact was forgotten."""
    note = find_memory(inklings, options.id)
    inklings.could_be_facts.ask_again(required_workspace(inklings).id, note.id)
    return Answer({"id": note.id}, ["Listed again, unless a fact says it."])


def disagreements(inklings: Inklings, _options: CommonOptions) -> Answer:
    """List facts of one topic that say something else; settle says which one holds."""
    found = inklings.facts.disagreements(required_workspace(inklings).id)
    pairs = [
        {
            "first": fact_document(one.first),
            "second": fact_document(one.second),
            "difference": one.difference.value,
        }
        for one in found
    ]
    lines = [
        line
        for one in found
        for line in (_line(one.first), f"  but {_line(one.second)} ({one.difference.value})")
    ]
    return Answer({"disagreements": pairs}, lines or ["No fact disagrees with another."])


def settle(inklings: Inklings, options: SettleOptions) -> Answer:
    """Say which of two facts holds; the other one's place is taken."""
    holds = find_memory(inklings, options.id).ref
    return _done("Holds", inklings.facts.settle(holds, find_memory(inklings, options.other).ref))


def fact_document(fact: Fact) -> dict[str, Any]:
    """A fact as a document."""
    return {
        **row_of(fact.memory, "id version topic content tags importance"),
        "domain": fact.domain,
        "confidence": fact.details.confidence,
        "story_from": fact.details.story.first,
        "story_until": fact.details.story.until,
        **row_of(fact.memory, "curator by created_at forgotten_at successor_id"),
    }


def view_document(view: FactView) -> dict[str, Any]:
    """A fact with its state and its sources."""
    return {
        **fact_document(view.fact),
        "state": view.state.value,
        "sources": [{"reference": one.reference, "gone": one.is_gone} for one in view.observations],
        "disagrees_with": list(view.disagrees_with),
        "replaces": view.n_replaced,
        **({"ending": row_of(view.ending, "at by why")} if view.ending is not None else {}),
    }


def _group_document(found: CouldBeFact) -> dict[str, Any]:
    return {
        "id": found.id,
        "content": found.said,
        "conversations": found.n_conversations,
        "notes": [row_of(one, "id content") for one in found.notes],
    }


def _put(done: FactPut) -> Answer:
    document = {
        "fact": fact_document(done.fact),
        "already_known": done.was_known,
        "conflicts": [fact_document(one) for one in done.conflicts],
    }
    said = "Known already" if done.was_known else "Stated"
    lines = [f"{said}: {_line(done.fact)}"]
    lines += [f"  but {_line(one)} says otherwise; it stays." for one in done.conflicts]
    return Answer(document, lines)


def _done(said: str, fact: Fact) -> Answer:
    return Answer({"fact": fact_document(fact)}, [f"{said}: {_line(fact)}"])


def _lines(views: Iterable[FactView]) -> list[str]:
    lines = []
    for one in views:
        state = _STATES.get(one.state, "")
        if state and one.fact.memory.forgotten_at is not None:
            state = f"{state} {local_time(one.fact.memory.forgotten_at)}"
        if one.ending is not None and one.ending.why:
            state = f"{state}: {one_line(one.ending.why)}"
        lines.append(_line(one.fact) + (f" [{state}]" if state else ""))
    return lines


def _line(fact: Fact) -> str:
    entry = fact.memory
    place = f"{one_line(fact.domain)}: {one_line(entry.topic)}"
    sure = f"{fact.details.confidence:.2f}"
    return visible(f"{_short(entry)}  {sure}  {place}  {one_line(entry.content)}")


def _short(entry: MemoryEntry) -> str:
    return entry.id[:_ID_CHARACTERS]


def _sources(view: FactView) -> list[str]:
    return [
        one_line(one.memory.content if one.memory is not None else one.reference)
        + (" (gone)" if one.is_gone else "")
        for one in view.observations
    ]
