"""The steps of a scrub without widgets and without a store."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseFullError,
    DatabaseReadOnlyError,
    InvalidValueError,
)
from inklings_desktop.domain.log.events import Event, EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import TOKEN_SECONDS, ScrubMode
from inklings_desktop.ui.kit.words.consolidation_words import NoticeKind
from inklings_desktop.ui.scrub.presenter import ScrubPresenter
from inklings_desktop.ui.scrub.state import ScrubStep
from inklings_desktop.ui.scrub.words import match_text, missing_text
from tests.support.builders import WORKSPACE_ID, a_channel, a_conversation
from tests.support.played_scrub import OTHER_DIGEST, FakeScrub, an_outcome
from tests.support.stopwatch import until
from tests.ui.fake_desk import run_with_background
from tests.ui.presenter_bench import Heard

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.ui.kit.ops.background import Background

PHRASE = "scrub workspace 43"


def play(
    fake: FakeScrub,
    scene: Callable[[ScrubPresenter, Heard], Awaitable[None]],
    *,
    tier: Tier | None = None,
) -> None:
    """Open a presenter on the first step and let the scene act; running changes are heard."""

    async def played(background: Background) -> None:
        presenter = ScrubPresenter(background, fake.inklings())
        heard = Heard().to(presenter.running_changed)
        await presenter.open(WORKSPACE_ID, tier)
        await scene(presenter, heard)

    run_with_background(played)


async def to_confirmation(presenter: ScrubPresenter) -> None:
    await presenter.count()
    await presenter.go_on()


async def confirm(presenter: ScrubPresenter, phrase: str = PHRASE) -> None:
    await to_confirmation(presenter)
    presenter.type_phrase(phrase)
    presenter.tick(has_read=True)


def test_it_begins_with_the_workspace_and_named_entries_kept() -> None:
    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        state = presenter.state
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

    play(FakeScrub(), scene)


def test_a_card_can_ask_for_its_own_tier() -> None:
    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        assert presenter.state.scope == ScopeKey.account()

    play(FakeScrub(), scene, tier=Tier.ACCOUNT)


def test_a_room_has_to_be_chosen_and_archived_ones_can_be() -> None:
    channel = a_channel("map-room", channel_id="c1")
    room = a_conversation("c1", conversation_id="k1")
    fake = FakeScrub(channels=(channel,), conversations=(room,))

    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        presenter.choose_mode(ScrubMode.FULL)
        presenter.choose_tier(Tier.CONVERSATION)
        state = presenter.state
        assert (state.scope, state.can_count, state.mode) == (None, False, ScrubMode.KEEP_NAMED)
        await presenter.count()
        assert fake.n_counts == 0
        presenter.choose_room(Tier.CONVERSATION, "k1")
        assert presenter.state.scope == ScopeKey.conversation(WORKSPACE_ID, "k1")
        await until(lambda: presenter.state.choice.n_entries == 12)
        presenter.choose_room(Tier.CHANNEL, "c1")
        assert presenter.state.scope == ScopeKey.channel(WORKSPACE_ID, "c1")
        await presenter.count()
        assert presenter.state.step is ScrubStep.DRY_RUN

    play(fake, scene)


def test_a_dry_run_is_shown_and_can_be_left() -> None:
    fake = FakeScrub()

    async def scene(presenter: ScrubPresenter, heard: Heard) -> None:
        await presenter.count()
        state = presenter.state
        assert state.step is ScrubStep.DRY_RUN
        assert state.manifest is not None
        assert state.manifest.phrase == PHRASE
        assert state.can_continue
        presenter.back()
        assert presenter.state.step is ScrubStep.SCOPE
        assert presenter.may_close()
        presenter.close()
        assert (fake.executed, heard.payloads) == ([], [])

    play(fake, scene)


def test_where_nothing_is_there_is_nothing_to_confirm() -> None:
    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        await to_confirmation(presenter)
        assert presenter.state.step is ScrubStep.DRY_RUN
        assert not presenter.state.can_continue

    play(FakeScrub(n_memories=0), scene)


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
def test_the_phrase_is_compared_exactly_but_for_its_ends(
    typed: str,
    is_right: bool,  # noqa: FBT001 - an example
    said: str,
) -> None:
    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        await confirm(presenter, typed)
        assert presenter.state.is_phrase_right is is_right
        assert presenter.state.can_execute is is_right
        assert match_text(presenter.state).startswith(said)

    play(FakeScrub(), scene)


def test_phrase_and_box_are_both_needed_and_begin_anew_after_going_back() -> None:
    fake = FakeScrub()

    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        await to_confirmation(presenter)
        presenter.type_phrase(PHRASE)
        state = presenter.state
        assert (state.can_execute, missing_text(state)) == (
            False,
            "Unavailable until the box is ticked",
        )
        await presenter.execute()
        assert fake.executed == []
        presenter.tick(has_read=True)
        assert presenter.state.can_execute
        presenter.back()
        await presenter.go_on()
        assert (presenter.state.typed, presenter.state.has_read) == ("", False)
        assert missing_text(presenter.state) == "Unavailable until the phrase matches"

    play(fake, scene)


def test_a_paste_is_answered_until_something_is_typed() -> None:
    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        await to_confirmation(presenter)
        presenter.refuse_paste()
        assert match_text(presenter.state) == "Please type it."
        presenter.type_phrase("s")
        assert match_text(presenter.state).startswith("1 of 18")

    play(FakeScrub(), scene)


def test_it_runs_once_and_pauses_background_work_from_the_confirmation_on() -> None:
    fake = FakeScrub()

    async def scene(presenter: ScrubPresenter, heard: Heard) -> None:
        outcomes = Heard().to(presenter.executed)
        states = Heard().to(presenter.state_changed)
        await to_confirmation(presenter)
        assert heard.payloads == [True]
        presenter.type_phrase(PHRASE)
        presenter.tick(has_read=True)
        await asyncio.gather(presenter.execute(), presenter.execute())
        await asyncio.sleep(0)
        assert presenter.state.step is ScrubStep.RESULT
        assert presenter.state.outcome is outcomes.last
        assert heard.payloads == [True, False]
        assert len(fake.executed) == 1
        assert "count" in {state.progress.step for state in states.payloads}

    play(fake, scene)


def test_leaving_the_confirmation_lets_background_work_go_on() -> None:
    async def scene(presenter: ScrubPresenter, heard: Heard) -> None:
        await to_confirmation(presenter)
        presenter.close()
        assert heard.payloads == [True, False]
        assert presenter.state.step is ScrubStep.SCOPE

    play(FakeScrub(), scene)


def test_while_it_removes_it_cannot_be_closed() -> None:
    fake = FakeScrub()
    fake.gate.clear()

    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        await confirm(presenter)
        running = asyncio.ensure_future(presenter.execute())
        await until(lambda: presenter.state.progress.step == "done")
        assert not presenter.may_close()
        assert presenter.state.is_close_refused
        presenter.back()
        assert presenter.state.step is ScrubStep.RUNNING
        fake.gate.set()
        await running
        assert presenter.may_close()

    play(fake, scene)


def test_what_changed_meanwhile_is_shown_and_nothing_is_removed() -> None:
    fake = FakeScrub()

    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        await confirm(presenter)
        fake.digest, fake.n_memories = OTHER_DIGEST, 44
        await presenter.execute()
        state = presenter.state
        assert (state.step, fake.executed) == (ScrubStep.DRY_RUN, [])
        assert state.notice is not None
        assert f"{state.notice.title} {state.notice.text}" == (
            "Memory changed since the count. Here is the new one."
        )
        assert state.manifest is not None
        assert state.manifest.n_removed == 44
        assert (state.typed, state.has_read) == ("", False)

    play(fake, scene)


def test_an_old_count_is_made_again_and_said_so() -> None:
    fake = FakeScrub()

    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        await confirm(presenter)
        fake.clock.advance(hours=(TOKEN_SECONDS + 1) / 3600)
        await presenter.execute()
        state = presenter.state
        assert (state.step, fake.executed, fake.n_counts) == (ScrubStep.CONFIRM, [], 2)
        assert state.notice is not None
        assert state.notice.title == "The count was more than five minutes old."
        assert state.can_execute
        await presenter.execute()
        assert len(fake.executed) == 1

    play(fake, scene)


def test_an_old_count_that_no_longer_holds_is_shown_from_the_dry_run() -> None:
    fake = FakeScrub()

    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        await presenter.count()
        fake.clock.advance(hours=1)
        fake.digest, fake.n_memories = OTHER_DIGEST, 12
        await presenter.go_on()
        state = presenter.state
        assert state.step is ScrubStep.DRY_RUN
        assert state.notice is not None
        assert state.notice.title == "Memory changed since the count."

    play(fake, scene)


def test_a_token_that_the_store_refuses_means_a_new_count() -> None:
    fake = FakeScrub()

    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        await confirm(presenter)
        fake.refuses_execution = InvalidValueError("token", "expired")
        await presenter.execute()
        assert (presenter.state.step, fake.n_counts) == (ScrubStep.CONFIRM, 2)
        assert presenter.state.notice is not None
        assert presenter.state.notice.kind is NoticeKind.NEWS

    play(fake, scene)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (DatabaseFullError(Path("agents.db")), "The disk is full."),
        (DatabaseReadOnlyError(Path("agents.db")), "The disk cannot be written to."),
        (DatabaseBusyError(Path("agents.db")), "Another program is writing just now."),
    ],
)
def test_what_the_disk_refuses_is_said_and_can_be_tried_again(
    error: InklingsError, said: str
) -> None:
    fake = FakeScrub()

    async def scene(presenter: ScrubPresenter, heard: Heard) -> None:
        await confirm(presenter)
        fake.refuses_execution = error
        await presenter.execute()
        state = presenter.state
        assert state.step is ScrubStep.CONFIRM
        assert state.notice is not None
        assert (state.notice.kind, state.notice.title) == (NoticeKind.PROBLEM, said)
        assert state.notice.text.startswith("Nothing was removed.")
        fake.refuses_execution = None
        await presenter.execute()
        assert presenter.state.step is ScrubStep.RESULT
        assert heard.payloads == [True, False]

    play(fake, scene)


def test_a_count_that_fails_stays_on_the_first_step() -> None:
    fake = FakeScrub(refuses_count=DatabaseBusyError(Path("agents.db")))

    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        await presenter.count()
        state = presenter.state
        assert (state.step, state.is_counting) == (ScrubStep.SCOPE, False)
        assert state.notice is not None
        assert state.can_count

    play(fake, scene)


def test_a_count_that_was_left_is_not_shown() -> None:
    fake = FakeScrub()

    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        counting = asyncio.ensure_future(presenter.count())
        await asyncio.sleep(0)
        presenter.choose_tier(Tier.ACCOUNT)
        await counting
        state = presenter.state
        assert (state.step, state.is_counting, state.manifest) == (ScrubStep.SCOPE, False, None)

    play(fake, scene)


def test_a_mistake_of_ours_does_not_leave_the_dialog_running() -> None:
    fake = FakeScrub()

    async def scene(presenter: ScrubPresenter, heard: Heard) -> None:
        await confirm(presenter)
        fake.refuses_execution = ZeroDivisionError()
        with pytest.raises(ZeroDivisionError):
            await presenter.execute()
        assert presenter.state.step is ScrubStep.SCOPE
        assert presenter.may_close()
        assert heard.payloads == [True, False]

    play(fake, scene)


def test_a_pending_purge_stays_pending_until_its_proof_is_in_the_log() -> None:
    fake = FakeScrub(pending="snapshot")

    async def scene(presenter: ScrubPresenter, heard: Heard) -> None:
        await confirm(presenter)
        await presenter.execute()
        outcome = presenter.state.outcome
        assert outcome is not None
        assert not outcome.is_finished
        assert heard.payloads == [True]
        fake.events = (_verified(outcome.event_number + 7),)
        assert await presenter.follow_up(outcome) == outcome
        fake.events = (_verified(outcome.event_number),)
        now = await presenter.follow_up(outcome)
        assert now.is_finished
        assert presenter.state.outcome == now
        assert now.receipt is not None
        assert (now.receipt.n_files, now.receipt.hits) == (14, 0)
        assert heard.payloads == [True, False]

    play(fake, scene)


def test_a_purge_of_a_dialog_that_is_gone_is_followed_without_showing_it() -> None:
    fake = FakeScrub(pending="snapshot")
    outcome = an_outcome(pending="snapshot")
    fake.events = (_verified(outcome.event_number),)

    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        assert (await presenter.follow_up(outcome)).is_finished
        assert presenter.state.outcome is None

    play(fake, scene)


def test_a_dialog_that_goes_while_exports_are_looked_up_asks_no_more() -> None:
    fake = FakeScrub()

    async def scene(presenter: ScrubPresenter, _heard: Heard) -> None:
        counting = asyncio.ensure_future(presenter.count())
        await until(lambda: presenter.state.step is ScrubStep.DRY_RUN)
        presenter.close()
        await counting
        assert presenter.state.scope is None
        assert presenter.state.exports == ()

    play(fake, scene)


def _verified(of_event: int) -> Event:
    counts = {"scrub": of_event, "files": 14, "bytes": 3_220_480, "needles": 172, "hits": 0}
    marks = {"receipt": "9" * 64}
    return Event(
        EventKind.SCRUB_VERIFIED, "clock", "clock", "clock", counts=counts, marks=marks, number=9
    )
