"""What agents would change of the author's pages, decided in the Inbox."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from inklings_desktop.ui.inbox.deciding import Acceptance
from tests.support.scenes import scene
from tests.ui.inbox_bench import InboxBench, drive
from tests.ui.presenter_bench import Bench

pytestmark = pytest.mark.usefixtures("qapp")

OLD, NEW = "# Gate\n\nThe gate is shut.\n", "# Gate\n\nThe gate stands open.\n"


def beside(
    tmp_path: Path,
    prepare: Callable[[Bench], None],
    action: Callable[[InboxBench], Awaitable[None]],
) -> None:
    """The page over a data root that has room for pages beside it."""
    drive(tmp_path / "root", prepare, action)


def page(bench: Bench) -> Path:
    assert bench.inklings.data_dir is not None
    return bench.inklings.data_dir.with_name("pages") / "gate.md"


def asked_pages(bench: Bench) -> None:
    """A page, and three wishes: another text of it, another path for it, and a page more."""
    page(bench).parent.mkdir()
    page(bench).write_text(OLD, encoding="utf-8")
    here, world = bench.workspace.id, bench.inklings.world
    world.link(here, page(bench).parent)
    world.look(here)
    propose = bench.inklings.page_proposals.propose
    propose(here, page="gate.md", text=NEW, reason="It was opened.")
    propose(here, page="gate.md", to="harbour/gate.md", reason="It is there.")
    propose(here, path="bell.md", text="# Bell\n", reason="There is none.")


async def shown(bench: InboxBench, badge: str) -> None:
    row = next(one for one in bench.rows if one.badge == badge)
    bench.list.show_rows(bench.list.rows, row.id)
    bench.list.row_chosen.emit(row.id)
    deciding = bench.page.proposal
    await bench.until(lambda: deciding.proposal is not None and deciding.proposal.id == row.id)


@scene(beside, asked_pages)
async def test_a_change_of_a_page_is_compared_written_and_taken_back(bench: InboxBench, /) -> None:
    done: list[Acceptance] = []
    bench.page.accepted.connect(done.append)
    await shown(bench, "page change")
    view = bench.page.proposal.view
    assert (view.title, view.wish) == ("Gate", "wants to change Gate")
    assert view.comparison is not None
    assert view.proposed == NEW
    assert view.warnings == ()
    bench.named("proposalAccept").click()
    await bench.until(lambda: bool(done))
    assert page(bench.bench).read_text(encoding="utf-8") == NEW
    done[0].take_back(bench.bench.inklings)
    assert page(bench.bench).read_text(encoding="utf-8") == OLD


@scene(beside, asked_pages)
async def test_a_page_that_was_saved_meanwhile_is_shown_as_it_is_now(bench: InboxBench, /) -> None:
    page(bench.bench).write_text(OLD + "\nMine.\n", encoding="utf-8")
    await shown(bench, "page change")
    view = bench.page.proposal.view
    (warning,) = view.warnings
    assert warning.startswith("Gate was changed after this was proposed.")
    assert await bench.page.proposal.accept()  # what is compared is what is on show
    assert page(bench.bench).read_text(encoding="utf-8") == NEW


@scene(beside, asked_pages)
async def test_a_page_is_moved_and_one_is_made(bench: InboxBench, /) -> None:
    await shown(bench, "page move")
    (value,) = bench.page.proposal.view.values
    assert (value.before, value.after) == ("gate.md", "harbour/gate.md")
    assert await bench.page.proposal.accept()
    assert not page(bench.bench).exists()
    await shown(bench, "new page")
    assert bench.page.proposal.view.wish == "wants to write a new page, bell.md"
    assert await bench.page.proposal.accept("# Bell\n\nIt rings.\n")
    made = page(bench.bench).with_name("bell.md")
    assert made.read_text(encoding="utf-8") == "# Bell\n\nIt rings.\n"


@scene(beside, asked_pages)
async def test_a_page_that_is_gone_can_only_be_rejected(bench: InboxBench, /) -> None:
    page(bench.bench).unlink()
    await shown(bench, "page change")
    view = bench.page.proposal.view
    assert (view.can_accept, view.can_reject) == (False, True)
    assert view.warnings == ("The page is gone. You can only reject this.",)
    assert await bench.page.proposal.reject()
    assert (
        "page change" not in {one.badge for one in bench.rows} or not bench.page.proposal.view.ref
    )
