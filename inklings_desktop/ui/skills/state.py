"""What the Skills page shows: skills by where they are kept, one of them in detail."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.skills.assertions import Check
from inklings_desktop.domain.skills.skill import ArtifactKind, Origin, Skill, in_force
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.usecases.skills.runs import TASK, RunReport

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inklings_desktop.domain.skills.assertions import Assertion, Finding
    from inklings_desktop.domain.skills.skill import Artifact
    from inklings_desktop.domain.skills.traces import SkillTrace
    from inklings_desktop.ui.skills.code_run import CodeRun
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.skills.folders import Preview
    from inklings_desktop.usecases.skills.runs import Guidance

MOST_TRACES = 50
_KIB = 1024


@dataclass(frozen=True, slots=True)
class SkillHeading:
    """A line above those that are kept in one place."""

    id: str
    text: str
    count: str
    icon: str


@dataclass(frozen=True, slots=True)
class SkillRow:
    """One skill in the list.

    Attributes:
        told: How many files it has, and how often it was used.
        is_locked: Whether it is looked at and copied only.
        is_off: Whether no agent may choose it.
    """

    id: str
    text: str
    line: str
    told: str
    is_locked: bool
    is_off: bool


AnySkillRow = SkillHeading | SkillRow


@dataclass(frozen=True, slots=True)
class ArtifactRow:
    """One file of a skill."""

    id: str
    text: str
    gist: str
    size: str
    icon: str


@dataclass(frozen=True, slots=True)
class SkillsContent:
    """Everything that is read.

    Attributes:
        skills: All of them, those that another hides too.
        uses: How many runs are kept of each, by name.
        traces: Of the one in detail, the newest first.
        n_versions: Earlier states of it.
    """

    skills: tuple[Skill, ...]
    uses: Mapping[str, int]
    traces: tuple[SkillTrace, ...] = ()
    n_versions: int = 0

    def skill(self, key: str) -> Skill | None:
        """The one of this key."""
        return next((one for one in self.skills if key_of(one) == key), None)

    def stands_above(self, skill: Skill) -> Skill | None:
        """The one of the same name that it hides."""
        if in_force(self.skills).get(skill.name) is not skill:
            return None
        others = (one for one in self.skills if one.name == skill.name and one is not skill)
        return next(others, None)

    def is_hidden(self, skill: Skill) -> bool:
        """Whether another one of its name stands above it."""
        return in_force(self.skills).get(skill.name) is not skill


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a dry run came to.

    Attributes:
        told: What the skill tells for the input.
        findings: What holds of the answer, typed or come of the code; none where there is none.
        code: What came of the code on show; None where none was run.
    """

    told: Guidance
    findings: tuple[Finding, ...] = ()
    code: CodeRun | None = None


@dataclass(frozen=True, slots=True)
class Tried:
    """What a dry run is about: its input, the answer that was typed, and what came of the code."""

    given: str
    answer: str
    code: CodeRun | None = None


@dataclass(frozen=True, slots=True)
class SkillStep:
    """A step of the window's undo.

    Attributes:
        undoes: Undoes it; called on a writer.
    """

    text: str
    undoes: Callable[[Inklings], object]
    icon: str = "check"
    can_repeat: bool = False

    def take_back(self, inklings: Inklings) -> str:
        """Undo it; called on a writer.

        Raises:
            ConflictError: It was changed since; nothing was changed.
            NotFoundError: It is gone.
        """
        self.undoes(inklings)
        return ""

    def do_again(self, inklings: Inklings) -> str:  # noqa: ARG002 - a port
        """Nothing: such a step leaves the stack when it is undone."""
        return ""


def key_of(skill: Skill) -> str:
    """What tells a skill from all others: its level and its name."""
    return f"{skill.level} {skill.name}"


def read_skills(inklings: Inklings, here: str, current: str) -> SkillsContent:
    """All of it; runs on a reader."""
    content = SkillsContent(inklings.skills.list(here), inklings.skill_runs.uses(here))
    found = content.skill(current) or next(iter(in_order(content.skills)), None)
    if found is None:
        return content
    is_kept = found.origin is not Origin.SYSTEM
    n_versions = len(inklings.skills.versions(found.workspace_id, found.name)) if is_kept else 0
    traces = inklings.skill_runs.traces(here, found.name, MOST_TRACES)
    return SkillsContent(content.skills, content.uses, traces, n_versions)


def in_order(skills: tuple[Skill, ...]) -> list[Skill]:
    """Skills as the list shows them: by place, then by title."""
    places = [place for place, *_ in _places()]
    return sorted(skills, key=lambda one: (places.index(_place(one)), one.contents.title))


def skill_rows(content: SkillsContent) -> tuple[AnySkillRow, ...]:
    """The list, each place with its heading."""
    rows: list[AnySkillRow] = []
    for place, title, icon in _places():
        found = [one for one in in_order(content.skills) if _place(one) == place]
        if found:
            count = grouped(len(found))
            rows.append(SkillHeading(f"heading {place}", title, count, icon))
            rows += [_row(one, content) for one in found]
    return tuple(rows)


def _places() -> tuple[tuple[str, str, str], ...]:
    return (
        ("workspace", tr("This workspace"), "folder-simple"),
        ("account", tr("Yours, every workspace"), "user-circle"),
        ("community", tr("Community, kept on this machine"), "users-three"),
        ("program", tr("Shipped with Inklings"), "seal-check"),
    )


def _place(skill: Skill) -> str:
    return "community" if skill.origin is Origin.COMMUNITY else skill.level


def _row(skill: Skill, content: SkillsContent) -> SkillRow:
    of, n_used = skill.contents, content.uses.get(skill.name, 0)
    told = [counted(len(of.artifacts), "1 artifact", "{n} artifacts")]
    if n_used:
        told.append(counted(n_used, "used once", "used {n} times"))
    if skill.is_waiting:
        told.append(tr("not looked at yet"))
    elif not skill.enabled:
        told.append(tr("off"))
    return SkillRow(
        key_of(skill),
        of.title,
        of.description,
        "   ".join(told),
        skill.is_read_only,
        not skill.enabled,
    )


def artifact_rows(skill: Skill) -> tuple[ArtifactRow, ...]:
    """Its files, each with what it is for."""
    return tuple(
        ArtifactRow(
            one.path, kind_word(one.kind), one.gist or one.path, size_word(one), _ICONS[one.kind]
        )
        for one in skill.contents.artifacts
    )


_ICONS = {
    ArtifactKind.DESCRIPTION: "text-align-left",
    ArtifactKind.APPROACH: "signpost",
    ArtifactKind.PROMPT_TEMPLATE: "chat-text",
    ArtifactKind.CODE_TEMPLATE: "code",
    ArtifactKind.EXAMPLE: "quotes",
}


def kind_word(kind: ArtifactKind) -> str:
    """What a file is for, in a word."""
    return {
        ArtifactKind.DESCRIPTION: tr("description"),
        ArtifactKind.APPROACH: tr("approach"),
        ArtifactKind.PROMPT_TEMPLATE: tr("prompt template"),
        ArtifactKind.CODE_TEMPLATE: tr("code template"),
        ArtifactKind.EXAMPLE: tr("example"),
    }[kind]


def size_word(artifact: Artifact) -> str:
    """How long a file is, as its kind is counted."""
    if artifact.kind is ArtifactKind.CODE_TEMPLATE:
        return counted(len(artifact.body.splitlines()), "1 line", "{n} lines")
    return counted(len(artifact.said), "1 char", "{n} chars")


def assertion_words(one: Assertion) -> str:
    """What an assertion wants, as a sentence."""
    value = ", ".join(one.value) if isinstance(one.value, tuple) else str(one.value)
    return {
        Check.TYPE: tr("The answer is of the type {value}"),
        Check.REQUIRED_KEYS: tr("The answer has {value}"),
        Check.MAX_LENGTH: tr("The answer has at most {value} characters"),
        Check.REGEX: tr("The answer contains the pattern {value}"),
        Check.MIN_ITEMS: tr("The answer has at least {value} items"),
        Check.NO_NEW_NAMES: tr("The answer has no name that the input has not"),
        Check.JUDGE: value.replace("{", "{{").replace("}", "}}"),
    }[one.check].format(value=value)


def how_checked(one: Assertion) -> str:
    """Who checks it, in a word."""
    return tr("meaning: a model answers") if one.check is Check.JUDGE else tr("structure")


def got_words(found: Finding) -> str:
    """How an assertion came out, in a few words."""
    if found.holds is None:
        return tr("meaning: needs a model")
    if found.holds:
        return tr("structure")
    return (
        tr("structure; got {got}").format(got=found.got) if found.got else tr("structure; not so")
    )


def given_of(text: str) -> dict[str, Any]:
    """What was typed as an input: JSON by its names, or one text."""
    try:
        found = json.loads(text)
    except ValueError:
        return {TASK: text}
    return found if isinstance(found, dict) else {TASK: text}


def run_dry(inklings: Inklings, here: str, skill: Skill, path: str, tried: Tried) -> DryRun:
    """What a skill tells for an input, and what holds of an answer; runs on a reader."""
    runs, code = inklings.skill_runs, tried.code
    told = runs.guidance(here, skill.name, given_of(tried.given), skill.level)
    output: object = None
    if code is not None:
        output = code.result
    elif tried.answer.strip():
        try:
            output = json.loads(tried.answer)
        except ValueError:
            output = tried.answer
    if output is None:
        return DryRun(told, code=code)
    report = RunReport(artifact=path, given=tried.given, output=output)
    return DryRun(told, runs.check(here, skill.name, report, skill.level), code)


def preview_words(found: Preview) -> str:
    """What would come in, in sentences."""
    of = found.contents
    if of is None:
        return ""
    n_kib = max(1, of.n_bytes // _KIB)
    said = [
        of.description,
        tr("{files}, {n} KiB.").format(
            files=counted(len(of.artifacts), "1 file", "{n} files"), n=n_kib
        ),
    ]
    if of.licence:
        said.append(tr("Licence: {name}.").format(name=of.licence))
    if found.left_out:
        said.append(tr("Left out: {names}.").format(names=", ".join(found.left_out)))
    changed = [path for path, what in found.changes.items() if what != "same"]
    if changed:
        said.append(tr("Changed: {names}.").format(names=", ".join(changed)))
    said.append(tr("Agents may choose it once you have switched it on."))
    return "\n".join(said)


def enabled(inklings: Inklings, *, here: str, name: str, level: str, on: bool) -> None:
    """Let agents choose the skill or not; called on a writer, while its files are on show."""
    if on:
        inklings.skills.look_at(here, name, level)
    inklings.skills.enable(here, name, level, on=on)


def reverted(inklings: Inklings, *, file: str | None, name: str, version: int) -> None:
    """Make the skill as it was in a version; called on a writer."""
    inklings.skills.revert(file, name, version)


def unmade(inklings: Inklings, *, file: str | None, name: str, version: int) -> None:
    """Take away what was made, or bring back what it took the place of."""
    if version == 1:
        inklings.skills.delete(file, name)
    else:
        inklings.skills.revert(file, name, version - 1)
