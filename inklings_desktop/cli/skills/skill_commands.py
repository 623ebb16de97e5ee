"""``inklings skill``: what agents may work by, in and out as folders, and what came of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire.skill_rules import skill_sentence
from inklings_desktop.cli.command import command, group
from inklings_desktop.cli.messages import wrong_usage
from inklings_desktop.cli.output import counted, one_line, table, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import required_workspace
from inklings_desktop.cli.skills.skill_options import (
    BringInOptions,
    CatalogueOptions,
    EditSkillOptions,
    ForkOptions,
    ListSkillsOptions,
    OwnSkillOptions,
    PlacedOptions,
    RunOptions,
    ShowSkillOptions,
    SkillOptions,
    TracesOptions,
    VersionsOptions,
    WriteOutOptions,
)
from inklings_desktop.cli.typed_text import edited
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.plain_rows import row_of
from inklings_desktop.domain.skills.folder import apart, together
from inklings_desktop.domain.skills.skill import Origin, in_force
from inklings_desktop.usecases.skills.folders import NEW, OWN, REFUSED, UPDATE
from inklings_desktop.usecases.skills.runs import TASK, RunReport

if TYPE_CHECKING:
    import typer

    from inklings_desktop.domain.skills.skill import Skill
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.skills.folders import Preview

_SKILL = (
    "name level origin version enabled seen_at last_used_at forked_from changed_by edited_at"
    " title=contents.title description=contents.description tags=contents.tags"
    " license=contents.licence"
)
_TRACE = (
    "skill version artifact=position outcome assertions input=given output ms fuel tokens"
    " cost_micro run=run_id at"
)
_DRAFT = """---
name: {name}
description: What it does, and when to use it.
---

# Steps

1.
"""


def skill_group() -> typer.Typer:
    """Every command about skills."""
    skills = group("skill", "Skills: what agents may choose to work by.")
    command(skills, "list", ListSkillsOptions, list_skills)
    command(skills, "show", ShowSkillOptions, show)
    command(skills, "import", BringInOptions, bring_in)
    command(skills, "export", WriteOutOptions, export)
    command(skills, "enable", SkillOptions, enable)
    command(skills, "disable", SkillOptions, disable)
    command(skills, "fork", ForkOptions, fork)
    command(skills, "edit", EditSkillOptions, edit)
    command(skills, "delete", OwnSkillOptions, delete)
    command(skills, "versions", VersionsOptions, versions)
    command(skills, "traces", TracesOptions, traces)
    command(skills, "run", RunOptions, run)
    command(skills, "catalogue", CatalogueOptions, catalogue)
    return skills


def list_skills(inklings: Inklings, options: ListSkillsOptions) -> Answer:
    """List the skills; one that another hides is marked."""
    here = required_workspace(inklings).id
    every = inklings.skills.list(here)
    counts = {one.id for one in in_force(every).values()}
    found = (
        [one for _, one in inklings.skills.search(here, options.query)] if options.query else every
    )
    rows = [
        [one.name, one.level, _state(one, hidden=one.id not in counts), _line(one)] for one in found
    ]
    document = {"skills": [skill_document(one) for one in found]}
    return Answer(document, table(rows) or ["No skill bears on that."])


def show(inklings: Inklings, options: ShowSkillOptions) -> Answer:
    """Show a skill and its files; one that was brought in counts as looked at."""
    here, level = required_workspace(inklings).id, options.level or ""
    found = inklings.skills.show(here, options.name, level)
    if options.file:
        artifact = found.contents.artifact(options.file)
        if artifact is None:
            raise InvalidValueError("artifact", "unknown", options.file)
        return Answer(
            {"file": row_of(artifact, "path kind body")}, visible(artifact.body).split("\n")
        )
    found = inklings.skills.look_at(here, options.name, level)
    of = found.contents
    lines = [
        visible(f"{one_line(of.title)}, {_state(found)}, version {found.version}"),
        visible(one_line(of.description)),
        *table(
            [[one.path, one.kind.value, f"{one.n_bytes} bytes", visible(one.gist)]
             for one in of.artifacts]
        ),
    ]  # fmt: skip
    if of.allowed_tools is not None:
        lines.append(visible(f"It may use: {', '.join(sorted(of.allowed_tools)) or 'no tool'}."))
    return Answer({"skill": skill_document(found) | {"files": _files(found)}}, lines)


def bring_in(inklings: Inklings, options: BringInOptions) -> Answer:
    """Bring in a skill's folder or zip; agents may choose it once you have looked at it."""
    if options.preview:
        return _previews([inklings.skill_transfer.preview(_file(inklings, options), options.place)])
    made = inklings.skill_transfer.bring_in(_file(inklings, options), options.place)
    return _said("Brought in", made, f"Look at it with: inklings skill show {made.name}")


def export(inklings: Inklings, options: WriteOutOptions) -> Answer:
    """Write a skill out as a folder, byte for byte."""
    here = required_workspace(inklings).id
    place = inklings.skill_transfer.export(
        here, options.name, options.into, options.level or "", packed=options.packed
    )
    return Answer({"path": str(place)}, [visible(f"Written to {place}.")])


def enable(inklings: Inklings, options: SkillOptions) -> Answer:
    """Let agents choose a skill."""
    return _switched(inklings, options, on=True)


def disable(inklings: Inklings, options: SkillOptions) -> Answer:
    """Keep a skill, and let no agent choose it."""
    return _switched(inklings, options, on=False)


def fork(inklings: Inklings, options: ForkOptions) -> Answer:
    """Copy a skill, so that you can change it."""
    made = inklings.skills.fork(
        required_workspace(inklings).id,
        options.name,
        _file(inklings, options),
        options.new_name,
        options.level or "",
    )
    return _said("Copied", made)


def edit(inklings: Inklings, options: EditSkillOptions) -> Answer:
    """Change a skill of your own, or make one, in $EDITOR or from a folder."""
    file = _file(inklings, options)
    level = "account" if file is None else "workspace"
    try:
        before = inklings.skills.show(required_workspace(inklings).id, options.name, level)
    except NotFoundError:
        before = None
    if options.source is not None:
        found = inklings.skill_transfer.preview(file, options.source)
        if found.name != options.name:
            raise wrong_usage(f"The skill in it is called {found.name}, not {options.name}.")
        files = found.contents.files if found.contents is not None else {}
    elif before is None and options.name in {one.name for one in inklings.skills.list(None)}:
        raise InvalidValueError("skill", "read_only")
    else:
        old = before.contents.files if before else {"SKILL.md": _DRAFT.format(name=options.name)}
        files = _edited(together(old))
    version = before.version if before else None
    name = options.name if before else ""
    saved = inklings.skills.save(file, files, name=name, expected_version=version)
    return _said("Saved", saved)


def delete(inklings: Inklings, options: OwnSkillOptions) -> Answer:
    """Delete a skill with its earlier versions; export it first to keep it."""
    kept = inklings.skills.delete(_file(inklings, options), options.name)
    document = {"deleted": skill_document(kept.skill), "versions": len(kept.versions)}
    return Answer(document, [f"Deleted {kept.skill.name}."])


def versions(inklings: Inklings, options: VersionsOptions) -> Answer:
    """List earlier versions of a skill, or make one of them the newest."""
    file = _file(inklings, options)
    if options.restore is not None:
        return _said("Restored", inklings.skills.revert(file, options.name, options.restore))
    found = inklings.skills.versions(file, options.name)
    rows = [
        [str(one.version), f"{one.at:%Y-%m-%d %H:%M}", visible(one.changed_by),
         counted(len(one.files), "file")]
        for one in found
    ]  # fmt: skip
    document = {"versions": [row_of(one, "version changed_by at files") for one in found]}
    return Answer(document, table(rows) or ["It has no earlier version."])


def traces(inklings: Inklings, options: TracesOptions) -> Answer:
    """Show what came of the runs of a skill; --lines writes a training set."""
    here = required_workspace(inklings).id
    if not inklings.skill_runs.traces(here, options.name, 1):
        inklings.skills.show(here, options.name)  # a name that is misspelled has no runs either
    if options.lines:
        lines = list(inklings.skill_runs.training_set(here, options.name))
        return Answer({"examples": [json.loads(one) for one in lines]}, list(map(visible, lines)))
    found = inklings.skill_runs.traces(here, options.name)
    rows = [
        [f"{one.at:%Y-%m-%d %H:%M}", f"version {one.version}", one.outcome.value, f"{one.ms} ms"]
        for one in found
    ]
    document = {"traces": [row_of(one, _TRACE) for one in found]}
    return Answer(document, table(rows) or ["Nothing was run yet."])


def run(inklings: Inklings, options: RunOptions) -> Answer:
    """Show what a skill tells an agent for an input, and check an answer; nothing is written."""
    here, level = required_workspace(inklings).id, options.level or ""
    told = inklings.skill_runs.guidance(here, options.name, _given(options.given), level)
    document: dict[str, Any] = {
        "steps": told.steps,
        "prompts": dict(told.prompts),
        "open": list(told.open_slots),
        "examples": dict(told.examples),
        "code": list(told.code),
    }
    lines = visible(told.steps.rstrip("\n")).split("\n")
    for path, text in told.prompts.items():
        lines += ["", visible(path), *visible(text.rstrip("\n")).split("\n")]
    if told.open_slots:
        lines += ["", visible(f"Nothing was given for: {', '.join(told.open_slots)}.")]
    if told.code:
        lines += ["", visible(f"Not run here: {', '.join(told.code)}.")]
    if options.output:
        report = RunReport(artifact=options.file, given=options.given, output=_read(options.output))
        found = inklings.skill_runs.check(here, options.name, report, level)
        document["assertions"] = [one.payload() for one in found]
        words = {True: "met", False: "not met", None: "needs a model"}
        lines += ["", *table([[one.assertion.check.value, words[one.holds], visible(one.got)]
                              for one in found])]  # fmt: skip
    return Answer(document, lines)


def catalogue(inklings: Inklings, options: CatalogueOptions) -> Answer:
    """Compare a folder of skills with what is here; --bring brings in what is new or changed."""
    file = _file(inklings, options)
    found = inklings.skill_transfer.catalogue(file, options.place)
    if not options.bring:
        return _previews(list(found))
    made = [
        inklings.skill_transfer.bring_in(file, one.place)
        for one in found
        if one.state in {NEW, UPDATE}
    ]
    lines = [f"Brought in {counted(len(made), 'skill')}."]
    lines += [f"- {one.name}" for one in made]
    if made:
        lines.append("Each can be chosen once you have looked at it: inklings skill show NAME")
    not_taken = [one for one in found if one.state in {OWN, REFUSED}]
    if not_taken:
        told = _previews(not_taken)
        lines += ["Not brought in:", *told.lines]
    return Answer({"brought_in": [skill_document(one) for one in made]}, lines)


def skill_document(skill: Skill) -> dict[str, Any]:
    """A skill as a document."""
    return row_of(skill, _SKILL)


def _files(skill: Skill) -> list[dict[str, Any]]:
    return [
        row_of(one, "path kind bytes=n_bytes gist body")
        | {"assertions": [check.payload() for check in one.assertions]}
        for one in skill.contents.artifacts
    ]


def _switched(inklings: Inklings, options: SkillOptions, *, on: bool) -> Answer:
    here = required_workspace(inklings).id
    done = inklings.skills.enable(here, options.name, options.level or "", on=on)
    return _said("May be chosen" if on else "May not be chosen", done)


def _file(inklings: Inklings, options: PlacedOptions) -> str | None:
    return None if options.account else required_workspace(inklings).id


def _edited(text: str) -> dict[str, str]:
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        draft = Path(folder) / "skill.md"
        draft.write_bytes(text.encode())
        return apart(edited(draft, text))


def _given(text: str) -> dict[str, Any]:
    found = _read(text)
    return found if isinstance(found, dict) else {TASK: text}


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _previews(found: list[Preview]) -> Answer:
    rows = []
    for one in found:
        told = [f"{path} {what}" for path, what in one.changes.items() if what != "same"]
        told += [f"{path} left out" for path in one.left_out]
        said = skill_sentence(one.refusal) if one.refusal else ", ".join(told)
        rows.append([visible(one.name), one.state, visible(said)])
    document = {
        "skills": [
            {
                "name": one.name,
                "path": str(one.place),
                "state": one.state,
                "changes": dict(one.changes),
                "left_out": list(one.left_out),
            }
            for one in found
        ]
    }
    return Answer(document, table(rows) or ["There is no skill in it."])


def _said(did: str, skill: Skill, *more: str) -> Answer:
    line = f"{did}: {skill.name}, {_state(skill)}, version {skill.version}."
    return Answer({"skill": skill_document(skill)}, [visible(line), *more])


def _state(skill: Skill, *, hidden: bool = False) -> str:
    words = [skill.origin.value if skill.origin is not Origin.USER else "yours"]
    if skill.is_waiting:
        words.append("not looked at yet")
    elif not skill.enabled:
        words.append("off")
    if hidden:
        words.append("hidden by one of the same name")
    return ", ".join(words)


def _line(skill: Skill) -> str:
    return visible(one_line(skill.contents.description, 60))
