"""What the cards of the control plane say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.listing import RelevanceBand
from inklings_desktop.domain.memories.overview import Attention, TierOverview
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.control.overview_facts import (
    look_facts,
    tier_facts,
)
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.words.memory_facts import attention_icon, attention_label

pytestmark = pytest.mark.usefixtures("qapp")

WORKSPACE = TierOverview(
    Tier.WORKSPACE,
    n_active=43,
    n_archived=0,
    n_new=6,
    growth=(37,) * 30 + (43,),
    bands={
        RelevanceBand.VIVID: 17,
        RelevanceBand.STEADY: 16,
        RelevanceBand.FADING: 7,
        RelevanceBand.NEARLY_GONE: 3,
    },
    n_retrievable=43,
    n_embedded=41,
    rate=0.995,
)


def test_a_card_says_everything_in_one_sentence() -> None:
    facts = tier_facts(WORKSPACE)
    assert (facts.name, facts.figure, facts.news) == ("Workspace", "43", "+6 in 30 days")
    assert facts.growth_told == "37 30 days ago, 43 now"
    assert (facts.embedded, facts.rate) == ("41 of 43", "Half gone in 5.8 days, unless it is read")
    assert [(bar.name, bar.figure) for bar in facts.bands] == [
        ("Vivid", "17"),
        ("Steady", "16"),
        ("Fading", "7"),
        ("Nearly gone", "3"),
    ]
    assert facts.bands[0].share == pytest.approx(17 / 43)
    assert facts.embedded_share == pytest.approx(41 / 43)
    assert facts.summary == (
        "43 memories; +6 in 30 days; vivid 17, steady 16, fading 7, nearly gone 3; "
        "embedded: 41 of 43; Half gone in 5.8 days, unless it is read"
    )


def test_nothing_new_no_model_and_nothing_at_all_are_said() -> None:
    empty = replace(
        WORKSPACE,
        n_active=0,
        n_new=0,
        growth=(0,) * 31,
        bands=dict.fromkeys(RelevanceBand, 0),
        n_retrievable=0,
        n_embedded=0,
    )
    facts = tier_facts(empty)
    assert facts.news == "none new in 30 days"
    assert facts.embedded == "0 of 0"
    assert facts.embedded_share == 0.0
    assert {bar.share for bar in facts.bands} == {0.0}
    assert tier_facts(replace(WORKSPACE, has_model=False)).embedded == "no model installed"
    assert tier_facts(replace(WORKSPACE, has_model=False)).embedded_share == 0.0


def test_figures_have_their_thousands_set_apart() -> None:
    facts = tier_facts(replace(WORKSPACE, n_active=10_000, n_new=1_234, n_embedded=0))
    assert (facts.figure, facts.news) == ("10,000", "+1,234 in 30 days")


@pytest.mark.parametrize(
    ("tier", "rate", "said"),
    [
        (Tier.CONVERSATION, 1.0, "Cleared or summed up when it closes"),
        (Tier.CONVERSATION, 0.99, "Half gone in 2.9 days, unless it is read"),
        (Tier.ACCOUNT, 1.0, "Nothing fades here"),
        (Tier.ACCOUNT, 0.998, "Half gone in 14.4 days, unless it is read"),
        (Tier.CHANNEL, 0.9, "Half gone in 6.6 hours, unless it is read"),
        (Tier.ACCOUNT, 0.99998, "Half gone in 4.0 years, unless it is read"),
    ],
)
def test_the_rate_in_force_is_said_in_words(tier: Tier, rate: float, said: str) -> None:
    assert tier_facts(replace(WORKSPACE, tier=tier, rate=rate)).rate == said


@pytest.mark.parametrize(
    ("n_archived", "tip"),
    [
        (0, ""),
        (1, "1 in an archived room, left out of lists of all rooms"),
        (3, "3 in archived rooms, left out of lists of all rooms"),
    ],
)
def test_archived_rooms_are_told_beside_the_figure(n_archived: int, tip: str) -> None:
    facts = tier_facts(replace(WORKSPACE, tier=Tier.CHANNEL, n_archived=n_archived))
    assert facts.figure_tip == tip
    assert tip in facts.summary


@pytest.mark.parametrize(
    ("kind", "total", "has_model", "sentence"),
    [
        (AttentionKind.BELOW_THRESHOLD, 6, True, "6 faded almost to nothing"),
        (AttentionKind.WAITING_FOR_EMBEDDING, 1, True, "1 being prepared for search"),
        (AttentionKind.WAITING_FOR_EMBEDDING, 1_000, False, "1,000 found by words only"),
        (AttentionKind.NEVER_READ, 2, True, "2 never read"),
        (AttentionKind.READY_TO_PROMOTE, 1, True, "1 ready to become long-term"),
    ],
)
def test_a_row_says_how_many_of_what(
    kind: AttentionKind,
    total: int,
    has_model: bool,  # noqa: FBT001 - a parameter of the table
    sentence: str,
) -> None:
    facts = look_facts(Attention(kind, {Tier.CHANNEL: total}, has_model))
    assert facts.sentence == sentence
    assert facts.tiers == ((Tier.CHANNEL, "All channels", f"{total:,}"),)
    assert facts.told.endswith(f"All channels {total:,}")


def test_without_a_model_nothing_is_said_to_wait() -> None:
    facts = look_facts(
        Attention(AttentionKind.WAITING_FOR_EMBEDDING, {Tier.ACCOUNT: 2}, has_model=False)
    )
    assert facts.note == "no search model is installed; found by words only"


@pytest.mark.parametrize("kind", AttentionKind)
def test_every_list_has_a_name_and_a_mark_for_its_filter(kind: AttentionKind, theme: Theme) -> None:
    assert attention_label(kind)
    assert not theme.pixmap(attention_icon(kind), "ink", 14).isNull()
