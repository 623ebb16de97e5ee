"""The steps of a scrub without widgets and without a store."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseFullError,
    DatabaseReadOnlyError,
    InklingsError,
    InvalidValueError,
)
from inklings_desktop.domain.log.events import Event, EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import TOKEN_SECONDS, ScrubMode
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.words.consolidation_words import NoticeKind
from inklings_desktop.ui.scrub.process import ScrubProcess
from inklings_desktop.ui.scrub.state import ScrubStep
from inklings_desktop.ui.scrub.words import match_text, missing_text
from tests.support.builders import WORKSPACE_ID, a_channel, a_conversation
from tests.support.played_scrub import OTHER_DIGEST, FakeScrub, an_outcome
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.presenter_bench import Heard, on_loop
from tests.ui.process_bench import without_window

PHRASE = "scrub workspace 43"


async def begun(
    background: Background, fake: FakeScrub, tier: Tier | None = None
) -> tuple[ScrubProcess, Heard]:
    """A scrub on its first step, and its running changes."""
    context, owner, _said = without_window(background, fake.inklings())
    scrub = ScrubProcess(context, owner)
    heard = Heard().to(scrub.running_changed)
    await scrub.begin(WORKSPACE_ID, tier)
    return scrub, heard


async def to_confirmation(scrub: ScrubProcess) -> None:
    await scrub.count()
    await scrub.go_on()


async def confirm(scrub: ScrubProcess, phrase: str = PHRASE) -> None:
    await to_confirmation(scrub)
    scrub.type_phrase(phrase)
    scrub.tick(True)


@scene(on_loop)
async def test_it_begins_with_the_workspace_and_named_entries_kept(
    background: Background, /
) -> None:
    scrub, _ = await begun(background, FakeScrub())
    state = scrub.state
    assert (state.step, state.tier, state.mode) == (
        ScrubStep.SCOPE,
        Tier.WORKSPACE,
        ScrubMode.KEEP_NAMED,
    )
    assert state.scope == ScopeKey.workspace(WORKSPACE_ID)
    assert (state.choice.n_entries, state.choice.n_forgotten) == (45, 2)
    assert state.choice.names == ("VOICE", "WORLDBUILDING_PRINCIPLES")
    assert state.operator == "Ottoline Marsh"
    assert state.can_count


@scene(on_loop)
async def test_a_card_can_ask_for_its_own_tier(background: Background, /) -> None:
    scrub, _ = await begun(background, FakeScrub(), tier=Tier.ACCOUNT)
    assert scrub.state.scope == ScopeKey.account()


@scene(on_loop)
async def test_a_room_has_to_be_chosen_and_archived_ones_can_be(background: Background, /) -> None:
    channel = a_channel("map-room", channel_id="c1")
    room = a_conversation("c1", conversation_id="k1")
    fake = FakeScrub(channels=(channel,), conversations=(room,))
    scrub, _ = await begun(background, fake)
    scrub.choose_mode(ScrubMode.FULL)
    scrub.choose_tier(Tier.CONVERSATION)
    state = scrub.state
    assert (state.scope, state.can_count, state.mode) == (None, False, ScrubMode.KEEP_NAMED)
    await scrub.count()
    assert fake.n_counts == 0
    scrub.choose_room(Tier.CONVERSATION, "k1")
    assert scrub.state.scope == ScopeKey.conversation(WORKSPACE_ID, "k1")
    scrub.choose_mode(ScrubMode.RUN_STATE)
    modes = [scrub.state.mode]
    await until(lambda: scrub.state.choice.n_entries == 12)
    scrub.choose_room(Tier.CHANNEL, "c1")
    assert scrub.state.scope == ScopeKey.channel(WORKSPACE_ID, "c1")
    modes.append(scrub.state.mode)
    assert modes == [ScrubMode.RUN_STATE, ScrubMode.KEEP_NAMED], "a channel has no run state"
    await scrub.count()
    assert scrub.state.step is ScrubStep.DRY_RUN


@scene(on_loop)
async def test_a_dry_run_is_shown_and_can_be_left(background: Background, /) -> None:
    fake = FakeScrub()
    scrub, heard = await begun(background, fake)
    await scrub.count()
    state = scrub.state
    assert state.step is ScrubStep.DRY_RUN
    assert state.manifest is not None
    assert state.manifest.phrase == PHRASE
    assert state.can_continue
    scrub.back()
    assert scrub.state.step is ScrubStep.SCOPE
    assert scrub.may_leave()
    scrub.close()
    assert (fake.executed, heard.payloads) == ([], [])


@scene(on_loop)
async def test_where_nothing_is_there_is_nothing_to_confirm(background: Background, /) -> None:
    scrub, _ = await begun(background, FakeScrub(n_memories=0))
    await to_confirmation(scrub)
    assert scrub.state.step is ScrubStep.DRY_RUN
    assert not scrub.state.can_continue


@pytest.mark.parametrize(
    ("typed", "is_right", "said"),
    [
        ("", False, "0 of 18 characters match."),
        ("scrub workspace 4", False, "17 of 18 characters match."),
        ("  scrub workspace 43 ", True, "All 18 characters match."),
        ("Scrub workspace 43", False, "0 of 18 characters match. The rest is something else."),
        ("scrub workspace 433", False, "18 of 18 characters match. The rest is something else."),
        ("scrub  workspace 43", False, "6 of 18 characters match. The rest is something else."),
    ],
)
@scene(on_loop)
async def test_the_phrase_is_compared_exactly_but_for_its_ends(
    background: Background, /, *, typed: str, is_right: bool, said: str
) -> None:
    scrub, _ = await begun(background, FakeScrub())
    await confirm(scrub, typed)
    assert scrub.state.is_phrase_right is is_right
    assert scrub.state.can_execute is is_right
    assert match_text(scrub.state).startswith(said)


@scene(on_loop)
async def test_phrase_and_box_are_both_needed_and_begin_anew_after_going_back(
    background: Background, /
) -> None:
    fake = FakeScrub()
    scrub, _ = await begun(background, fake)
    await to_confirmation(scrub)
    scrub.type_phrase(PHRASE)
    state = scrub.state
    assert (state.can_execute, missing_text(state)) == (
        False,
        "Unavailable until the box is ticked",
    )
    await scrub.execute()
    assert fake.executed == []
    scrub.tick(True)
    assert scrub.state.can_execute
    scrub.back()
    await scrub.go_on()
    assert (scrub.state.typed, scrub.state.has_read) == ("", False)
    assert missing_text(scrub.state) == "Unavailable until the phrase matches"


@scene(on_loop)
async def test_a_paste_is_answered_until_something_is_typed(background: Background, /) -> None:
    scrub, _ = await begun(background, FakeScrub())
    await to_confirmation(scrub)
    scrub.refuse_paste()
    assert match_text(scrub.state) == "Please type it."
    scrub.type_phrase("s")
    assert match_text(scrub.state).startswith("1 of 18")


@scene(on_loop)
async def test_it_runs_once_and_pauses_background_work_from_the_confirmation_on(
    background: Background, /
) -> None:
    fake = FakeScrub()
    scrub, heard = await begun(background, fake)
    outcomes = Heard().to(scrub.executed)
    states = Heard().to(scrub.state_changed)
    await to_confirmation(scrub)
    assert heard.payloads == [True]
    scrub.type_phrase(PHRASE)
    scrub.tick(True)
    await asyncio.gather(scrub.execute(), scrub.execute())
    await asyncio.sleep(0)
    assert scrub.state.step is ScrubStep.RESULT
    assert scrub.state.outcome is outcomes.last
    assert heard.payloads == [True, False]
    assert len(fake.executed) == 1
    assert "count" in {state.progress.step for state in states.payloads}


@scene(on_loop)
async def test_leaving_the_confirmation_lets_background_work_go_on(
    background: Background, /
) -> None:
    scrub, heard = await begun(background, FakeScrub())
    await to_confirmation(scrub)
    scrub.close()
    assert heard.payloads == [True, False]
    assert scrub.state.step is ScrubStep.SCOPE


@scene(on_loop)
async def test_while_it_removes_it_cannot_be_closed(background: Background, /) -> None:
    fake = FakeScrub()
    fake.gate.clear()
    scrub, _ = await begun(background, fake)
    await confirm(scrub)
    running = asyncio.ensure_future(scrub.execute())
    await until(lambda: scrub.state.progress.step == "done")
    assert not scrub.may_leave()
    assert scrub.state.is_close_refused
    scrub.back()
    assert scrub.state.step is ScrubStep.RUNNING
    fake.gate.set()
    await running
    assert scrub.may_leave()


@scene(on_loop)
async def test_what_changed_meanwhile_is_shown_and_nothing_is_removed(
    background: Background, /
) -> None:
    fake = FakeScrub()
    scrub, _ = await begun(background, fake)
    await confirm(scrub)
    fake.digest, fake.n_memories = OTHER_DIGEST, 44
    await scrub.execute()
    state = scrub.state
    assert (state.step, fake.executed) == (ScrubStep.DRY_RUN, [])
    assert state.notice is not None
    assert f"{state.notice.title} {state.notice.text}" == (
        "Memory changed since the count. Here is the new one."
    )
    assert state.manifest is not None
    assert state.manifest.n_removed == 44
    assert (state.typed, state.has_read) == ("", False)


@scene(on_loop)
async def test_an_old_count_is_made_again_and_said_so(background: Background, /) -> None:
    fake = FakeScrub()
    scrub, _ = await begun(background, fake)
    await confirm(scrub)
    fake.clock.advance(hours=(TOKEN_SECONDS + 1) / 3600)
    await scrub.execute()
    state = scrub.state
    assert (state.step, fake.executed, fake.n_counts) == (ScrubStep.CONFIRM, [], 2)
    assert state.notice is not None
    assert state.notice.title == "The count was more than five minutes old."
    assert state.can_execute
    await scrub.execute()
    assert len(fake.executed) == 1


@scene(on_loop)
async def test_an_old_count_that_no_longer_holds_is_shown_from_the_dry_run(
    background: Background, /
) -> None:
    fake = FakeScrub()
    scrub, _ = await begun(background, fake)
    await scrub.count()
    fake.clock.advance(hours=1)
    fake.digest, fake.n_memories = OTHER_DIGEST, 12
    await scrub.go_on()
    state = scrub.state
    assert state.step is ScrubStep.DRY_RUN
    assert state.notice is not None
    assert state.notice.title == "Memory changed since the count."


@scene(on_loop)
async def test_a_token_that_the_store_refuses_means_a_new_count(background: Background, /) -> None:
    fake = FakeScrub()
    scrub, _ = await begun(background, fake)
    await confirm(scrub)
    fake.refuses_execution = InvalidValueError("token", "expired")
    await scrub.execute()
    assert (scrub.state.step, fake.n_counts) == (ScrubStep.CONFIRM, 2)
    assert scrub.state.notice is not None
    assert scrub.state.notice.kind is NoticeKind.NEWS


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (DatabaseFullError(Path("agents.db")), "The disk is full."),
        (DatabaseReadOnlyError(Path("agents.db")), "The disk cannot be written to."),
        (DatabaseBusyError(Path("agents.db")), "Another program is writing just now."),
    ],
)
@scene(on_loop)
async def test_what_the_disk_refuses_is_said_and_can_be_tried_again(
    background: Background, /, error: InklingsError, said: str
) -> None:
    fake = FakeScrub()
    scrub, heard = await begun(background, fake)
    await confirm(scrub)
    fake.refuses_execution = error
    await scrub.execute()
    state = scrub.state
    assert state.step is ScrubStep.CONFIRM
    assert state.notice is not None
    assert (state.notice.kind, state.notice.title) == (NoticeKind.PROBLEM, said)
    assert state.notice.text.startswith("Nothing was removed.")
    fake.refuses_execution = None
    await scrub.execute()
    assert scrub.state.step is ScrubStep.RESULT
    assert heard.payloads == [True, False]


@scene(on_loop)
async def test_a_count_that_fails_stays_on_the_first_step(background: Background, /) -> None:
    fake = FakeScrub(refuses_count=DatabaseBusyError(Path("agents.db")))
    scrub, _ = await begun(background, fake)
    await scrub.count()
    state = scrub.state
    assert (state.step, state.is_counting) == (ScrubStep.SCOPE, False)
    assert state.notice is not None
    assert state.can_count


@scene(on_loop)
async def test_a_count_that_was_left_is_not_shown(background: Background, /) -> None:
    fake = FakeScrub()
    scrub, _ = await begun(background, fake)
    counting = asyncio.ensure_future(scrub.count())
    await asyncio.sleep(0)
    scrub.choose_tier(Tier.ACCOUNT)
    await counting
    state = scrub.state
    assert (state.step, state.is_counting, state.manifest) == (ScrubStep.SCOPE, False, None)


@scene(on_loop)
async def test_a_mistake_of_ours_does_not_leave_the_dialog_running(
    background: Background, /
) -> None:
    fake = FakeScrub()
    scrub, heard = await begun(background, fake)
    await confirm(scrub)
    fake.refuses_execution = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        await scrub.execute()
    assert scrub.state.step is ScrubStep.SCOPE
    assert scrub.may_leave()
    assert heard.payloads == [True, False]


@scene(on_loop)
async def test_a_pending_purge_stays_pending_until_its_proof_is_in_the_log(
    background: Background, /
) -> None:
    fake = FakeScrub(pending="snapshot")
    scrub, heard = await begun(background, fake)
    await confirm(scrub)
    await scrub.execute()
    outcome = scrub.state.outcome
    assert outcome is not None
    assert not outcome.is_finished
    assert heard.payloads == [True]
    fake.events = (_verified(outcome.event_number + 7),)
    assert await scrub.follow_up(outcome) == outcome
    fake.events = (_verified(outcome.event_number),)
    now = await scrub.follow_up(outcome)
    assert now.is_finished
    assert scrub.state.outcome == now
    assert now.receipt is not None
    assert (now.receipt.n_files, now.receipt.hits) == (14, 0)
    assert heard.payloads == [True, False]


@scene(on_loop)
async def test_a_purge_of_a_dialog_that_is_gone_is_followed_without_showing_it(
    background: Background, /
) -> None:
    fake = FakeScrub(pending="snapshot")
    outcome = an_outcome(pending="snapshot")
    fake.events = (_verified(outcome.event_number),)
    scrub, _ = await begun(background, fake)
    assert (await scrub.follow_up(outcome)).is_finished
    assert scrub.state.outcome is None


@scene(on_loop)
async def test_copies_that_hold_the_text_end_the_wait_for_a_proof(
    background: Background, /
) -> None:
    fake = FakeScrub(pending="snapshot")
    outcome = an_outcome(pending="snapshot")
    found = _verified(outcome.event_number)
    counts = {**found.counts, "hits": 2, "remaining": 1}
    fake.events = (replace(found, counts=counts),)
    scrub, _ = await begun(background, fake)
    now = await scrub.follow_up(outcome)
    assert (now.is_finished, now.is_settled, now.pending) == (False, True, "copies")
    assert now.verified_number is None


@scene(on_loop)
async def test_a_dialog_that_goes_while_exports_are_looked_up_asks_no_more(
    background: Background, /
) -> None:
    fake = FakeScrub()
    scrub, _ = await begun(background, fake)
    counting = asyncio.ensure_future(scrub.count())
    await until(lambda: scrub.state.step is ScrubStep.DRY_RUN)
    scrub.close()
    await counting
    assert scrub.state.scope is None
    assert scrub.state.exports == ()


def _verified(of_event: int) -> Event:
    counts = {"scrub": of_event, "files": 14, "bytes": 3_220_480, "needles": 172, "hits": 0}
    marks = {"receipt": "9" * 64}
    return Event(
        EventKind.SCRUB_VERIFIED, "clock", "clock", "clock", counts=counts, marks=marks, number=9
    )
