"""The tree of pages, the blocks of one, and where links lead, as plain values."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.world.axes import AxisSource, AxisValue
from inklings_desktop.domain.world.derivations import SourceState
from inklings_desktop.domain.world.finding import WorldHit
from inklings_desktop.domain.world.pages import Block, BlockKind, FolderRules, PageState
from inklings_desktop.ui.kit.words.axis_words import axis_reason, axis_rows
from inklings_desktop.ui.world.state import (
    PageOnShow,
    RowKind,
    TreeState,
    block_at,
    in_order,
    is_as_written,
    link_target,
    markdown_of,
    source_of,
    tree_rows,
)
from inklings_desktop.ui.world.words import (
    left_alone_line,
    pages_line,
    rules_of,
    rules_text,
)
from tests.support.builders import a_memory
from tests.ui.world.world_double import (
    NERYS,
    NOW,
    a_block,
    a_folder,
    a_look,
    a_page,
    a_standing,
    an_axes,
)

ONE = (("f", "saltglass-world"),)


def a_tree(*paths: str, **values: object) -> TreeState:
    pages = (a_page(path, f"# {path.rpartition('/')[2]}").page for path in paths)
    return replace(TreeState(ONE, in_order(pages)), **values)  # type: ignore[arg-type]


def test_folders_come_first_and_figures_count_as_numbers() -> None:
    rows = tree_rows(a_tree("c/Chapter 12", "Timeline", "c/Chapter 9", "a/b/Deep"))
    said = [(one.kind.value, one.text, one.depth, one.count) for one in rows]
    assert said == [
        ("folder", "a", 0, 1),
        ("folder", "b", 1, 1),
        ("page", "Deep", 2, 0),
        ("folder", "c", 0, 2),
        ("page", "Chapter 9", 1, 0),
        ("page", "Chapter 12", 1, 0),
        ("page", "Timeline", 0, 0),
    ]


def test_a_project_keeps_its_own_order() -> None:
    pages = [a_page(name, order=order).page for order, name in enumerate(("Zeta", "Alpha"))]
    assert [one.title for one in in_order(reversed(pages))] == ["Zeta", "Alpha"]


def test_what_is_folded_hides_its_pages_and_two_folders_are_named() -> None:
    state = a_tree("c/Chapter 9", folded=frozenset({"f/c/"}))
    assert [(one.text, one.is_open) for one in tree_rows(state)] == [("c", False)]
    both = replace(state, folders=(*ONE, ("g", "Notes")), folded=frozenset())
    assert [one.text for one in tree_rows(both)] == ["saltglass-world", "c", "Chapter 9", "Notes"]


def test_a_long_folder_shows_what_memory_leans_on_and_says_how_many_more() -> None:
    names = [f"c/Chapter {n}" for n in range(1, 15)]
    rows = tree_rows(a_tree(*names))
    assert [one.kind for one in rows].count(RowKind.PAGE) == 12
    assert (rows[-1].kind, rows[-1].count) == (RowKind.MORE, 2)
    counts = {("f", "c/Chapter 9"): (1, 1), ("f", "c/Chapter 12"): (2, 0)}
    leant = tree_rows(a_tree(*names, counts=counts, current="c/Chapter 14"))
    assert [one.text for one in leant] == ["c", "Chapter 9", "Chapter 12", "Chapter 14", ""]
    assert [(one.count, one.is_changed) for one in leant[1:3]] == [(1, True), (2, False)]
    assert leant[-1].count == 11
    whole = tree_rows(a_tree(*names, counts=counts, whole=frozenset({"f/c/"})))
    assert len(whole) == 15


def test_what_is_looked_for_stands_in_titles_paths_and_pages() -> None:
    hit = WorldHit(
        a_page("Timeline").page,
        a_block("Timeline", 0, "Nine years\nafter.", 1),
        *("", "The story is set nine years\nafter.", ((22, 27),), 1.0, "words", an_axes()),
    )
    hits = (hit, replace(hit, spans=()))
    rows = tree_rows(a_tree("people/nerys.md", "places/gate.md", query=" NERYS ", hits=hits))
    assert [(one.kind.value, one.text, one.detail) for one in rows] == [
        ("page", "nerys.md", ""),
        ("heading", "", ""),
        ("hit", "Timeline", "\u2026 set nine years after."),
    ]
    assert (rows[-1].page_id, rows[-1].block_id) == ("Timeline", "Timeline:0")
    nothing = tree_rows(a_tree("people/nerys.md", query="gate"))
    assert [(one.kind, one.count) for one in nothing] == [(RowKind.HEADING, 0)]


def test_a_page_knows_its_parts_and_what_changed_under_memory() -> None:
    whole = a_page("n", "\n\n".join(f"Block {n}." for n in range(10)))
    entry = a_memory()
    late = a_standing("n:4", SourceState.CHANGED)
    derived = {"n:4": ((entry, a_standing("n:4")), (entry, late)), "n:5": ((entry, late),)}
    shown = PageOnShow(whole, derived, (0, 4, 8))
    spans = [range(4), range(4), range(4, 8), range(8, 10)]
    assert [shown.span(f"n:{place}") for place in (0, 3, 4, 9)] == spans
    assert shown.changed_at("n:4") == NOW - timedelta(hours=2)
    assert shown.changed_at("n:1") is None
    assert shown.first() == "n:0"
    properties = replace(whole.blocks[0], kind=BlockKind.PLAIN)
    with_them = replace(whole, blocks=(properties, *whole.blocks[1:]))
    assert replace(shown, whole=with_them).first() == "n:1"
    assert (shown.place_of("n:7"), shown.place_of("gone"), shown.block("gone")) == (7, 0, None)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See [[Thrennay]].", "See [Thrennay](world:Thrennay)."),
        ("[[Nerys Talwater#Looks|her]]", "[her](world:Nerys%20Talwater%23Looks)"),
        ("| [[A\\|b]] |", "| [b](world:A) |"),
        ("![[map.png]]", "[map.png](world:map.png)"),
        ("Gulls keep accounts. ^gulls", "Gulls keep accounts."),
        ("[[]] and [[a\nb]]", "[[]] and [[a\nb]]"),
    ],
)
def test_links_between_pages_are_links(text: str, shown: str) -> None:
    assert markdown_of(a_block("p", 0, text, 1)) == shown


def test_code_and_comments_stay_as_they_are_written() -> None:
    for kind in (BlockKind.CODE, BlockKind.COMMENT, BlockKind.PLAIN):
        block = replace(a_block("p", 0, "[[Thrennay]]", 1), kind=kind)
        assert markdown_of(block) == "[[Thrennay]]"


def test_the_source_has_its_lines_where_they_are() -> None:
    assert source_of(a_page("n", NERYS).blocks) == NERYS
    assert source_of(()) == ""
    front = Block("", BlockKind.FRONT, "", "status: canon", b"", "", 2, 2)
    below = a_block("n", 1, "# Nerys", 5)
    assert source_of((front, below)) == "---\nstatus: canon\n---\n\n# Nerys"
    assert is_as_written(front)


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("world:Nerys%20Talwater%23Looks", ("Nerys Talwater", "Looks")),
        ("world:%23Looks", ("people/n.md", "Looks")),
        ("../chapters/09.md#The%20letter", ("chapters/09.md", "The letter")),
        ("#Looks", ("people/n.md", "Looks")),
        ("https://example.org/a.md", ("", "")),
        ("mailto:a@example.org", ("", "")),
        ("picture.png", ("", "")),
        ("/etc/hosts.md", ("", "")),
    ],
)
def test_where_a_link_leads(href: str, target: tuple[str, str]) -> None:
    assert link_target(href, "people/n.md") == target


def test_a_link_finds_a_heading_or_the_authors_own_mark() -> None:
    whole = a_page("t", "# Thrennay\n\n## The Harbour\n\nGulls. ^gulls")
    assert [block_at(whole, one) for one in ("the harbour", "^gulls", "^none", "none", "")] == [
        *("t:1", "t:2", "", "", "")
    ]


def test_the_line_beside_the_title() -> None:
    one = a_look(a_folder(Path("a")), 34)
    assert pages_line((), NOW) == "no folder linked"
    assert pages_line((one,), NOW) == "34 pages in saltglass-world, read again 2 min ago"
    never = replace(one, looked_at=None, n_pages=1)
    assert pages_line((never,), NOW) == "1 page in saltglass-world"
    assert pages_line((one, never), NOW) == "35 pages in 2 folders"


def test_what_is_left_alone_is_counted_with_its_reason() -> None:
    look = a_look(a_folder(Path("a")), 3, n_other=3, unread={PageState.TOO_LARGE: 1}, n_left_out=2)
    assert left_alone_line((look,)) == (
        "3 files are not Markdown and are left alone. "
        "1 file is known by name alone: too large. 2 files are left out."
    )
    assert left_alone_line(()) == ""


def test_axes_say_where_they_were_read() -> None:
    rows = axis_rows(an_axes("people/Nerys.md"))
    assert rows[0] == ("Origin", "author", "")
    assert rows[1] == ("Lifecycle", "canon", "status: Canon, line 4 of Nerys.md")
    reasons = {
        AxisSource.RULE: "your rule for Archive/**",
        AxisSource.TAG: "#Archive/**",
        AxisSource.CALLOUT: "[!Archive/**]",
    }
    for source, said in reasons.items():
        assert axis_reason(AxisValue("x", source, "Archive/**")) == said


def test_rules_are_read_as_they_are_written() -> None:
    text = "Drafts/**\nwip = draft\nArchive/** = retired"
    rules = rules_of(f"\n  {text}\n\n")
    assert rules == FolderRules(
        ("Drafts/**",), {"lifecycle": {"wip": "draft"}}, {"Archive/**": {"lifecycle": "retired"}}
    )
    assert rules_text(rules) == text
    for wrong in ("wip = nonsense", "= canon"):
        with pytest.raises(InvalidValueError):
            rules_of(wrong)
