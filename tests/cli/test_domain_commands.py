"""``inklings domain`` and ``inklings role`` on a real data root."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inklings_desktop.bootstrap import open_inklings

if TYPE_CHECKING:
    from tests.cli.console import Console


@pytest.fixture
def fen(console: Console) -> Console:
    """A workspace with two domains and a client."""
    made = console.document("workspace", "create", "Fen")["workspace"]
    with open_inklings(console.data_dir, workspace=made["id"]) as inklings:
        inklings.clients.let_in("scribe", made["id"])
    console.document("domain", "create", "Canon", "--description", "What holds.")
    console.document("domain", "create", "Secrets", "--closed")
    return console


def test_domains_are_made_listed_renamed_and_put_away(fen: Console) -> None:
    found = {one["name"]: one["closed"] for one in fen.document("domain", "list")["domains"]}
    assert found == {"Canon": False, "Secrets": True}
    assert fen.document("domain", "rename", "canon", "Lore")["domain"]["name"] == "Lore"
    assert "archived" in fen("domain", "archive", "Lore").out
    assert fen.document("domain", "archive", "Lore", "--back")["domain"]["archived_at"] is None
    assert fen.document("domain", "default", "Lore", "none")["domain"]["closed"] is True
    taken = fen("domain", "create", "secrets")
    assert (taken.status, taken.out) == (1, "")


def test_roles_are_made_granted_shown_and_assigned(fen: Console) -> None:
    fen.document("role", "create", "keeper")
    fen.document("role", "grant", "keeper", "--domain", "Secrets", "--permission", "read")
    fen.document("role", "assign", "scribe", "keeper", "--default")
    roles = {one["name"]: one["clients"] for one in fen.document("role", "list")["roles"]}
    assert roles["keeper"] == ["scribe"]
    said = fen("role", "matrix").out
    assert "none (default)" in said
    cells = {
        (one["role"], one["domain"]): (one["permission"], one["granted"])
        for one in fen.document("role", "matrix")["matrix"]
    }
    assert cells["keeper", "Secrets"] == ("read", True)
    assert cells["external", "Secrets"] == ("none", False)
    fen.document("role", "grant", "keeper", "--domain", "Secrets", "--permission", "default")
    fen.document("role", "unassign", "scribe", "keeper")
    roles = {one["name"]: one["clients"] for one in fen.document("role", "list")["roles"]}
    assert (roles["keeper"], roles["external"]) == ([], ["scribe"])


def test_a_role_or_domain_that_is_not_there_says_so(fen: Console) -> None:
    for arguments in (
        ("role", "grant", "nobody", "--domain", "Canon", "--permission", "read"),
        ("role", "grant", "external", "--domain", "Nowhere", "--permission", "read"),
        ("role", "assign", "scribe", "nobody"),
        ("role", "create", "No Role"),
    ):
        assert fen(*arguments).status == 1
