"""What the Skills page says of skills, in words; knows no widgets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from inklings_desktop.domain.skills.assertions import Check
from inklings_desktop.domain.skills.skill import ArtifactKind
from inklings_desktop.ui.kit.look.translation import counted, decimal, tr

if TYPE_CHECKING:
    from inklings_desktop.domain.skills.assertions import Assertion, Finding
    from inklings_desktop.domain.skills.skill import Artifact, Skill
    from inklings_desktop.ui.skills.dry_run import CodeRun
    from inklings_desktop.usecases.skills.folders import Preview

ICONS = {
    ArtifactKind.DESCRIPTION: "text-align-left",
    ArtifactKind.APPROACH: "signpost",
    ArtifactKind.PROMPT_TEMPLATE: "chat-text",
    ArtifactKind.CODE_TEMPLATE: "code",
    ArtifactKind.EXAMPLE: "quotes",
}
"""Of each kind of file the mark beside it."""
_KIB = 1024


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


def facts_of(skill: Skill) -> str:
    """Its version, licence, origin and tags on one line."""
    of = skill.contents
    told = [tr("version {n}").format(n=skill.version)]
    if of.licence:
        told.append(of.licence)
    if skill.forked_from:
        told.append(tr("a copy of {name}").format(name=skill.forked_from))
    if of.tags:
        told.append(", ".join(of.tags))
    return "   ".join(told)


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


def run_words(run: CodeRun) -> str:
    """What came of some code: its answer, or why there is none."""
    if not run.has_sandbox:
        return tr("The sandbox is not installed, so code is shown and not run.")
    if run.is_cut_off:
        n = decimal(run.seconds, 1)
        return tr("Stopped after {n} s. Nothing was written.").format(n=n)
    if run.report.is_ok and not isinstance(run.result, str):
        return json.dumps(run.result, ensure_ascii=False)
    return run.report.summary


def files_words(found: Preview) -> str:
    """How many files would come in, how long they are, and what of them is another already."""
    of = found.contents
    if of is None:
        return ""
    said = [
        tr("{files}, {n} KiB.").format(
            files=counted(len(of.artifacts), "1 file", "{n} files"), n=max(1, of.n_bytes // _KIB)
        )
    ]
    if of.licence:
        said.append(tr("Licence: {name}.").format(name=of.licence))
    if found.left_out:
        said.append(tr("Left out: {names}.").format(names=", ".join(found.left_out)))
    changed = [path for path, what in found.changes.items() if what != "same"]
    if changed:
        said.append(tr("Changed: {names}.").format(names=", ".join(changed)))
    return " ".join(said)


def preview_words(found: Preview) -> str:
    """What would come in, in sentences."""
    if found.contents is None:
        return ""
    switched_on = tr("Agents may choose it once you have switched it on.")
    return "\n".join((found.contents.description, files_words(found), switched_on))
