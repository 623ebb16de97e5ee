"""The files of a skill's folder: which are let in, what each is for, and what they say together.

A folder comes from anywhere. Whatever is not plainly a file of text inside it is refused, whole:
half a skill would do something else than its author meant.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.skills.assertions import MAIN, Assertion, assertions_of
from inklings_desktop.domain.skills.skill import (
    MAIN_FILE,
    MAX_DESCRIPTION,
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_ROLE,
    MAX_SKILL_BYTES,
    MAX_TITLE,
    Artifact,
    ArtifactKind,
    Contents,
    checked_skill_name,
)
from inklings_desktop.domain.words.text_rules import says_nothing

if TYPE_CHECKING:
    from collections.abc import Mapping

LEFT_OUT = frozenset({".git", ".ds_store", "__pycache__", "thumbs.db", "__macosx"})
"""What a system or a tool leaves in folders, folded; it is no part of a skill."""
MAX_PATH = 200
MAX_TAGS = 20

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_BEGINS, _UNENDED = "::: file ", " (no line end)"
_BARRED = frozenset('<>:"|?*\\')
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{one}{n}" for one in ("com", "lpt") for n in range(1, 10))}
)
_KINDS = {
    "scripts": ArtifactKind.CODE_TEMPLATE,
    "references": ArtifactKind.DESCRIPTION,
    "assets": ArtifactKind.EXAMPLE,
}
_CONTROLS = frozenset(map(chr, range(32))) - {"\t", "\n", "\r", "\f"}


def is_left_out(path: str) -> bool:
    """Whether a file is none of the skill's."""
    return any(part.casefold() in LEFT_OUT for part in path.split("/"))


def checked_files(files: Mapping[str, bytes]) -> dict[str, str]:
    """The files of a skill as text, SKILL.md first.

    Args:
        files: Bytes by place in the folder.

    Raises:
        InvalidValueError: One is no text, too long, or has a place that is none inside a folder of
            every system; there are too many, or no SKILL.md. ``limit`` names the file.
    """
    if len(files) > MAX_FILES:
        raise InvalidValueError("skill_files", "too_many", MAX_FILES)
    if MAIN_FILE not in files:
        raise InvalidValueError("skill_files", "no_main", MAIN_FILE)
    places: dict[str, str] = {}
    for path in files:
        require_place(path)
        folded = unicodedata.normalize("NFC", path).casefold()
        if folded in places:
            raise InvalidValueError("skill_files", "clash", path)
        places[folded] = path
    for folded, path in places.items():
        if any(other.startswith(f"{folded}/") for other in places):
            raise InvalidValueError("skill_files", "clash", path)
    if sum(map(len, files.values())) > MAX_SKILL_BYTES:
        raise InvalidValueError("skill_files", "too_long", MAX_SKILL_BYTES)
    order = sorted(files, key=lambda path: (path != MAIN_FILE, path))
    return {path: _text(path, files[path]) for path in order}


def require_place(path: str) -> None:
    """Return only if a file can stand there, inside its folder, on every system.

    Raises:
        InvalidValueError: It leads out of the folder, or some system cannot have it.
    """
    parts = path.split("/")
    is_safe = 0 < len(path) <= MAX_PATH and not any(
        part in {"", ".", ".."}
        or part != part.rstrip(" .")
        or part.partition(".")[0].casefold() in _DEVICES
        or any(one in _BARRED or one < " " for one in part)
        for part in parts
    )
    if not is_safe:
        raise InvalidValueError("skill_files", "place", path)


def contents_of(
    files: Mapping[str, str], head: Mapping[str, object], folder: str | None = None
) -> Contents:
    """What the files of a skill say.

    Args:
        files: Text by place, as ``checked_files`` gives them.
        head: What the head of SKILL.md says.
        folder: Name of the folder, which must be the skill's; None where there is none.

    Raises:
        InvalidValueError: The head lacks a name or description, names another folder, or says
            something of ours that cannot be understood.
    """
    name = checked_skill_name(str(head.get("name", "")))
    if folder is not None and folder != name:
        raise InvalidValueError("skill_name", "folder", folder)
    description = str(head.get("description") or "").strip()
    if says_nothing(description):
        raise InvalidValueError("skill_description", "empty")
    if len(description) > MAX_DESCRIPTION:
        raise InvalidValueError("skill_description", "too_long", MAX_DESCRIPTION)
    metadata = _mapping(head.get("metadata"))
    own = _mapping(metadata.get("inklings"))
    checks = assertions_of(own.get("assertions"))
    for path in {one.on for one in checks} - {MAIN}:
        if path not in files:
            raise InvalidValueError("assertion", "no_such_file", path)
    title = str(own.get("title") or "").strip() or name.replace("-", " ").capitalize()
    schema = own.get("input")
    return Contents(
        name,
        title[:MAX_TITLE],
        description,
        tuple(_words(own.get("tags", metadata.get("tags"))))[:MAX_TAGS],
        str(head.get("license") or ""),
        _tools(head.get("allowed-tools")),
        dict(schema) if isinstance(schema, dict) else None,
        dict(head),
        tuple(
            Artifact(kind, path, body, _of(path, checks))
            for path, body in files.items()
            for kind in (_kind(path, _mapping(own.get("artifacts"))),)
        ),
        " ".join(str(own.get("role") or "").split())[:MAX_ROLE],
    )


def together(files: Mapping[str, str]) -> str:
    """All files as one text that a person can read and edit; ``apart`` takes it apart again.

    Raises:
        InvalidValueError: A line of one of them looks like the beginning of a file.
    """
    parts = []
    for path, text in files.items():
        if any(line.startswith(_BEGINS) for line in text.split("\n")):
            raise InvalidValueError("skill_files", "marker", path)
        is_ended = not text or text.endswith("\n")
        parts.append(f"{_BEGINS}{path}{'' if is_ended else _UNENDED}\n{text}")
        parts.append("" if is_ended else "\n")
    return "".join(parts)


def apart(text: str) -> dict[str, str]:
    """The files that ``together`` made one text of."""
    bodies = dict[str, list[str]]()
    held: list[str] = []
    for line in _LINE.findall(text):
        if line.startswith(_BEGINS):
            held = bodies.setdefault(line.removeprefix(_BEGINS).rstrip("\r\n"), [])
        else:
            held.append(line)
    return {
        path.removesuffix(_UNENDED): "".join(lines).removesuffix("\n" * path.endswith(_UNENDED))
        for path, lines in bodies.items()
    }


def _of(path: str, checks: tuple[Assertion, ...]) -> tuple[Assertion, ...]:
    on = {path, MAIN} if path == MAIN_FILE else {path}
    return tuple(one for one in checks if one.on in on)


def _kind(path: str, said: Mapping[str, object]) -> ArtifactKind:
    if path == MAIN_FILE:
        return ArtifactKind.APPROACH
    word = said.get(path)
    if word is not None:
        try:
            return ArtifactKind(str(word))
        except ValueError as error:
            raise InvalidValueError("artifact_kind", "unknown", path) from error
    return _KINDS.get(path.split("/", maxsplit=1)[0], ArtifactKind.DESCRIPTION)


def _text(path: str, data: bytes) -> str:
    if len(data) > MAX_FILE_BYTES:
        raise InvalidValueError("skill_files", "file_too_long", path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidValueError("skill_files", "no_text", path) from error
    if not _CONTROLS.isdisjoint(text):
        raise InvalidValueError("skill_files", "no_text", path)
    return text


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _words(value: object) -> list[str]:
    parts = value if isinstance(value, list) else str(value or "").split(",")
    return [word for word in (" ".join(str(part).split())[:40] for part in parts) if word]


def _tools(value: object) -> frozenset[str] | None:
    """Names of tools; what stands in brackets behind one, as in ``Bash(git:*)``, is left away."""
    if value is None:
        return None
    parts = value if isinstance(value, list) else str(value).replace(",", " ").split()
    return frozenset(str(part).partition("(")[0].strip() for part in parts) - {""}
