"""The orientation document as a page shows it; pure functions, run off the UI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.named_entry import CHARACTERS_PER_TOKEN
from inklings_desktop.domain.knowledge.told import AS_RULE, framing_of
from inklings_desktop.domain.memory import Curator, Tier
from inklings_desktop.domain.rooms.orientation import Framing, LeftOut, Order
from inklings_desktop.domain.words.query_text import keyword_query
from inklings_desktop.ui.kit.look.translation import counted, decimal, grouped, lowered, tr
from inklings_desktop.ui.kit.marks.meters import MeterShare
from inklings_desktop.ui.kit.why.facts import (
    WhyFacts,
    fading_of_entry,
    ordinal,
    score_figure,
    strength_facts,
    why_found,
)
from inklings_desktop.ui.kit.words.memory_facts import (
    curator_label,
    relative_age,
    relevance_figure,
    spoken_age,
    tier_title,
)
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.turn.rows import (
    BudgetFacts,
    CandidateRow,
    EntryRow,
    PlaceFacts,
    PreviewContent,
    PreviewRequest,
    SectionFacts,
    StandingFacts,
)

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.knowledge.facts import FactView, Policy
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.orientation import (
        Orientation,
        OrientationItem,
        OrientationSection,
    )
    from inklings_desktop.usecases.bundle import Inklings

SHOWN_CHARACTERS = 400

_METER_ROLES = {
    Tier.CONVERSATION: "tierConversation",
    Tier.CHANNEL: "tierChannel",
    Tier.WORKSPACE: "tierWorkspace",
    Tier.ACCOUNT: "tierAccount",
}


def built_preview(inklings: Inklings, request: PreviewRequest) -> PreviewContent:
    """The document for a request; building it counts as no read. Runs on a reader.

    Raises:
        InklingsError: The workspace or conversation is gone, or cannot be read.
    """
    from inklings_desktop.usecases.rooms.orient import OrientationRequest

    document = inklings.orientation.preview(
        OrientationRequest(request.workspace_id, request.conversation, request.message)
    )
    return preview_content(document, request)


def preview_content(document: Orientation, request: PreviewRequest) -> PreviewContent:
    """Everything the page shows of a document."""
    sections = tuple(_section(one, document) for one in document.sections)
    if request.conversation is None:
        sections = (_no_conversation(), *sections)
    return PreviewContent(
        request=request,
        budget=_budget(document),
        entries=tuple(_entry_row(one) for one in document.entries),
        bodies={one.id: one.body.rstrip() for one in document.entries},
        rules=tuple(_rule_row(*one) for one in enumerate(document.settled.rules, start=1)),
        facts=tuple(_fact_row(*one) for one in enumerate(document.settled.facts, start=1)),
        sections=sections,
        markdown=document.markdown,
        document=document,
        is_empty=not document.entries and not any(one.total for one in document.sections),
    )


def place_facts(document: Orientation, memory_id: str, decay: DecayConfig) -> PlaceFacts | None:
    """Why a memory stands where it stands; None when it is not in the document."""
    for section in document.sections:
        for place, item in enumerate(section.items):
            if item.ranked.entry.id == memory_id:
                following = section.items[place + 1 : place + 2]
                return _place(document, section, item, following, decay)
    return None


def standing_facts(document: Orientation, entry_id: str) -> StandingFacts | None:
    """Why a named entry, a house rule or a fact is in the document; None when it is not."""
    told = document.settled
    rule = next((one for one in told.rules if one.memory.id == entry_id), None)
    fact = next((one.fact for one in told.facts if one.fact.memory.id == entry_id), None)
    if rule is not None:
        text = tr("Rules marked “always” come first, then those that fit the message.")
        return StandingFacts(tr("House rule"), rule.domain, text)
    if fact is not None:
        text = tr("Facts that fit the message are sent, the best first, as far as they have room.")
        return StandingFacts(tr("Fact"), f"{fact.domain}, {fact.memory.topic}", text)
    entry = next((one for one in document.entries if one.id == entry_id), None)
    if entry is None:
        return None
    text = tr(
        "Named entries are sent whole, at the head of every turn, before anything is ranked. "
        "This one takes {n}, {tokens}. What they leave of the budget is shared by the tiers below."
    ).format(
        n=counted(len(entry.body), "1 character", "{n} characters"),
        tokens=_tokens(len(entry.body)),
    )
    return StandingFacts(entry.name, lowered(tier_title(entry.tier)), text)


# -- the bar ------------------------------------------------------------------------------


def _budget(document: Orientation) -> BudgetFacts:
    n_taken, limit = document.n_characters, document.budget
    title = tr("{n} of {limit} characters").format(n=grouped(n_taken), limit=grouped(limit))
    n_apart = abs(limit - n_taken)
    if n_taken <= limit:
        rest = counted(n_apart, "1 character free", "{n} characters free")
    else:
        rest = counted(n_apart, "1 character over", "{n} characters over")
    shares = [MeterShare(tr("Named"), document.n_standing, "ink")]
    if document.settled.markdown:
        shares.append(MeterShare(tr("Settled"), len(document.settled.markdown), "accent"))
    shares += [
        MeterShare(tier_title(one.tier), one.n_characters, _METER_ROLES[one.tier])
        for one in document.sections
    ]
    notice = ""
    if document.n_standing >= limit:
        notice = tr(
            "The named entries alone fill the whole budget, so no memory is sent. Shorten one of "
            "them to make room."
        )
    return BudgetFacts(title, f"{_tokens(n_taken)}, {rest}", tuple(shares), limit, notice)


def _tokens(n_characters: int) -> str:
    n_tokens = n_characters // CHARACTERS_PER_TOKEN
    return counted(n_tokens, "about 1 token", "about {n} tokens")


# -- rows -------------------------------------------------------------------------------------


def _entry_row(entry: NamedEntry) -> EntryRow:
    lines = [line.strip() for line in entry.body.splitlines()]
    spoken = [line for line in lines if line and not line.startswith("#")]
    first = (spoken or [line for line in lines if line] or [""])[0]
    n_characters = len(entry.body)
    return EntryRow(
        id=entry.id,
        name=entry.name,
        first_line=excerpt(first[:SHOWN_CHARACTERS]) if first else tr("empty"),
        figure=grouped(n_characters),
        tier=entry.tier,
        accessible_description=tr("{tier}, {length}, always sent whole").format(
            tier=tier_title(entry.tier),
            length=counted(n_characters, "1 character", "{n} characters"),
        ),
    )


def _section(section: OrientationSection, document: Orientation) -> SectionFacts:
    is_crowded = document.n_standing >= document.budget
    rows = tuple(
        _candidate(item, section, document.as_of, is_crowded=is_crowded) for item in section.items
    )
    n_sent = len(section.sent)
    sent = tr("{n} of {total} sent").format(n=grouped(n_sent), total=grouped(section.total))
    rule = _rule(section, document)
    unranked = section.total - len(rows)
    remark = ""
    if unranked > 0 and rows:
        remark = counted(
            unranked,
            "1 more was left out: a duplicate, or too far down",
            "{n} more were left out: duplicates, or too far down",
        )
    return SectionFacts(
        tier=section.tier,
        title=tier_title(section.tier),
        detail=f"{rule}, {sent}" if section.total else rule,
        candidates=rows,
        n_matched=sum(item.ranked.order is Order.SCORE for item in section.items),
        n_sent=n_sent,
        n_not_sent=max(section.total - n_sent, 0),
        remark=remark,
        empty="" if rows else _nothing(section.tier),
    )


def _rule(section: OrientationSection, document: Orientation) -> str:
    if section.tier is Tier.CONVERSATION:
        return tr("newest first")
    rule = tr("by match with the message") if document.query.strip() else tr("by relevance")
    if section.tier is Tier.CHANNEL and "#" in section.title:
        return f"{section.title[section.title.index('#') :]} {rule}"
    return rule


def _nothing(tier: Tier) -> str:
    return {
        Tier.CONVERSATION: tr("This conversation has not kept anything."),
        Tier.CHANNEL: tr("Nothing shared in this channel yet."),
        Tier.WORKSPACE: tr("Nothing is remembered in this workspace yet."),
        Tier.ACCOUNT: tr("Nothing is known about you."),
    }[tier]


def _no_conversation() -> SectionFacts:
    return SectionFacts(
        tier=Tier.CONVERSATION,
        title=tier_title(Tier.CONVERSATION),
        detail=tr("none yet"),
        candidates=(),
        n_matched=0,
        n_sent=0,
        n_not_sent=0,
        remark="",
        empty=tr("Before the first turn there is only this."),
    )


def _candidate(
    item: OrientationItem, section: OrientationSection, now: datetime, *, is_crowded: bool
) -> CandidateRow:
    entry = item.ranked.entry
    figure, tip = _figure(item, now)
    remark = ""
    if item.left_out is LeftOut.TOO_LONG and not is_crowded:
        remark = counted(
            section.share,
            "Not sent: longer than this tier\u2019s whole share, 1 character",
            "Not sent: longer than this tier\u2019s whole share, {n} characters",
        )
    not_sent = lowered(remark, is_noun=False) or tr("not sent: no room left")
    sent = tr("sent") if item.is_sent else not_sent
    return CandidateRow(
        id=entry.id,
        rank=grouped(item.rank),
        phrase=item.framing.value,
        excerpt=excerpt(entry.content)[:SHOWN_CHARACTERS],
        curator=entry.curator.value,
        curator_label=curator_label(entry.curator),
        figure=figure,
        figure_tip=tip,
        is_sent=item.is_sent,
        remark=remark,
        accessible_description=f"{curator_label(entry.curator)}, {tip}, {sent}",
    )


def _rule_row(rank: int, rule: Policy) -> CandidateRow:
    domain = rule.domain
    return _settled_row(
        *(rank, rule.memory, AS_RULE),
        *(domain, tr("of the domain {name}").format(name=domain)),
    )


def _fact_row(rank: int, view: FactView) -> CandidateRow:
    fact = view.fact
    figure = decimal(fact.details.confidence, 2)
    return _settled_row(
        *(rank, fact.memory, framing_of(fact)),
        *(figure, tr("confidence {figure}").format(figure=figure)),
    )


def _settled_row(rank: int, entry: MemoryEntry, phrase: str, figure: str, tip: str) -> CandidateRow:
    who = curator_label(entry.curator)
    return CandidateRow(
        id=entry.id,
        rank=grouped(rank),
        phrase=phrase,
        excerpt=excerpt(entry.content)[:SHOWN_CHARACTERS],
        curator=entry.curator.value,
        curator_label=who,
        figure=figure,
        figure_tip=tip,
        is_sent=True,
        remark="",
        accessible_description=f"{who}, {tip}, {tr('sent')}",
    )


def _figure(item: OrientationItem, now: datetime) -> tuple[str, str]:
    """What stands below the curator, and what it is."""
    ranked = item.ranked
    if ranked.order is Order.RECENCY:
        age = now - ranked.entry.created_at
        return relative_age(age), tr("written {age} ago").format(age=spoken_age(age))
    if ranked.order is Order.SCORE and ranked.score is not None:
        figure = score_figure(ranked.score)
        return figure, tr("score {figure}").format(figure=figure)
    figure = relevance_figure(ranked.relevance)
    return figure, tr("relevance {figure}").format(figure=figure)


# -- one place --------------------------------------------------------------------------------


def _place(
    document: Orientation,
    section: OrientationSection,
    item: OrientationItem,
    following: tuple[OrientationItem, ...],
    decay: DecayConfig,
) -> PlaceFacts:
    entry = item.ranked.entry
    next_score = following[0].ranked.score if following else None
    return PlaceFacts(
        entry=entry,
        badge=f"{lowered(tier_title(section.tier))}, {ordinal(item.rank)}",
        content=entry.content,
        why=_why(document, item, next_score, decay),
        sent=_sent(document, section, item),
        is_sent=item.is_sent,
        phrase=item.framing.value,
        phrasing=_phrasing(item.framing, entry),
    )


def _why(
    document: Orientation,
    item: OrientationItem,
    next_score: float | None,
    decay: DecayConfig,
) -> WhyFacts:
    ranked = item.ranked
    if ranked.explanation is not None:
        return why_found(
            ranked.explanation,
            ranked.entry,
            keyword_query(document.query),
            next_score=next_score,
        )
    if ranked.order is Order.RECENCY:
        sentence = tr("From this conversation, newest first.")
    elif document.query.strip():
        sentence = tr("The message did not find it, so it comes after what was found.")
    else:
        sentence = tr("Without a message, the most relevant comes first.")
    return WhyFacts(
        sentence,
        found=(),
        fused="",
        found_note="",
        strength=strength_facts(fading_of_entry(ranked.entry, decay, document.as_of)),
        order=None,
    )


def _sent(document: Orientation, section: OrientationSection, item: OrientationItem) -> str:
    if item.is_sent:
        return ""
    if document.n_standing >= document.budget:
        return tr("Not sent: the named entries fill the whole budget.")
    share = grouped(section.share)
    if item.left_out is LeftOut.TOO_LONG:
        return tr(
            "Not sent: it takes {n} characters, more than the {share} that this tier may take. "
            "It was skipped to leave room for others."
        ).format(n=grouped(len(item.text)), share=share)
    return tr("Not sent: the {share} characters of this tier are used up.").format(share=share)


def _phrasing(framing: Framing, entry: MemoryEntry) -> str:
    reason = {
        Framing.NOTED: tr("because you wrote it yourself"),
        Framing.PREFERENCE: tr("because you noted it as a preference"),
        Framing.EARLIER: tr("because the agent wrote it, not you")
        if entry.curator is Curator.AGENT
        else tr("because it was imported"),
        Framing.DECIDED: tr("because it belongs to this conversation"),
        Framing.GUESS: tr("because it is tagged as a hypothesis"),
        Framing.CHANGED: tr("because the page it comes from says something else now"),
    }[framing]
    return tr(
        "Every memory is a candidate, not a fact. This one opens with {phrase} {reason}, and "
        "says its tier, who wrote it, its importance, age and id."
    ).replace("{reason}", reason)
