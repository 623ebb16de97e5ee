"""``inklings memory``: add, list, show, search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.cli.command import command, group
from inklings_desktop.cli.documents import (
    hit_document,
    memory_document,
    missing_document,
    version_document,
)
from inklings_desktop.cli.listening import listening
from inklings_desktop.cli.memories.explanation_lines import explanation_lines, missing_lines
from inklings_desktop.cli.memories.memory_change_commands import add_change_commands
from inklings_desktop.cli.memories.memory_lines import (
    made_room_line,
    not_understood_line,
    row_lines,
    short_id,
    whole_memory,
)
from inklings_desktop.cli.memory_options import (
    AddOptions,
    ListOptions,
    MemoryOptions,
    SearchOptions,
)
from inklings_desktop.cli.messages import wrong_usage
from inklings_desktop.cli.output import counted, one_line
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import find_memory, place_of, place_to_write, places_to_read
from inklings_desktop.cli.typed_text import given_text, secret_notes
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import MemoryFilter, MemoryState, cursor_of, token_of
from inklings_desktop.domain.memory import MemoryDraft, Tier
from inklings_desktop.domain.memory_values import checked_tags
from inklings_desktop.domain.search.search_operators import narrowed, typed_search
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.search_memories import SearchRequest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import typer

    from inklings_desktop.cli.memory_options import FilterOptions
    from inklings_desktop.cli.scopes import Place
    from inklings_desktop.domain.memories.listing import MemorySort, PageCursor
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.bundle import Inklings

KEYWORD_ONLY = (
    "Searching by words only: without a search model, memories in other words are missed."
)


def memory_group() -> typer.Typer:
    """Every command about memories."""
    memories = group("memory", "Memories: add, list, search, edit, forget.")
    command(memories, "add", AddOptions, add)
    command(memories, "list", ListOptions, list_page)
    command(memories, "show", MemoryOptions, show)
    command(memories, "search", SearchOptions, search)
    add_change_commands(memories)
    return memories


def add(inklings: Inklings, options: AddOptions) -> Answer:
    """Remember something, as the author."""
    place = place_to_write(inklings, options)
    draft = MemoryDraft(
        place.scope,
        given_text(options.text),
        importance=options.importance,
        lifetime=options.lifetime,
        source=options.source,
        tags=tuple(options.tags or ()),
        source_conversation=_source_conversation(inklings, options, place),
        private_to=options.agent,
    )
    replaces = None if options.replaces is None else find_memory(inklings, options.replaces).id
    with listening(inklings) as heard:
        outcome = inklings.memories.put_outcome(draft, replaces=replaces)
    entry, replaced = outcome.memory, outcome.replaced
    made_room = [one for one in heard.forgotten if replaced is None or one != replaced.id]
    lines = [
        f"You already have this memory, {short_id(entry.id)}; nothing was added."
        if outcome.was_known
        else f"Remembered {short_id(entry.id)} in the {entry.scope.tier.value} tier."
    ]
    if replaced is not None:
        lines.append(f"It replaces {short_id(replaced.id)}, which is forgotten.")
    if made_room:
        lines.append(made_room_line(made_room))
    relevance = relevance_of(entry, inklings.settings.decay, inklings.clock())
    document = {
        "memory": memory_document(entry, relevance),
        "already_known": outcome.was_known,
        "replaced": None if replaced is None else replaced.id,
        "made_room": made_room,
    }
    return Answer(document, lines, secret_notes(entry.content))


def list_page(inklings: Inklings, options: ListOptions) -> Answer:
    """List one tier, a page at a time; nothing counts as read."""
    after = None if options.after is None else _page_after(options.after, options.sort)
    state = MemoryState.FORGOTTEN if options.forgotten else MemoryState.ACTIVE
    where = _filter(options, state)
    places = places_to_read(inklings, options)
    page = inklings.listing.browse(
        [place.scope for place in places],
        where=where,
        sort=options.sort,
        limit=options.limit,
        after=after,
    )
    decay, names = inklings.settings.decay, _names(places)
    token = None if page.next is None else token_of(page.next, options.sort)
    documents, lines = [], []
    for entry in page.entries:
        relevance = relevance_of(entry, decay, page.as_of)
        documents.append(memory_document(entry, relevance))
        lines += row_lines(entry, relevance, page.as_of, names)
    if page.total is not None:
        lines.append(_total(len(page.entries), page.total, options))
    if token is not None:
        lines.append(f"More: add --after {token}")
    return Answer({"memories": documents, "total": page.total, "next": token}, lines)


def show(inklings: Inklings, options: MemoryOptions) -> Answer:
    """Show one memory with its history; nothing counts as read."""
    entry = find_memory(inklings, options.id)
    shown = inklings.listing.show(entry.ref)
    now = inklings.clock()
    relevance = relevance_of(shown.entry, inklings.settings.decay, now)
    place = place_of(inklings, shown.entry).name
    document = {
        "memory": memory_document(shown.entry, relevance),
        "history": [version_document(version) for version in shown.history],
    }
    return Answer(document, whole_memory(shown, relevance, place, now))


def search(inklings: Inklings, options: SearchOptions) -> Answer:
    """Search one tier by words and meaning; nothing counts as read."""
    typed = typed_search(options.query)
    where = narrowed(_filter(options, MemoryState.ACTIVE), typed.where)
    notes = [not_understood_line(one) for one in typed.not_understood]
    places = places_to_read(inklings, options)
    scopes = [place.scope for place in places]
    if typed.has_operators and not typed.sought and options.why_not is None:
        return _by_conditions(inklings, options, places, where, notes)
    request = SearchRequest(typed.sought, options.mode, options.limit, where)
    result = inklings.search.find(scopes, request)
    now, names = inklings.clock(), _names(places)
    lines = []
    for hit in result.hits:
        relevance = hit.explanation.fading.relevance
        lines += row_lines(hit.entry, relevance, now, names, hit.score)
        if options.explain:
            lines += explanation_lines(hit.explanation)
    if not result.hits:
        lines.append(f"Nothing matches \u201c{one_line(options.query, 60)}\u201d.")
    document: dict[str, object] = {
        "query": options.query,
        "mode": result.mode.value,
        "hits": [hit_document(hit, explain=options.explain) for hit in result.hits],
    }
    aside_document, aside_lines = _set_aside(inklings, options, request, scopes, names)
    document["set_aside"] = aside_document
    lines += aside_lines
    if options.why_not is not None:
        wanted = find_memory(inklings, options.why_not).id
        missing = inklings.search.explain_missing(scopes, request, wanted)
        document["why_not"] = missing_document(missing, wanted)
        lines += ["", *missing_lines(missing, wanted, request)]
    fell_back = options.mode is SearchMode.HYBRID and result.mode is SearchMode.KEYWORD
    return Answer(document, lines, [*notes, *([KEYWORD_ONLY] if fell_back else [])])


def _set_aside(
    inklings: Inklings,
    options: SearchOptions,
    request: SearchRequest,
    scopes: Sequence[ScopeKey],
    names: Mapping[ScopeKey, str],
) -> tuple[dict[str, object], list[str]]:
    """What is paused or forgotten and says a searched word, counted or shown."""
    found = inklings.search.find_set_aside(scopes, request)
    document: dict[str, object] = {
        "paused": len(found.paused),
        "forgotten": len(found.forgotten),
        "is_complete": found.is_complete,
    }
    counts = [
        f"{len(entries):,} {word}"
        for entries, word in ((found.paused, "paused"), (found.forgotten, "forgotten"))
        if entries
    ]
    lines = []
    if counts:
        among = "" if found.is_complete else ", among the latest"
        how = "" if options.set_aside else "; --set-aside shows them"
        match = "matches" if len(found) == 1 else "match"
        lines.append(f"{' and '.join(counts)} {match} too{among}{how}.")
    if options.set_aside:
        now, decay = inklings.clock(), inklings.settings.decay
        documents = []
        for title, entries in (("Paused:", found.paused), ("Forgotten:", found.forgotten)):
            lines += [title] if entries else []
            for one in entries:
                relevance = relevance_of(one, decay, now)
                documents.append(memory_document(one, relevance))
                lines += row_lines(one, relevance, now, names)
        document["memories"] = documents
    return document, lines


def _by_conditions(
    inklings: Inklings,
    options: SearchOptions,
    places: Sequence[Place],
    where: MemoryFilter,
    notes: Sequence[str],
) -> Answer:
    """What meets the conditions of a search without a word in it, newest first; no scores."""
    page = inklings.listing.browse(
        [place.scope for place in places], where=where, limit=options.limit
    )
    decay, names = inklings.settings.decay, _names(places)
    hits, lines = [], []
    for entry in page.entries:
        relevance = relevance_of(entry, decay, page.as_of)
        hits.append(memory_document(entry, relevance) | {"score": None})
        lines += row_lines(entry, relevance, page.as_of, names)
    if not page.entries:
        lines.append("No memory is like that.")
    document = {"query": options.query, "mode": options.mode.value, "hits": hits}
    return Answer(document, lines, notes)


def _source_conversation(inklings: Inklings, options: AddOptions, place: Place) -> str | None:
    """The conversation in which a memory was written, when one is named."""
    if options.conversation is None:
        return None
    if options.tier is Tier.CONVERSATION:
        return place.scope.key
    workspace_id = place.scope.workspace_id
    if workspace_id is None:
        return options.conversation  # refused with the rest of the draft
    return inklings.conversations.get(workspace_id, options.conversation).id


def _filter(options: FilterOptions, state: MemoryState) -> MemoryFilter:
    return MemoryFilter(
        sources=frozenset(options.sources or ()),
        curators=frozenset(options.curators or ()),
        writers=frozenset(options.writers or ()),
        lifetimes=frozenset(options.lifetimes or ()),
        tags=frozenset(checked_tags(options.tags or [])),
        importance_min=options.importance_min,
        importance_max=options.importance_max,
        state=state,
        without_embedding=options.no_embedding,
    )


def _page_after(token: str, sort: MemorySort) -> PageCursor:
    """Where the page begins that comes after the one that gave this token."""
    try:
        return cursor_of(token, sort)
    except InvalidValueError as error:
        if error.rule == "other_order":
            raise wrong_usage("--after goes with the same --sort as the page before.") from None
        raise wrong_usage("--after takes the token that the page before gave.") from None


def _names(places: Sequence[Place]) -> Mapping[ScopeKey, str]:
    """Names worth showing: none while there is only one place."""
    return {place.scope: place.name for place in places} if len(places) > 1 else {}


def _total(n_shown: int, total: int, options: ListOptions) -> str:
    kind = "forgotten memory" if options.forgotten else "memory"
    if total == 0:
        return f"No {kind.replace('memory', 'memories')} here."
    if n_shown == total:
        return f"{counted(total, kind)}."
    return f"{n_shown:,} of {counted(total, kind)}."
