"""Working by a skill: what it tells whoever chose it, and what came of that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import NAMESPACE_OID, uuid5

from inklings_desktop.domain.access.access import Action, authorize
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.skills.assertions import all_hold, findings_of
from inklings_desktop.domain.skills.skill import MAIN_FILE, ArtifactKind, Origin, filled, slots_in
from inklings_desktop.domain.skills.traces import (
    SkillTrace,
    TraceOutcome,
    checked_trace_text,
    training_lines,
)
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.ports.skills import Switch
from inklings_desktop.usecases.skills.skills import Skills, scope_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inklings_desktop.domain.skills.assertions import Finding
    from inklings_desktop.domain.skills.skill import Artifact, Skill

MAX_EXAMPLES = 2
MAX_ASKED = 500
TASK = "task"
"""The one thing that a skill is given which does not say what it takes."""


@dataclass(frozen=True, slots=True)
class Guidance:
    """What a skill tells whoever works by it.

    Attributes:
        steps: Its approach, in its own words; a stranger's words where it was brought in.
        prompts: Its templates, filled, by place.
        open_slots: Names in the templates that nothing was given for.
        examples: The first two, by place.
        code: Places of what runs in the sandbox.
        further: Places of the rest, to be read one by one.
    """

    skill: Skill
    steps: str
    prompts: Mapping[str, str]
    open_slots: tuple[str, ...]
    examples: Mapping[str, str]
    code: tuple[str, ...]
    further: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """What somebody says of a run.

    Attributes:
        artifact: Place of the file that was carried out; empty for SKILL.md.
        given: The input as text.
        output: What came of it: text, or what JSON can say.
        failed: Whether it broke off, so that nothing is left to check.
        run_id: Of the turn; empty for a dry run.
        judged: What a model said to each question of the file for one, in order.
        key: The caller's name for it: a later report of the same name takes its place.
    """

    artifact: str = ""
    given: str = ""
    output: object = ""
    failed: bool = False
    run_id: str = ""
    ms: int = 0
    fuel: int | None = None
    tokens: int | None = None
    cost_micro: int | None = None
    judged: tuple[bool | None, ...] = ()
    key: str = ""


class SkillRuns(Asked):
    """What a skill gives, and the traces of it."""

    def guidance(
        self, here: str | None, name: str, given: Mapping[str, object], level: str = ""
    ) -> Guidance:
        """What a skill tells for this input; nothing is carried out.

        Raises:
            ScopeDeniedError: An agent that may not read the workspace.
            NotFoundError: There is no such skill, or an agent may not choose it.
        """
        skill = Skills(self.parts, self.caller).show(here, name, level)
        of = skill.contents
        templates = of.of_kind(ArtifactKind.PROMPT_TEMPLATE)
        steps = of.artifact(MAIN_FILE)
        said = "" if steps is None else steps.said
        wanted = [slot for one in templates for slot in slots_in(one.body)] + [*slots_in(said)]
        examples = of.of_kind(ArtifactKind.EXAMPLE)
        shown = {one.path: one.body for one in examples[:MAX_EXAMPLES]}
        return Guidance(
            skill,
            filled(said, given),
            {one.path: filled(one.body, given) for one in templates},
            tuple(dict.fromkeys(slot for slot in wanted if slot not in given)),
            shown,
            tuple(one.path for one in of.of_kind(ArtifactKind.CODE_TEMPLATE)),
            tuple(
                one.path
                for one in of.artifacts
                if one.kind is ArtifactKind.DESCRIPTION or one in examples[MAX_EXAMPLES:]
            ),
        )

    def choose(self, here: str, name: str, given: Mapping[str, object]) -> Guidance:
        """The same for whoever goes to work by it now: that it was used is noted.

        Raises:
            ScopeDeniedError: An agent that may not read the workspace.
            NotFoundError: There is no such skill, or it may not be chosen.
        """
        found = self.guidance(here, name, given)
        skill, now = found.skill, self.clock()
        with self.writing(skill.workspace_id, durable=False) as unit:
            if skill.origin is Origin.SYSTEM:
                unit.skills.put_switch(name, Switch(skill.enabled, now), now)
            else:
                unit.skills.mark(replace(skill, last_used_at=now))
            unit.commit()
        return found

    def check(
        self, here: str | None, name: str, report: RunReport, level: str = ""
    ) -> tuple[Finding, ...]:
        """What holds of an outcome, of what the skill asserts; nothing is kept.

        Raises:
            NotFoundError: There is no such skill.
            InvalidValueError: It has no such file.
        """
        skill = Skills(self.parts, self.caller).show(here, name, level)
        artifact, _ = _artifact(skill, report.artifact)
        return findings_of(artifact.assertions, report.output, report.given, report.judged)

    def note(self, here: str | None, name: str, report: RunReport, level: str = "") -> SkillTrace:
        """Keeps what came of a run, with what holds of it: the agent's word is not taken for that.

        Raises:
            ScopeDeniedError: An agent that may not read the workspace.
            NotFoundError: There is no such skill, or an agent may not choose it.
            InvalidValueError: It has no such file, or a text is over 64 KiB.
        """
        from inklings_desktop.domain.words.json_text import read_json

        skill = Skills(self.parts, self.caller).show(here, name, level)
        artifact, position = _artifact(skill, report.artifact)
        output = report.output
        if isinstance(output, str):
            try:
                output = read_json(output)
            except ValueError:
                output = report.output
        checks = () if report.failed else artifact.assertions
        findings = findings_of(checks, output, report.given, report.judged)
        outcome = TraceOutcome.PASSED if all_hold(findings) else TraceOutcome.FAILED
        trace = SkillTrace(
            id=self._id_of(name, artifact, report.key),
            skill=name,
            version=skill.version,
            position=position,
            run_id=report.run_id,
            outcome=TraceOutcome.ERROR if report.failed else outcome,
            assertions=tuple(one.payload() for one in findings),
            ms=report.ms,
            at=self.clock(),
            given=checked_trace_text(report.given, "input"),
            output=checked_trace_text(_text(report.output), "output"),
            fuel=report.fuel,
            tokens=report.tokens,
            cost_micro=report.cost_micro,
        )
        authorize(self.caller, Action.READ, scope_of(here))
        with self.writing(here) as unit:  # it may quote the workspace, so it stays there
            unit.skills.add_trace(trace)
            unit.commit()
        return trace

    def _id_of(self, skill: str, artifact: Artifact, key: str) -> str:
        """The same for the same report of a caller, so that it is kept once."""
        whose = f"{self.caller.signs_as}/{skill}/{artifact.path}/{key}"
        return str(uuid5(NAMESPACE_OID, whose)) if key else self.new_id()

    def traces(self, here: str | None, name: str, limit: int = MAX_ASKED) -> tuple[SkillTrace, ...]:
        """What came of the runs of a skill in a workspace, the newest first.

        Raises:
            ScopeDeniedError: The caller is no person.
        """
        self.require_person("skill.traces", Tier.ACCOUNT if here is None else Tier.WORKSPACE, here)
        with self.store.read(here) as view:
            return view.skills.traces(name, limit)

    def uses(self, here: str | None) -> Mapping[str, int]:
        """How many runs are kept of each skill in a workspace.

        Raises:
            ScopeDeniedError: The caller is no person.
        """
        self.require_person("skill.traces", Tier.ACCOUNT if here is None else Tier.WORKSPACE, here)
        with self.store.read(here) as view:
            return view.skills.uses()

    def training_set(self, here: str | None, name: str) -> Iterator[str]:
        """The traces as JSON lines that a program can learn from, the oldest first.

        Raises:
            ScopeDeniedError: The caller is no person.
        """
        return training_lines(reversed(self.traces(here, name)))


def _artifact(skill: Skill, path: str) -> tuple[Artifact, int]:
    wanted = path or MAIN_FILE
    for position, one in enumerate(skill.contents.artifacts):
        if one.path == wanted:
            return one, position
    raise InvalidValueError("artifact", "unknown", path)


def _text(output: object) -> str:
    import json

    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
