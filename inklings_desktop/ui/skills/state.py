"""What the Skills page shows, and what is done to a skill; knows no widgets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.proposals import UNDECIDED, ProposalKind
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.skills.skill import Origin, Skill, in_force
from inklings_desktop.domain.skills.traces import TraceOutcome
from inklings_desktop.ui.kit.look.translation import counted, decimal, grouped, tr
from inklings_desktop.ui.kit.words.memory_facts import age_label, exact_time
from inklings_desktop.ui.kit.words.money import money
from inklings_desktop.ui.skills.words import ICONS, kind_word, size_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime
    from pathlib import Path
    from typing import TypeAlias

    from inklings_desktop.domain.entries.proposals import Proposal, ProposalRef
    from inklings_desktop.domain.skills.traces import SkillTrace
    from inklings_desktop.usecases.bundle import Inklings

    Undoing: TypeAlias = Callable[[Inklings], object]
    Brought: TypeAlias = tuple[Skill | None, Skill]

MOST_TRACES = 50


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
    """One file of a skill.

    Attributes:
        state: What a review says of it: ``new``, ``changed``, ``gone`` or ``same``; else empty.
    """

    id: str
    text: str
    gist: str
    size: str
    icon: str
    state: str = ""


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One run.

    Attributes:
        exact: When it was, in full.
        is_good: Whether it passed.
    """

    id: str
    when: str
    exact: str
    artifact: str
    outcome: str
    is_good: bool
    took: str
    cost: str


@dataclass(frozen=True, slots=True)
class SkillsContent:
    """Everything that is read.

    Attributes:
        skills: All of them, those that another hides too.
        uses: How many runs are kept of each, by name.
        traces: Of the one in detail, the newest first.
        n_versions: Earlier states of it.
        proposals: Skills of the workspace that agents ask for, new or mended, the latest first.
        no_composer: Why none can be mended in a conversation; empty where one can.
    """

    skills: tuple[Skill, ...]
    uses: Mapping[str, int]
    traces: tuple[SkillTrace, ...] = ()
    n_versions: int = 0
    proposals: tuple[Proposal, ...] = ()
    no_composer: str = ""

    def skill(self, key: str) -> Skill | None:
        """The one of this key."""
        return next((one for one in self.skills if key_of(one) == key), None)

    def stands_above(self, skill: Skill) -> Skill | None:
        """The one of the same name that it hides."""
        if in_force(self.skills).get(skill.name) is not skill:
            return None
        others = (one for one in self.skills if one.name == skill.name and one is not skill)
        return next(others, None)

    def mended(self, skill: Skill) -> Proposal | None:
        """What an agent would make of a skill."""
        return next((one for one in self.proposals if one.target_id == skill.id), None)

    @property
    def asked_new(self) -> tuple[Proposal, ...]:
        """New skills that agents ask for."""
        return tuple(one for one in self.proposals if not one.target_id)

    def is_hidden(self, skill: Skill) -> bool:
        """Whether another one of its name stands above it."""
        return in_force(self.skills).get(skill.name) is not skill


def traces_of(traces: Iterable[SkillTrace], skill: Skill, path: str) -> list[SkillTrace]:
    """Those of a file; all where none is named."""
    return [one for one in traces if path in {"", traced_path(one, skill)}]


def traced_path(trace: SkillTrace, skill: Skill) -> str:
    """Place of the file that was run; empty where it is gone."""
    files = skill.contents.artifacts
    return files[trace.position].path if trace.position < len(files) else ""


def trace_rows(traces: Iterable[SkillTrace], skill: Skill, now: datetime) -> tuple[TraceRow, ...]:
    """Runs as the table shows them."""
    worded = {
        TraceOutcome.PASSED: tr("passed"),
        TraceOutcome.FAILED: tr("failed"),
        TraceOutcome.ERROR: tr("broke off"),
    }
    rows = []
    for one in traces:
        artifact = skill.contents.artifact(traced_path(one, skill))
        cost = tr("about {cost}").format(cost=money(one.cost_micro)) if one.cost_micro else ""
        rows.append(
            TraceRow(
                one.id,
                age_label(one.at, now),
                exact_time(one.at),
                kind_word(artifact.kind) if artifact is not None else "",
                worded[one.outcome],
                one.outcome is TraceOutcome.PASSED,
                tr("{n} s").format(n=decimal(one.ms / 1000, 2)),
                cost or tr("no cost"),
            )
        )
    return tuple(rows)


def key_of(skill: Skill) -> str:
    """What tells a skill from all others: its level and its name."""
    return f"{skill.level} {skill.name}"


def read_skills(inklings: Inklings, here: str, current: str) -> SkillsContent:
    """All of it; runs on a reader."""
    asked = inklings.proposals.list(here, states=UNDECIDED)
    content = SkillsContent(
        inklings.skills.list(here),
        inklings.skill_runs.uses(here),
        proposals=tuple(one for one in asked if one.kind is ProposalKind.SKILL),
        no_composer=why_no_composer(inklings),
    )
    found = content.skill(current) or next(iter(in_order(content.skills)), None)
    if found is None:
        return content
    is_kept = found.origin is not Origin.SYSTEM
    n_versions = len(inklings.skills.versions(found.workspace_id, found.name)) if is_kept else 0
    traces = inklings.skill_runs.traces(here, found.name, MOST_TRACES)
    return replace(content, traces=traces, n_versions=n_versions)


def why_no_composer(inklings: Inklings) -> str:
    """Why no agent can mend a skill now; empty where one can."""
    if not inklings.parts.adapters().activities.is_there():
        return tr("The World Agent is not installed.")
    if not inklings.settings.agent.classes.has_any:
        return tr("No model is connected. Settings, Agents connects one.")
    return ""


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
            one.path, kind_word(one.kind), one.gist or one.path, size_word(one), ICONS[one.kind]
        )
        for one in skill.contents.artifacts
    )


# -- what is done, and how it is undone ---------------------------------------------------


def enabled(inklings: Inklings, *, here: str, name: str, level: str, on: bool) -> None:
    """Let agents choose the skill or not; called on a writer, while its files are on show."""
    if on:
        inklings.skills.look_at(here, name, level)
    inklings.skills.enable(here, name, level, on=on)


def reverted(inklings: Inklings, *, file: str | None, name: str, version: int) -> None:
    """Make the skill as it was in a version; called on a writer."""
    inklings.skills.revert(file, name, version)


def unmade(inklings: Inklings, *, skill: Skill) -> None:
    """Take away what was made, or bring back what it took the place of; called on a writer."""
    if skill.version == 1:
        inklings.skills.delete(skill.workspace_id, skill.name)
    else:
        inklings.skills.revert(skill.workspace_id, skill.name, skill.version - 1)


def brought_in(inklings: Inklings, here: str, name: str, place: Path) -> Brought:
    """Bring a skill in, and say what there was of its name; called on a writer."""
    there = (one for one in inklings.skills.list(here) if one.workspace_id == here)
    before = next((one for one in there if one.name == name), None)
    return before, inklings.skill_transfer.bring_in(here, place)


def taken_back(inklings: Inklings, *, brought: Iterable[Brought]) -> None:
    """Let everything be as it was before it came in; called on a writer."""
    for before, after in brought:
        inklings.skill_transfer.take_back(before, after)


def undecided(inklings: Inklings, *, ref: ProposalRef, made: Skill | None) -> None:
    """Let a proposal wait again, and what came of it be as it was; called on a writer."""
    if made is not None:
        unmade(inklings, skill=made)
    inklings.proposals.ask_again(ref)
