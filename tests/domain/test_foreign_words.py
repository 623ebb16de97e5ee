"""Forty files after public formats: every word of each is in a memory, or named as left out."""

# ruff: noqa: E501, RUF001 - files as other programs write them

from __future__ import annotations

import json
import re
import zipfile
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest

from inklings_desktop.domain.transfer.document import (
    ImportRefusedError,
    MemoryRecord,
    RefusedMemory,
)
from inklings_desktop.domain.transfer.foreign.formats import Wishes
from inklings_desktop.domain.transfer.foreign.making import Reading
from inklings_desktop.domain.transfer.foreign.notes import Grain
from tests.domain.test_foreign_formats import HERE, kept, read, texts
from tests.support.builders import NOON, SeededIds

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def packed(**parts: str) -> bytes:
    """A zip of texts; ``__`` in a name stands for a slash, ``_`` before the ending for a dot."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in parts.items():
            folder, _sign, file = name.rpartition("__")
            stem, _sign, ending = file.rpartition("_")
            archive.writestr(f"{folder}/{stem}.{ending}" if folder else f"{stem}.{ending}", text)
    return data.getvalue()


def paragraph(text: str, style: str = "", *, is_item: bool = False) -> str:
    properties = f'<w:pStyle w:val="{style}"/>' if style else ""
    properties += '<w:numPr><w:numId w:val="1"/></w:numPr>' if is_item else ""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


DOCX = packed(
    word__document_xml=f"<w:document {_W}><w:body>"
    + paragraph("Brother Odo", "berschrift1")
    + paragraph("cannot swim", is_item=True)
    + paragraph("He counts the dead.")
    + "<w:tbl><w:tr><w:tc>"
    + paragraph("eel")
    + "</w:tc><w:tc>"
    + paragraph("eleven")
    + "</w:tc></w:tr></w:tbl>"
    + "<w:p><w:del><w:r><w:delText>struck</w:delText></w:r></w:del></w:p></w:body></w:document>",
    word__styles_xml=f'<w:styles {_W}><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/>'
    "</w:style></w:styles>",
    word__comments_xml=f"<w:comments {_W}>{paragraph('ask Bea')}</w:comments>",
    word__footnotes_xml=f"<w:footnotes {_W}>{paragraph('A note below.')}</w:footnotes>",
)
DOCX_WORDS = "Brother Odo cannot swim He counts the dead eel eleven struck ask Bea A note below"

CARD = {
    "name": "Ottoline",
    "description": "Keeper of the ledger.",
    "personality": "patient",
    "scenario": "A quay at night.",
    "first_mes": "The ledger is closed.",
    "mes_example": "<START> Well?",
    "tags": ["quay", "ink"],
}
ENTRY = {
    "keys": ["ledger", "/ink\\w+/i"],
    "secondary_keys": ["green"],
    "content": "Ottoline writes in green ink.",
    "name": "Ledger",
    "comment": "told twice",
    "enabled": True,
    "extensions": {"weight": "heavy"},
}

FILES: dict[str, bytes | str | dict[str, Any] | list[Any]] = {
    "rules.md": "---\nMara counts the stairs at dusk.\n\nThe bell is silent.\n\n---\n\nOrrin waits.\n",
    "dialogue.md": "---\nIt is dusk: the bell is silent.\n---\nOrrin waits below.\n",
    "tight.md": "Mara waits.\n---\nOrrin does not.\n",
    "annals.md": "312. The sea took the road.\n\n- [x] paid\n- [ ] owed ^block1\n",
    "counted.md": "1. first stair\n2. second stair\n\n7. seventh alone\n",
    "long.md": f"# {'A heading that goes on and on ' * 4}\n\n- cannot swim\n",
    "longer.md": f"# {'A heading that goes on and on ' * 9}\n\n- cannot swim\n",
    "nested.md": "# World\n## People\n### Odo\n- cannot swim\n## Empty\n",
    "lead.md": "All about the bell:\n\n- cracked\n- green\n",
    "setext.md": "Brother Odo\n===========\n\nFears\n-----\nwater\n",
    "table.md": "# Tithe\n| who | eels |\n|---|---|\n| Jory | eleven |\n",
    "code.md": "# Runes\n```text\n%% not a comment %%\n# no heading\n```\n",
    "signs.md": "# Odo\n* *\n----------\n***\nHe is quiet.\n",
    "properties.md": "---\naliases: [Mar, Keeper]\nage: 31\nhome:\n  - Wend Gate\ncreated: soon\n---\n",
    "vault/Mara.md": "---\ntags:\n  - people\nspecies: human\n---\n%%secret plan%%\nShe <!-- hm --> sings.\n",
    "embed.md": "# Tides\n![[Bells#Low water]]\n\n![[map.png|200]] and ![a gate](gate.png) words\n",
    "open.md": "Words %% that never\n\nclose <!-- at all\n",
    "drawing.md": "---\nexcalidraw-plugin: parsed\n---\n# Excalidraw Data\nharbour ^ab12\n%%\n## Drawing\n"
    "```compressed-json\nN4KA\n```\n%%\n",
    "Templates/day.md": "# {{date}}\n- weather today\n",
    "form.md": "# Log\n<% tp.file.title %> words\n\nkept words\n",
    "scene.nwd": "%%~name: The Quay\n%%~path: a1/b2\n%%~kind: NOVEL/DOCUMENT\n### Scene One\n\n@pov: Jane\n"
    "@char: Mara, Orrin\n\n%Synopsis: They meet.\n% not told\n\nMara walks.\n\n[newpage]\n",
    "scene.md": '+++\nname = "The Quay"\nhandle = "b2"\nclass = "NOVEL"\n+++\n###! Hard\n\n%~ ignored\nMara ran.\n',
    "bell.md": "title:          The Bell\nID:             12\ntype:           md\nnotes:          she rings\n"
    "compile:        2\n\nThe bell rang.\n",
    "plain.txt": "The ledger burned.\n\n- slowly\n- aloud\n\n1897. The fog came.\n",
    "cp1251.txt": "Мара хранит свет. Колокол молчит в полночь, и никто не вернулся.".encode(
        "cp1251"
    ),
    "stray.txt": "Die Glocke schlägt über der See.\nZoll \u2013 in Glas.\nSalz ".encode()
    + b"\x96 Blei\n",
    "german.csv": "Name;Beschreibung;Schlagwörter\nMara;Hütet das Licht.;Leute\n".encode("cp1252"),
    "roles.csv": "Character,Role,Notes\nMara,keeper,fears water\nOrrin,,lame\n",
    "ages.csv": "Name,Backstory,Age\nMara,Born at sea,31\n",
    "odd.csv": 'text,date,importance,lifetime\nThe sea took the road.,"Year 312, third moon",high,forever\n'
    "Bells,3/5/2024,90%,\nTides,2024-03-05,8,long_term\n",
    "bare.csv": "The lamp is never lit.;Kapitel 3\nSalt keeps the dead.;Kapitel 4\n",
    "quotes.tsv": 'text\ttags\n"Mind the stair," she says\tOtto\nplain\t"open\nlast\tone\tmore\n',
    "twice.csv": "text,note,note\na bell,low,high\n,only,this\n,,\n",
    "halves.json": '["one bell", "half \\ud83d sign", {"content": "two", "content": "three", "mood": NaN}]',
    "lines.jsonl": '{"content": "whole row"}\n{"content": \n{"text": "other", "colour": ["red", "blue"]}\n',
    "nested.json": {
        "status": "fine",
        "data": {"memories": [{"content": "deep bell", "who": "Jory"}]},
    },
    "world.json": {
        "name": "Saltglass",
        "entries": {"0": ENTRY | {"key": ["toll"]}, "1": "loose words"},
    },
    "book.json": {
        "spec": "lorebook_v3",
        "data": {"name": "Book", "entries": [ENTRY, {"keys": ["empty"]}]},
    },
    "card.json": {"spec": "chara_card_v3", "data": CARD | {"character_book": {"entries": [ENTRY]}}},
    "bare_card.json": CARD,
    "glass.lorebook": {
        "lorebookVersion": 6,
        "entries": [
            {"text": "It sings.", "displayName": "Glass", "keys": ["sing"], "category": "c1"}
        ],
        "categories": [{"id": "c1", "name": "Materials"}],
    },
    "graph.json": {
        "entities": [
            {"name": "Wren", "entityType": "person", "observations": ["Sings"], "mood": "odd"},
            7,
        ],
        "relations": [{"from": "Wren", "to": "Gate", "relationType": "keeps"}, {"from": "Wren"}],
    },
    "mem0.json": {
        "results": [
            {"memory": "Prefers letters", "user_id": "marsh", "metadata": {"asked": "twice"}},
            {"memory": "Writes early", "user_id": "ada", "categories": ["habit"]},
        ]
    },
    "memory.json": [{"content": "Lives on the coast.", "enabled": False, "kind": "fact"}, "loose"],
    "memories.json": [
        {
            "conversations_memory": "**Work context**\n\nAda writes novels.\n- at dawn",
            "project_memories": {"p1": "Salt is currency."},
            "account_uuid": "u1",
        }
    ],
    "chat.txt": "before\n[2025-01-03] - Address her as Ms Marsh.\n[2025-13-45] - Short answers.\nmore of it\n",
    "story.docx": DOCX,
    "notes.zip": packed(
        people__Mara_md="# Mara\n- human\n", Orrin_md="# Orrin\n- human\n", map_png="x"
    ),
}


def sample(name: str) -> bytes:
    """The bytes of one of the files."""
    made = FILES[name]
    if isinstance(made, bytes):
        return made
    return (made if isinstance(made, str) else json.dumps(made)).encode()


_SYNTAX = {"compressed", "n4ka", "json", "drawing", "tp", "file", "title", "text"}
"""What is the form of a file and not its words."""
_WORDS = re.compile(r"\w+")


def told_by(value: object) -> str:
    """Every text of a JSON value."""
    if isinstance(value, dict):
        return " ".join(map(told_by, value.values()))
    if isinstance(value, list):
        return " ".join(map(told_by, value))
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize("by", Grain)
@pytest.mark.parametrize("name", FILES)
def test_every_word_is_in_a_memory_or_named(name: str, by: Grain) -> None:
    made = FILES[name]
    reading = Reading(wishes=Wishes(by=by))
    reading.read(name, sample(name))
    rows: tuple[object, ...] = ()
    with suppress(ImportRefusedError):  # where there is nothing but what is left out
        rows = reading.document(HERE, NOON, SeededIds(3)).sections[0].memories
    said = [one.text for one in reading.finds.left] + sorted(reading.finds.unknown)
    for row in rows:
        if isinstance(row, MemoryRecord):
            entry = row.entry
            said += [entry.content, *entry.tags, entry.source, entry.lifetime.value]
            said += [entry.created_at.isoformat(" "), str(entry.importance)]
        elif isinstance(row, RefusedMemory):
            said.append(row.content)
    wanted = {
        "story.docx": DOCX_WORDS,
        "notes.zip": "Mara human Orrin human map",
        "cp1251.txt": "Мара хранит свет Колокол молчит в полночь и никто не вернулся",
        "stray.txt": "Die Glocke schlägt über der See Zoll in Glas Salz Blei",
        "german.csv": "Mara Hütet das Licht Leute",
        "halves.json": "one bell half sign two three NaN",
        "lines.jsonl": "whole row other red blue",
        "glass.lorebook": "It sings Glass sing Materials",
    }.get(name)
    if wanted is None:
        wanted = told_by(made) if isinstance(made, dict | list) else str(made)
    missing = {one.casefold() for one in _WORDS.findall(wanted)} - {
        one.casefold() for some in said for one in _WORDS.findall(some)
    }
    if name.endswith((".md", ".nwd")):
        missing -= _SYNTAX | {one for one in missing if one.isdigit() and len(one) == 1}
    if name.endswith((".csv", ".tsv", ".md", ".nwd")):
        known = {
            "text",
            "tags",
            "date",
            "name",
            "aliases",
            "created",
            "handle",
            "class",
            "id",
            "path",
        }
        missing -= known | {
            "kind",
            "importance",
            "lifetime",
            "pov",
            "char",
            "synopsis",
            "note",
            "x",
        }
    assert missing == set()


def test_there_are_forty_files() -> None:
    assert len(FILES) >= 40


def test_text_between_two_rules_is_text() -> None:
    assert texts(read("rules.md", sample("rules.md"))) == [
        "Mara counts the stairs at dusk.",
        "The bell is silent.",
        "Orrin waits.",
    ]


def test_numbers_that_do_not_count_on_are_words() -> None:
    assert texts(read("annals.md", "312. The sea took the road.\n\n313. It came back.\n")) == [
        "312. The sea took the road.",
        "313. It came back.",
    ]
    counted = texts(read("counted.md", sample("counted.md")))
    assert counted == ["first stair", "second stair", "7. seventh alone"]


def test_a_piece_says_whom_it_is_about() -> None:
    assert texts(
        read("x.md", "# Brother Odo\n- cannot swim\n\nBrother Odo prays.\n\nHe sings.\n")
    ) == [
        "Brother Odo: cannot swim",
        "Brother Odo prays.",
        "Brother Odo: He sings.",
    ]
    assert texts(read("lead.md", sample("lead.md"))) == [
        "All about the bell: cracked",
        "All about the bell: green",
    ]


def test_the_same_words_elsewhere_are_no_repeat() -> None:
    reading = Reading()
    for name in ("Mara", "Orrin"):
        reading.read(f"{name}.md", f"# {name}\n- human\n\nMara and Orrin row.\n".encode())
    document = reading.document(HERE, NOON, SeededIds(3))
    assert [(one.entry.content, one.entry.tags) for one in kept(document)] == [
        ("Mara: human", ("Mara",)),
        ("Mara and Orrin row.", ("Mara",)),
        ("Orrin: human", ("Orrin",)),
        ("Mara and Orrin row.", ("Orrin",)),
    ]


def test_a_repeat_has_the_tags_of_both() -> None:
    rows = [
        {"content": "A bell.", "tags": ["iron", "abbey"]},
        {"content": "a bell", "tags": ["abbey", "loud"]},
    ]
    (one,) = kept(read("x.json", json.dumps(rows)))
    assert one.entry.tags == ("iron", "abbey", "loud")


def test_a_row_without_a_known_text_stays_whole() -> None:
    assert texts(read("german.csv", sample("german.csv"))) == [
        "Name: Mara\nBeschreibung: Hütet das Licht.\nSchlagwörter: Leute"
    ]
    assert texts(read("roles.csv", sample("roles.csv"))) == [
        "Character: Mara\nRole: keeper\nNotes: fears water",
        "Character: Orrin\nNotes: lame",
    ]


def test_a_quotation_mark_costs_no_row() -> None:
    assert texts(read("quotes.tsv", sample("quotes.tsv"))) == [
        '"Mind the stair," she says',
        "plain",
        "last\nmore",
    ]


def test_a_word_document_is_read_like_a_note() -> None:
    assert texts(read("story.docx", DOCX)) == [
        "Brother Odo: cannot swim",
        "Brother Odo: He counts the dead.",
        "Brother Odo:\n| eel | eleven |",
        "Brother Odo: A note below.",
    ]
    bomb = packed(word__document_xml="<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>")
    with pytest.raises(ImportRefusedError, match="broken_zip"):
        read("bomb.docx", bomb)


def test_an_archive_stands_for_the_notes_in_it() -> None:
    document = read("notes.zip", sample("notes.zip"))
    assert sorted(texts(document)) == ["Mara: human", "Orrin: human"]
    assert document.foreign is not None
    assert [(one.reason, one.text) for one in document.foreign.left] == [("other_file", "map.png")]


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("x.txt", "{\\rtf1 words}", "Rich Text"),
        ("x.org", "* Heading", "Org"),
        ("x.yaml", "a: b", "YAML"),
        ("x.json", '{"kind": "memory", "entries": []}', "Agnai"),
        ("x.json", '{"type": "risu", "data": []}', "RisuAI"),
        ("x.scenario", '{"scenarioVersion": 3}', "NovelAI (a scenario or story)"),
        ("x.docx", packed(xl__workbook_xml="<x/>"), "Excel"),
    ],
)
def test_a_program_that_is_known_is_named(name: str, data: bytes | str, kind: str) -> None:
    with pytest.raises(ImportRefusedError) as refused:
        read(name, data)
    assert (refused.value.reason, refused.value.where) == ("other_program", kind)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "Der Leuchtturm h\u00fctet das Licht \u00fcber der See."),
        ("cp1251", "Колокол молчит в полночь, и никто не вернулся."),
        ("koi8_r", "Колокол молчит в полночь, и никто не вернулся."),
        ("cp1250", "Żółw strzeże światła nad morzem. Dzwon milczy o północy."),
        ("shift_jis", "灯台は海の上に立つ。鐘は三度鳴る。マラは階段を数える。"),
    ],
)
def test_an_encoding_is_found_and_said(encoding: str, text: str) -> None:
    document = read("x.txt", text.encode(encoding))
    assert texts(document) == [text]
    assert document.foreign is not None
    assert document.foreign.encodings == (encoding,)


def test_a_date_that_is_none_stays_in_its_text() -> None:
    listed = "[2025-01-03] - Writes at dawn.\n[2025-13-45] - Sings.\n[unknown] - Rows.\n"
    assert texts(read("chat.txt", listed)) == [
        "Writes at dawn.",
        "Sings.\ndate: 2025-13-45",
        "Rows.",
    ]


def test_one_stray_byte_costs_one_sign() -> None:
    document = read("stray.txt", sample("stray.txt"))
    assert texts(document)[0] == "Die Glocke schlägt über der See."
    assert document.foreign is not None
    assert [(one.reason, one.line) for one in document.foreign.left] == [("stray", 3)]


def test_a_file_too_long_for_one_memory_comes_in_by_its_parts() -> None:
    text = "# One\n\n" + "salt " * 9_000 + "\n\n# Two\n\n" + "glass " * 9_000 + "\n"
    assert len(kept(read("x.md", text, by=Grain.FILE))) == 2
