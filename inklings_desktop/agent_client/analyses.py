"""Analyses: scripts over memory with a head that says what they are for, shipped or one's own.

The head is a block of comments in the form that Python uses for what a script needs (PEP 723)::

    # /// inklings
    # title = "Find all references"
    # description = "Every sentence that names something."
    # license = "Apache-2.0"
    #
    # [inputs]
    # query = "Name or word"
    # ///
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire.shapes import dict_of, line_of
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, OutsideFileError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.resource_files import resource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SHIPPED: Final = ("references", "contradictions", "evolution", "consistency")
"""Names of those that come with the program, as a person meets them."""
MAX_SCRIPT_BYTES: Final = 256 * 1024

_HEAD = re.compile(r"(?m)^# /// inklings$\n(?P<lines>(?:^#(?: .*)?$\n)+?)^# ///$")


@dataclass(frozen=True, slots=True)
class Analysis:
    """A script with its head.

    Attributes:
        name: What it is called on the command line; of one's own the name of its file.
        inputs: What is to be filled in: what the script calls it, and what a person reads.
        text: The whole script.
    """

    name: str
    title: str
    description: str
    license: str
    inputs: tuple[tuple[str, str], ...]
    text: str


def read_analysis(name: str, text: str) -> Analysis:
    """A script taken apart; one without a head is called by its name and asks for nothing.

    Raises:
        InvalidValueError: It is too long, or its head cannot be read.
    """
    if len(text.encode("utf-8", "replace")) > MAX_SCRIPT_BYTES:
        raise InvalidValueError("script", "too_long", MAX_SCRIPT_BYTES // 1024)
    head = _head(text)
    inputs = dict_of(head.get("inputs"))
    return Analysis(
        name,
        line_of(head.get("title")) or name,
        line_of(head.get("description")),
        line_of(head.get("license")),
        tuple((key, line_of(label) or key) for key, label in inputs.items()),
        text,
    )


def shipped(name: str) -> Analysis:
    """One of those that come with the program.

    Raises:
        NotFoundError: There is none of this name.
    """
    if name not in SHIPPED:
        raise NotFoundError("analysis", name, SHIPPED)
    return read_analysis(name, resource(f"analyses/{name}.py").read_text(encoding="utf-8"))


def every_shipped() -> Iterator[Analysis]:
    """All that come with the program."""
    return map(shipped, SHIPPED)


def analysis_of_file(path: Path) -> Analysis:
    """A script of one's own.

    Raises:
        OutsideFileError: It cannot be read.
        InvalidValueError: It is too long, not text, or its head cannot be read.
    """
    try:
        with path.open("rb") as stream:
            text = stream.read(MAX_SCRIPT_BYTES + 1).decode("utf-8")
    except OSError as error:
        raise OutsideFileError(path, error.strerror or "", is_reading=True) from error
    except UnicodeDecodeError as error:
        raise InvalidValueError("script", "not_text") from error
    return read_analysis(path.stem, text.replace("\r\n", "\n"))


def fork(analysis: Analysis, path: Path) -> None:
    """Write a copy of it that its person may change; a file that is there stays as it is.

    Raises:
        OutsideFileError: The file is there already, or cannot be written.
    """
    try:
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(analysis.text)
    except OSError as error:
        raise OutsideFileError(path, error.strerror or "", is_reading=False) from error


def _head(text: str) -> dict[str, Any]:
    found = _HEAD.search(text.replace("\r\n", "\n"))
    if found is None:
        return {}
    lines = (line[2:] for line in found["lines"].splitlines())
    try:
        return tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError as error:
        raise InvalidValueError("script", "head") from error
