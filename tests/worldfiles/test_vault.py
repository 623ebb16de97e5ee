"""A vault as Obsidian's help describes one: every form of link, property, block and attachment."""

from __future__ import annotations

from pathlib import Path

import pytest

from inklings_desktop.domain.world.pages import FolderKind
from tests.support.world_folders import WorldOnDisk

NERYS = """---
aliases:
  - The Grey
  - Nerys of Vale
tags:
  - people/vale
  - core
cssclasses: sheet
status: Canon
born: 0312-04-01
father: "[[Theon]]"
---
Grey eyes, a scar. ^looks

Lives in [[Vale]], see [[Vale#The river|the river]] and [[Theon#^oath]].
![[Theon#^oath]] ![[map.png|200]] ![A map](images/map.png)
[Laws](Three%20laws%20of%20the%20Vale.md) #people/vale/old

- [ ] find her sword ^task
- [x] name her horse

> [!warning]- Do not trust
> her **brother**.

> Quoted words.

^quote

%%
An author's remark.
%%

Prose with a note.[^1]

[^1]: The note itself.

$$
e = mc^2
$$

==Marked== ~~struck~~ `#code` text.
"""


@pytest.fixture
def vault(tmp_path: Path) -> WorldOnDisk:
    world = WorldOnDisk(tmp_path, FolderKind.VAULT)
    world.write(".obsidian/app.json", "{}")
    world.write(".obsidian/plugins/some/README.md", "no page")
    world.write(".trash/Old.md", "no page")
    world.write("People/Nerys.md", NERYS)
    world.write("Daily/2026-11-28.md", "A day.\r\n")
    world.write("Map.canvas", '{"nodes":[{"id":"1","type":"text","text":"x"}],"edges":[]}')
    world.write("Table.base", "views: []")
    world.write("images/map.png", b"\x89PNG")
    return world


def test_pages_are_listed_and_attachments_counted(vault: WorldOnDisk) -> None:
    assert vault.files.kind_of(vault.path) is FolderKind.VAULT
    assert vault.paths() == ["Daily/2026-11-28.md", "People/Nerys.md"]
    assert vault.files.n_other(vault.folder) == 3


def test_properties(vault: WorldOnDisk) -> None:
    page = vault.page("People/Nerys.md")
    assert page.title == "Nerys"
    assert page.aliases == ("The Grey", "Nerys of Vale")
    assert page.tags == ("people/vale", "core", "people/vale/old")
    assert (page.front["status"], page.front["born"]) == ("Canon", "0312-04-01")
    assert (page.front_lines["status"], page.front_problem) == (9, None)


def test_links_embeds_and_attachments_are_named_as_written(vault: WorldOnDisk) -> None:
    found = [f"{one.kind.value}:{one.target}" for one in vault.page("People/Nerys.md").links]
    assert found == [
        *("tag:people/vale", "tag:core", "wiki:Theon", "wiki:Vale", "wiki:Vale#The river"),
        *("wiki:Theon#^oath", "embed:Theon#^oath", "embed:map.png", "embed:images/map.png"),
        *("markdown:Three laws of the Vale.md", "tag:people/vale/old"),
    ]


def test_blocks_and_their_ids(vault: WorldOnDisk) -> None:
    blocks = vault.page("People/Nerys.md").blocks
    assert [f"{one.kind.value}:{one.own_id}:{one.text.split()[0]}" for one in blocks] == [
        *("front::aliases:", "paragraph:looks:Grey", "paragraph::Lives", "list:task:-", "list::-"),
        *("callout::>", "quote:quote:>", "comment::%%", "paragraph::Prose", "plain::[^1]:"),
        *("paragraph::$$", "paragraph::==Marked=="),
    ]
    assert blocks[-1].first_line == len(NERYS.splitlines())
