"""Pages change by the author's word alone, and say again what they said."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.access.access import Action, Grant
from inklings_desktop.domain.entries.proposals import ProposalKind, ProposalState
from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.domain.world.page_proposal import with_text_added
from inklings_desktop.domain.world.pages import (
    Block,
    BlockKind,
    FolderKind,
    FolderRules,
    Page,
    PageState,
    WholePage,
    WorldFolder,
)
from inklings_desktop.storage.world.page_writer import LocalPageWriter, digest_of_bytes
from tests.support.builders import NOON, WORKSPACE_ID, an_agent

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.usecases.bundle import Inklings
    from tests.usecases.world import World

GATE = (
    "# Wend Gate\n\nThe booth faces the sea.\n\n## Light\n\nThe lamps are lit from the top down.\n"
)
GATE_PATH = "places/wend-gate.md"


@dataclass(frozen=True)
class Index:
    """The index of the folder as it is on the disk now; each paragraph is a block."""

    folder: WorldFolder
    root: Path

    def of(self, _workspace_id: str) -> Index:
        return self

    def named(self, key: str) -> tuple[Page, ...]:
        pages = [self.page(str(one.relative_to(self.root))) for one in self.root.rglob("*.md")]
        return tuple(one.page for one in pages if key in {one.page.id, one.page.title})

    def page(self, path: str) -> WholePage:
        data = (self.root / path).read_bytes()
        lines = data.decode().split("\n")
        page = Page(
            path, self.folder.id, path, lines[0].lstrip("# "), (), {}, {}, None, (),
            PageState.READ, "utf-8", "lf", digest_of_bytes(data), len(data), None, NOON, NOON,
        )  # fmt: skip
        blocks = tuple(
            Block(str(number), BlockKind.PARAGRAPH, "", line, b"", "", number, number)
            for number, line in enumerate(lines, 1)
            if line
        )
        return WholePage(page, blocks, ())


@pytest.fixture
def root(tmp_path: Path, world: World) -> Path:
    """The author's folder with one page, linked, and open to proposals."""
    root = tmp_path / "saltglass"
    (root / "places").mkdir(parents=True)
    (root / GATE_PATH).write_text(GATE, encoding="utf-8")
    folder = WorldFolder(
        world.new_id(), "saltglass", FolderKind.PLAIN, str(root), "here", FolderRules(),
        takes_proposals=True, added_at=NOON,
    )  # fmt: skip
    with world.store.write(WORKSPACE_ID, initiator="test") as unit:
        unit.world.save_folder(folder)
        unit.commit()
    world.adapters.page_writer = LocalPageWriter(wait=lambda _seconds: None)
    world.adapters.world_indexes = Index(folder, root)
    return root


def agent(world: World, *actions: Action) -> Inklings:
    rights = frozenset(actions or {Action.READ, Action.WORLD_READ, Action.WORLD_PROPOSE})
    return world.asked_by(an_agent("loom", grants=(Grant(Tier.WORKSPACE, WORKSPACE_ID, rights),)))


def said(root: Path, path: str = GATE_PATH) -> str:
    return (root / path).read_text(encoding="utf-8")


def test_a_page_changes_by_the_authors_word_and_back(world: World, root: Path) -> None:
    asked = agent(world).page_proposals.propose(
        WORKSPACE_ID, page="Wend Gate", text=GATE.replace("the sea", "away"), reason="Chapter 12"
    )
    assert said(root) == GATE
    compared = world.person.page_proposals.compare(asked.ref)
    assert (compared.old_text, compared.is_overtaken, compared.is_gone) == (GATE, False, False)
    accepted = world.person.page_proposals.accept(asked.ref)
    assert said(root) == compared.new_text
    assert accepted.proposal.state is ProposalState.ACCEPTED
    [kept] = world.person.page_proposals.versions(WORKSPACE_ID)
    assert (kept.path, kept.proposal_id) == (GATE_PATH, asked.id)
    assert EventKind.PAGE_CHANGED in world.kinds()
    again = world.person.page_proposals.undo(accepted)
    assert said(root) == GATE
    assert again.state is ProposalState.PENDING


def test_the_authors_own_wording_is_written(world: World, root: Path) -> None:
    asked = agent(world).page_proposals.propose(
        WORKSPACE_ID, page=GATE_PATH, text="theirs\n", reason="why"
    )
    accepted = world.person.page_proposals.accept(asked.ref, text="mine\n")
    assert said(root) == "mine\n"
    world.person.page_proposals.undo(accepted)
    assert said(root) == GATE


def test_some_blocks_are_said_anew(world: World, root: Path) -> None:
    asked = agent(world).page_proposals.propose(
        WORKSPACE_ID, page=GATE_PATH, text=[("3", "The booth faces away."), ("5", "")], reason="why"
    )
    world.person.page_proposals.accept(asked.ref)
    assert said(root) == GATE.replace("the sea", "away").replace("## Light\n\n", "")


def test_a_page_that_was_saved_since_is_left_alone_until_it_is_compared_again(
    world: World, root: Path
) -> None:
    asked = agent(world).page_proposals.propose(
        WORKSPACE_ID, page=GATE_PATH, text="theirs\n", reason="why"
    )
    (root / GATE_PATH).write_text("saved since\n", encoding="utf-8")
    with pytest.raises(ConflictError):
        world.person.page_proposals.accept(asked.ref)
    assert said(root) == "saved since\n"
    compared = world.person.page_proposals.compare(asked.ref)
    assert compared.is_overtaken
    assert compared.proposal.state is ProposalState.OVERTAKEN
    world.person.page_proposals.accept(asked.ref, seen=compared.seen)
    assert said(root) == "theirs\n"


def test_a_new_page_is_made_and_taken_away_but_never_over_another(world: World, root: Path) -> None:
    ask = agent(world).page_proposals
    with pytest.raises(ConflictError):
        ask.propose(WORKSPACE_ID, path=GATE_PATH, text="x", reason="why")
    asked = ask.propose(WORKSPACE_ID, path="people/pell.md", text="# Pell\n", reason="why")
    accepted = world.person.page_proposals.accept(asked.ref)
    assert said(root, "people/pell.md") == "# Pell\n"
    world.person.page_proposals.undo(accepted)
    assert not (root / "people" / "pell.md").exists()


def test_a_page_moves_and_comes_back(world: World, root: Path) -> None:
    asked = agent(world).page_proposals.propose(
        WORKSPACE_ID, page=GATE_PATH, to="gates/wend.md", reason="why"
    )
    accepted = world.person.page_proposals.accept(asked.ref)
    assert said(root, "gates/wend.md") == GATE
    assert not (root / GATE_PATH).exists()
    world.person.page_proposals.undo(accepted)
    assert said(root) == GATE


def test_a_memory_becomes_text_of_a_page(world: World, root: Path) -> None:
    scope = ScopeKey.workspace(WORKSPACE_ID)
    memory = world.person.memories.put(MemoryDraft(scope, "The last one is lit by a child."))
    asked = world.person.page_proposals.promote(
        memory.ref, folder="", path=GATE_PATH, heading="Light", reason="It is canon now"
    )
    assert asked.payload["memory"] == memory.id
    world.person.page_proposals.accept(asked.ref)
    assert said(root).endswith("top down.\n\nThe last one is lit by a child.\n")
    new = world.person.page_proposals.promote(
        memory.ref, folder="saltglass", path="lamps.md", reason="Its own page"
    )
    assert new.kind is ProposalKind.PAGE_NEW


def test_what_a_page_said_is_restored_and_what_it_says_is_kept(world: World, root: Path) -> None:
    asked = agent(world).page_proposals.propose(
        WORKSPACE_ID, page=GATE_PATH, text="theirs\n", reason="why"
    )
    world.person.page_proposals.accept(asked.ref)
    [kept] = world.person.page_proposals.versions(WORKSPACE_ID, GATE_PATH)
    world.person.page_proposals.restore(WORKSPACE_ID, kept.id)
    assert said(root) == GATE
    assert len(world.person.page_proposals.versions(WORKSPACE_ID, GATE_PATH)) == 2
    with pytest.raises(NotFoundError):
        world.person.page_proposals.restore(WORKSPACE_ID, "nothing")


def test_only_whoever_may_asks_and_only_the_author_decides(world: World, root: Path) -> None:
    with pytest.raises(ScopeDeniedError):
        agent(world, Action.READ, Action.WORLD_READ).page_proposals.propose(
            WORKSPACE_ID, page=GATE_PATH, text="x", reason="why"
        )
    asking = agent(world)
    asked = asking.page_proposals.propose(WORKSPACE_ID, page=GATE_PATH, text="x", reason="why")
    for wish in (asking.page_proposals.compare, asking.page_proposals.accept):
        with pytest.raises(ScopeDeniedError):
            wish(asked.ref)
    with pytest.raises(InvalidValueError, match="page"):
        world.person.proposals.accept(asked.ref)
    rejected = world.person.proposals.reject(asked.ref, "No")
    assert (rejected.state, said(root)) == (ProposalState.REJECTED, GATE)


@pytest.mark.parametrize("kind", [FolderKind.PLAIN, FolderKind.NOVELWRITER])
def test_a_folder_says_whether_it_takes_proposals(
    world: World, root: Path, kind: FolderKind
) -> None:
    with world.store.write(WORKSPACE_ID, initiator="test") as unit:
        [folder] = unit.world.folders()
        unit.world.save_folder(replace(folder, kind=kind, takes_proposals=False))
        unit.commit()
    with pytest.raises(InvalidValueError, match="folder"):
        agent(world).page_proposals.propose(WORKSPACE_ID, page=GATE_PATH, text="x", reason="why")
    if kind is FolderKind.NOVELWRITER:
        scope = ScopeKey.workspace(WORKSPACE_ID)
        memory = world.person.memories.put(MemoryDraft(scope, "Lit by a child."))
        with pytest.raises(InvalidValueError, match="novelwriter"):
            world.person.page_proposals.promote(memory.ref, folder="", path=GATE_PATH, reason="why")


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("", "# A\n\none\n\n## B\n\ntwo\n\nmore\n"),
        ("A", "# A\n\none\n\n## B\n\ntwo\n\nmore\n"),
        ("B", "# A\n\none\n\n## B\n\ntwo\n\nmore\n"),
        ("C", "# A\n\none\n\n## B\n\ntwo\n\n## C\n\nmore\n"),
    ],
)
def test_a_paragraph_is_added_to_its_section(heading: str, expected: str) -> None:
    assert with_text_added("# A\n\none\n\n## B\n\ntwo\n", heading, "more") == expected
    assert (
        with_text_added("# A\n\none\n\n# B\n\ntwo\n", "A", "more")
        == "# A\n\none\n\nmore\n\n# B\n\ntwo\n"
    )


def test_accepting_takes_away_what_a_killed_program_left_of_what_is_kept(
    world: World, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inklings_desktop.storage.world.page_writer.LEFT_AFTER_SECONDS", -60.0)
    left = [(root / GATE_PATH).with_name(f".inklings-{mark * 16}.tmp") for mark in "abc"]
    new = GATE.replace("the sea", "away")
    for file, text in zip(left, (GATE, new, "Not kept anywhere."), strict=True):
        file.write_text(text, encoding="utf-8")
    asked = agent(world).page_proposals.propose(
        WORKSPACE_ID, page="Wend Gate", text=new, reason="Chapter 12"
    )
    world.person.page_proposals.accept(asked.ref)
    assert [one.exists() for one in left] == [False, False, True]
