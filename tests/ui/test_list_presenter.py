"""The list keeps itself true: pages, searches, filters, changes from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.domain.errors import DatabaseBusyError
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memories.listing import MemoryFilter, MemorySort, MemoryState
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.ui.kit.lists.memory_row_layout import HeadingRow, MemoryRow, NoteRow
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.memory.list.content import (
    Emptiness,
    ListRequest,
    selectable_ids,
)
from inklings_desktop.ui.memory.list.presenter import ListPresenter
from tests.support.builders import a_memory, an_agent
from tests.support.damaging import MARKED, make_unreadable
from tests.support.scenes import scene
from tests.support.stand_ins import stood_in
from tests.support.wide import mostly_wide
from tests.ui.presenter_bench import Bench, Heard, a_bench, a_context_of, on_bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with a_bench(tmp_path / "data") as made:
        yield made


def contents(heard: Heard) -> list[str]:
    return [row.excerpt for row in heard.last.rows if isinstance(row, MemoryRow)]


@scene(on_bench)
async def test_the_newest_memory_stands_first_under_its_month(
    bench: Bench, background: Background, /
) -> None:
    bench.put("The first.")
    bench.put("The second.")
    heard = Heard()
    presenter = ListPresenter(a_context_of(background, bench.inklings))
    heard.to(presenter.content_changed)
    presenter.ask(ListRequest((bench.scope,)))
    await presenter.settled()
    assert contents(heard) == ["The second.", "The first."]
    assert isinstance(heard.last.rows[0], HeadingRow)
    assert heard.last.n_memories == 2
    assert heard.last.emptiness is None


@scene(on_bench)
async def test_the_first_rows_do_not_wait_for_the_values_they_can_be_filtered_by(
    bench: Bench, background: Background, /
) -> None:
    bench.put("Kept.")
    entry = bench.put("Forgotten.")
    bench.inklings.memories.forget([entry.ref])
    heard, read = Heard(), Heard()
    presenter = ListPresenter(a_context_of(background, bench.inklings))
    heard.to(presenter.content_changed)
    read.to(presenter.facets_read)
    presenter.ask(ListRequest((bench.scope,)))
    await presenter.settled()
    first = heard.last
    assert first.lacks_facets
    assert first.facets.sources == ()
    assert first.facets.forgotten == 1, "its filter stands there from the beginning"
    await presenter.read_facets()
    await presenter.read_facets()  # known by now
    presenter.refresh()
    await presenter.settled()
    assert [one.facets.sources for one in read.payloads] == [(("user", 1),)]
    assert read.last.rows == heard.payloads[0].rows
    assert heard.last.facets == read.last.facets
    assert not heard.last.lacks_facets


@scene(on_bench)
async def test_a_further_page_is_read_where_somebody_looks(
    bench: Bench, background: Background, /
) -> None:
    for number in range(230):
        bench.put(f"Entry number {number}.")
    heard, placed = Heard(), Heard()
    presenter = ListPresenter(a_context_of(background, bench.inklings))
    heard.to(presenter.content_changed)
    placed.to(presenter.rows_read)
    presenter.ask(ListRequest((bench.scope,)))
    await presenter.settled()
    presenter.load_rows(210, 220)
    while not placed.payloads:
        await background.read(len, ())
    assert (len(heard.last.rows), heard.last.n_rows) == (201, 231)
    (rows,) = placed.payloads
    assert sorted(rows) == list(range(201, 231))
    assert rows[230].excerpt == "Entry number 0."


@scene(on_bench)
async def test_a_list_over_more_than_200_years_is_read_whole(
    bench: Bench, background: Background, /
) -> None:
    """Its oldest months are counted as one: no count tells at which place the others stand."""
    first = datetime(1700, 1, 1, tzinfo=UTC)
    entries = [
        a_memory(
            f"Said {n}",
            scope=bench.scope,
            memory_id=f"00000000-0000-4000-8000-{n:012}",
            created_at=first + timedelta(days=n if n < 210 else 90_000 + n),
        )
        for n in range(430)
    ]
    with bench.inklings.parts.store.write(bench.workspace.id, initiator="test") as unit:
        unit.memories.add(entries)
        unit.commit()
    heard = Heard()
    presenter = ListPresenter(a_context_of(background, bench.inklings))
    heard.to(presenter.content_changed)
    presenter.ask(ListRequest((bench.scope,), sort=MemorySort.OLDEST))
    await presenter.settled()
    shown = heard.last
    assert (shown.n_rows, shown.headings, shown.n_memories) == (0, {}, 430)
    assert len([row for row in shown.rows if isinstance(row, MemoryRow)]) == 430
    assert isinstance(shown.rows[0], HeadingRow)
    assert shown.rows[0].text == "January 1700"


@pytest.mark.parametrize(
    ("sort", "n_rows"),
    mostly_wide(
        product(MemorySort, (9, 230)),
        every_day=lambda case: (case[0] is MemorySort.NEWEST) == (case[1] == 230),
    ),
)
@scene(on_bench)
async def test_what_was_forgotten_leaves_the_list_as_if_it_were_read_anew(
    bench: Bench, background: Background, /, sort: MemorySort, n_rows: int
) -> None:
    clock = bench.inklings.clock
    now = clock()
    tags = ("ropes", "gulls", "salt")
    put = [
        bench.put(f"Entry number {n}.", importance=n % 10 / 10, tags=tags[: n % 4])
        for n in range(n_rows)
    ]
    bench.inklings.memories.forget([put[0].ref])
    heard, asked = Heard(), list[object]()
    parts = replace(bench.inklings.parts, clock=lambda: now)
    inklings = replace(bench.inklings, parts=parts)
    browse = inklings.listing.browse

    def counted(*arguments: Any, **values: Any) -> Any:
        asked.append(arguments)
        return browse(*arguments, **values)

    inklings = stood_in(inklings, {"listing.browse": counted})
    gone = [put[n] for n in (2, 7, 8)]
    presenter = ListPresenter(a_context_of(background, inklings))
    heard.to(presenter.content_changed)
    presenter.ask(ListRequest((bench.scope,), sort=sort))
    await presenter.settled()
    await presenter.read_facets()
    n_asked = len(asked)
    shown = presenter.content
    assert shown is not None
    are_shown = all(presenter.entry(one.id) is not None for one in gone)
    bench.inklings.memories.forget([one.ref for one in gone])
    ids = tuple(one.id for one in gone)
    scopes = frozenset({bench.scope})
    changes = MemoryChanges(bench.workspace.id, scopes, forgotten=ids)
    presenter.on_changes(changes)
    await presenter.settled()
    assert (len(asked) == n_asked) is are_shown, "what is known is not asked again"
    left = presenter.content
    presenter.on_changes(replace(changes, reload=True))
    await presenter.settled()
    anew = presenter.content
    assert left is not None
    assert anew is not None
    n_left = len(left.rows)
    assert left == replace(anew, rows=anew.rows[:n_left])
    assert n_left == len(anew.rows) or left.n_rows > n_left
    assert left.n_memories == shown.n_memories - 3


@scene(on_bench)
async def test_a_search_marks_and_counts_what_it_found(
    bench: Bench, background: Background, /
) -> None:
    bench.put("The harbour of Wend smells of rope.")
    bench.put("Gulls keep accounts.")
    heard = Heard()
    presenter = ListPresenter(a_context_of(background, bench.inklings))
    heard.to(presenter.content_changed)
    presenter.ask(ListRequest((bench.scope,), text="harb"))
    await presenter.settled()
    assert contents(heard) == ["The harbour of Wend smells of rope."]
    assert heard.last.answered_by is SearchMode.KEYWORD
    assert heard.last.rows[0].highlights == ((4, 7),)


@scene(on_bench)
async def test_only_the_latest_question_is_answered(
    bench: Bench, background: Background, /
) -> None:
    bench.put("The harbour.")
    heard = Heard()
    presenter = ListPresenter(a_context_of(background, bench.inklings))
    heard.to(presenter.content_changed)
    for text in ("h", "ha", "har", "harbour"):
        presenter.ask(ListRequest((bench.scope,), text=text))
    await presenter.settled()
    assert [content.request.text for content in heard.payloads] == ["harbour"]


@scene(on_bench)
async def test_a_search_that_finds_nothing_says_so(bench: Bench, background: Background, /) -> None:
    bench.put("The harbour.")
    heard = Heard()
    presenter = ListPresenter(a_context_of(background, bench.inklings))
    heard.to(presenter.content_changed)
    presenter.ask(ListRequest((bench.scope,), text="volcano"))
    await presenter.settled()
    assert heard.last.emptiness is Emptiness.NO_MATCH


@scene(on_bench)
async def test_an_empty_place_is_not_a_failed_filter(
    bench: Bench, background: Background, /
) -> None:
    heard = Heard()
    presenter = ListPresenter(a_context_of(background, bench.inklings))
    heard.to(presenter.content_changed)
    presenter.ask(ListRequest((bench.scope,)))
    await presenter.settled()
    presenter.ask(ListRequest((bench.scope,), where=MemoryFilter(tags=frozenset({"x"}))))
    await presenter.settled()
    assert [content.emptiness for content in heard.payloads] == [
        Emptiness.NOTHING_HERE,
        Emptiness.NO_MATCH,
    ]


@scene(on_bench)
async def test_the_forgotten_filter_lists_what_was_forgotten(
    bench: Bench, background: Background, /
) -> None:
    gone = bench.put("Forget me.")
    bench.put("Keep me.")
    bench.inklings.memories.forget([gone.ref])
    heard = Heard()
    presenter = ListPresenter(a_context_of(background, bench.inklings))
    heard.to(presenter.content_changed)
    forgotten = MemoryFilter(state=MemoryState.FORGOTTEN)
    presenter.ask(ListRequest((bench.scope,), where=forgotten))
    await presenter.settled()
    presenter.ask(ListRequest((bench.scope,), where=forgotten, text="keep"))
    await presenter.settled()
    first, second = heard.payloads
    assert [row.excerpt for row in first.rows if isinstance(row, MemoryRow)] == ["Forget me."]
    assert first.rows[-1].forgotten
    assert second.request.where.state is MemoryState.ACTIVE
    assert contents(heard) == ["Keep me."]


@scene(on_bench)
async def test_a_change_here_refreshes_and_a_change_elsewhere_does_not(
    bench: Bench, background: Background, /
) -> None:
    heard = Heard()
    presenter = ListPresenter(a_context_of(background, bench.inklings))
    heard.to(presenter.content_changed)
    presenter.ask(ListRequest((bench.scope,)))
    await presenter.settled()
    await background.write(bench.put, "Written meanwhile.")
    presenter.on_changes(MemoryChanges(None, frozenset({ScopeKey.account()})))
    await presenter.settled()
    assert len(heard.payloads) == 1
    presenter.on_changes(MemoryChanges(bench.workspace.id, frozenset({bench.scope})))
    await presenter.settled()
    assert len(heard.payloads) == 2
    assert contents(heard) == ["Written meanwhile."]


@scene(on_bench)
async def test_working_notes_stand_above_what_was_learned(
    bench: Bench, background: Background, /
) -> None:
    inklings, workspace = bench.inklings, bench.workspace
    room = inklings.conversations.start(workspace.id, title="The toll")
    scope = ScopeKey.conversation(workspace.id, room.id)
    inklings.as_caller(an_agent(workspace_id=workspace.id)).notes.write(
        workspace.id, room.id, "pages", 3
    )
    inklings.memories.put(MemoryDraft(scope, "The toll is paid in words."))
    heard = Heard()
    presenter = ListPresenter(a_context_of(background, inklings))
    heard.to(presenter.content_changed)
    request = ListRequest((scope,), sort=MemorySort.LAST_READ)
    presenter.ask(request)
    await presenter.settled()
    presenter.ask(replace(request, with_notes=False))
    await presenter.settled()
    assert presenter.note(heard.payloads[0].rows[1].id) is None
    both, learned = heard.payloads
    kinds = [type(row) for row in both.rows]
    assert kinds == [HeadingRow, NoteRow, HeadingRow, MemoryRow]
    assert len(selectable_ids(both.rows)) == 2
    assert [type(row) for row in learned.rows] == [HeadingRow, MemoryRow]


@scene(on_bench)
async def test_a_place_that_cannot_be_read_is_said_in_its_place(
    bench: Bench, background: Background, /
) -> None:
    heard, said, failed = Heard(), Heard(), Heard()
    presenter = ListPresenter(a_context_of(background, bench.inklings, said))
    heard.to(presenter.content_changed)
    failed.to(presenter.failed)
    presenter.ask(ListRequest((ScopeKey.workspace("not-there"),)))
    await presenter.settled()
    assert heard.payloads == said.payloads == []
    assert failed.last.title


@scene(on_bench)
async def test_a_failure_on_the_same_place_is_said_and_leaves_the_list_as_it_was(
    bench: Bench, background: Background, /
) -> None:
    heard, said = Heard(), Heard()
    bench.put("Gulls keep accounts.")
    broken: list[bool] = []
    browse = bench.inklings.listing.browse

    def browsed(*arguments: Any, **wishes: Any) -> Any:
        if broken:
            raise DatabaseBusyError
        return browse(*arguments, **wishes)

    inklings = stood_in(bench.inklings, {"listing.browse": browsed})
    presenter = ListPresenter(a_context_of(background, inklings, said))
    heard.to(presenter.content_changed)
    presenter.ask(ListRequest((bench.scope,)))
    await presenter.settled()
    broken.append(True)
    presenter.refresh()
    await presenter.settled()
    assert len(heard.payloads) == 1
    assert said.last.title


@scene(on_bench)
async def test_a_search_of_all_tiers_shows_each_as_a_list_of_its_own(
    bench: Bench, background: Background, /
) -> None:
    inklings = bench.inklings
    channel = inklings.channels.create(bench.workspace.id, "map-room")
    room = ScopeKey.channel(bench.workspace.id, channel.id)
    bench.put("The harbour smells of rope.")
    bench.put("Harbour lamps are green.", scope=room)
    bench.put("She likes harbour towns.", scope=ScopeKey.account())
    bench.put("Gulls keep accounts.", scope=ScopeKey.account())
    memories = ListPresenter(a_context_of(background, inklings))
    request = ListRequest(
        (bench.scope,), text="harbour", elsewhere=((ScopeKey.account(),), (room,))
    )
    memories.ask(request)
    await memories.settled()
    content = memories.content
    assert content is not None
    assert content.n_memories == 3
    shown = [
        (row.text, row.detail) if isinstance(row, HeadingRow) else row.excerpt
        for row in content.rows
        if isinstance(row, HeadingRow | MemoryRow)
    ]
    assert shown == [
        ("Channel", "1"),
        "Harbour lamps are green.",
        ("Workspace", "1"),
        "The harbour smells of rope.",
        ("Account", "1"),
        "She likes harbour towns.",
    ]
    assert len(memories.found_ids) == 3
    assert all(memories.why_of(one) is not None for one in memories.found_ids)
    memories.ask(replace(memories.request, text="rope"))
    await memories.settled()
    assert memories.content is not None
    assert [row.detail for row in memories.content.rows if isinstance(row, HeadingRow)] == [
        "nothing here says that",
        "1",
        "nothing here says that",
    ]
    memories.ask(replace(memories.request, text=""))
    assert memories.request.elsewhere == ()
    await memories.settled()


@scene(on_bench)
async def test_a_memory_that_cannot_be_read_is_marked_and_the_rest_is_shown(
    bench: Bench, background: Background, /
) -> None:
    bench.put("The first.")
    bench.put("The second.")
    world = bench.workspace.id
    make_unreadable(bench.inklings.data_dir / "workspaces" / world / "agents.db")
    heard = Heard()
    presenter = ListPresenter(a_context_of(background, bench.inklings))
    heard.to(presenter.content_changed)
    presenter.ask(ListRequest((bench.scope,)))
    await presenter.settled()
    rows = [row for row in heard.last.rows if isinstance(row, MemoryRow)]
    assert [(row.excerpt, row.unreadable) for row in rows] == [
        ("The second.", False),
        (MARKED, True),
    ]
    assert "damaged text" in rows[1].accessible_description


@scene(on_bench)
async def test_ages_move_though_nothing_is_written(bench: Bench, background: Background, /) -> None:
    bench.put("The tide turns at six.")
    heard = Heard()
    ages: list[str] = []
    presenter = ListPresenter(a_context_of(background, bench.inklings))
    heard.to(presenter.content_changed)
    presenter.ask(ListRequest((bench.scope,)))
    await presenter.settled()
    heading, row = heard.last.rows
    now = bench.inklings.clock() + timedelta(hours=5)
    parts = replace(bench.inklings.parts, clock=lambda: now)
    presenter._inklings = replace(bench.inklings, parts=parts)
    assert presenter.aged(heading) is heading
    aged = presenter.aged(row)
    assert isinstance(row, MemoryRow)
    assert isinstance(aged, MemoryRow)
    ages.extend((row.age_label, aged.age_label))
    assert ages == ["<1 min old", "5 h old"]
