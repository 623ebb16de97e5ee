"""A skill: what its files say, where it is kept, and which of the same name counts."""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.skills.assertions import Assertion

MAIN_FILE = "SKILL.md"
MAX_SKILL_BYTES = 256 * 1024
MAX_FILES = 32
MAX_FILE_BYTES = 64 * 1024
MAX_NAME = 64
MAX_TITLE = 120
MAX_DESCRIPTION = 1_024
MAX_ROLE = 600
MAX_SKILLS = 500
"""In one file; more is a whole catalogue brought in by mistake."""

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SLOT = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")


class Origin(StrEnum):
    """Where a skill comes from, and so who may change it."""

    SYSTEM = "system"
    """It comes with the program; it can be looked at and copied."""
    COMMUNITY = "community"
    """It was brought in; it waits until the author has looked at it once."""
    USER = "user"


class ArtifactKind(StrEnum):
    """What a file of a skill is for."""

    DESCRIPTION = "description"
    APPROACH = "approach"
    PROMPT_TEMPLATE = "prompt_template"
    CODE_TEMPLATE = "code_template"
    EXAMPLE = "example"


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file of a skill.

    Attributes:
        path: Its place in the skill's folder, with ``/`` between the parts.
        body: Its text, byte for byte.
        assertions: What must hold of what comes of it.
    """

    kind: ArtifactKind
    path: str
    body: str
    assertions: tuple[Assertion, ...] = ()

    @property
    def n_bytes(self) -> int:
        """How long it is in UTF-8."""
        return len(self.body.encode())

    @property
    def said(self) -> str:
        """Its text without the head of a SKILL.md."""
        return without_head(self.body) if self.path == MAIN_FILE else self.body

    @property
    def gist(self) -> str:
        """Its first line with a word in it, at most 80 characters."""
        bare = self.said.replace('"""', "").replace("'''", "")
        lines = (line.strip("#/*-> \t") for line in bare.splitlines())
        return next((line for line in lines if any(map(str.isalnum, line))), "")[:80]


@dataclass(frozen=True, slots=True)
class Contents:
    """What a skill is, wherever it is kept: all of it is read from its files.

    Attributes:
        allowed_tools: Tools that it may make use of; None for those that whoever works by it has.
        input_schema: JSON schema of what it is given; None for one text named ``task``.
        front_matter: All that the head of its SKILL.md says.
        artifacts: Its files, SKILL.md first.
        role: A role that whoever is sent to work by it takes, in words; empty for none.
    """

    name: str
    title: str
    description: str
    tags: tuple[str, ...]
    licence: str
    allowed_tools: frozenset[str] | None
    input_schema: Mapping[str, object] | None
    front_matter: Mapping[str, object]
    artifacts: tuple[Artifact, ...]
    role: str = ""

    @property
    def files(self) -> Mapping[str, str]:
        """Text by path."""
        return {one.path: one.body for one in self.artifacts}

    @property
    def digest(self) -> str:
        """SHA-256 of its files, hexadecimal: two folders with the same one are the same."""
        return digest_of(self.files)

    @property
    def n_bytes(self) -> int:
        """How long its files are together."""
        return sum(one.n_bytes for one in self.artifacts)

    def artifact(self, path: str) -> Artifact | None:
        """The file at this place."""
        return next((one for one in self.artifacts if one.path == path), None)

    def of_kind(self, kind: ArtifactKind) -> tuple[Artifact, ...]:
        """The files that are for this."""
        return tuple(one for one in self.artifacts if one.kind is kind)


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill as it is kept.

    Attributes:
        id: Random UUID; the name of one that ships with the program.
        workspace_id: In whose file; None for the account, and for one of the program.
        enabled: Whether an agent may choose it.
        forked_from: Of which skill it is a copy, as ``name@version``; empty for none.
        source_hash: Digest of the folder that it was brought in from; empty for none.
        changed_by: Who wrote it last.
        seen_at: When the author looked at it; None for one brought in that nobody looked at.
    """

    id: str
    workspace_id: str | None
    contents: Contents
    origin: Origin
    version: int
    enabled: bool
    changed_by: str
    created_at: datetime
    edited_at: datetime
    forked_from: str = ""
    source_hash: str = ""
    seen_at: datetime | None = None
    last_used_at: datetime | None = None

    @property
    def name(self) -> str:
        """Its name, which is also that of its folder."""
        return self.contents.name

    @property
    def level(self) -> str:
        """``workspace``, ``account`` or ``program``."""
        if self.origin is Origin.SYSTEM:
            return "program"
        return "account" if self.workspace_id is None else "workspace"

    @property
    def is_read_only(self) -> bool:
        """Whether it is looked at and copied, and never changed where it is."""
        return self.origin is not Origin.USER

    @property
    def is_waiting(self) -> bool:
        """Whether it was brought in and nobody looked at it."""
        return self.origin is Origin.COMMUNITY and self.seen_at is None


@dataclass(frozen=True, slots=True)
class SkillVersion:
    """An earlier state of a skill."""

    version: int
    files: Mapping[str, str]
    changed_by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class KeptSkill:
    """A skill with all its earlier states: what a deletion hands back."""

    skill: Skill
    versions: tuple[SkillVersion, ...] = ()


def checked_skill_name(name: str) -> str:
    """The name of a skill.

    Raises:
        InvalidValueError: It is not 1 to 64 small letters and digits with single hyphens between.
    """
    if len(name) > MAX_NAME or not _NAME.fullmatch(name):
        raise InvalidValueError("skill_name", "format", MAX_NAME)
    return name


def in_force(skills: Iterable[Skill]) -> dict[str, Skill]:
    """For each name the skill that counts: the workspace's, else the account's, else the program's.

    One that is switched off hides those below it as well.
    """
    order = ("workspace", "account", "program")
    found: dict[str, Skill] = {}
    for one in sorted(skills, key=lambda skill: order.index(skill.level)):
        found.setdefault(one.name, one)
    return found


def without_head(text: str) -> str:
    """A SKILL.md without its head."""
    lines = text.splitlines(keepends=True)
    if not lines or lines[0].rstrip() != "---":
        return text
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in {"---", "..."}:
            return "".join(lines[number + 1 :]).lstrip("\r\n")
    return text


def slots_in(text: str) -> tuple[str, ...]:
    """Names that a template leaves open, each once."""
    return tuple(dict.fromkeys(_SLOT.findall(text)))


def filled(text: str, values: Mapping[str, object]) -> str:
    """A template with its slots filled; nothing in it is carried out, nor in what fills it."""
    return _SLOT.sub(lambda found: str(values.get(found[1], found[0])), text)


def digest_of(files: Mapping[str, str]) -> str:
    """SHA-256 over places and texts, in the order of the places."""
    found = hashlib.sha256()
    for path in sorted(files):
        for part in (path, files[path]):
            data = part.encode()
            found.update(len(data).to_bytes(8, "big") + data)
    return found.hexdigest()


def changed_paths(before: Mapping[str, str], after: Mapping[str, str]) -> Mapping[str, str]:
    """For each file ``new``, ``changed``, ``same`` or ``gone``, in the order of the places."""
    said = {}
    for path in sorted({*before, *after}):
        if path not in before:
            said[path] = "new"
        elif path not in after:
            said[path] = "gone"
        else:
            said[path] = "same" if before[path] == after[path] else "changed"
    return said


def ranked(skills: Iterable[Skill], words: Sequence[frozenset[str]]) -> list[tuple[float, Skill]]:
    """Skills that hold any of some words, each given by its forms; the best first.

    A word in the name or title counts three times, among the tags twice.
    """
    found = []
    for one in skills:
        of = one.contents
        fields = (
            (3.0, f"{of.name.replace('-', ' ')} {of.title}"),
            (2.0, " ".join(of.tags)),
            (1.0, of.description),
        )
        held = [(weight, _forms_in(text)) for weight, text in fields]
        score = sum(
            max((weight for weight, forms in held if forms & word), default=0.0) for word in words
        )
        if score:
            found.append((score / (3.0 * len(words)), one))
    return sorted(found, key=lambda pair: (-pair[0], pair[1].name))


@lru_cache(maxsize=4 * MAX_SKILLS)
def _forms_in(text: str) -> frozenset[str]:
    """Every form of its words; to make them takes longer than all else of a search."""
    from inklings_desktop.domain.words.query_text import forms_of, words_of

    return frozenset(form for word in words_of(text) for form in forms_of(word))
