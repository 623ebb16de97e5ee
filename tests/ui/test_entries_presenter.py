"""The list of named entries keeps up with what happens to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.entries.presenter import EntriesPresenter
from inklings_desktop.ui.entries.rows import EntryHeading, EntryRow, ProposalRow
from tests.ui.entries_bench import proposed, written
from tests.ui.presenter_bench import Heard, a_bench

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from inklings_desktop.ui.kit.ops.background import Background
    from tests.ui.presenter_bench import Bench

pytestmark = pytest.mark.usefixtures("qapp")


def play(root: Path, act: Callable[[EntriesPresenter, Bench], Awaitable[None]]) -> None:
    """Let something happen to an opened list."""
    with a_bench(root) as bench:

        async def acted(background: Background) -> None:
            presenter = EntriesPresenter(background, bench.inklings)
            await presenter.open(bench.workspace.id)
            await act(presenter, bench)

        assert bench.run(acted) == []


def outline(presenter: EntriesPresenter) -> list[str]:
    """The list as one would read it aloud, headings in brackets."""
    return [
        f"[{row.text}]"
        if isinstance(row, EntryHeading)
        else (row.name if isinstance(row, EntryRow) else f"? {row.title}")
        for row in presenter.content.rows
    ]


def test_both_tiers_are_listed_from_the_first_moment(tmp_path: Path) -> None:
    async def act(presenter: EntriesPresenter, _bench: Bench) -> None:
        assert outline(presenter) == [
            "[This workspace]",
            "VOICE",
            "[Your account, every workspace]",
            "SOUL",
        ]
        assert [share.n_characters for share in presenter.content.shares] == [0, 0]

    play(tmp_path, act)


def test_a_new_companion_stands_after_the_built_in_one(tmp_path: Path) -> None:
    async def act(presenter: EntriesPresenter, _bench: Bench) -> None:
        made = await presenter.create(Tier.WORKSPACE, "CAST")
        assert made is not None
        presenter.refresh()
        await presenter.settled()
        assert outline(presenter)[:3] == ["[This workspace]", "VOICE", "CAST"]

    play(tmp_path, act)


def test_a_refused_name_is_said_in_words(tmp_path: Path) -> None:
    async def act(presenter: EntriesPresenter, _bench: Bench) -> None:
        messages = Heard().to(presenter.message_raised)
        assert await presenter.create(Tier.WORKSPACE, "VOICE") is None
        assert messages.last.title == "There is already a VOICE in this tier."
        assert await presenter.create(Tier.WORKSPACE, "V0ICE") is None
        assert messages.last.title == "This name could be taken for another entry\u2019s."

    play(tmp_path, act)


def test_a_proposal_gets_a_row_of_its_own_and_a_mark_on_its_entry(tmp_path: Path) -> None:
    async def act(presenter: EntriesPresenter, bench: Bench) -> None:
        proposed(bench, "VOICE", "Another text.", "Because it reads better.")
        presenter.on_changes(MemoryChanges(bench.workspace.id, proposals=True))
        await presenter.settled()
        assert outline(presenter)[:3] == ["[Proposals]", "? VOICE", "[This workspace]"]
        asked = presenter.content.rows[1]
        assert isinstance(asked, ProposalRow)
        assert asked.words == "Because it reads better."
        assert asked.state_label == ""
        voice = presenter.content.rows[3]
        assert isinstance(voice, EntryRow)
        assert voice.n_proposals == 1

    play(tmp_path, act)


def test_a_proposal_is_overtaken_as_soon_as_its_entry_moves_on(tmp_path: Path) -> None:
    async def act(presenter: EntriesPresenter, bench: Bench) -> None:
        proposed(bench, "VOICE", "Another text.")
        entry = written(bench, "VOICE", "Mine.")
        presenter.on_changes(MemoryChanges(bench.workspace.id, entries=frozenset({entry.id})))
        await presenter.settled()
        asked = presenter.content.rows[1]
        assert isinstance(asked, ProposalRow)
        assert asked.state_label == "overtaken"

    play(tmp_path, act)


def test_what_happens_in_another_workspace_asks_for_nothing(tmp_path: Path) -> None:
    async def act(presenter: EntriesPresenter, _bench: Bench) -> None:
        heard = Heard().to(presenter.content_changed)
        presenter.on_changes(MemoryChanges("elsewhere", entries=frozenset({"one"})))
        presenter.on_changes(MemoryChanges(presenter.content.workspace_id, rooms=True))
        await presenter.settled()
        assert heard.payloads == []
        presenter.on_changes(MemoryChanges(None, entries=frozenset({"one"})))
        await presenter.settled()
        assert len(heard.payloads) == 1

    play(tmp_path, act)


def test_a_deleted_companion_can_be_found_and_brought_back(tmp_path: Path) -> None:
    async def act(presenter: EntriesPresenter, bench: Bench) -> None:
        made = await presenter.create(Tier.ACCOUNT, "RESEARCH_STYLE")
        assert made is not None
        inklings = bench.inklings
        inklings.delete_entry(inklings.caller, made.ref, expected_version=made.version)
        assert [one.name for one in await presenter.deleted()] == ["RESEARCH_STYLE"]
        assert await presenter.undelete(made.ref)
        assert await presenter.deleted() == ()

    play(tmp_path, act)


def test_the_total_counts_what_agents_read_and_the_text_at_hand(tmp_path: Path) -> None:
    async def act(presenter: EntriesPresenter, bench: Bench) -> None:
        soul = written(bench, "SOUL", "x" * 40)
        presenter.refresh()
        await presenter.settled()
        voice = presenter.content.entries[0]
        assert presenter.total_with(voice.id, "y" * 5) == 45
        assert presenter.total_with(soul.id, "y" * 5) == 5

    play(tmp_path, act)
