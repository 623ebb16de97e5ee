"""Parts of the Skills page that only say something: outcomes, assertions, traces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import decimal, tr
from inklings_desktop.ui.kit.page.parts import across, mark, plate, words
from inklings_desktop.ui.kit.words.memory_facts import age_label, exact_time
from inklings_desktop.ui.skills.state import assertion_words, got_words, how_checked, kind_word

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.skills.assertions import Finding
    from inklings_desktop.domain.skills.skill import Skill
    from inklings_desktop.domain.skills.traces import SkillTrace
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.skills.state import DryRun


def outcome_parts(came: DryRun) -> tuple[Inside, ...]:
    """What a dry run came to, and what holds of it."""
    told = came.told
    open_ = ", ".join(told.open_slots)
    texts = [text for text in (told.steps, *told.prompts.values()) if text.strip()]
    paid = tr("nothing written, nothing paid")
    if came.code is not None:
        texts = [came.code.report.summary] if came.code.has_sandbox else [_no_sandbox()]
        paid = f"{tr('{n} s').format(n=decimal(came.code.seconds, 2))}, {paid}"
    return (
        across(
            words(tr("What came out"), "label", way="plain"),
            STRETCH,
            words(paid, way="plain"),
        ),
        *(
            plate(
                words(text.strip(), "monoInk"),
                kind="card",
                margins=(12, 9, 12, 9),
                key=f"out {number}",
            )
            for number, text in enumerate(texts)
        ),
        words(tr("Nothing was given for: {names}.").format(names=open_), visible=bool(open_)),
        words(tr("Assertions"), "label", way="plain", visible=bool(came.findings)),
        *(_finding(one, number) for number, one in enumerate(came.findings)),
    )


def assertion_parts(skill: Skill) -> tuple[Inside, ...]:
    """What must hold of what comes of a skill, file by file."""
    found = [(one, check) for one in skill.contents.artifacts for check in one.assertions]
    if not found:
        return (words(tr("Nothing is checked. SKILL.md can say what must be true.")),)
    return tuple(
        plate(
            mark("seal-check", "inkSoft", assertion_words(check), inked=False, wraps=True),
            words(f"{how_checked(check)}, {one.path}", "caption"),
            box=vbox,
            spacing=2,
            margins=(0, 4, 0, 6),
            key=f"assertion {number}",
        )
        for number, (one, check) in enumerate(found)
    )


def _no_sandbox() -> str:
    return tr("The sandbox is not installed, so code is shown and not run.")


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


def _finding(one: Finding, number: int) -> Part:
    icon, role = ("check-circle", "accent") if one.holds else ("warning-circle", "madder")
    if one.holds is None:
        icon, role = "circle-dashed", "inkSoft"
    return plate(
        mark(icon, role, assertion_words(one.assertion), inked=False, wraps=True),
        words(got_words(one), "caption"),
        box=vbox,
        spacing=2,
        margins=(0, 2, 0, 4),
        key=f"finding {number}",
    )


def trace_part(one: SkillTrace, skill: Skill, now: datetime) -> Part:
    """One run: when, of which file, how it ended and how long it took."""
    files = skill.contents.artifacts
    kind = kind_word(files[one.position].kind) if one.position < len(files) else ""
    worded = {"passed": tr("passed"), "failed": tr("failed"), "error": tr("broke off")}
    role = "inkSoft" if one.outcome.value == "passed" else "madder"
    return plate(
        words(
            age_label(one.at, now),
            "metaInk",
            way="plain",
            toolTip=exact_time(one.at),
        ),
        words(kind, "metaInk", way="elided", place=(1,)),
        mark("", role, worded[one.outcome.value]),
        words(tr("{n} s").format(n=decimal(one.ms / 1000, 2)), way="plain"),
        spacing=14,
        margins=(0, 6, 0, 6),
        key=one.id,
    )
