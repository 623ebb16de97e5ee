# ruff: noqa: INP001 - a package named like this folder would hide the library of that name
"""Keeps the catalogues of the window's words in step with the code, and compiles them.

python packaging/catalogues.py

Every sentence of the window's code is put into ``packaging/i18n/CODE.po`` of each language, what
the code no longer says is taken out, and ``resources/i18n/CODE.mo`` is written, which the program
reads. What is still to be translated, or cannot be right, is named; the exit status is 1 then.
"""

from __future__ import annotations

import ast
import io
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parents[1]
WINDOW = HERE / "inklings_desktop" / "ui"
SOURCES = HERE / "packaging" / "i18n"
COMPILED = HERE / "resources" / "i18n"
LANGUAGES = ("de", "fr")
_PLACEHOLDER = re.compile(r"\{[^}]*\}")


def main() -> int:
    """Bring every catalogue up to date; whether nothing is left to do."""
    words = words_of_the_window()
    said = []
    for code in LANGUAGES:
        catalogue = in_step(read(code), words)
        (SOURCES / f"{code}.po").write_bytes(written(catalogue))
        (COMPILED / f"{code}.mo").write_bytes(compiled(catalogue))
        said += [f"{code}: {fault}" for fault in faults(catalogue)]
    sys.stdout.write("".join(f"{one}\n" for one in said))
    return bool(said)


def words_of_the_window() -> Catalog:
    """Every sentence that the window's code can say, with the files that say it."""
    words = Catalog(charset="utf-8")
    for path in sorted(WINDOW.rglob("*.py")):
        name = path.relative_to(WINDOW).as_posix()
        for text, context in said_in(ast.parse(path.read_text(encoding="utf-8"))):
            words.add(text, locations=[(name, None)], context=context)
    return words


def said_in(tree: ast.AST) -> Iterator[tuple[str | tuple[str, str], str | None]]:
    """The sentences of a module in their order, each with the use that is meant, if one is.

    Read from the syntax tree: the extractors of gettext overlook what stands inside an f-string
    before Python 3.12.
    """
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    for call in sorted(calls, key=lambda one: (one.lineno, one.col_offset)):
        texts = [str(one.value) for one in call.args if isinstance(one, ast.Constant)]
        match ast.unparse(call.func), texts:
            case "tr", [text]:
                yield text, None
            case "tr_as", [use, text]:
                yield text, use
            case "counted", [one, many]:
                yield (one, many), None


def read(code: str) -> Catalog:
    """The catalogue of a language as it is kept."""
    with (SOURCES / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


def in_step(catalogue: Catalog, words: Catalog) -> Catalog:
    """The catalogue with the sentences of now, each with its translation if there was one."""
    now = Catalog(
        locale=catalogue.locale,
        project="Inklings Desktop",
        version="1",
        header_comment=catalogue.header_comment,
        msgid_bugs_address="none",
        last_translator="Inklings Desktop",
        language_team="Inklings Desktop",
        fuzzy=False,
    )
    now.creation_date = now.revision_date = catalogue.revision_date
    for one in sentences(words):
        before = catalogue.get(one.id, one.context)
        is_same = before is not None and before.id == one.id
        now.add(
            one.id,
            before.string if before is not None and is_same else None,
            locations=sorted(set(one.locations)),
            context=one.context,
        )
    return now


def sentences(catalogue: Catalog) -> list[Message]:
    """What it holds but for its head."""
    return [one for one in catalogue if one.id]


def written(catalogue: Catalog) -> bytes:
    """A catalogue as a file that a translator opens."""
    file = io.BytesIO()
    write_po(file, catalogue, width=100, omit_header=False, include_previous=False)
    return file.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """A catalogue as a file that the program opens."""
    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def faults(catalogue: Catalog) -> list[str]:
    """What is missing, or would be said wrong, a line each."""
    return [said for one in sentences(catalogue) for said in _faults_of(one)]


def _faults_of(one: Message) -> list[str]:
    english = (one.id,) if isinstance(one.id, str) else one.id
    told = (one.string,) if isinstance(one.string, str) else tuple(one.string or ())
    if not told or not all(told):
        return [f"not translated: {english[0]}"]
    said = []
    for text, here in zip(english, told, strict=True):
        allowed = _PLACEHOLDER.findall(text)
        # "1 memory" is said of 0 as well in some languages, which takes its number.
        is_number_added = len(english) > 1 and text is english[0]
        extra = set(_PLACEHOLDER.findall(here)) ^ set(allowed)
        if extra - ({"{n}"} if is_number_added else set()):
            said.append(f"other placeholders: {text} -> {here}")
        if text[:1].isspace() != here[:1].isspace() or text[-1:].isspace() != here[-1:].isspace():
            said.append(f"blanks at an end: {text!r} -> {here!r}")
        if text.count("\n") != here.count("\n"):
            said.append(f"other lines: {text!r} -> {here!r}")
    return said


if __name__ == "__main__":
    sys.exit(main())
