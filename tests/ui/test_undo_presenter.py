"""The session's undo: use cases with the version they expect, in both directions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from inklings_desktop.domain.memory import Lifetime, MemoryEntry, MemoryPatch, ScopeKey
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.memory.acts.chosen import Chosen, Retag
from inklings_desktop.ui.memory.acts.road import Road
from inklings_desktop.ui.memory.acts.table import MemoryAct
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench, Heard, a_context_of, on_bench


class Session:
    """Acts and their undo over a bench."""

    def __init__(self, bench: Bench, background: Background) -> None:
        self.bench = bench
        self.messages, self.told = Heard(), list[str]()
        context = a_context_of(background, bench.inklings, self.messages)
        self.acts = Road(replace(context, tell=self.told.append))
        self.undo = self.acts.undo
        self.said = Heard().to(self.undo.said)

    def now(self, *entries: MemoryEntry) -> list[MemoryEntry]:
        inklings = self.bench.inklings
        return [inklings.listing.show(one.ref).entry for one in entries]

    def chosen(self, *entries: MemoryEntry) -> list[Chosen]:
        settings, clock = self.bench.inklings.settings, self.bench.inklings.clock
        return [Chosen.of(one, settings.decay, clock()) for one in self.now(*entries)]


def states(entries: Sequence[MemoryEntry]) -> list[object]:
    return [
        (one.content, one.importance, one.lifetime, one.tags, one.is_forgotten, one.pinned)
        for one in entries
    ]


@scene(on_bench)
async def test_a_row_of_steps_is_taken_back_and_done_again(
    bench: Bench, background: Background, /
) -> None:
    one, two = bench.put("One.", tags=("sea",)), bench.put("Two.")
    session = Session(bench, background)
    acts, undo = session.acts, session.undo
    seen = [states(session.now(one, two))]
    retag = Retag(("atlas",), ("sea",))
    steps: list[Callable[[], Awaitable[bool]]] = [
        lambda: acts.do(MemoryAct.TAGS, session.chosen(one, two), retag),
        lambda: acts.do(MemoryAct.LIFETIME, session.chosen(one, two), Lifetime.LONG_TERM),
        lambda: acts.do(MemoryAct.IMPORTANCE, session.chosen(one, two), 0.9),
        lambda: acts.do(MemoryAct.PIN, session.chosen(one)),
        lambda: acts.do(MemoryAct.FORGET, session.chosen(one, two), "wrong book"),
        lambda: acts.do(MemoryAct.RESTORE, session.chosen(two)),
    ]
    for done in steps:
        assert await done()
        seen.append(states(session.now(one, two)))
    assert undo.stack.count() == 6
    for expected in reversed(seen[:-1]):
        await undo.undo()
        assert states(session.now(one, two)) == expected
    assert not undo.stack.canUndo()
    for expected in seen[1:]:
        await undo.redo()
        assert states(session.now(one, two)) == expected
    await undo.undo()
    await undo.undo()
    assert not any(one.is_forgotten for one in session.now(one, two))
    assert session.messages.payloads == []
    assert session.said.last == "Undone: Forgot 2 memories"


@scene(on_bench)
async def test_a_step_is_pushed_after_its_commit_and_runs_nothing_then(
    bench: Bench, background: Background, /
) -> None:
    one = bench.put("One.")
    session = Session(bench, background)
    await session.acts.do(MemoryAct.FORGET, session.chosen(one))
    (now,) = session.now(one)
    assert now.version == one.version + 1  # pushing did not forget it once more
    assert session.undo.stack.undoText() == "Forgot 1 memory"


@scene(on_bench)
async def test_what_somebody_changed_since_stays_and_the_step_is_dropped(
    bench: Bench, background: Background, /
) -> None:
    one, two = bench.put("One."), bench.put("Two.")
    session = Session(bench, background)
    await session.acts.do(MemoryAct.PIN, session.chosen(two))
    await session.acts.do(MemoryAct.TAGS, session.chosen(one, two), Retag(("atlas",)))
    (now,) = session.now(one)
    bench.inklings.memories.update(
        one.ref, MemoryPatch(content="Else."), expected_version=now.version
    )
    await session.undo.undo()
    assert session.messages.last.title == "This can no longer be undone."
    assert [entry.tags for entry in session.now(one, two)] == [("atlas",), ("atlas",)]
    # The step before is offered now, and works.
    assert session.undo.stack.undoText() == "Pinned 1 memory"
    await session.undo.undo()
    # Its version is not the one that the pin left: retagging came between.
    assert len(session.messages.payloads) == 2
    assert not session.undo.stack.canUndo()


@scene(on_bench)
async def test_a_redo_meets_the_same_rule(bench: Bench, background: Background, /) -> None:
    one = bench.put("One.")
    session = Session(bench, background)
    await session.acts.do(MemoryAct.IMPORTANCE, session.chosen(one), 0.9)
    await session.undo.undo()
    (now,) = session.now(one)
    bench.inklings.memories.update(
        one.ref, MemoryPatch(content="Else."), expected_version=now.version
    )
    await session.undo.redo()
    assert session.messages.last.title == "This can no longer be redone."
    (now,) = session.now(one)
    assert (now.content, now.importance) == ("Else.", one.importance)
    assert not session.undo.stack.canRedo()


@scene(on_bench)
async def test_still_true_stands_in_the_way_of_no_step(
    bench: Bench, background: Background, /
) -> None:
    one = bench.put("One.", tags=("sea",))
    session = Session(bench, background)
    acts, undo = session.acts, session.undo
    before = states(session.now(one))
    await acts.do(MemoryAct.TAGS, session.chosen(one), Retag(("atlas",)))
    await acts.do(MemoryAct.PIN, session.chosen(one))
    await undo.undo()  # a later version holds now what the first step left
    await acts.do(MemoryAct.CONFIRM, session.chosen(one))
    await acts.do(MemoryAct.CONFIRM, session.chosen(one))
    await undo.undo()
    assert session.messages.payloads == []
    assert states(session.now(one)) == before
    assert session.now(one)[0].confirmed_at is not None
    await acts.do(MemoryAct.CONFIRM, session.chosen(one))
    await undo.redo()
    await undo.redo()
    assert session.messages.payloads == []
    (now,) = session.now(one)
    assert (now.tags, now.pinned) == (("sea", "atlas"), True)


@scene(on_bench)
async def test_presses_of_one_key_are_one_step_until_something_else_happens(
    bench: Bench, background: Background, /
) -> None:
    one = bench.put("One.", importance=0.5)
    session = Session(bench, background)
    for _ in range(3):
        assert await session.acts.do(MemoryAct.RAISE, session.chosen(one))
    assert session.undo.stack.count() == 1
    assert session.now(one)[0].importance == 0.65
    await session.undo.undo()
    assert session.now(one)[0].importance == 0.5
    await session.undo.redo()
    assert session.now(one)[0].importance == 0.65


@scene(on_bench)
async def test_a_copy_and_a_saved_edit_are_steps(bench: Bench, background: Background, /) -> None:
    one = bench.put("One.")
    inklings = bench.inklings
    channel = inklings.channels.create(bench.workspace.id, "map-room")
    from inklings_desktop.domain.memory import ScopeKey

    session = Session(bench, background)
    target = ScopeKey.channel(bench.workspace.id, channel.id)
    assert await session.acts.do(MemoryAct.COPY_TO, session.chosen(one), target)
    (made,) = inklings.listing.browse([target]).entries
    edited = inklings.memories.update(
        one.ref, MemoryPatch(content="Else."), expected_version=one.version
    )
    session.acts.note_saved(one, edited)
    await session.undo.undo()
    assert session.now(one)[0].content == "One."
    await session.undo.undo()
    assert session.now(made)[0].is_forgotten
    await session.undo.redo()
    assert not session.now(made)[0].is_forgotten


@scene(on_bench)
async def test_a_copy_of_what_is_there_already_is_told_and_is_no_step(
    bench: Bench, background: Background, /
) -> None:
    inklings, one = bench.inklings, bench.put("One.")
    there = inklings.memories.copy(one.ref, ScopeKey.account())
    session = Session(bench, background)
    account = ScopeKey.account()
    assert await session.acts.do(MemoryAct.COPY_TO, session.chosen(one), account)
    assert [now.id for now in inklings.listing.browse([account]).entries] == [there.id]
    assert session.told[-1] == "Account already has this memory"
    assert not session.undo.stack.canUndo()


@scene(on_bench)
async def test_a_scrub_clears_the_stack(bench: Bench, background: Background, /) -> None:
    one = bench.put("One.")
    session = Session(bench, background)
    await session.acts.do(MemoryAct.FORGET, session.chosen(one))
    session.undo.drop()
    assert session.undo.stack.count() == 0
    await session.undo.undo()
    assert session.now(one)[0].is_forgotten


@scene(on_bench)
async def test_a_selection_over_two_files_says_what_was_done_before_it_failed(
    bench: Bench, background: Background, /
) -> None:
    mine = bench.put("True of me.", scope=ScopeKey.account())
    here = bench.put("True of this world.")
    session = Session(bench, background)
    chosen = session.chosen(mine, here)
    bench.inklings.memories.update(
        here.ref, MemoryPatch(content="Changed meanwhile."), expected_version=here.version
    )
    await session.acts.do(MemoryAct.FORGET, chosen)
    message = session.messages.last
    assert message.title == "One of these memories was changed since."
    assert message.text == (
        "Done before that: 1. Undo takes care of those; the others did not change."
    )
    assert [one.is_forgotten for one in session.now(mine, here)] == [True, False]
    await session.undo.undo()
    assert not any(one.is_forgotten for one in session.now(mine, here))


@scene(on_bench)
async def test_many_are_changed_while_somebody_else_changes_their_figures(
    bench: Bench, background: Background, /
) -> None:
    one, two = bench.put("One.", tags=("sea",)), bench.put("Two.")
    inklings = bench.inklings

    def foreign(patch: MemoryPatch) -> None:
        (now,) = inklings.listing.show_all([one.ref])
        inklings.memories.update(one.ref, patch, expected_version=now.version)

    session = Session(bench, background)
    acts, undo = session.acts, session.undo
    seen = session.chosen(one, two)
    foreign(MemoryPatch(importance=0.9, tags=("salt",)))
    assert await acts.do(MemoryAct.TAGS, seen, Retag(("atlas",), ("sea",)))
    assert [now.tags for now in session.now(one, two)] == [("salt", "atlas"), ("atlas",)]
    await undo.undo()
    assert [now.tags for now in session.now(one, two)] == [("salt",), ()]
    assert session.now(one)[0].importance == 0.9
    seen = session.chosen(one, two)
    foreign(MemoryPatch(importance=0.8))
    assert await acts.do(MemoryAct.PIN, seen)
    assert await acts.do(MemoryAct.FORGET, session.chosen(two))
    assert session.messages.payloads == []


@scene(on_bench)
async def test_a_text_that_somebody_changed_meanwhile_is_looked_at_first(
    bench: Bench, background: Background, /
) -> None:
    one, two = bench.put("One."), bench.put("Two.")
    inklings = bench.inklings
    session = Session(bench, background)
    seen = session.chosen(one, two)
    inklings.memories.update(one.ref, MemoryPatch(content="Other."), expected_version=1)
    assert not await session.acts.do(MemoryAct.FORGET, seen)
    assert not await session.acts.do(MemoryAct.TAGS, seen, Retag(("atlas",)))
    nudged = session.chosen(two)
    inklings.memories.update(two.ref, MemoryPatch(importance=0.9), expected_version=1)
    assert not await session.acts.do(MemoryAct.RAISE, nudged)
    assert len(session.messages.payloads) == 3
    assert not any(now.is_forgotten or now.tags for now in session.now(one, two))
    assert session.now(two)[0].importance == 0.9
