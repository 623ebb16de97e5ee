"""What a channel repeats: worded by a model, looked at beside its parents, written on a word."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from inklings_desktop.agent_client.wording import AgentWording
from inklings_desktop.domain.background.consolidation import ReviewReason
from inklings_desktop.domain.memory import MERGED_SOURCE, Lifetime, MemoryPatch, ScopeKey
from inklings_desktop.settings_file import save_values
from inklings_desktop.ui.consolidation.review_process import ReviewProcess
from inklings_desktop.ui.consolidation.review_state import Choice, ItemKind, ReviewItem
from inklings_desktop.ui.consolidation.review_words import (
    choice_badge,
    group_remark,
    item_sentence,
    item_title,
    kept_sentence,
    member_remark,
)
from tests.support.builders import a_memory
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench, run_with_background
from tests.ui.process_bench import without_window
from tests.ui.review_bench import a_tidy_bench

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.ops.background import Background

pytestmark = pytest.mark.usefixtures("qapp")

_LAMP = (
    "Ottoline keeps the lamp of the toll house burning at Wend Gate from dusk until the last "
    "barge of the evening has passed below the lower bridge and the pilots of the guild"
)
LAMP = (f"{_LAMP} sleep.", f"{_LAMP} are asleep.", f"{_LAMP} sleep again.")
WORDED = f"{_LAMP} sleep, or are asleep again."


@dataclass
class Said:
    """A model that words every text alike, and what it was asked."""

    text: str | None = WORDED
    asked: list[Sequence[str]] = field(default_factory=list)

    def worded(self, _workspace_id: str | None, texts: Sequence[str]) -> str | None:
        self.asked.append(texts)
        return self.text


@dataclass
class Repeating:
    """A channel in which one thing is said three times, and the model that may word it."""

    bench: Bench
    background: Background
    scope: ScopeKey
    said: Said

    async def reviewed(self) -> ReviewProcess:
        context, owner, _said = without_window(self.background, self.bench.inklings)
        review = ReviewProcess(context, owner)
        await review.read_plan(self.scope)
        await review._asking.settled()
        return review

    def active(self) -> tuple[MemoryEntry, ...]:
        page = self.bench.inklings.listing.browse([self.scope], limit=100)
        return page.entries

    def texts(self) -> set[str]:
        return {one.content for one in self.active()}


def repeating(root: Path, played: Callable[[Repeating], Awaitable[None]]) -> None:
    """The stage: merges may be worded, and a channel repeats itself."""
    said = Said()
    with ExitStack() as stack:
        stack.enter_context(
            patch.object(AgentWording, "worded", lambda _, *asked: said.worded(*asked))
        )
        bench = stack.enter_context(a_tidy_bench(root))
        save_values(root, {"background.word_merges": True})
        room = bench.inklings.channels.create(bench.workspace.id, "gate")
        scope = ScopeKey.channel(bench.workspace.id, room.id)
        with bench.inklings.parts.store.write(bench.workspace.id, initiator="test") as unit:
            unit.memories.add(
                [a_memory(one, scope=scope, lifetime=Lifetime.LONG_TERM) for one in LAMP]
            )
            unit.commit()
        bench.inklings.tasks.backfill(bench.workspace.id)

        async def run(background: Background) -> None:
            await played(Repeating(bench, background, scope, said))

        run_with_background(run)


def kinds(review: ReviewProcess) -> list[ItemKind]:
    return [one.kind for one in review.state.items]


def rolled_up(review: ReviewProcess) -> ReviewItem:
    (item,) = review.state.items
    assert item.kind is ItemKind.ROLL_UP
    return item


@scene(repeating)
async def test_what_is_repeated_is_one_item_with_its_parents_and_waits_for_a_word(
    channel: Repeating, /
) -> None:
    review = await channel.reviewed()
    item = rolled_up(review)
    assert {one.content for one in item.members} == set(LAMP)
    assert (item.proposed, item.is_worded, item.choice) == (WORDED, True, Choice.SKIP)
    assert item.reasons == (ReviewReason.REPEATED,)
    assert item_title(item) == "3 memories into 1"
    assert "worded one memory for all of them" in item_sentence(item, 100)
    assert group_remark(item).endswith("worded by a model")
    assert [member_remark(item, n) for n in range(3)] == ["differs"] * 3
    assert choice_badge(item) == ("apart", "graphite")
    assert len(channel.said.asked) == 1  # its pairs are not worded besides
    channel.bench.inklings.consolidation.run(channel.scope)
    assert channel.texts() == set(LAMP)


@scene(repeating)
async def test_accepted_it_replaces_its_parents_and_undone_they_return(
    channel: Repeating, /
) -> None:
    review = await channel.reviewed()
    review.decide(rolled_up(review).key, Choice.ACCEPT)
    await review.apply()
    (merged,) = channel.active()
    assert (merged.content, merged.written_by) == (WORDED, MERGED_SOURCE)
    family = channel.bench.inklings.consolidation.family(merged.ref)
    assert {one.entry.content for one in family.parents} == set(LAMP)
    await review.undo()
    assert channel.texts() == set(LAMP)


@scene(repeating)
async def test_kept_apart_none_of_its_pairs_is_asked_about_again(channel: Repeating, /) -> None:
    review = await channel.reviewed()
    rolled_up(review)
    assert kept_sentence(review.state.n_apart).startswith("Apply keeps 3 pairs")
    await review.apply()
    again = await channel.reviewed()
    assert again.state.items == ()
    assert channel.texts() == set(LAMP)


@pytest.mark.parametrize("text", [None, WORDED.replace("Ottoline", "She"), f"Never: {WORDED}"])
@scene(repeating)
async def test_without_words_that_hold_there_are_pairs_as_ever(
    channel: Repeating, /, text: str | None
) -> None:
    channel.said.text = text
    review = await channel.reviewed()
    assert kinds(review) == [ItemKind.WAITING] * 3
    assert not any(one.is_worded for one in review.state.items)


@scene(repeating)
async def test_a_model_that_is_gone_when_it_is_written_rolls_nothing_up(
    channel: Repeating, /
) -> None:
    review = await channel.reviewed()
    review.decide(rolled_up(review).key, Choice.ACCEPT)
    channel.said.text = None
    run = channel.bench.inklings.consolidation.run(channel.scope, decisions=review.state.decisions)
    assert run.counts == {"passed_over": 1}
    assert channel.texts() == set(LAMP)


@scene(repeating)
async def test_a_parent_that_moved_on_meanwhile_makes_it_void(channel: Repeating, /) -> None:
    review = await channel.reviewed()
    item = rolled_up(review)
    review.decide(item.key, Choice.ACCEPT)
    inklings, moved = channel.bench.inklings, item.members[-1]
    worded = channel.said.worded

    def moving(workspace_id: str | None, texts: Sequence[str]) -> str | None:
        if inklings.listing.show(moved.ref).entry.version == moved.version:
            change = MemoryPatch(content="The lamp is out.")
            inklings.memories.update(moved.ref, change, expected_version=moved.version)
        return worded(workspace_id, texts)

    channel.said.worded = moving  # type: ignore[method-assign, assignment]
    run = inklings.consolidation.run(channel.scope, decisions=review.state.decisions)
    assert run.counts == {"passed_over": 1}
    others = {one.content for one in item.members[:-1]}
    assert channel.texts() == {"The lamp is out.", *others}


@scene(repeating)
async def test_the_switch_is_off_by_default(channel: Repeating, /) -> None:
    save_values(channel.bench.inklings.parts.root, {"background.word_merges": None})
    review = await channel.reviewed()
    assert kinds(review) == [ItemKind.WAITING] * 3
    assert channel.said.asked == []
