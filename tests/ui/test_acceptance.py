"""What accepting a proposal changed is undone, and the proposal waits again."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtWidgets import QPushButton

from inklings_desktop.domain.entries.proposals import Proposal, ProposalState
from inklings_desktop.domain.errors import ConflictError, HeldForReviewError
from inklings_desktop.domain.memory import ACCOUNT_KEY, MemoryDraft, MemoryPatch, ScopeKey, Tier
from inklings_desktop.domain.world.page_proposal import PageComparison
from inklings_desktop.ui.inbox.deciding import accepted, target_of
from inklings_desktop.ui.inbox.page import InboxPage
from inklings_desktop.ui.kit.ops.page_spec import INBOX_PAGE
from inklings_desktop.usecases.bundle import Inklings
from tests.ui.entries_bench import a_world, an_agent
from tests.ui.presenter_bench import Bench, a_bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")
ACCOUNT = ScopeKey(Tier.ACCOUNT, None, ACCOUNT_KEY)
TOLL = "The toll is paid in salt."


def edit(agent: Inklings, bench: Bench) -> None:
    memory = bench.put(TOLL)
    patch = MemoryPatch(content="The toll is paid in bells.", tags=("toll",))
    agent.memories.update(memory.ref, patch, expected_version=memory.version)


def forget(agent: Inklings, bench: Bench) -> None:
    agent.memories.forget([bench.put(TOLL).ref])


def replace(agent: Inklings, bench: Bench) -> None:
    memory = bench.put(TOLL)
    draft = MemoryDraft(bench.scope, "The toll is free.", source="agent")
    agent.memories.put_outcome(draft, replaces=memory.id)


def write(agent: Inklings, bench: Bench) -> None:
    agent.memories.put(MemoryDraft(ACCOUNT, "She writes at night.", source="agent"))


def rewrite(agent: Inklings, bench: Bench) -> None:
    agent.proposals.propose(bench.workspace.id, "VOICE", "Past tense.", "You said so.")


def standing(bench: Bench) -> Any:
    """What can be seen of memories and named entries, without versions."""
    inklings, where = bench.inklings, bench.workspace.id
    memories = {
        (one.id, one.content, one.tags)
        for scope in (bench.scope, ACCOUNT)
        for one in inklings.listing.browse([scope]).entries
    }
    entries = {(one.name, one.body) for one in inklings.entries.list(where)}
    return memories, entries


def waiting(bench: Bench) -> list[Proposal]:
    """What the author has not decided on."""
    return [one for one in bench.inklings.proposals.list(bench.workspace.id) if one.is_undecided]


@pytest.mark.parametrize("ask", [edit, forget, replace, write, rewrite])
def test_an_acceptance_is_undone_and_the_proposal_waits_again(tmp_path: Path, ask: Any) -> None:
    with a_bench(tmp_path) as bench:
        a_world(bench)
        agent = bench.inklings.as_caller(an_agent(bench.workspace.id))
        with suppress(HeldForReviewError):
            ask(agent, bench)
        inklings = bench.inklings
        before = standing(bench)
        (asked,) = inklings.proposals.list(bench.workspace.id)
        accept = partial(inklings.proposals.accept, asked.ref)
        target = target_of(inklings, asked)
        assert not isinstance(target, PageComparison)
        done, step = accepted(inklings, target, accept, "Accepted")
        assert done.state is ProposalState.ACCEPTED
        assert standing(bench) != before
        step.take_back(inklings)
        assert standing(bench) == before
        (again,) = waiting(bench)
        assert (again.payload, again.kind, again.client) == (
            asked.payload,
            asked.kind,
            asked.client,
        )
        assert again.state is ProposalState.PENDING
        inklings.proposals.accept(again.ref)  # and it can be accepted once more
        assert standing(bench) != before


def test_what_was_changed_since_is_not_undone(tmp_path: Path) -> None:
    with a_bench(tmp_path) as bench:
        a_world(bench)
        inklings = bench.inklings
        with pytest.raises(HeldForReviewError):
            edit(inklings.as_caller(an_agent(bench.workspace.id)), bench)
        (asked,) = inklings.proposals.list(bench.workspace.id)
        accept = partial(inklings.proposals.accept, asked.ref)
        target = target_of(inklings, asked)
        assert not isinstance(target, PageComparison)
        _done, step = accepted(inklings, target, accept, "Accepted")
        (memory,) = inklings.listing.browse([bench.scope]).entries
        patch = MemoryPatch(content="Nobody pays.")
        inklings.memories.update(memory.ref, patch, expected_version=memory.version)
        with pytest.raises(ConflictError):
            step.take_back(inklings)
        (memory,) = inklings.listing.browse([bench.scope]).entries
        assert memory.content == "Nobody pays."
        assert waiting(bench) == []


def test_edit_undo_takes_an_acceptance_back(tmp_path: Path) -> None:
    def prepare(bench: Bench) -> None:
        a_world(bench)
        rewrite(bench.inklings.as_caller(an_agent(bench.workspace.id)), bench)

    async def act(bench: WindowBench) -> None:
        window = bench.window
        window.show_page(INBOX_PAGE)
        opened = window.opened
        assert opened is not None
        await bench.until(lambda: opened.pages.page(INBOX_PAGE) is not None)
        page = cast("InboxPage", opened.pages.page(INBOX_PAGE))
        await bench.until(lambda: page.proposal.proposal is not None)
        before = standing(bench.bench)
        (accept,) = page.view.findChildren(QPushButton, "proposalAccept")
        accept.click()
        await bench.until(window.menus["undo"].isEnabled)
        assert standing(bench.bench) != before
        assert page.toast.undo.isVisible()
        assert window.menus["undo"].text() == "Undo: Accepted a proposal"
        window.menus["undo"].trigger()
        await bench.until(lambda: standing(bench.bench) == before)
        await bench.until(lambda: page.proposal.proposal is not None)
        assert not page.toast.undo.isVisible()

    drive(tmp_path, prepare, act)
