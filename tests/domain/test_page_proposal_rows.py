"""Wishes of agents about pages, as an export holds them and an import reads them."""

from __future__ import annotations

from typing import Any

import pytest

from inklings_desktop.domain.entries.proposals import Proposal, ProposalKind, ProposalState
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.transfer.transfer_beside import Beside
from inklings_desktop.domain.transfer.transfer_fields import Fields
from inklings_desktop.domain.transfer.transfer_writing import proposal_row
from inklings_desktop.domain.world.page_proposal import PageWish
from tests.support.builders import NOON, WORKSPACE_ID

ID = "5b6f2c0a-7d19-5c3e-9a41-2f0b8d6e7c11"
WISHES = {
    ProposalKind.PAGE_NEW: PageWish("folder", "people/pell.md", text="# Pell\n"),
    ProposalKind.PAGE_EDIT: PageWish("folder", "gate.md", "Gate", b"\x01" * 16, "# Gate\n"),
    ProposalKind.PAGE_MOVE: PageWish("folder", "gate.md", "Gate", b"\x01" * 16, to="a/gate.md"),
}


def asked(kind: ProposalKind) -> Proposal:
    wish = WISHES[kind]
    target = "" if kind is ProposalKind.PAGE_NEW else wish.path
    return Proposal(
        ID, kind, WORKSPACE_ID, Tier.WORKSPACE, WORKSPACE_ID, target, wish.title or wish.path,
        None, wish.payload, "It is so.", "loom", ProposalState.PENDING, "", NOON,
    )  # fmt: skip


def read(row: dict[str, Any]) -> Proposal:
    return Beside(WORKSPACE_ID, set(), set()).proposal(Fields(row, "proposals 1"))


@pytest.mark.parametrize("kind", WISHES)
def test_a_wish_about_a_page_comes_back_as_it_was(kind: ProposalKind) -> None:
    assert read(dict(proposal_row(asked(kind)))) == asked(kind)


@pytest.mark.parametrize(
    "wrong", [{"target_id": ""}, {"payload": {"base": "no digest"}}, {"kind": "memory_edit"}]
)
def test_a_wish_that_this_program_does_not_write_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ImportRefusedError):
        read(dict(proposal_row(asked(ProposalKind.PAGE_EDIT))) | wrong)
