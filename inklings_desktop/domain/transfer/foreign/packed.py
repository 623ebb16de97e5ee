"""What is packed in a zip: a Word document, or notes in an archive.

The standard library reads both. A Word file is a zip of XML without a document type, so one that
has any is refused before it is parsed: no entity is ever expanded. ``python-docx`` would bring
lxml, a library in C, for the sixty lines below.
"""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from lzma import LZMAError
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from inklings_desktop.domain.transfer.document import MAX_FILE_BYTES, ImportRefusedError
from inklings_desktop.domain.transfer.foreign.found import Finds, LeftOut
from inklings_desktop.domain.transfer.foreign.notes import Block, Grain, take_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.transfer.foreign.source import SourceFile

_MAGIC = b"PK\x03\x04"
_DOCUMENT = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_ASIDE = ("word/comments", "word/header", "word/footer")
_MAX_MEMBERS = 20_000
_BROKEN = (zipfile.BadZipFile, zlib.error, LZMAError, RuntimeError, EOFError, OSError, ValueError)
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def is_packed(data: bytes) -> bool:
    """Whether this is a zip of any kind."""
    return data.startswith(_MAGIC)


def is_hidden(name: str) -> bool:
    """Whether a file in an archive is some program's own."""
    return any(one.startswith((".", "__MACOSX")) for one in name.split("/"))


def members_of(data: bytes, limit: int) -> list[tuple[str, bytes]] | None:
    """The files of an archive by name; None where it is a Word document.

    Raises:
        ImportRefusedError: It is broken, locked, too large, or holds too many files.
    """
    with _opened(data) as archive:
        names = [one for one in archive.infolist() if not one.is_dir()]
        # A Word file, whatever it is called.
        if any(one.filename == _DOCUMENT for one in names):
            return None
        if len(names) > _MAX_MEMBERS:
            raise ImportRefusedError("too_many_files", limit=_MAX_MEMBERS)
        found = []
        for one in sorted(names, key=lambda one: one.filename):
            part = _part(archive, one.filename, limit)
            limit -= len(part)
            found.append((one.filename, part))
        return found


def read_docx(source: SourceFile, data: bytes, finds: Finds, by: Grain) -> None:
    """Take the paragraphs, lists and tables of a Word document under its headings.

    Raises:
        ImportRefusedError: It is broken, or larger than can be read.
    """
    with _opened(data) as archive:
        names = archive.namelist()
        depths = _depths(archive, names)
        blocks: list[Block] = []
        for part in (_DOCUMENT, *(one for one in _NOTES if one in names)):
            root = _tree(archive, part)
            for gone in root.iter(f"{_W}delText"):
                if (gone.text or "").strip():
                    finds.leave(LeftOut.COMMENT, gone.text or "", source.name)
            body = root.find(f"{_W}body")
            blocks += _blocks(root if body is None else body, depths)
        for part in names:
            if part.startswith(_ASIDE) and part.endswith(".xml"):
                words = [one.text for one in _blocks(_tree(archive, part), depths) if one.text]
                if words:
                    finds.leave(LeftOut.COMMENT, "\n".join(words), source.name)
            elif part.startswith("word/media/"):
                finds.leave(LeftOut.PICTURE, part, source.name)
    take_blocks(blocks, source, finds, by)


def _blocks(parent: ET.Element, depths: dict[str, int]) -> Iterator[Block]:
    """The pieces below an element, those in frames and notes included."""
    for one in parent:
        if one.tag == f"{_W}p":
            style = one.find(f"{_W}pPr/{_W}pStyle")
            name = "" if style is None else style.get(f"{_W}val", "")
            text = _text(one).strip()
            is_item = one.find(f"{_W}pPr/{_W}numPr") is not None or name.startswith("List")
            depth = depths.get(name, 0)
            if text:
                item = text if is_item and not depth else ""
                yield Block(0, f"- {text}" if item else text, depth, item)
        elif one.tag == f"{_W}tbl":
            rows = [
                " | ".join(
                    " ".join(filter(None, (_text(cell_part).strip() for cell_part in cell)))
                    for cell in row.iter(f"{_W}tc")
                )
                for row in one.iter(f"{_W}tr")
            ]
            yield Block(0, "\n".join(f"| {row} |" for row in rows if row.strip(" |")))
        else:
            yield from _blocks(one, depths)


def _text(paragraph: ET.Element) -> str:
    parts = []
    for one in paragraph.iter():
        if one.tag == f"{_W}t":
            parts.append(one.text or "")
        elif one.tag in {f"{_W}tab", f"{_W}br", f"{_W}cr"}:
            parts.append("\t" if one.tag == f"{_W}tab" else "\n")
        elif one.tag == f"{_W}p" and parts:
            parts.append("\n")
    return "".join(parts)


def _depths(archive: zipfile.ZipFile, names: list[str]) -> dict[str, int]:
    """How deep each style of headings is; the names of styles are English in every language."""
    found = {"Title": 1, **{f"Heading{depth}": depth for depth in range(1, 7)}}
    if "word/styles.xml" not in names:
        return found
    for style in _tree(archive, "word/styles.xml").iter(f"{_W}style"):
        name = style.find(f"{_W}name")
        words = ("" if name is None else name.get(f"{_W}val", "")).casefold().split()
        if words == ["title"]:
            found[style.get(f"{_W}styleId", "")] = 1
        elif len(words) == 2 and words[0] == "heading" and words[1] in "123456":  # noqa: PLR2004
            found[style.get(f"{_W}styleId", "")] = int(words[1])
    return found


def _tree(archive: zipfile.ZipFile, name: str) -> ET.Element:
    data = _part(archive, name, MAX_FILE_BYTES)
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data or b"\x00" in data[:200]:
        raise ImportRefusedError("broken_zip", name)
    try:
        return ET.fromstring(data)  # noqa: S314 - without a document type there is no entity
    except ET.ParseError:
        raise ImportRefusedError("broken_zip", name) from None


def _opened(data: bytes) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError):
        raise ImportRefusedError("broken_zip") from None


def _part(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    """The bytes of a file in an archive; none more than ``limit`` are unpacked."""
    try:
        with archive.open(name) as file:
            data = file.read(limit + 1)
    except _BROKEN:
        raise ImportRefusedError("broken_zip", name) from None
    if len(data) > limit:
        raise ImportRefusedError("too_large", limit=MAX_FILE_BYTES)
    return data
