"""Where memories come from: resolved when written, watched as pages change, decided, taken back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import pytest

from inklings_desktop.domain.access.access import Action, Grant
from inklings_desktop.domain.background.consolidation import ReviewReason
from inklings_desktop.domain.entries.proposals import HeldReason
from inklings_desktop.domain.errors import (
    ConflictError,
    DerivableError,
    HeldForReviewError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
    StorageError,
)
from inklings_desktop.domain.likeness.differences import Difference
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Derivation, MemoryDraft, MemoryPatch, ScopeKey, Tier
from inklings_desktop.domain.rooms.orientation import ChangedPages, Framing
from inklings_desktop.domain.world.derivations import DerivationKind, RetconState, SourceState
from inklings_desktop.domain.world.pages import FolderRules
from inklings_desktop.mcp_server.words.answers import memory_answer, orientation_answer, sentence_of
from inklings_desktop.usecases.consolidation.consolidation_plans import Decisions
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from inklings_desktop.usecases.steps.sources import join_sources
from tests.support.asking import asked_by
from tests.support.builders import (
    READ_AND_WRITE,
    WORKSPACE_ID,
    a_memory,
    a_person,
    an_agent,
    set_to,
    the_clock,
)
from tests.support.fake_world_index import FOLDER, FakeWorldIndex, link
from tests.support.sqlite_store import SqliteWorld, sqlite_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.log.events import Event
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.world.derivations import PageDerivation, Retcon
    from inklings_desktop.domain.world.pages import PageChange
    from inklings_desktop.usecases.world.derivations import Derivations

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
LOOKS = "Nerys has grey eyes and a scar that runs from her left brow down to the jaw."
RETCON = "Nerys has green eyes and a scar that runs from her left brow down to the jaw."
OATH = "She swore on the salt that she would never again carry a lamp into the glass. ^oath"
PAGE = f"# Looks\n\n{LOOKS}\n\n# Vows\n\n{OATH}"
READER = an_agent(
    grants=(
        Grant(Tier.WORKSPACE, WORKSPACE_ID, READ_AND_WRITE | {Action.WORLD_READ}),
        Grant(Tier.CHANNEL, WORKSPACE_ID, READ_AND_WRITE),
    )
)


class Stage(NamedTuple):
    """A workspace with a folder of one page."""

    world: SqliteWorld
    index: FakeWorldIndex  # type: ignore[assignment]  # a tuple has a method of this name

    @property
    def mine(self) -> Derivations:
        return self.world.person.derivations

    def put(self, text: str, *references: str, caller: Caller | None = None) -> MemoryEntry:
        draft = MemoryDraft(SCOPE, text, derived_from=tuple(map(Derivation, references)))
        return self.world.asked_by(caller or a_person()).memories.put(draft)

    def rows(self, memory: MemoryEntry) -> tuple[PageDerivation, ...]:
        with self.world.store.read(WORKSPACE_ID) as view:
            return view.world.derivations_of([memory.id])

    def state(self, memory: MemoryEntry) -> SourceState:
        return self.rows(memory)[0].state

    def edit(self, text: str, path: str = "People/Nerys.md") -> tuple[Retcon, ...]:
        """Save a page in another program, and look once it is settled."""
        change = self.index.write(path, text, self.world.clock.now)
        self.world.clock.advance(hours=1)
        return self.notice(change)

    def notice(self, *changes: PageChange) -> tuple[Retcon, ...]:
        return self.world.asked_by(the_clock()).derivations.notice(WORKSPACE_ID, changes)

    def events(self) -> tuple[Event, ...]:
        with self.world.store.read(WORKSPACE_ID) as view:
            return view.events.latest(20)

    def kinds(self) -> list[EventKind]:
        return [one.kind for one in self.events()]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with sqlite_world(tmp_path) as world:
        made = Stage(world, link(world))
        made.edit(PAGE)
        yield made


@pytest.mark.parametrize(
    ("reference", "kind", "heading"),
    [
        ("People/Nerys.md", DerivationKind.PAGE, ""),
        ("nerys", DerivationKind.PAGE, ""),
        ("Nerys#looks", DerivationKind.BLOCK, "Looks"),
        ("People/Nerys.md^oath", DerivationKind.BLOCK, "Vows"),
        ("what Ada said at dinner", DerivationKind.TEXT, ""),
    ],
)
def test_a_reference_means_a_page_a_block_or_words(
    stage: Stage, reference: str, kind: DerivationKind, heading: str
) -> None:
    memory = stage.put("Nerys is watchful.", reference)
    (row,) = stage.rows(memory)
    assert (row.kind, row.heading, row.state) == (kind, heading, SourceState.CURRENT)
    if kind is DerivationKind.BLOCK:
        (standing,) = stage.mine.standing(WORKSPACE_ID, [memory.id])[memory.id]
        assert standing.block_id == row.target_id
        with stage.world.store.read(WORKSPACE_ID) as view:
            assert view.world.base(row.base_digest) in {LOOKS, OATH}


def test_an_id_of_a_block_means_it(stage: Stage) -> None:
    block = stage.index.block("People/Nerys.md", "Nerys")
    memory = stage.put("Grey eyes.", block.id)
    assert memory.derived_from == (Derivation("People/Nerys.md", block.id),)
    assert stage.rows(memory)[0].target_id == block.id
    page = stage.index.named("Nerys")[0]
    assert stage.put("A page.", page.id).derived_from == (Derivation("People/Nerys.md"),)


@pytest.mark.parametrize("reference", ["Kaya.md", "Nerys#Youth", "Nerys^nothing", "Kaya#Looks"])
def test_what_can_only_mean_a_page_and_means_none_is_refused(stage: Stage, reference: str) -> None:
    for caller in (a_person(), READER):
        with pytest.raises(InvalidValueError) as caught:
            stage.put("Nerys is watchful.", reference, caller=caller)
        assert (caught.value.field, caught.value.rule) == ("derived_from", "not_found")
    blind = stage.put("Nerys is watchful.", reference, caller=an_agent())
    assert stage.rows(blind)[0].kind in {DerivationKind.TEXT, DerivationKind.PAGE}


def test_a_title_of_several_pages_is_refused_with_their_paths(stage: Stage) -> None:
    stage.edit("Another one.", "Ships/Nerys.md")
    with pytest.raises(InvalidValueError) as caught:
        stage.put("Nerys sails.", "Nerys")
    assert caught.value.limit == "People/Nerys.md, Ships/Nerys.md"
    assert stage.rows(stage.put("Nerys sails.", "Ships/Nerys.md"))[0].path == "Ships/Nerys.md"


def test_without_a_folder_nothing_is_looked_up(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        stage = Stage(world, FakeWorldIndex())
        memory = stage.put("Nerys is watchful.", "Kaya.md")
        assert memory.derived_from == (Derivation("Kaya.md"),)
        assert stage.rows(memory) == ()
        assert stage.notice() == ()


def test_a_reference_of_before_is_understood_once_its_page_is_there(stage: Stage) -> None:
    memory = stage.put("Kaya counts gulls.", "Kaya")
    assert stage.rows(memory)[0].kind is DerivationKind.TEXT
    stage.edit("Kaya counts gulls from the wall.", "People/Kaya.md")
    assert stage.rows(memory)[0].path == "People/Kaya.md"


def test_the_axes_are_read_when_they_are_shown_and_never_kept(stage: Stage) -> None:
    memory = stage.put("Grey eyes.", "Nerys#Looks")
    now = stage.world.clock.now
    for said, value in (("Canon", "canon"), ("retired", "retired")):
        stage.index.write("People/Nerys.md", PAGE, now, front={"status": said})
        (standing,) = stage.mine.standing(WORKSPACE_ID, [memory.id])[memory.id]
        assert standing.axes is not None
        assert (standing.axes.lifecycle.value, standing.axes.lifecycle.line) == (value, 2)
    columns = stage.world.rows("SELECT group_concat(sql) FROM sqlite_schema")[0][0]
    assert not any(word in columns for word in ("lifecycle", "standing", "weight", "axes"))


def test_the_rules_of_the_folder_say_what_its_words_mean(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        rules = FolderRules(folders={"Old/**": {"lifecycle": "retired"}})
        stage = Stage(world, link(world, rules))
        stage.edit("Kaya counts gulls.", "Old/Kaya.md")
        memory = stage.put("Kaya counts.", "Kaya")
        (standing,) = stage.mine.standing(WORKSPACE_ID, [memory.id])[memory.id]
        assert standing.axes is not None
        assert standing.axes.lifecycle.value == "retired"


def test_a_change_is_listed_once_for_all_its_memories_and_however_often_it_is_seen(
    stage: Stage,
) -> None:
    memories = [stage.put(one, "Nerys#Looks") for one in ("Grey eyes.", "A scar.")]
    untouched = stage.put("She swore.", "Nerys^oath")
    (opened,) = stage.edit(PAGE.replace("grey", "green"))
    assert stage.edit(PAGE.replace("grey", "amber")) == ()
    (case,) = stage.mine.retcons(WORKSPACE_ID)
    assert (case.retcon.id, case.retcon.what) == (opened.id, "changed")
    assert (case.page_title, case.heading, case.base_text) == ("Nerys", "Looks", LOOKS)
    assert "amber" in case.retcon.now_text
    assert [one.id for one in case.memories] == [one.id for one in memories]
    assert stage.state(untouched) is SourceState.CURRENT
    assert stage.mine.counts(WORKSPACE_ID, FOLDER.id) == {"People/Nerys.md": (3, 2)}
    assert stage.kinds().count(EventKind.RETCON_FOUND) == 1


@pytest.mark.parametrize(
    "text",
    [
        PAGE.replace("Nerys has grey", "  NERYS has\ngrey"),
        PAGE.replace("jaw.", "jaw"),
        PAGE.replace("Looks", "Appearance"),
    ],
)
def test_layout_case_and_punctuation_are_no_change(stage: Stage, text: str) -> None:
    memory = stage.put("Grey eyes.", "Nerys#Looks")
    assert stage.edit(text) == ()
    assert stage.state(memory) is SourceState.CURRENT
    assert stage.mine.retcons(WORKSPACE_ID) == ()


def test_a_text_that_comes_back_closes_it_without_a_trace(stage: Stage) -> None:
    memory = stage.put("Grey eyes.", "Nerys#Looks")
    stage.edit(PAGE.replace("grey", "green"))
    stage.edit(PAGE)
    assert stage.state(memory) is SourceState.CURRENT
    assert stage.mine.retcons(WORKSPACE_ID) == ()
    assert EventKind.RETCON_DECIDED not in stage.kinds()


def test_half_a_sentence_is_no_change_until_the_page_is_settled(stage: Stage) -> None:
    memory = stage.put("Grey eyes.", "Nerys#Looks")
    change = stage.index.write("People/Nerys.md", PAGE.replace("grey", "gr"), stage.world.clock.now)
    stage.world.clock.now += timedelta(seconds=2)
    assert stage.notice(change) == ()
    assert stage.state(memory) is SourceState.CURRENT
    stage.world.clock.now += timedelta(seconds=4)
    assert len(stage.notice()) == 1
    assert stage.state(memory) is SourceState.CHANGED


def test_a_block_that_is_gone_is_said_and_one_that_moved_is_not(stage: Stage) -> None:
    gone, moved = stage.put("Grey eyes.", "Nerys#Looks"), stage.put("She swore.", "Nerys^oath")
    change = stage.index.move("People/Nerys.md", "People/Nerys of Sal.md", stage.world.clock.now)
    stage.notice(change)
    assert [one.path for one in stage.rows(moved)] == ["People/Nerys of Sal.md"]
    assert stage.state(moved) is SourceState.CURRENT
    (opened,) = stage.edit(f"# Vows\n\n{OATH}", "People/Nerys of Sal.md")
    assert (opened.what, opened.now_text, opened.block_id) == ("gone", "", "")
    assert stage.state(gone) is SourceState.GONE


def test_the_loss_of_the_index_loses_no_derivation(stage: Stage) -> None:
    kept, changed = stage.put("She swore.", "Nerys^oath"), stage.put("Grey.", "Nerys#Looks")
    (before,) = stage.edit(PAGE.replace("grey", "green"))
    stage.notice(*stage.index.lose(stage.world.clock.now))
    ids = {one.id for one in stage.index.whole["People/Nerys.md"].blocks}
    for memory, state in ((kept, SourceState.CURRENT), (changed, SourceState.CHANGED)):
        (row,) = stage.rows(memory)
        assert (row.state, row.target_id in ids) == (state, True)
    (case,) = stage.mine.retcons(WORKSPACE_ID)
    assert (case.retcon.id, case.retcon.block_id in ids) == (before.id, True)


def test_still_true_takes_the_new_text_as_base_and_can_be_taken_back(stage: Stage) -> None:
    one, two = (stage.put(text, "Nerys#Looks") for text in ("Eyes.", "A scar."))
    (opened,) = stage.edit(PAGE.replace("grey", "green"))
    case = stage.mine.keep(WORKSPACE_ID, opened.id, [one.id])
    assert (case.retcon.state, case.answered) == (RetconState.OPEN, ((one.id, "kept"),))
    assert [memory.id for memory in case.memories] == [two.id]
    assert stage.state(one) is SourceState.CURRENT
    case = stage.mine.keep(WORKSPACE_ID, opened.id)
    assert (case.retcon.state, case.retcon.decided_by) == (RetconState.KEPT, "author")
    assert stage.mine.retcons(WORKSPACE_ID) == ()
    with pytest.raises(ConflictError):
        stage.mine.keep(WORKSPACE_ID, opened.id)
    case = stage.mine.undo(WORKSPACE_ID, opened.id)
    assert [memory.id for memory in case.memories] == [one.id, two.id]
    assert (case.base_text, case.answered) == (LOOKS, ())
    stage.edit(PAGE)
    assert stage.state(one) is SourceState.CURRENT


def test_a_memory_is_updated_or_forgotten_and_that_is_taken_back(stage: Stage) -> None:
    one, two = (stage.put(text, "Nerys#Looks") for text in ("Nerys has grey eyes.", "A scar."))
    (opened,) = stage.edit(PAGE.replace("grey", "green"))
    case = stage.mine.retcon(WORKSPACE_ID, opened.id)
    text = stage.mine.suggested(case, one)
    assert text == "Nerys has green eyes."
    stage.mine.update(WORKSPACE_ID, opened.id, one.id, text, one.version)
    case = stage.mine.forget(WORKSPACE_ID, opened.id, [two.id])
    assert case.retcon.state is RetconState.FORGOTTEN
    assert case.answered == ((one.id, "updated"), (two.id, "forgotten"))
    assert [memory.is_forgotten for memory in stage.world.memories()] == [False, True]
    stage.mine.undo(WORKSPACE_ID, opened.id)
    contents = [(memory.content, memory.is_forgotten) for memory in stage.world.memories()]
    assert contents == [("Nerys has grey eyes.", False), ("A scar.", False)]
    assert stage.state(one) is SourceState.CHANGED
    with pytest.raises(ConflictError):
        stage.mine.undo(WORKSPACE_ID, opened.id)


def test_one_of_several_answers_is_taken_back_alone(stage: Stage) -> None:
    one, two, three = (stage.put(text, "Nerys#Looks") for text in ("Eyes.", "A scar.", "A brow."))
    (opened,) = stage.edit(PAGE.replace("grey", "green"))
    stage.mine.keep(WORKSPACE_ID, opened.id, [one.id, two.id])
    stage.mine.forget(WORKSPACE_ID, opened.id, [three.id])
    case = stage.mine.undo(WORKSPACE_ID, opened.id, [two.id])
    assert case.retcon.state is RetconState.OPEN
    assert [memory.id for memory in case.memories] == [two.id]
    assert case.answered == ((one.id, "kept"), (three.id, "forgotten"))
    assert [memory.is_forgotten for memory in stage.world.memories()] == [False, False, True]
    with pytest.raises(ConflictError):
        stage.mine.undo(WORKSPACE_ID, opened.id, [two.id])
    case = stage.mine.forget(WORKSPACE_ID, opened.id, [two.id])
    assert case.answered[-1] == (two.id, "forgotten")
    case = stage.mine.undo(WORKSPACE_ID, opened.id)
    assert [memory.id for memory in case.memories] == [one.id, two.id, three.id]
    assert case.answered == ()


def test_what_is_gone_and_still_true_comes_from_the_page(stage: Stage) -> None:
    memory = stage.put("Grey eyes.", "Nerys#Looks")
    (opened,) = stage.edit(f"# Vows\n\n{OATH}")
    stage.mine.keep(WORKSPACE_ID, opened.id)
    assert stage.edit(f"# Vows\n\n{OATH}\n\nMore.") == ()
    (row,) = stage.rows(memory)
    assert (row.kind, row.state) == (DerivationKind.PAGE, SourceState.CURRENT)
    stage.mine.undo(WORKSPACE_ID, opened.id)
    (row,) = stage.rows(memory)
    assert (row.kind, row.state) == (DerivationKind.BLOCK, SourceState.GONE)


def test_a_memory_comes_from_a_page_because_the_author_says_so(stage: Stage) -> None:
    memory = stage.put("Grey eyes.", "Nerys#Looks")
    stage.edit(PAGE.replace("grey", "green"))
    stage.mine.derive(WORKSPACE_ID, memory.ref, [Derivation("Nerys", "^oath")])
    states = [(one.heading, one.state) for one in stage.rows(memory)]
    assert states == [("Looks", SourceState.CHANGED), ("Vows", SourceState.CURRENT)]
    page = stage.index.named("Nerys")[0]
    found = stage.mine.from_page(WORKSPACE_ID, page.id)
    assert [block_id for block_id, *_ in found] == [one.target_id for one in stage.rows(memory)]
    with pytest.raises(ScopeDeniedError):
        stage.world.asked_by(READER).derivations.derive(WORKSPACE_ID, memory.ref, [])


def test_an_agent_without_the_right_learns_nothing_of_pages(stage: Stage) -> None:
    memory = stage.put("Grey eyes.", "Nerys#Looks")
    (opened,) = stage.edit(PAGE.replace("grey", "green"))
    blind = stage.world.asked_by(an_agent()).derivations
    for asks in (
        lambda: blind.standing(WORKSPACE_ID, [memory.id]),
        lambda: blind.retcons(WORKSPACE_ID),
        lambda: blind.retcon(WORKSPACE_ID, opened.id),
        lambda: blind.keep(WORKSPACE_ID, opened.id),
        lambda: blind.counts(WORKSPACE_ID, FOLDER.id),
        lambda: blind.from_page(WORKSPACE_ID, opened.id),
        lambda: blind.notice(WORKSPACE_ID, ()),
    ):
        with pytest.raises(ScopeDeniedError):
            asks()


def test_an_agent_keeps_what_it_wrote_itself_and_nothing_of_the_authors(stage: Stage) -> None:
    own = stage.put("Grey eyes.", "Nerys#Looks", caller=READER)
    authors = stage.put("A scar.", "Nerys#Looks")
    (opened,) = stage.edit(PAGE.replace("grey", "green"))
    agent = stage.world.asked_by(READER).derivations
    with pytest.raises(ScopeDeniedError):
        agent.keep(WORKSPACE_ID, opened.id, [authors.id])
    case = agent.keep(WORKSPACE_ID, opened.id)
    assert case.answered == ((own.id, "kept"),)
    assert [one.id for one in case.memories] == [authors.id]


def test_what_is_merged_comes_from_all_that_its_parents_came_from(stage: Stage) -> None:
    first = stage.put("Grey eyes.", "Nerys#Looks", "Nerys^oath")
    second = stage.put("A scar.", "Nerys#Looks", "what Ada said")
    (row, _) = stage.rows(first)
    stage.edit(PAGE.replace("grey", "green"))
    union = (*first.derived_from, second.derived_from[1])
    both = replace(a_memory("Both.", scope=SCOPE), derived_from=union)
    with stage.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        (merged,) = unit.memories.add([both])
        join_sources(unit, merged, [first, second])
        unit.commit()
    looks, oath, words = stage.rows(merged)
    assert (looks.base_digest, looks.state) == (row.base_digest, SourceState.CHANGED)
    assert (oath.heading, words.kind) == ("Vows", DerivationKind.TEXT)
    assert [one.place for one in (looks, oath, words)] == [0, 1, 2]


def test_an_agent_is_told_the_page_with_its_axes_or_that_it_is_withheld(stage: Stage) -> None:
    now = stage.world.clock.now
    stage.index.write("People/Nerys.md", PAGE, now, front={"status": "canon", "weight": "core"})
    memory = stage.put("Nerys has grey eyes.", "Nerys#Looks")
    request = OrientationRequest(WORKSPACE_ID)
    for caller, line in (
        (READER, "derives from *Nerys* \u203a Looks: canon, core, settled"),
        (an_agent(), "derivation withheld"),
    ):
        mine = stage.world.asked_by(caller)
        assert line in mine.orientation.orient(request).markdown
        (read,) = mine.search.read(SCOPE).memories
        told = memory_answer(caller, read.entry, read.sources)
        is_told = caller is READER
        assert told["derived_from"] == [{"target": "Nerys#Looks", "block": ""}] * is_told
        if not is_told:
            assert told["derivation"] == "withheld"
            continue
        derivation = told["derivation"]
        assert isinstance(derivation, dict)
        assert (derivation["state"], derivation["page"]) == ("current", "Nerys")
        assert derivation["axes"]["lifecycle"] == "canon"
        assert derivation["explain"][1] == "canon: `status: canon`, line 2 of People/Nerys.md"
    assert memory.derived_from


def test_what_rests_on_a_changed_page_says_so_and_stands_below_its_equals(stage: Stage) -> None:
    stage.put("Nerys has grey eyes.", "Nerys#Looks")
    stage.put("Nerys swims.")
    agent = stage.world.asked_by(READER)
    stage.edit(PAGE.replace("grey", "green"))
    reads = agent.search.read(SCOPE).memories
    assert [one.entry.content for one in reads] == ["Nerys swims.", "Nerys has grey eyes."]
    assert reads[1].framing is Framing.CHANGED
    said = agent.orientation.orient(OrientationRequest(WORKSPACE_ID)).markdown
    assert "1 memory rests on pages that changed: *Nerys* \u203a Looks (1)." in said
    assert said.index("Nerys swims.") < said.index("*Recorded before its page changed:*")
    blind = stage.world.asked_by(an_agent()).orientation.orient(OrientationRequest(WORKSPACE_ID))
    assert "Changed pages" not in blind.markdown
    assert "Recorded before" not in blind.markdown


def test_the_word_on_changed_pages_takes_a_twentieth_at_most() -> None:
    places = tuple((f"*Page {number}*", 1) for number in range(200))
    changed = ChangedPages(200, places)
    for most in (100, 400, 4_000):
        assert len(changed.markdown(most)) <= most
    assert changed.markdown(60) == ""
    assert "200 memories rest" in changed.markdown(400)


@pytest.mark.parametrize("tier", [Tier.WORKSPACE, Tier.CHANNEL])
def test_an_agent_that_repeats_a_page_is_sent_to_it_and_told_nothing_of_its_text(
    stage: Stage, tier: Tier
) -> None:
    agent, scope = stage.world.asked_by(READER), SCOPE
    if tier is Tier.CHANNEL:
        channel = stage.world.person.channels.create(WORKSPACE_ID, "harbour")
        scope = ScopeKey.channel(WORKSPACE_ID, channel.id)
    draft = MemoryDraft(scope, "She would never again carry a lamp into the glass.")
    with pytest.raises(DerivableError) as caught:
        agent.memories.put(draft)
    error = caught.value
    block = stage.index.block("People/Nerys.md", "She swore")
    assert (error.page, error.heading, error.block_id) == ("Nerys", "Vows", block.id)
    assert not any(word in f"{error.args} {sentence_of(error)}" for word in ("lamp", "glass"))
    (event,) = [one for one in stage.events() if one.kind is EventKind.MEMORY_DERIVABLE]
    assert (event.ids, dict(event.marks)) == ((block.id,), {})
    assert stage.world.memories() == ()
    with pytest.raises(HeldForReviewError) as held:
        agent.memories.put_outcome(draft, insists=True)
    assert held.value.reason == HeldReason.DERIVABLE


def test_a_new_text_of_a_memory_is_no_road_around_it(stage: Stage) -> None:
    memory = stage.put("She swore something.", caller=READER)
    agent = stage.world.asked_by(READER)
    patch = MemoryPatch(content="She would never again carry a lamp into the glass.")
    with pytest.raises(DerivableError):
        agent.memories.update(memory.ref, patch, expected_version=1)
    with pytest.raises(HeldForReviewError):
        agent.memories.update(memory.ref, patch, expected_version=1, insists=True)
    agent.memories.update(memory.ref, MemoryPatch(importance=0.9), expected_version=1)


def test_neither_the_author_nor_whoever_may_not_read_pages_is_ever_refused(stage: Stage) -> None:
    for caller in (a_person(), an_agent(), the_clock()):
        assert stage.put(f"{OATH} So {caller.name}.", caller=caller).version == 1
    stage.put(OATH)
    assert EventKind.MEMORY_DERIVABLE not in stage.kinds()


def test_what_the_page_does_not_say_is_stored_and_the_check_can_be_switched_off(
    stage: Stage,
) -> None:
    stage.put("She would always again carry a lamp into the glass.", caller=READER)
    stage.put("Author wishes for darker caves.", caller=READER)
    off = asked_by(READER, stage.world, settings=set_to(refuses_repeats=False))
    assert off.memories.put(MemoryDraft(SCOPE, OATH)).content == OATH


def test_the_page_that_the_author_reads_is_told_to_whoever_may_read_pages(stage: Stage) -> None:
    request = OrientationRequest(WORKSPACE_ID)
    for caller, told in ((READER, "People/Nerys.md"), (an_agent(), None)):
        document = stage.world.asked_by(caller).orientation.orient(request)
        answer = orientation_answer(document, in_full=False)
        assert answer.get("active_page", {}).get("path") == told


def test_plain_contradictions_are_listed_and_decided_by_the_author(stage: Stage) -> None:
    stage.put("Nerys has 3 brothers who sail the northern ships.")
    wrong = stage.put("Nerys has 4 brothers who sail the northern ships.")
    stage.put("Nerys has grey eyes and a scar that runs from her right brow down to the jaw.")
    stage.put("Nerys never eats fish on Fridays or near the sea.")
    among, with_page = stage.mine.contradictions(WORKSPACE_ID)
    assert (among.second, among.difference) == (wrong, Difference.NUMBERS)
    assert with_page.second is None
    assert with_page.page is not None
    assert with_page.page.path == "People/Nerys.md"
    with pytest.raises(NotFoundError):
        stage.mine.decide_contradiction(WORKSPACE_ID, with_page, "first")
    with pytest.raises(InvalidValueError):
        stage.mine.decide_contradiction(WORKSPACE_ID, with_page, "neither")
    stage.mine.decide_contradiction(WORKSPACE_ID, with_page, "both")
    assert stage.mine.contradictions(WORKSPACE_ID) == (among,)
    stage.mine.decide_contradiction(WORKSPACE_ID, among, "later")
    assert stage.mine.contradictions(WORKSPACE_ID) == ()
    stage.world.clock.advance(days=2)
    assert stage.mine.contradictions(WORKSPACE_ID) == (among,)
    stage.mine.decide_contradiction(WORKSPACE_ID, among, "first")
    assert stage.mine.contradictions(WORKSPACE_ID) == ()
    assert [one.content for one in stage.world.memories() if one.is_forgotten] == [wrong.content]
    for caller in (READER, the_clock()):
        nouns = stage.world.asked_by(caller).derivations
        with pytest.raises(ScopeDeniedError):
            nouns.decide_contradiction(WORKSPACE_ID, among, "both")


def test_a_decided_contradiction_is_taken_back(stage: Stage) -> None:
    stage.put("Nerys has 3 brothers who sail the northern ships.")
    wrong = stage.put("Nerys has 4 brothers who sail the northern ships.")
    (pair,) = stage.mine.contradictions(WORKSPACE_ID)
    for what in ("both", "later", "first", "second"):
        stage.mine.decide_contradiction(WORKSPACE_ID, pair, what)
        assert stage.mine.contradictions(WORKSPACE_ID) == ()
        stage.mine.undo_contradiction(WORKSPACE_ID, pair, what)
        (pair,) = stage.mine.contradictions(WORKSPACE_ID)
    what = "second" if pair.first.id == wrong.id else "first"
    stage.mine.decide_contradiction(WORKSPACE_ID, pair, what)
    stage.world.person.memories.restore([wrong.ref])
    with pytest.raises(ConflictError):
        stage.mine.undo_contradiction(WORKSPACE_ID, pair, what)
    stage.world.person.memories.forget([wrong.ref])
    with pytest.raises(ConflictError):
        stage.mine.decide_contradiction(WORKSPACE_ID, pair, what)


def test_a_pair_that_holds_is_not_listed_again_in_another_order(stage: Stage) -> None:
    older = stage.put("Nerys has 3 brothers who sail the northern ships.")
    stage.put("Nerys has 4 brothers who sail the northern ships.")
    (pair,) = stage.mine.contradictions(WORKSPACE_ID)
    assert pair.first == older
    stage.mine.decide_contradiction(WORKSPACE_ID, pair, "both")
    stage.world.clock.advance(hours=1)
    stage.world.person.memories.update(
        older.ref, MemoryPatch(importance=0.9), expected_version=older.version
    )
    assert stage.mine.contradictions(WORKSPACE_ID) == ()


def test_what_only_the_pages_of_a_world_know_is_said_in_an_account_proposal(stage: Stage) -> None:
    account = Grant(Tier.ACCOUNT, None, frozenset({Action.READ, Action.PROPOSE}))
    agent = stage.world.asked_by(an_agent(grants=(*READER.grants, account)))
    stage.edit("The keeper of the quay is Oren Vael.", "People/Keepers.md")

    def names(text: str) -> tuple[str, ...]:
        with pytest.raises(HeldForReviewError) as held:
            agent.memories.put(MemoryDraft(ScopeKey.account(), text))
        with stage.world.store.read(None) as view:
            return view.proposals.get(held.value.proposal_id).world_names

    assert names("Nerys is my favourite, with Vael.") == ("Nerys", "Vael")
    assert names("The author likes short sentences, in English.") == ()
    stage.world.person.memories.put(MemoryDraft(ScopeKey.account(), "I play as Nerys."))
    assert names("I write of Nerys most.") == ()


def test_an_agent_answers_by_the_tool_that_it_knows(stage: Stage) -> None:
    memory = stage.put("Grey eyes.", "Nerys#Looks", caller=READER)
    (opened,) = stage.edit(PAGE.replace("grey", "green"))
    stage.world.clock.advance(hours=1)
    agent = stage.world.asked_by(READER)
    agent.memories.update(memory.ref, MemoryPatch(importance=0.9), expected_version=1)
    stage.notice()
    assert stage.state(memory) is SourceState.CHANGED
    agent.memories.update(memory.ref, MemoryPatch(content="Green eyes."), expected_version=2)
    stage.notice()
    assert stage.state(memory) is SourceState.CURRENT
    case = stage.mine.retcon(WORKSPACE_ID, opened.id)
    assert (case.retcon.state, case.answered) == (RetconState.UPDATED, ((memory.id, "updated"),))
    stage.mine.undo(WORKSPACE_ID, opened.id)
    assert stage.world.memories()[0].content == "Grey eyes."


def test_an_index_that_cannot_be_read_keeps_nobody_from_remembering(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = stage.put("Nerys has grey eyes.", "Nerys#Looks")

    def fail(*_: object) -> NoReturn:
        raise StorageError

    for name in ("blocks", "named", "passages_sharing"):
        monkeypatch.setattr(stage.index, name, fail)
    other = stage.put("She would never again carry a lamp into the glass.", "Nerys", caller=READER)
    assert stage.rows(other) == ()
    reads = stage.world.asked_by(READER).search.read(SCOPE).memories
    assert {one.entry.id for one in reads} == {memory.id, other.id}


def test_a_memory_that_its_page_says_by_now_waits_for_a_word_in_the_review(stage: Stage) -> None:
    green = "Nerys has green eyes and a scar that runs from her left brow."
    theirs = stage.put(green, "Nerys#Looks", caller=READER)
    stage.put(green.replace("scar", "long scar"), "Nerys#Looks", caller=READER)
    stage.put(green, "Nerys#Looks")  # the author's own
    person = stage.world.person
    assert person.consolidation.preview(SCOPE).review_faded == ()
    stage.edit(PAGE.replace(LOOKS, RETCON))
    (listed,) = person.consolidation.preview(SCOPE).review_faded
    assert (listed.entry.id, listed.reasons) == (theirs.id, (ReviewReason.ON_PAGE,))
    run = person.consolidation.run(SCOPE, decisions=Decisions(forget=frozenset({theirs.id})))
    assert run.counts["pruned"] == 1
    assert person.consolidation.preview(SCOPE).review_faded == ()
    assert person.consolidation.preview(ScopeKey.account()).review_faded == ()
