from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from inklings_desktop.domain.world.folding import digest_of
from inklings_desktop.domain.world.pages import (
    MAX_BLOCK_BYTES,
    BlockKind,
    FileStamp,
    PageState,
    ReadPage,
)
from inklings_desktop.worldfiles.markdown_blocks import MAX_TOKENS
from inklings_desktop.worldfiles.page_text import MAX_LINKS, page_of
from inklings_desktop.worldfiles.reading import FileText


def page(text: str, path: str = "page.md") -> ReadPage:
    stamp = FileStamp(path, len(text), 1, 1)
    return page_of(FileText(stamp, PageState.READ, b"", "utf-8", "lf", text))


def said(found: ReadPage) -> str:
    return " ".join(f"{one.kind.value}:{one.first_line}-{one.last_line}" for one in found.blocks)


def test_blocks_of_every_kind() -> None:
    text = "# Nerys\n\nGrey eyes,\nand tall.\n\n- one\n\n- two\n  - inner\n\n> quoted\nlazy\n\n"
    text += (
        "> [!question] Is she?\n> yes\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\n# code\n```\n\n"
    )
    text += "%% hidden %%\n\n<!-- remark -->\n\n[ref]: page 'Title'\n\n***\n\nSetext\n===\n"
    assert said(page(text)) == (
        "heading:1-1 paragraph:3-4 list:6-9 quote:11-12 callout:14-15 table:17-19 code:21-23 "
        "comment:25-25 comment:27-27 plain:29-29 heading:33-34"
    )


def test_block_knows_the_headings_above_it_and_its_digest() -> None:
    found = page("before\n\n# A\n\n## B *b*\n\nlow\n\n## C\n\n#### D\n\ndeep\n\n# E\n\nend")
    headings = {one.text: one.heading for one in found.blocks}
    assert headings["before"] == ""
    assert headings["## C"] == "A"
    assert (headings["low"], headings["deep"], headings["end"]) == ("A/B b", "A/C/D", "E")
    assert all(one.digest == digest_of(one.text) for one in found.blocks)


def test_title_is_the_heading_that_the_page_begins_with() -> None:
    assert page("# The [[Vale|Long *Vale*]] ^top\n\ntext").title == "The Long Vale"
    assert page("## Looks\n\ntext", "people/Nerys of Vale.md").title == "Nerys of Vale"
    assert page("text\n\n# Later", "a.b.md").title == "a.b"


def test_own_ids_as_obsidian_writes_them() -> None:
    found = page(
        "# Head ^h\n\ntext ^one\n\n| a |\n|---|\n| 1 |\n\n^tab\n\n"
        "- a\n- b ^two\n  - under\n- c ^x_y\n\n^alone-1\n\n```\ncode ^no\n```\n\na^b"
    )
    ids = [f"{one.own_id} {one.text.splitlines()[0]}" for one in found.blocks if one.own_id]
    assert ids == ["h # Head ^h", "one text ^one", "tab | a |", "two - b ^two", "alone-1 - c ^x_y"]


def test_long_lists_are_several_blocks() -> None:
    items = [f"- person {number} is " + "tall " * 20 for number in range(40)]
    found = page("\n".join(items)).blocks
    assert len(found) == 5
    assert "\n".join(one.text for one in found) == "\n".join(items)
    assert [one.first_line for one in found] == [1, 9, 17, 25, 33]


def test_links_embeds_and_tags() -> None:
    found = page(
        "---\nfather: '[[Theon]]'\ntags: [people, '#Core']\naliases: Ner\n---\n"
        "[[Vale#Looks|there]] ![[map.png]] #core #1984 #y1984 a#b\n\n"
        "[law](Three%20laws.md#one) [w](<two words.md>) ![](a.png) [x](https://a.b/#c) [](m:)\n\n"
        "| [[X\\|y]] |\n|---|\n\n`[[no]]` ``#no ` `` #f/g #見出し。\n\n```\n[[no]] #no\n```\n"
    )
    assert [f"{one.kind.value}:{one.target}" for one in found.links] == [
        *("tag:people", "tag:Core", "wiki:Theon", "wiki:Vale#Looks", "embed:map.png", "tag:core"),
        *("tag:y1984", "markdown:Three laws.md#one", "markdown:two words.md", "embed:a.png"),
        *("markdown:m:", "wiki:X", "tag:f/g", "tag:見出し"),
    ]
    assert found.tags == ("people", "Core", "y1984", "f/g", "見出し")
    assert found.aliases == ("Ner",)
    assert {one.block for one in found.links} == {0, 1, 2, 3, 4}


def test_plain_text_knows_no_marks() -> None:
    found = page("# no heading\n\n[[no link]] #no", "a.txt")
    assert [one.text for one in found.blocks] == ["# no heading", "[[no link]] #no"]
    assert (found.links, found.tags, found.title) == ((), (), "a")
    lines = ["a line that is a paragraph of its own " * 10] * 9
    assert len(page("\n".join(lines), "b.txt").blocks) == 5


def words(text: str) -> list[str]:
    return [word for word in text.split() if any(sign.isalnum() for sign in word)]


PIECES = [
    *("# ", "## ", "- ", "* ", "1. ", "> ", ">> ", "    ", "\t", "  ", "```", "~~~", "|", "|-|"),
    *("\n", "\n\n", "===", "---", "[a]: b", "[^1]: note", "<div>", "</div>", "<!--", "-->", "%%"),
    *("[[x]]", "![[y]]", "#tag", "^id", " ^id", "word", "Nerys", "12", "\\", "`", "*", "_", "\r"),
    *(
        "\u2028",
        "\x0b",
        "\x0c",
        "\x85",
        "é",
        "\u00a0",
        "[!note]",
        "- [ ] ",
        "+",
        "-",
        "...",
        "a: b",
    ),
]


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(some.lists(some.sampled_from(PIECES), max_size=40).map("".join))
def test_every_word_is_in_a_block_and_in_its_place(text: str) -> None:
    text = text.replace("\r", "\n")
    blocks = page(text).blocks
    assert sorted(words(" ".join(one.text for one in blocks))) == sorted(words(text))
    lines = text.split("\n")
    ends = [0, *(one.last_line for one in blocks)]
    assert all(one.first_line > end for one, end in zip(blocks, ends, strict=False))
    for one in blocks:
        assert one.text == "\n".join(lines[one.first_line - 1 : one.last_line])


@pytest.mark.parametrize("line", ["x" * 300_000, "word " * 60_000, "é" * 100_000])
def test_no_block_is_larger_than_64_kib(line: str) -> None:
    blocks = page(f"# A\n\nshort\n{line}\nshort\n").blocks
    assert all(len(one.text.encode()) <= MAX_BLOCK_BYTES for one in blocks)
    assert "".join("".join(one.text.split()) for one in blocks[1:]) == f"short{line}short".replace(
        " ", ""
    )
    if " " in line:
        assert {word for one in blocks[1:] for word in one.text.split()} == {"short", "word"}


WORST = [
    *(
        "# a\n",
        "a\n=\n",
        "- a\n",
        "- a\n* a\n",
        "- a ^b\n",
        "- ",
        ">" * 500 + "a\n",
        "> - a\n> * b\n",
    ),
    *(
        "```\na\n~~~\n",
        "<a\n",
        "<!-- \n",
        "|a|b|\n|-|-|\n|c|d|\n\n",
        "-|-\n",
        "[a]: b\n",
        "[",
        "![[a|b",
    ),
    *("[a](b(c", " ".join("`" * number for number in range(1, 200)), "#a ", "a ^a\n\n", "%%\n\n"),
    *("|a" * 500 + "|\n" + "|-" * 500 + "|\n", "word ", "x", "e\u0301"),
]


@pytest.mark.parametrize("piece", WORST, ids=lambda piece: repr(piece[:20]))
def test_worst_cases_end(piece: str) -> None:
    size = 100_000
    begin = time.process_time()
    found = page((piece * (size // len(piece) + 1))[:size])
    # A second or two; whatever tried again from each place would take minutes.
    assert time.process_time() - begin < 30
    assert len(found.blocks) <= MAX_TOKENS
    assert len(found.links) <= MAX_LINKS


@pytest.mark.parametrize("piece", ["- a\n* a\n", "|a" * 500 + "|\n" + "|-" * 500 + "|\n", "# a\n"])
def test_of_too_many_marks_blank_lines_part_a_page(piece: str) -> None:
    text = piece * (150_000 // len(piece))
    blocks = page(text).blocks
    assert {one.kind for one in blocks} == {BlockKind.PARAGRAPH}
    assert sum(one.text.count("a") for one in blocks) == text.count("a")


def test_a_page_of_ten_thousand_paragraphs_keeps_its_headings() -> None:
    blocks = page("# One\n\n" + "She said so.\n\n" * 10_000).blocks
    assert (len(blocks), blocks[-1].heading) == (10_001, "One")


def test_a_wall_of_quotes_in_quotes_is_cut_by_lines() -> None:
    assert {one.kind for one in page((">" * 19 + "a\n") * 20_000).blocks} == {BlockKind.PARAGRAPH}


def test_from_one_mebibyte_on_blank_lines_part_it() -> None:
    text = "# a heading\n" * 90_000
    found = page(text).blocks
    assert {one.kind.value for one in found} == {"paragraph"}
    assert sum(one.text.count("heading") for one in found) == 90_000


def test_many_lines_make_few_blocks() -> None:
    assert len(page("a\n\n" * 100_000).blocks) < 1_000
