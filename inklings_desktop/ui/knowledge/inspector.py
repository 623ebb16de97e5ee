"""The parts beside the list of facts: how one came to be, what it rests on, what rests on it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.controls.chapters_field import ChaptersField
from inklings_desktop.ui.kit.controls.sliders import ImportanceField
from inklings_desktop.ui.kit.lists.memory_row_layout import curator_mark
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip, shortened
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.labels import IconMark
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToMemory, ToWorld
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    hairline,
    link,
    mark,
    plate,
    wide,
    words,
)
from inklings_desktop.ui.kit.words.memory_facts import (
    age_label,
    exact_time,
    name_of_writer,
    writer_label,
)
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.knowledge.facts_state import (
    confidence_figure,
    story_words,
    sure_role,
)
from inklings_desktop.ui.knowledge.view import ChainMark, ChangedText, Dispute, TopicField

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from inklings_desktop.domain.knowledge.facts import Fact, FactView, Observation
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.knowledge.facts_state import FactValues
    from inklings_desktop.usecases.knowledge.values import PolicyView

_NAME, _RULE, _LABEL = 34, 44, 84


def dispute(others: tuple[Fact, ...], answered: Callable[[str], object]) -> Part:
    """What is asked where another fact of the topic says something else."""
    other = excerpt(others[0].memory.content) if others else ""
    return part(
        *(Dispute, LOOK),
        name="factDispute",
        said=f"\u201c{other}\u201d",
        answered=answered,
        visible=bool(others),
    )


def value_parts(
    values: FactValues, want: Callable[[FactValues], object], *, enabled: bool
) -> tuple[Inside, ...]:
    """How sure a fact is, its topic and its chapters, each to be changed."""
    confidence = part(
        *(ImportanceField, LOOK),
        how={
            "name": "confidence",
            "spoken": tr("Confidence"),
            "fault": tr("Confidence runs from 0 to 1."),
        },
        now=values.confidence,
        value_changed=lambda sure: want(replace(values, confidence=sure)),
        enabled=enabled,
        place=(1,),
    )
    topic = part(
        TopicField,
        name="topicField",
        spoken=tr("Topic"),
        said=values.topic,
        textEdited=lambda topic: want(replace(values, topic=topic)),
        enabled=enabled,
        place=(1,),
    )
    chapters = part(
        *(ChaptersField, LOOK),
        name="chaptersField",
        spoken=tr("Chapters"),
        said=values.chapters,
        typed=lambda chapters: want(replace(values, chapters=chapters)),
        enabled=enabled,
        place=(1,),
    )
    rows = ((tr("Confidence"), confidence), (tr("Topic"), topic), (tr("Chapters"), chapters))
    return tuple(
        across(words(name, "label", way="plain", dress=wide(_LABEL)), field, spacing=12)
        for name, field in rows
    )


def chain_parts(
    chain: tuple[FactView, ...], now: datetime, reinstate: Callable[[FactView], object] | None
) -> tuple[Inside, ...]:
    """What a fact and those before it said, the newest first."""
    title = words(tr("How it came to this"), "label", way="plain")
    before = [one.fact.memory.content for one in chain[1:]]
    steps = (
        _step(one, old, now, reinstate, goes_on=place < len(chain) - 1)
        for place, (one, old) in enumerate(zip(chain, [*before, ""], strict=True))
    )
    return (title, below(*steps, spacing=0))


def _step(
    view: FactView,
    before: str,
    now: datetime,
    reinstate: Callable[[FactView], object] | None,
    *,
    goes_on: bool,
) -> Part:
    fact, memory = view.fact, view.fact.memory
    curator = curator_mark(memory.curator.value, writer_label(memory))
    again = (
        [link(tr("Say this again\u2026"), partial(reinstate, view))]
        if fact.is_superseded and reinstate is not None
        else []
    )
    told = _ended(view, now)
    return across(
        part(ChainMark, LOOK, said=(not memory.is_forgotten, goes_on)),
        below(
            part(ChangedText, LOOK, said=(memory.content, before)),
            across(
                mark("", sure_role(fact.details.confidence), confidence_figure(fact), "metaStrong"),
                mark(curator.icon, curator.role, curator.text, inked=curator.role != "ink"),
                words(
                    age_label(memory.created_at, now),
                    way="plain",
                    toolTip=plain_tool_tip(exact_time(memory.created_at)),
                ),
                STRETCH,
                *again,
                spacing=12,
            ),
            words(story_words(fact.details.story), visible=not fact.details.story.is_open),
            words(told, visible=bool(told)),
            9,
            spacing=3,
            place=(1,),
        ),
        spacing=10,
        key=memory.id,
    )


def _ended(view: FactView, now: datetime) -> str:
    """How a fact ceased to hold, in a sentence; empty for one that holds."""
    memory, ending = view.fact.memory, view.ending
    if memory.forgotten_at is None:
        return ""
    is_over = view.fact.is_superseded
    told = tr("Superseded {age}") if is_over else tr("Withdrawn {age}")
    told = told.format(age=age_label(memory.forgotten_at, now))
    if ending is not None:
        by = spelled_out(name_of_writer(ending.by))
        told = tr("{what} by {name}").format(what=told, name=by)
    if ending is not None and ending.why:
        return tr("{what}: {why}").format(what=told, why=spelled_out(ending.why))
    return f"{told}."


def source_parts(
    view: FactView, now: datetime, go: Callable[[Destination], object]
) -> tuple[Inside, ...]:
    """What a fact was concluded from; each leads there."""
    rows: list[Inside] = []
    for number, one in enumerate(view.observations):
        rows += [hairline(), _source(one, now, go, f"{number} {one.reference}")]
    return (
        words(tr("Concluded from"), "label", way="plain"),
        below(*rows, hairline(), spacing=0)
        if rows
        else words(tr("Nothing is named."), "caption", way="plain"),
    )


def _source(one: Observation, now: datetime, go: Callable[[Destination], object], key: str) -> Part:
    standing, memory, there = one.standing, one.memory, None
    sign: Part = part(IconMark, LOOK, "chat-text", "inkSoft", 16)
    name, remark, role = one.reference, "", "inkFaint"
    if memory is not None:
        inked, tier = TIER_MARKS[memory.scope.tier]
        sign = part(TierMark, LOOK, how={"inked": inked, "role": tier, "edge": 16})
        name, remark = excerpt(memory.content), age_label(memory.created_at, now)
        there = partial(go, ToMemory(memory))
    elif standing is not None:
        sign = part(IconMark, LOOK, "file-text", "inkSoft", 16)
        name = standing.page_title
        if standing.page_id:
            there = partial(go, ToWorld(standing.page_id, standing.block_id))
        if standing.has_changed:
            remark, role = tr("check source"), "ochre"
    if one.is_gone:
        remark, role, there = tr("gone"), "ochre", None
    text = (
        words(name, "metaInk", way="elided", place=(1,))
        if there is None
        else link(shortened(name, _NAME), there, toolTip=plain_tool_tip(name))
    )
    return plate(
        sign,
        text,
        STRETCH,
        mark("warning" if role == "ochre" else "", role, remark, "caption", inked=role == "ochre"),
        spacing=8,
        margins=(0, 5, 0, 5),
        key=key,
    )


def rule_parts(
    rules: tuple[PolicyView, ...], go: Callable[[], object] | None
) -> tuple[Inside, ...]:
    """House rules that rest on a fact; each leads to them all, if anything does."""
    if not rules:
        return ()
    title = counted(len(rules), "One house rule rests on it", "{n} house rules rest on it")
    texts = (one.policy.memory for one in rules)
    return (
        words(title, "label", way="plain"),
        *(
            words(excerpt(one.content), "metaInk", key=one.id)
            if go is None
            else across(_to_rule(one, go), STRETCH, key=one.id)
            for one in texts
        ),
    )


def _to_rule(rule: MemoryEntry, go: Callable[[], object]) -> Part:
    text = excerpt(rule.content)
    return link(shortened(text, _RULE), go, toolTip=plain_tool_tip(text))
