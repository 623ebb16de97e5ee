"""What the page says of a document: budget, order, cut lines, reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.orientation import Framing
from inklings_desktop.ui.turn.facts import place_facts, standing_facts
from inklings_desktop.ui.turn.rows import (
    BodyRow,
    CandidateRow,
    EntryRow,
    LineKind,
    LineRow,
    PreviewRow,
    SectionRow,
    preview_rows,
)
from tests.support.builders import a_companion
from tests.ui.preview_scene import (
    IN_CONVERSATION,
    VOICE,
    a_busy_preview,
    a_document,
    an_explanation,
    follows,
    found,
    kept,
    shown,
)

WORKSPACE = "section:workspace"


def head(rows: tuple[PreviewRow, ...], key: str) -> SectionRow:
    (row,) = (one for one in rows if one.id == key)
    assert isinstance(row, SectionRow)
    return row


def lines(rows: tuple[PreviewRow, ...]) -> list[tuple[LineKind, str]]:
    return [(row.kind, row.text) for row in rows if isinstance(row, LineRow)]


def test_the_budget_is_told_in_characters_and_about_as_many_tokens() -> None:
    content = shown(a_document([found(kept(1))]))
    n = len(content.markdown)
    assert content.budget.title == f"{n} of 2,000 characters"
    assert content.budget.detail == f"about {n // 4} tokens, {2000 - n:,} characters free"
    assert [one.name for one in content.budget.shares] == [
        "Named",
        "Conversation",
        "Channel",
        "Workspace",
        "Account",
    ]
    assert sum(one.n_characters for one in content.budget.shares) == n
    assert content.budget.notice == ""


@pytest.mark.parametrize("framing", Framing)
def test_every_way_to_introduce_a_memory_says_why(framing: Framing) -> None:
    document = a_document([found(kept(1))])
    sections = tuple(
        replace(one, items=tuple(replace(item, framing=framing) for item in one.items))
        for one in document.sections
    )
    place = place_facts(replace(document, sections=sections), "m1", DecayConfig())
    assert place is not None
    assert place.phrase == framing.value
    assert "{phrase} because" in place.phrasing


def test_named_entries_that_fill_the_budget_say_why_nothing_else_is_sent() -> None:
    long = a_companion("LORE", "word " * 500)
    content = shown(a_document([found(kept(1))], entries=(long,)))
    assert content.budget.detail.endswith("characters over")
    assert "fill the whole budget" in content.budget.notice
    (_, _, workspace, _) = content.sections
    (row,) = workspace.candidates
    assert not row.is_sent
    assert row.remark == ""
    place = place_facts(content.document, "m1", DecayConfig())
    assert place is not None
    assert place.sent == "Not sent: the named entries fill the whole budget."


def test_a_folded_section_shows_what_is_first_and_says_how_much_it_hides() -> None:
    rows = preview_rows(a_busy_preview(), ())
    row = head(rows, WORKSPACE)
    assert row.detail == "by match with the message, 4 of 21 sent"
    assert row.link == "Show all 4, and 17 not sent"
    place = rows.index(row)
    assert [one.id for one in rows[place + 1 : place + 3]] == ["m0", "m1"]
    assert isinstance(rows[place + 3], SectionRow)
    assert head(rows, "section:conversation").link == ""


def test_an_opened_section_is_cut_where_room_ran_out_and_turns_where_the_message_ends() -> None:
    rows = preview_rows(a_busy_preview(), {WORKSPACE})
    assert head(rows, WORKSPACE).link == "Show fewer"
    assert lines(rows)[1:3] == [
        (LineKind.CUT, "Not sent: no room left"),
        (LineKind.TURN, "The message did not find these; the most relevant first"),
    ]
    kinds = [one.kind.value if isinstance(one, LineRow) else one.id for one in rows]
    assert kinds.index("cut") == kinds.index("m4") - 1
    assert kinds.index("turn") == kinds.index("m9") - 1


def test_one_that_is_too_long_is_passed_over_and_says_so_in_its_place() -> None:
    document = a_document(
        [found(kept(1)), found(kept(2, text="word " * 400)), found(kept(3))],
    )
    content = shown(document)
    rows = preview_rows(content, {WORKSPACE})
    candidates = [row for row in rows if isinstance(row, CandidateRow)]
    assert [one.is_sent for one in candidates] == [True, False, True]
    share = document.sections[2].share
    assert candidates[1].remark == (
        f"Not sent: longer than this tier\u2019s whole share, {share:,} characters"
    )
    assert all(kind is not LineKind.CUT for kind, _ in lines(rows))
    place = place_facts(document, "m2", DecayConfig())
    assert place is not None
    assert "more than the" in place.sent


def test_what_was_not_even_considered_is_counted() -> None:
    content = shown(a_document([found(kept(1))], total=143))
    (*_, (kind, text), _) = lines(preview_rows(content, {WORKSPACE}))
    assert kind is LineKind.REMARK
    assert text.startswith("142 more were left out")


def test_empty_tiers_and_the_turn_before_any_conversation_say_so() -> None:
    content = shown(a_document(), conversation=None)
    texts = [text for _, text in lines(preview_rows(content, ()))]
    assert texts[0] == "Before the first turn there is only this."
    assert "Nothing is remembered in this workspace yet." in texts
    assert "Nothing is known about you." in texts
    assert not content.is_empty
    assert shown(a_document(entries=())).is_empty


def test_an_entry_opens_to_the_text_that_is_sent() -> None:
    content = shown(a_document())
    (_, row, *_) = preview_rows(content, ())
    assert isinstance(row, EntryRow)
    assert (row.name, row.first_line, row.is_open) == ("VOICE", "Close third, past tense.", False)
    (_, row, body, *_) = preview_rows(content, {VOICE.id})
    assert isinstance(row, EntryRow)
    assert row.is_open
    assert isinstance(body, BodyRow)
    assert body.text == "# Voice\n\nClose third, past tense."
    facts = standing_facts(content.document, VOICE.id)
    assert facts is not None
    assert "sent whole" in facts.text


def test_a_place_is_explained_with_the_figures_of_the_engine() -> None:
    document = a_document(
        [found(kept(1)), found(kept(2), an_explanation(score_words=0.2))],
    )
    place = place_facts(document, "m1", DecayConfig())
    assert place is not None
    assert place.badge == "workspace, 1st"
    assert place.is_sent
    assert place.why.order is not None
    assert place.why.order.formula == "0.760 \u00d7 1.000 = 0.760   next: 0.660"
    assert place.phrase == "You have noted:"


def test_what_no_search_found_says_what_put_it_there() -> None:
    document = a_document(
        [follows(kept(1))], conversation=[kept(2, scope=IN_CONVERSATION)], query=""
    )
    decay = DecayConfig()
    later, recent = place_facts(document, "m1", decay), place_facts(document, "m2", decay)
    assert later is not None
    assert recent is not None
    assert later.why.order is None
    assert later.why.sentence == "Without a message, the most relevant comes first."
    assert recent.why.sentence.endswith("newest first.")
    assert later.why.strength.bars[0].figure == "0.50"
    assert place_facts(document, "nobody", decay) is None


def test_rows_can_be_heard() -> None:
    (_, _, workspace, _) = a_busy_preview().sections
    assert workspace.tier is Tier.WORKSPACE
    first, last = workspace.candidates[0], workspace.candidates[-1]
    assert first.accessible_description == "Author, score 0.760, sent"
    assert last.accessible_description == "Author, relevance 0.41, not sent: no room left"
