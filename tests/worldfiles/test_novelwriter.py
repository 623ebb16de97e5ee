from __future__ import annotations

import time
from pathlib import Path

import pytest

from inklings_desktop.domain.world.pages import BlockKind, FolderKind, LinkKind, PageState
from tests.support.world_folders import WorldOnDisk

NOVEL, PART, CHAPTER, SCENE = "7031beac91f75", "edca4be2fcaf8", "6a2d6d5f4f401", "636b6aa9b697b"
PEOPLE, NERYS, ARCHIVE, OLD = "f6622b4617424", "14298de4d9524", "6827118336ac1", "8a5deb88c0e97"
TRASH, GONE, LOST = "98acd8c76c93a", "b8136a5a774a0", "ae7339df26ded"

ITEM = """
<item handle="{0}" parent="{1}" root="{2}" order="{3}" type="{4}" class="{5}" layout="NOTE">
  <meta expanded="no" heading="H1" charCount="1" wordCount="1" paraCount="1" cursorPos="0"/>
  <name status="s1" import="i1" active="yes">{6}</name>
</item>"""

# Not in the order of the tree, which parent and order tell.
ITEMS = [
    (NOVEL, "None", NOVEL, 0, "ROOT", "NOVEL", "Novel"),
    (SCENE, CHAPTER, NOVEL, 0, "FILE", "NOVEL", "A Crossing"),
    (CHAPTER, NOVEL, NOVEL, 1, "FILE", "NOVEL", "Chapter One"),
    (PART, NOVEL, NOVEL, 0, "FILE", "NOVEL", "Part One &amp; only"),
    (PEOPLE, "None", PEOPLE, 1, "ROOT", "CHARACTER", "Characters"),
    (NERYS, PEOPLE, PEOPLE, 0, "FILE", "CHARACTER", "Nerys"),
    (ARCHIVE, "None", ARCHIVE, 2, "ROOT", "ARCHIVE", "Archive"),
    (OLD, ARCHIVE, ARCHIVE, 0, "FILE", "ARCHIVE", "Old Scene"),
    (TRASH, "None", TRASH, 3, "ROOT", "TRASH", "Trash"),
    (GONE, TRASH, TRASH, 0, "FILE", "TRASH", "Thrown away"),
]

PROJECT = """<?xml version='1.0' encoding='utf-8'?>
<novelWriterXML appVersion="2.7" hexVersion="0x020700f0" fileVersion="1.5" fileRevision="5">
  <project id="e2be99af-f9bf-4403-857a-c3d1ac25abea" saveCount="1" autoCount="1" editTime="1">
    <name>The Long Vale</name>
    <author>Ann</author>
  </project>
  <settings>
    <status>
      <entry key="s0" count="0" red="100" green="100" blue="100" shape="SQUARE">New</entry>
      <entry key="s1" count="3" red="100" green="100" blue="100" shape="SQUARE">Draft</entry>
    </status>
    <importance>
      <entry key="i1" count="1" red="100" green="100" blue="100" shape="SQUARE">Main</entry>
    </importance>
  </settings>
  <content items="10" novelWords="1" notesWords="1">{items}</content>
</novelWriterXML>
"""

SCENE_TEXT = """%%~name: A Crossing
%%~path: 6a2d6d5f4f401/636b6aa9b697b
%%~kind: NOVEL/DOCUMENT
### A *Crossing*

@pov: Nerys
@char: Theon, Nerys
%Synopsis: They cross the river.
% to do: the weather

The water was
cold.
#### Ashore
>> They rested. <<

# not a reference: @pov
"""


def project(*items: tuple[object, ...]) -> str:
    return PROJECT.format(items="\n".join(ITEM.format(*one) for one in items or ITEMS))


@pytest.fixture
def novel(tmp_path: Path) -> WorldOnDisk:
    world = WorldOnDisk(tmp_path, FolderKind.NOVELWRITER)
    world.write("nwProject.nwx", project())
    world.write("ToC.txt", "table of contents")
    world.write("meta/index.json", "{}")
    for handle in (PART, CHAPTER, NERYS, OLD, GONE, LOST):
        world.write(f"content/{handle}.nwd", f"# Text of {handle}\n")
    world.write(f"content/{LOST}.nwd", "%%~name: Left over\n\nStray words.\n")
    world.write(f"content/{SCENE}.nwd", SCENE_TEXT)
    return world


def test_titles_and_order_come_from_the_project(novel: WorldOnDisk) -> None:
    assert novel.files.kind_of(novel.path) is FolderKind.NOVELWRITER
    pages = [novel.page(path) for path in novel.paths()]
    titles = {one.order: one.title for one in pages}
    assert titles.pop(None) == "Left over"
    assert [titles[order] for order in sorted(order for order in titles if order is not None)] == [
        *("Part One & only", "Chapter One", "A Crossing", "Nerys", "Old Scene"),
    ]
    # Project file, table of contents, index, and what lies in the trash.
    assert novel.files.n_other(novel.folder) == 4


def test_blocks_references_and_remarks(novel: WorldOnDisk) -> None:
    page = novel.page(f"content/{SCENE}.nwd")
    said = [f"{one.kind.value} {one.first_line} {one.heading}: {one.text}" for one in page.blocks]
    assert said == [
        "heading 4 : ### A *Crossing*",
        "plain 6 A Crossing: @pov: Nerys\n@char: Theon, Nerys",
        "comment 8 A Crossing: %Synopsis: They cross the river.",
        "comment 9 A Crossing: % to do: the weather",
        "paragraph 11 A Crossing: The water was\ncold.",
        "heading 13 A Crossing: #### Ashore",
        "paragraph 14 A Crossing/Ashore: >> They rested. <<",
        "heading 16 : # not a reference: @pov",
    ]
    assert [(one.block, one.target) for one in page.links] == [
        *((1, "Nerys"), (1, "Theon"), (1, "Nerys")),
    ]
    assert {one.kind for one in page.links} == {LinkKind.NOVELWRITER}


def test_tags_of_a_note_are_its_names(novel: WorldOnDisk) -> None:
    novel.write(
        f"content/{NERYS}.nwd", "# Nerys\n\n@tag: Nerys | Nerys the Grey\n@location: Vale\n"
    )
    page = novel.page(f"content/{NERYS}.nwd")
    assert page.aliases == ("Nerys", "Nerys the Grey")
    assert [one.target for one in page.links] == ["Vale"]


def test_status_importance_and_archive(novel: WorldOnDisk) -> None:
    assert novel.page(f"content/{SCENE}.nwd").front == {"status": "Draft"}
    assert novel.page(f"content/{NERYS}.nwd").front == {"importance": "Main"}
    assert novel.page(f"content/{OLD}.nwd").front == {"importance": "Main", "lifecycle": "retired"}


def test_a_page_is_another_when_the_project_calls_it_otherwise(novel: WorldOnDisk) -> None:
    before = {one.path: one for one in novel.files.scan(novel.folder)}
    page = novel.page(f"content/{NERYS}.nwd")
    assert page.stamp == before[page.stamp.path]
    renamed = [(*one[:6], "Nerys the Grey") if one[0] == NERYS else one for one in ITEMS]
    novel.write("nwProject.nwx", project(*renamed))
    after = {one.path: one for one in novel.files.scan(novel.folder)}
    assert [path for path in before if before[path] != after[path]] == [page.stamp.path]
    now = novel.page(page.stamp.path)
    assert (now.title, now.blocks) == ("Nerys the Grey", page.blocks)
    assert now.digest != page.digest


def test_a_page_that_vanished_is_read_again(novel: WorldOnDisk) -> None:
    stamps = {one.path: one for one in novel.files.scan(novel.folder)}
    (novel.path / f"content/{NERYS}.nwd").unlink()
    page = novel.files.read(novel.folder, stamps[f"content/{NERYS}.nwd"])
    assert (page.state, page.title) == (PageState.UNREADABLE, "Nerys")
    assert page.stamp not in stamps.values()


BOMB = """<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;">]>
<novelWriterXML><content>
<item handle="14298de4d9524"><name>&c;</name></item>
</content></novelWriterXML>
"""
CIRCLE = [
    (NERYS, SCENE, NOVEL, 0, "FILE", "NOVEL", "Nerys"),
    (SCENE, NERYS, NOVEL, "x", "FILE", "NOVEL", "Scene"),
]


@pytest.mark.parametrize(
    "data", [b"", b"<novelWriterXML><content>", BOMB.encode(), b"\xff\xfe\x00", b"<a>" * 100_000]
)
def test_without_its_project_the_text_is_still_read(novel: WorldOnDisk, data: bytes) -> None:
    begin = time.process_time()
    novel.write("nwProject.nwx", data)
    page = novel.page(f"content/{NERYS}.nwd")
    assert (page.state, page.title) == (PageState.READ, NERYS)
    assert page.blocks[0].kind is BlockKind.HEADING
    assert time.process_time() - begin < 5


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_tree_that_hangs_on_itself_is_read(novel: WorldOnDisk, codec: str) -> None:
    novel.write("nwProject.nwx", project(*CIRCLE).encode(codec))
    assert novel.page(f"content/{NERYS}.nwd").title == "Nerys"
