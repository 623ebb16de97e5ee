"""One proposal: what it would change, and what becomes of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from inklings_desktop.domain.entries.proposals import Proposal, ProposalRef, ProposalState
from inklings_desktop.domain.errors import HeldForReviewError
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import MemoryDraft, MemoryEntry, MemoryPatch, ScopeKey, Tier
from inklings_desktop.ui.inbox.deciding import ProposalDeciding, ProposalView
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.words.entry_facts import day_label
from tests.support.scenes import scene
from tests.ui.entries_bench import AGENT, an_agent, proposed, written
from tests.ui.page_bench import a_still_context
from tests.ui.presenter_bench import Bench, a_bench

pytestmark = pytest.mark.usefixtures("qapp")
LONG = "A sentence that the author wrote with care.\n" * 10


class Scene(ProposalDeciding):
    """Decides on proposals, and keeps what is said of it."""

    def __init__(self, background: Background, bench: Bench) -> None:
        context, self.said = a_still_context(background, bench.inklings)
        self.told: list[Proposal] = []
        super().__init__(context, show=self.seen, decided=lambda one, _undo: self.told.append(one))

    def seen(self, view: ProposalView) -> None:
        """Hear that something else is to be shown."""
        assert view == self.view


def play(root: Path, act: Callable[[Scene, Bench], Awaitable[None]]) -> None:
    """Let something happen to proposals about a written VOICE."""
    with a_bench(root) as bench:
        written(bench, "VOICE", LONG)

        async def acted(background: Background) -> None:
            await act(Scene(background, bench), bench)

        assert bench.run(acted) == []


def edit_asked(bench: Bench, entry: MemoryEntry, patch: MemoryPatch) -> ProposalRef:
    """An agent asks to change a memory that only the author may change."""
    with pytest.raises(HeldForReviewError) as held:
        bench.inklings.as_caller(an_agent(bench.workspace.id)).memories.update(
            entry.ref, patch, expected_version=entry.version
        )
    return ProposalRef(bench.workspace.id, held.value.proposal_id)


def state_of(bench: Bench, ref: ProposalRef) -> Proposal:
    return bench.inklings.proposals.show(ref)


@scene(play)
async def test_a_proposal_shows_who_asks_why_and_what_would_change(
    scene: Scene, bench: Bench, /
) -> None:
    asked = proposed(bench, "VOICE", LONG + "One more.\n", "You said so twice.")
    await scene.open(asked.ref)
    view = scene.view
    assert (view.title, view.client, view.reason) == ("VOICE", AGENT, "You said so twice.")
    assert view.asked == "less than a minute ago"
    assert view.comparison is not None
    assert (view.comparison.diff.n_added, view.comparison.diff.n_removed) == (1, 0)
    assert view.warnings == ()
    assert view.can_accept
    assert view.opens_editor


@scene(play)
async def test_a_much_shorter_text_is_warned_about(scene: Scene, bench: Bench, /) -> None:
    await scene.open(proposed(bench, "VOICE", "Be brief.\n").ref)
    (warning,) = scene.view.warnings
    assert warning == (
        "The proposed text is much shorter than what it replaces: 10 characters instead of 440."
    )


@scene(play)
async def test_what_the_author_forgot_and_an_agent_says_again_is_warned_about(
    scene: Scene, bench: Bench, /
) -> None:
    memories, here = bench.inklings.memories, bench.workspace.id
    draft = MemoryDraft(ScopeKey.workspace(here), "Orrin fears the water.")
    (gone,) = memories.forget([memories.put(draft).ref])
    with pytest.raises(HeldForReviewError) as held:
        bench.inklings.as_caller(an_agent(here)).memories.put(draft)
    await scene.open(ProposalRef(here, held.value.proposal_id))
    assert gone.forgotten_at is not None
    assert scene.view.warnings == (
        f"You put this away on {day_label(gone.forgotten_at)}. Accept it to remember it again.",
    )
    assert scene.view.can_accept


@scene(play)
async def test_accepting_makes_a_revision_and_closes_the_proposal(
    scene: Scene, bench: Bench, /
) -> None:
    asked = proposed(bench, "VOICE", LONG + "One more.\n")
    await scene.open(asked.ref)
    assert await scene.accept()
    assert scene.told[-1].state is ProposalState.ACCEPTED
    assert scene.view.ref is None
    found = bench.inklings.entries.find(bench.workspace.id, "VOICE")
    assert found.body == LONG + "One more.\n"


@scene(play)
async def test_rejecting_leaves_everything_and_the_agent_can_read_why(
    scene: Scene, bench: Bench, /
) -> None:
    asked = proposed(bench, "VOICE", "Be brief.\n")
    await scene.open(asked.ref)
    assert await scene.reject("I like my manners long.")
    agent = an_agent(bench.workspace.id)
    answer = bench.inklings.as_caller(agent).proposals.show(asked.ref)
    assert (answer.state, answer.note) == (
        ProposalState.REJECTED,
        "I like my manners long.",
    )
    found = bench.inklings.entries.find(bench.workspace.id, "VOICE")
    assert found.body == LONG


@scene(play)
async def test_a_change_after_it_was_shown_is_looked_at_before_anything_is_accepted(
    scene: Scene, bench: Bench, /
) -> None:
    asked = proposed(bench, "VOICE", "Be brief.\n")
    await scene.open(asked.ref)
    written(bench, "VOICE", LONG + "Mine, meanwhile.\n")
    assert not await scene.accept()
    assert scene.said.messages[-1].title == "This entry was changed since."
    assert scene.view.warnings[0].startswith("VOICE was changed after this was proposed.")
    found = bench.inklings.entries.find(bench.workspace.id, "VOICE")
    assert found.body == LONG + "Mine, meanwhile.\n"
    assert await scene.accept(), "now the person has seen it"


@scene(play)
async def test_a_proposal_decided_elsewhere_leaves(scene: Scene, bench: Bench, /) -> None:
    asked = proposed(bench, "VOICE", "Be brief.\n")
    await scene.open(asked.ref)
    bench.inklings.proposals.reject(asked.ref)
    await scene.on_changes(MemoryChanges(bench.workspace.id, proposals=True))
    assert scene.view.ref is None


@scene(play)
async def test_an_asked_edit_of_a_locked_memory_shows_before_and_after(
    scene: Scene, bench: Bench, /
) -> None:
    memory = bench.put("The toll is paid in salt.", importance=0.8, tags=("toll",))
    patch = MemoryPatch(content="The toll is paid in bells.", importance=0.9, tags=())
    ref = edit_asked(bench, memory, patch)
    await scene.open(ref)
    view = scene.view
    assert view.title == "Workspace memory"
    assert view.comparison is not None
    assert [row.text for row in view.comparison.diff.rows] == [
        "The toll is paid in salt.",
        "The toll is paid in bells.",
    ]
    assert [(one.name, one.before, one.after) for one in view.values] == [
        ("Written by", "", "Author"),
        ("Importance", "0.80", "0.90"),
        ("Tags", "toll", "none"),
    ]
    assert not view.opens_editor
    assert await scene.accept("The toll is paid in salt or bells.")
    found = bench.inklings.listing.show(memory.ref).entry
    assert (found.content, found.importance) == ("The toll is paid in salt or bells.", 0.9)


@scene(play)
async def test_an_asked_forgetting_shows_what_would_go(scene: Scene, bench: Bench, /) -> None:
    memory = bench.put("Nerys keeps the glass in her boot.")
    with pytest.raises(HeldForReviewError) as held:
        bench.inklings.as_caller(an_agent(bench.workspace.id)).memories.forget(
            [memory.ref], reason="She sold it."
        )
    ref = ProposalRef(bench.workspace.id, held.value.proposal_id)
    await scene.open(ref)
    view = scene.view
    assert (view.text, view.reason) == ("Nerys keeps the glass in her boot.", "She sold it.")
    assert view.comparison is None
    assert await scene.accept()
    found = bench.inklings.listing.show(memory.ref).entry
    assert found.is_forgotten
    assert state_of(bench, ref).state is ProposalState.ACCEPTED


@scene(play)
async def test_an_asked_replacement_shows_both_and_does_both(scene: Scene, bench: Bench, /) -> None:
    memory = bench.put("The toll is paid in salt.")
    with pytest.raises(HeldForReviewError) as held:
        bench.inklings.as_caller(an_agent(bench.workspace.id)).memories.put_outcome(
            MemoryDraft(bench.scope, "The toll is paid in bells."), replaces=memory.id
        )
    ref = ProposalRef(bench.workspace.id, held.value.proposal_id)
    await scene.open(ref)
    view = scene.view
    assert view.wish.startswith("wants to replace a memory")
    assert view.comparison is not None
    assert [row.text for row in view.comparison.diff.rows] == [
        "The toll is paid in salt.",
        "The toll is paid in bells.",
    ]
    assert await scene.accept()
    found = bench.inklings.listing.show(memory.ref).entry
    later = bench.inklings.consolidation.lineage(memory.ref).merged_into
    assert found.is_forgotten
    assert later is not None
    assert later.content == "The toll is paid in bells."


@scene(play)
async def test_a_proposal_about_something_gone_can_only_be_rejected(
    scene: Scene, bench: Bench, /
) -> None:
    memory = bench.put("The toll is paid in salt.")
    ref = edit_asked(bench, memory, MemoryPatch(content="Bells."))
    bench.inklings.memories.forget([memory.ref])
    await scene.open(ref)
    assert not scene.view.can_accept
    assert not await scene.accept()
    assert scene.view.warnings == ("The memory is gone. You can only reject this.",)
    assert await scene.reject()


def new_entry(bench: Bench, name: str) -> Proposal:
    here = bench.workspace.id
    return bench.inklings.as_caller(an_agent(here)).proposals.propose(
        here, name, "Magic costs.\n", "You said so twice.", is_new=True
    )


@scene(play)
async def test_a_new_entry_is_shown_as_one_and_comes_to_be_when_it_is_accepted(
    scene: Scene, bench: Bench, /
) -> None:
    inklings, here = bench.inklings, bench.workspace.id
    await scene.open(new_entry(bench, "RULES").ref)
    view = scene.view
    assert (view.title, view.client, view.tier) == ("RULES", AGENT, Tier.WORKSPACE)
    assert view.wish == "wants to add RULES, which agents would read at every turn"
    assert view.comparison is not None
    assert (view.comparison.older, view.comparison.diff.n_added) == ("Nothing yet", 1)
    assert (view.proposed, view.values, view.warnings) == ("Magic costs.\n", (), ())
    assert (view.can_accept, view.opens_editor) == (True, False)
    assert await scene.accept("Magic costs dearly.\n")
    assert inklings.entries.find(here, "RULES").body == "Magic costs dearly.\n"


@scene(play)
async def test_a_new_entry_that_is_rejected_or_taken_meanwhile_is_not_made(
    scene: Scene, bench: Bench, /
) -> None:
    inklings, here = bench.inklings, bench.workspace.id
    await scene.open(new_entry(bench, "RULES").ref)
    assert await scene.reject("I write these myself.")
    names = [one.name for one in inklings.entries.list(here, Tier.WORKSPACE)]
    assert names == ["VOICE"]
    asked = new_entry(bench, "CAST")
    await scene.open(asked.ref)
    inklings.entries.create(Tier.WORKSPACE, here, "CAST", "Mine.")
    assert not await scene.accept()
    assert scene.said.messages[-1].title == "There is already a CAST in this tier."
    assert state_of(bench, asked.ref).state is ProposalState.PENDING
