from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from inklings_desktop.domain.errors import DatabaseFullError, DatabaseReadOnlyError
from inklings_desktop.domain.memory import Lifetime, MemoryEntry, MemoryPatch, MemoryRef, ScopeKey
from inklings_desktop.domain.rooms.conversation import WorkingNote
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.memory.subject.presenter import InspectorPresenter
from inklings_desktop.ui.memory.subject.state import (
    ConflictKind,
    InspectorMode,
    InspectorState,
    MemoryEdit,
)
from tests.support.builders import NOON, WORKSPACE_ID, a_channel, a_conversation, a_memory
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.fake_use_cases import FakeUseCases, changes_of, note_changes
from tests.ui.page_bench import a_still_context
from tests.ui.presenter_bench import on_loop

pytestmark = pytest.mark.usefixtures("qapp")


@dataclass
class Heard:
    """What a presenter said."""

    messages: list[Message]
    states: list[InspectorState] = field(default_factory=list)
    saved: list[MemoryEntry] = field(default_factory=list)


def inspecting(background: Background, fake: FakeUseCases) -> tuple[InspectorPresenter, Heard]:
    """A presenter and what it says."""
    context, said = a_still_context(background, fake.inklings())
    heard = Heard(messages=said.messages)
    presenter = InspectorPresenter(context)
    presenter.state_changed.connect(heard.states.append)
    presenter.memory_stored.connect(lambda _before, entry: heard.saved.append(entry))
    return presenter, heard


def content_of(presenter: InspectorPresenter) -> str:
    assert presenter.state.draft is not None
    return presenter.state.draft.content


# -- opening ------------------------------------------------------------------------------


@scene(on_loop)
async def test_nothing_is_shown_at_first(background: Background, /) -> None:
    presenter, _ = inspecting(background, FakeUseCases())
    assert presenter.state.mode is InspectorMode.NOTHING
    assert not presenter.has_unsaved
    assert presenter.current_ref is None
    assert await presenter.save()


@scene(on_loop)
async def test_an_opened_memory_is_shown_with_its_facts(background: Background, /) -> None:
    channel = a_channel()
    memory = a_memory(scope=ScopeKey.channel(WORKSPACE_ID, channel.id), tags=("ch12",))
    fake = FakeUseCases(memory)
    fake.channels.append(channel)
    presenter, heard = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    state = heard.states[-1]
    assert state == presenter.state
    assert state.mode is InspectorMode.MEMORY
    assert state.title == "Channel memory"
    assert state.ref == memory.ref
    assert state.is_editable
    assert not state.is_unsaved
    assert not state.can_save
    assert state.provenance is not None
    assert state.provenance.scope_name == "#map-room"
    assert [line.title for line in state.history] == ["Created"]


@scene(on_loop)
async def test_a_memory_that_is_not_there_leaves_nothing_shown_and_says_so(
    background: Background, /
) -> None:
    memory = a_memory()
    presenter, heard = inspecting(background, FakeUseCases(memory))
    await presenter.open_memory(memory.ref)
    await presenter.open_memory(MemoryRef(memory.scope, "elsewhere"))
    assert presenter.state.mode is InspectorMode.NOTHING
    assert [message.title for message in heard.messages] == ["This is gone."]


@scene(on_loop)
async def test_the_latest_request_wins_however_late_the_earlier_answer_comes(
    background: Background, /
) -> None:
    first, second = a_memory("first"), a_memory("second")
    fake = FakeUseCases(first, second)
    presenter, _ = inspecting(background, fake)
    fake.gate.clear()
    slow = asyncio.ensure_future(presenter.open_memory(first.ref))
    await until(lambda: fake.n_begun == 1)
    quick = asyncio.ensure_future(presenter.open_memory(second.ref))
    await until(lambda: fake.n_begun == 2)
    fake.gate.set()
    await asyncio.gather(slow, quick)
    assert presenter.current_ref == second.ref


@scene(on_loop)
async def test_opening_the_same_memory_again_keeps_what_was_typed(
    background: Background, /
) -> None:
    memory = a_memory()
    presenter, _ = inspecting(background, FakeUseCases(memory))
    await presenter.open_memory(memory.ref)
    presenter.edit(content="half a thought")
    await presenter.open_memory(memory.ref)
    assert content_of(presenter) == "half a thought"


@scene(on_loop)
async def test_typing_while_another_memory_is_on_its_way_is_not_lost(
    background: Background, /
) -> None:
    first, second = a_memory("first"), a_memory("second")
    fake = FakeUseCases(first, second)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(first.ref)
    fake.gate.clear()
    opening = asyncio.ensure_future(presenter.open_memory(second.ref))
    await until(lambda: fake.n_begun == 2)
    presenter.edit(content="first, and more")
    fake.gate.set()
    await opening
    assert presenter.current_ref == first.ref
    assert content_of(presenter) == "first, and more"


@scene(on_loop)
async def test_typing_while_another_memory_cannot_be_read_is_not_lost(
    background: Background, /
) -> None:
    memory = a_memory("first")
    fake = FakeUseCases(memory)
    presenter, heard = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    fake.gate.clear()
    opening = asyncio.ensure_future(presenter.open_memory(MemoryRef(memory.scope, "gone")))
    await until(lambda: fake.n_begun == 2)
    presenter.edit(content="first, and more")
    fake.gate.set()
    await opening
    assert content_of(presenter) == "first, and more"
    assert [message.title for message in heard.messages] == ["This is gone."]


# -- editing and saving ---------------------------------------------------------------------


@scene(on_loop)
async def test_an_edit_is_unsaved_until_it_is_taken_back(background: Background, /) -> None:
    memory = a_memory("as it was", importance=0.5)
    presenter, heard = inspecting(background, FakeUseCases(memory))
    await presenter.open_memory(memory.ref)
    presenter.apply_edit(MemoryEdit(importance=0.7))
    presenter.edit(importance=0.5)
    presenter.edit(content="other", tags=("a",), lifetime=Lifetime.LONG_TERM)
    presenter.revert()
    assert [state.is_unsaved for state in heard.states] == [False, True, False, True, False]
    assert [state.can_save for state in heard.states] == [False, True, False, True, False]
    assert content_of(presenter) == "as it was"


@scene(on_loop)
async def test_line_breaks_that_an_editor_levels_do_not_count_as_an_edit(
    background: Background, /
) -> None:
    memory = a_memory("one\r\ntwo\u2028three")
    presenter, _ = inspecting(background, FakeUseCases(memory))
    await presenter.open_memory(memory.ref)
    presenter.edit(content="one\ntwo\nthree")
    assert not presenter.has_unsaved


@scene(on_loop)
async def test_a_save_stores_only_what_was_changed(background: Background, /) -> None:
    memory = a_memory("as\r\nit was", importance=0.5, tags=("old",))
    fake = FakeUseCases(memory)
    presenter, heard = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(importance=0.9, tags=("#new",))
    assert await presenter.save()
    stored = fake.entries[memory.id]
    assert (stored.content, stored.importance, stored.tags) == ("as\r\nit was", 0.9, ("new",))
    assert heard.saved == [stored]
    assert not presenter.has_unsaved
    assert [line.title for line in presenter.state.history] == ["Importance changed", "Created"]


@scene(on_loop)
async def test_saving_nothing_calls_nothing(background: Background, /) -> None:
    memory = a_memory()
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    assert await presenter.save()
    assert fake.n_begun == 1


@pytest.mark.parametrize(
    ("edit", "field_name", "sentence"),
    [
        (MemoryEdit(content=" \u200b"), "content", "A memory needs at least one word."),
        (
            MemoryEdit(content="x" * 70_000),
            "content",
            "A memory can have at most 64 KiB of text. Shorten or split it.",
        ),
        (MemoryEdit(importance=1.2), "importance", "Importance runs from 0 to 1."),
        (MemoryEdit(importance=float("nan")), "importance", "Importance runs from 0 to 1."),
        (MemoryEdit(tags=("x" * 80,)), "tags", "A tag has at most 64 characters."),
    ],
)
@scene(on_loop)
async def test_a_value_that_cannot_be_stored_is_named_beside_its_field(
    background: Background, /, edit: MemoryEdit, field_name: str, sentence: str
) -> None:
    memory = a_memory()
    fake = FakeUseCases(memory)
    presenter, heard = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.apply_edit(edit)
    assert not await presenter.save()
    assert getattr(presenter.state.field_errors, field_name) == sentence
    assert presenter.has_unsaved
    assert fake.entries[memory.id] == memory
    assert heard.messages == []


@scene(on_loop)
async def test_the_sentence_goes_when_the_field_is_edited_again(background: Background, /) -> None:
    memory = a_memory()
    presenter, _ = inspecting(background, FakeUseCases(memory))
    await presenter.open_memory(memory.ref)
    presenter.edit(content="")
    await presenter.save()
    presenter.edit(content="a word")
    assert presenter.state.field_errors.content == ""


@scene(on_loop)
async def test_a_save_that_the_disk_refuses_leaves_the_text_and_says_why(
    background: Background, /
) -> None:
    memory = a_memory()
    fake = FakeUseCases(memory)
    presenter, heard = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="kept in the editor")
    fake.fails_with = DatabaseFullError()
    assert not await presenter.save()
    fake.fails_with = None
    full = presenter.state
    assert full.is_disk_full
    assert full.can_save
    assert await presenter.save()
    assert not presenter.state.is_disk_full
    assert heard.messages == []  # it is said beside the text, with what can be done
    assert fake.entries[memory.id].content == "kept in the editor"


@scene(on_loop)
async def test_what_is_typed_during_a_save_stays_unsaved(background: Background, /) -> None:
    memory = a_memory()
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="first")
    fake.gate.clear()
    saving = asyncio.ensure_future(presenter.save())
    await until(lambda: fake.n_begun == 2)
    presenter.edit(content="first and second")
    fake.gate.set()
    assert not await saving
    assert fake.entries[memory.id].content == "first"
    assert content_of(presenter) == "first and second"
    assert presenter.state.conflict is None


@scene(on_loop)
async def test_what_is_typed_during_a_save_is_saved_when_that_is_asked_for(
    background: Background, /
) -> None:
    memory = a_memory()
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="first")
    fake.gate.clear()
    saving = asyncio.ensure_future(presenter.save())
    await until(lambda: fake.n_begun == 2)
    presenter.edit(content="first and second")
    again = asyncio.ensure_future(presenter.save())
    fake.gate.set()
    await saving
    assert await again
    assert fake.entries[memory.id].content == "first and second"
    assert not presenter.has_unsaved


@scene(on_loop)
async def test_news_of_the_own_save_arriving_early_is_no_conflict(
    background: Background, /
) -> None:
    memory = a_memory()
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="mine")
    fake.gate.clear()
    saving = asyncio.ensure_future(presenter.save())
    await until(lambda: fake.n_begun == 2)
    news = asyncio.ensure_future(presenter.on_changes(changes_of(memory)))
    await until(lambda: fake.n_begun == 3)
    fake.gate.set()
    await asyncio.gather(saving, news)
    assert presenter.state.conflict is None
    assert not presenter.has_unsaved
    assert content_of(presenter) == "mine"


# -- a new memory ---------------------------------------------------------------------------


@scene(on_loop)
async def test_a_new_memory_can_be_saved_once_it_has_text(background: Background, /) -> None:
    fake = FakeUseCases()
    presenter, heard = inspecting(background, fake)
    presenter.start_new(ScopeKey.workspace(WORKSPACE_ID))
    await until(lambda: presenter.state.place == "The Saltglass Cartographers")
    presenter.edit(content="The toll is paid in directions.", lifetime=Lifetime.LONG_TERM)
    assert await presenter.save()
    assert heard.states[0].title == "New workspace memory"
    shown = [(state.is_unsaved, state.can_save) for state in heard.states[:3]]
    assert shown == [(False, False), (False, False), (True, True)]
    (stored,) = fake.entries.values()
    assert stored.lifetime is Lifetime.LONG_TERM
    assert heard.saved == [stored]
    assert presenter.state.mode is InspectorMode.MEMORY
    assert presenter.current_ref == stored.ref
    assert not presenter.has_unsaved


@scene(on_loop)
async def test_a_new_memory_may_start_from_a_text_and_can_be_discarded(
    background: Background, /
) -> None:
    presenter, _ = inspecting(background, FakeUseCases())
    presenter.start_new(ScopeKey.account(), "left_right_words: 11")
    assert presenter.state.can_save
    await until(lambda: presenter.state.place == "Every workspace")
    presenter.revert()
    assert presenter.state.mode is InspectorMode.NOTHING


@scene(on_loop)
async def test_a_new_memory_that_is_refused_stays_in_the_fields(background: Background, /) -> None:
    fake = FakeUseCases()
    presenter, heard = inspecting(background, fake)
    presenter.start_new(ScopeKey.workspace(WORKSPACE_ID), "kept")
    fake.fails_with = DatabaseReadOnlyError()
    assert not await presenter.save()
    assert content_of(presenter) == "kept"
    assert presenter.state.mode is InspectorMode.NEW
    assert heard.messages[0].is_environment


@scene(on_loop)
async def test_a_second_save_of_a_new_memory_does_not_write_it_twice(
    background: Background, /
) -> None:
    fake = FakeUseCases()
    presenter, _ = inspecting(background, fake)
    presenter.start_new(ScopeKey.workspace(WORKSPACE_ID), "once")
    first, second = await asyncio.gather(presenter.save(), presenter.save())
    assert (first, second) == (True, True)
    assert len(fake.entries) == 1


# -- news from outside ------------------------------------------------------------------------


@scene(on_loop)
async def test_a_change_from_outside_shows_at_once_while_nothing_is_typed(
    background: Background, /
) -> None:
    memory = a_memory("before")
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    await presenter.on_changes(fake.change_elsewhere(memory, MemoryPatch(content="after")))
    assert content_of(presenter) == "after"
    assert presenter.state.conflict is None


@scene(on_loop)
async def test_news_about_other_memories_is_not_looked_at(background: Background, /) -> None:
    memory, other = a_memory(), a_memory()
    fake = FakeUseCases(memory, other)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    await presenter.on_changes(changes_of(other))
    assert fake.n_begun == 1


@scene(on_loop)
async def test_a_change_from_outside_never_touches_typed_text_and_offers_both(
    background: Background, /
) -> None:
    memory = a_memory("before", importance=0.5)
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="mine")
    await presenter.on_changes(
        fake.change_elsewhere(memory, MemoryPatch(content="theirs", importance=0.9))
    )
    assert not await presenter.save()
    conflict = presenter.state.conflict
    assert conflict is not None
    assert conflict.kind is ConflictKind.CHANGED
    assert (conflict.mine, conflict.theirs) == ("mine", "theirs")
    assert conflict.their_figures == "importance 0.90"
    assert content_of(presenter) == "mine"
    assert not presenter.state.can_save
    assert fake.entries[memory.id].content == "theirs"


@scene(on_loop)
async def test_a_read_by_an_agent_is_no_conflict(background: Background, /) -> None:
    memory = a_memory("before")
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="mine")
    await presenter.on_changes(fake.read_elsewhere(memory))
    assert presenter.state.conflict is None
    assert presenter.state.provenance is not None
    assert presenter.state.provenance.reads == "1 read"
    assert content_of(presenter) == "mine"


@scene(on_loop)
async def test_the_same_change_made_elsewhere_is_no_conflict(background: Background, /) -> None:
    memory = a_memory("before")
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="agreed")
    await presenter.on_changes(fake.change_elsewhere(memory, MemoryPatch(content="agreed")))
    assert presenter.state.conflict is None
    assert not presenter.has_unsaved


@scene(on_loop)
async def test_a_save_over_a_version_nobody_told_of_becomes_a_conflict(
    background: Background, /
) -> None:
    memory = a_memory("before")
    fake = FakeUseCases(memory)
    presenter, heard = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="mine")
    fake.change_elsewhere(memory, MemoryPatch(content="theirs"))
    assert not await presenter.save()
    assert heard.saved == []
    assert presenter.state.conflict is not None
    assert presenter.state.conflict.theirs == "theirs"
    assert content_of(presenter) == "mine"


@scene(on_loop)
async def test_a_save_over_a_version_with_the_same_values_goes_through(
    background: Background, /
) -> None:
    memory = a_memory("before")
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="mine")
    fake.change_elsewhere(memory, MemoryPatch())
    assert await presenter.save()
    assert fake.entries[memory.id].content == "mine"


@scene(on_loop)
async def test_keeping_mine_saves_what_i_changed_over_the_newer_version_and_nothing_else(
    background: Background, /
) -> None:
    memory = a_memory("before", importance=0.5, tags=("old",))
    fake = FakeUseCases(memory)
    presenter, heard = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="mine")
    await presenter.on_changes(
        fake.change_elsewhere(memory, MemoryPatch(content="theirs", tags=("new",)))
    )
    assert await presenter.keep_mine()
    stored = fake.entries[memory.id]
    assert (stored.content, stored.tags) == ("mine", ("new",))
    assert presenter.state.conflict is None
    assert not presenter.has_unsaved
    assert heard.saved == [stored]
    assert [version.content for version in fake.versions[memory.id]] == ["before", "theirs"]


@scene(on_loop)
async def test_a_third_version_during_keep_mine_asks_again(background: Background, /) -> None:
    memory = a_memory("before")
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="mine")
    await presenter.on_changes(fake.change_elsewhere(memory, MemoryPatch(content="theirs")))
    fake.change_elsewhere(memory, MemoryPatch(content="theirs again"))
    assert not await presenter.keep_mine()
    assert presenter.state.conflict is not None
    assert presenter.state.conflict.theirs == "theirs again"
    assert content_of(presenter) == "mine"


@scene(on_loop)
async def test_taking_theirs_shows_the_stored_version(background: Background, /) -> None:
    memory = a_memory("before")
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="mine")
    await presenter.on_changes(fake.change_elsewhere(memory, MemoryPatch(content="theirs")))
    await presenter.take_theirs()
    assert content_of(presenter) == "theirs"
    assert presenter.state.conflict is None
    assert not presenter.has_unsaved


@scene(on_loop)
async def test_a_memory_forgotten_while_typing_keeps_the_text_and_can_be_restored_with_it(
    background: Background, /
) -> None:
    memory = a_memory("before")
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="mine")
    await presenter.on_changes(fake.forget_elsewhere(memory))
    assert presenter.state.conflict is not None
    assert presenter.state.conflict.kind is ConflictKind.FORGOTTEN
    assert presenter.state.is_editable
    assert await presenter.keep_mine()
    assert fake.entries[memory.id].content == "mine"
    assert not fake.entries[memory.id].is_forgotten
    assert presenter.state.conflict is None


@scene(on_loop)
async def test_a_memory_removed_while_typing_keeps_the_text_and_can_be_written_anew(
    background: Background, /
) -> None:
    memory = a_memory("before", tags=("kept",))
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="mine")
    await presenter.on_changes(fake.remove_elsewhere(memory))
    conflict = presenter.state.conflict
    assert conflict is not None
    assert (conflict.kind, conflict.theirs) == (ConflictKind.GONE, None)
    assert await presenter.keep_mine()
    (stored,) = fake.entries.values()
    assert (stored.content, stored.tags) == ("mine", ("kept",))
    assert presenter.current_ref == stored.ref


@scene(on_loop)
async def test_a_removed_memory_goes_from_view_while_nothing_is_typed(
    background: Background, /
) -> None:
    memory = a_memory()
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    await presenter.on_changes(fake.remove_elsewhere(memory))
    assert presenter.state.mode is InspectorMode.NOTHING


@scene(on_loop)
async def test_discarding_mine_after_a_removal_shows_nothing(background: Background, /) -> None:
    memory = a_memory()
    fake = FakeUseCases(memory)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="mine")
    await presenter.on_changes(fake.remove_elsewhere(memory))
    await presenter.take_theirs()
    assert presenter.state.mode is InspectorMode.NOTHING
    assert fake.entries == {}


# -- forgetting ---------------------------------------------------------------------------------


@scene(on_loop)
async def test_a_forgotten_memory_is_for_reading_only(background: Background, /) -> None:
    memory = a_memory("as it was")
    fake = FakeUseCases(memory)
    fake.forget_elsewhere(memory, "said twice")
    fake.clock.advance(days=3)
    presenter, _ = inspecting(background, fake)
    await presenter.open_memory(memory.ref)
    presenter.edit(content="no")
    state = presenter.state
    assert not state.is_editable
    assert not state.can_save
    assert content_of(presenter) == "as it was"
    assert state.forgotten is not None
    assert (state.forgotten.title, state.forgotten.reason) == ("Forgotten 3 d ago", "said twice")


@scene(on_loop)
async def test_a_working_note_is_shown_and_follows_what_the_agent_writes(
    background: Background, /
) -> None:
    room = a_conversation("a-channel")
    note = WorkingNote(room.id, "found", "11", NOON, NOON)
    fake = FakeUseCases()
    presenter, _ = inspecting(background, fake)
    presenter.open_note(note, room)
    fake.notes = [WorkingNote(room.id, "found", "12", NOON, NOON)]
    await presenter.on_changes(note_changes(note))
    shown = presenter.state.note
    assert shown is not None
    assert (shown.key, shown.json, shown.conversation) == ("found", "12", "The toll at Wend Gate")
    assert presenter.state.title == "Working Note"
    assert not presenter.state.is_editable


@scene(on_loop)
async def test_a_cleared_note_goes_from_view(background: Background, /) -> None:
    note = WorkingNote("room", "found", "11", NOON, NOON)
    presenter, _ = inspecting(background, FakeUseCases())
    presenter.open_note(note, None)
    await presenter.on_changes(note_changes(note))
    assert presenter.state.mode is InspectorMode.NOTHING


@scene(on_loop)
async def test_a_saved_text_that_looks_like_a_key_is_kept_and_said(
    background: Background, /
) -> None:
    memory = a_memory("The map service.")
    key = "Use sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    presenter, _ = inspecting(background, FakeUseCases(memory))
    await presenter.open_memory(memory.ref)
    presenter.edit(content=key)
    assert await presenter.save()
    await until(lambda: bool(presenter.state.caution))
    assert "an API key" in presenter.state.caution
    assert presenter.state.draft is not None
    assert presenter.state.draft.content == key
    presenter.edit(content="Use the glass coin.")
    assert presenter.state.caution == ""
    assert await presenter.save()
    await until(lambda: not presenter.state.is_unsaved)
    await asyncio.sleep(0.05)
    assert presenter.state.caution == ""
