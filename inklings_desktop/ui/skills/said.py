"""Parts of the Skills page that only say something: outcomes, assertions, traces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.skills.assertions import Finding, assertions_of
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import decimal, tr
from inklings_desktop.ui.kit.page.parts import across, button, link, mark, plate, words
from inklings_desktop.ui.skills.words import (
    assertion_words,
    got_words,
    how_checked,
    run_words,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.entries.proposals import Proposal, ProposalRef
    from inklings_desktop.domain.skills.skill import Skill
    from inklings_desktop.domain.skills.traces import SkillTrace
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.skills.dry_run import DryRun

_UNDER = 22
"""Where words begin that stand under those beside a mark, in pixels."""


def asked_part(asked: Proposal, told: str, review: Callable[[ProposalRef], object]) -> Part:
    """What an agent asks for, and what leads to it."""
    text = told.format(name=asked.target_name)
    return plate(
        mark("sparkle", "lapis", text, inked=False, wraps=True, place=(1,)),
        button(
            tr("Review\u2026"),
            lambda: review(asked.ref),
            small=True,
            name=f"review:{asked.target_name}",
        ),
        ground="canvas",
        spacing=8,
        margins=(20, 8, 16, 8),
        key=asked.id,
    )


def outcome_parts(
    came: DryRun, *, has_model: bool, set_up: Callable[[], object]
) -> tuple[Inside, ...]:
    """What a dry run came to, and what holds of it.

    Args:
        came: It.
        has_model: Whether a model is connected, which a dry run never asks.
        set_up: Tells how the sandbox is set up.
    """
    told, code = came.told, came.code
    open_ = ", ".join(told.open_slots)
    texts = [text for text in (told.steps, *told.prompts.values()) if text.strip()]
    paid = tr("nothing written, nothing paid")
    if code is not None:
        texts = [run_words(code), *told.prompts.values()]
        paid = f"{tr('{n} s').format(n=decimal(code.seconds, 2))}, {paid}"
    prompted = tr("The prompt part is shown filled in. A dry run sends it to no model.")
    if not has_model and code is not None and code.report.is_ok:
        prompted = tr("The prompt part needs a model; the code part ran.")
    elif not has_model:
        prompted = tr("The prompt part needs a model; it is shown filled in.")
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
        link(
            tr("Set it up\u2026"),
            set_up,
            name="setUpSandbox",
            visible=code is not None and not code.has_sandbox,
        ),
        words(prompted, visible=bool(told.prompts)),
        words(tr("Nothing was given for: {names}.").format(names=open_), visible=bool(open_)),
        words(tr("Assertions"), "label", way="plain", visible=bool(came.findings)),
        *(
            finding_part(number, assertion_words(one.assertion), got_words(one), one.holds)
            for number, one in enumerate(came.findings)
        ),
    )


def assertion_parts(skill: Skill, edit: Callable[[], object]) -> tuple[Inside, ...]:
    """What must hold of what comes of a skill, file by file; ``edit`` leads to where it is said."""
    found = [(one, check) for one in skill.contents.artifacts for check in one.assertions]
    none = tr("Nothing is checked. SKILL.md can say what must be true.")
    said = (
        plate(
            mark("seal-check", "inkSoft", assertion_words(check), inked=False, wraps=True),
            plate(words(f"{how_checked(check)}, {one.path}", "caption"), margins=(_UNDER, 0, 0, 0)),
            box=vbox,
            spacing=2,
            margins=(0, 4, 0, 6),
            key=f"assertion {number}",
        )
        for number, (one, check) in enumerate(found)
    )
    return (
        words(none, visible=not found),
        *said,
        across(
            link(
                tr("Add or change them in SKILL.md"),
                edit,
                name="editAssertions",
                visible=not skill.is_read_only,
            ),
            STRETCH,
        ),
    )


def finding_part(number: int, text: str, came: str, holds: bool | None) -> Part:  # noqa: FBT001 - as a finding has it
    """One assertion, and how it came out; ``holds`` is None where nobody could tell."""
    icon, role = ("check-circle", "accent") if holds else ("warning-circle", "madder")
    if holds is None:
        icon, role = "circle-dashed", "inkSoft"
    return plate(
        mark(icon, role, text, inked=False, wraps=True),
        plate(words(came, "caption"), margins=(_UNDER, 0, 0, 0)),
        box=vbox,
        spacing=2,
        margins=(0, 2, 0, 4),
        key=f"finding {number}",
    )


def trace_part(one: SkillTrace) -> Part:
    """One run whole: what it was given, what came of it, and what held of that."""
    findings = [
        Finding(assertion, said.get("holds"), str(said.get("got", "")))
        for assertion, said in zip(
            assertions_of([dict(said) for said in one.assertions]), one.assertions, strict=True
        )
    ]
    texts = ((tr("It was given"), one.given), (tr("What came out"), one.output))
    return plate(
        *(
            plate(
                words(title, "label", way="plain"),
                plate(words(text, "monoInk"), kind="card", margins=(12, 9, 12, 9)),
                box=vbox,
                spacing=4,
                visible=bool(text),
                key=title,
            )
            for title, text in texts
        ),
        words(tr("Assertions"), "label", way="plain", visible=bool(findings)),
        *(
            finding_part(number, assertion_words(each.assertion), got_words(each), each.holds)
            for number, each in enumerate(findings)
        ),
        box=vbox,
        spacing=8,
        name="traceWhole",
        key=one.id,
    )
