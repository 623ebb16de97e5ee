from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.console import Console


def test_a_new_data_root_says_how_to_begin(console: Console) -> None:
    said = console("workspace", "list")
    assert said.status == 0
    assert "inklings workspace create NAME" in said.out
    assert console.document("workspace", "list") == {"workspaces": []}


def test_a_workspace_is_created_listed_and_renamed(console: Console) -> None:
    created = console.document("workspace", "create", "  Field notes ")["workspace"]
    assert created["name"] == "Field notes"
    assert (console.data_dir / "workspaces" / created["id"]).is_dir()

    renamed = console.document("workspace", "rename", "field NOTES", "Tide tables")["workspace"]
    assert renamed == created | {"name": "Tide tables"}
    assert console.document("workspace", "list")["workspaces"] == [renamed]
    assert created["id"] in console("workspace", "list").out


def test_a_name_is_taken_regardless_of_case(world: Console) -> None:
    said = world("workspace", "create", "FIELD notes")
    assert said.status == 1
    assert said.err.startswith("There is already a workspace called")
    assert len(world.document("workspace", "list")["workspaces"]) == 1


def test_one_of_several_workspaces_must_be_named(world: Console) -> None:
    world.document("workspace", "create", "Tide tables")
    listing = ("memory", "list", "--tier", "workspace")
    said = world(*listing)
    assert said.status == 2
    assert said.err == "Name the workspace with --workspace: Field notes, Tide tables.\n"
    assert world.document(*listing, "--workspace", "tide tables")["total"] == 0


def test_the_account_needs_no_workspace(console: Console) -> None:
    said = console("memory", "list", "--tier", "workspace")
    assert (said.status, said.err) == (
        1,
        "There is no workspace yet. Make one with: inklings workspace create NAME\n",
    )
    assert console.document("memory", "list", "--tier", "account")["total"] == 0


def test_a_workspace_that_is_not_there_is_named(world: Console) -> None:
    said = world("workspace", "rename", "Nowhere", "Somewhere")
    assert said.status == 1
    assert "There is no workspace “Nowhere” here." in said.err


def test_settings_that_cannot_be_used_are_named(world: Console) -> None:
    (world.data_dir / "settings.toml").write_text("[memory]\ncap = -1\n")
    said = world("workspace", "list", "--json")
    assert said.status == 0
    assert len(said.document["workspaces"]) == 1
    assert "cap: this setting cannot be used; its default is in force." in said.err
