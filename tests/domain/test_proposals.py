from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.entries.proposals import (
    MAX_NOTE_CHARACTERS,
    MAX_REASON_CHARACTERS,
    ProposalRef,
    ProposalState,
    checked_note,
    checked_proposal_reason,
    shrinks_much,
)
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import ScopeKey
from tests.support.builders import WORKSPACE_ID, a_companion, a_proposal


@pytest.mark.parametrize(
    ("n_current", "n_proposed", "is_much"),
    [
        (199, 0, False),
        (200, 119, True),
        (200, 120, False),
        (1000, 599, True),
        (1000, 600, False),
        (1000, 2000, False),
        (0, 0, False),
    ],
)
def test_a_text_shrinks_much_below_six_tenths(
    n_current: int, n_proposed: int, *, is_much: bool
) -> None:
    assert shrinks_much("x" * n_current, "y" * n_proposed) is is_much


def test_a_reason_is_a_few_lines_of_text() -> None:
    assert checked_proposal_reason("  It reads better.\nAnd shorter. ") == (
        "It reads better.\nAnd shorter."
    )

    assert checked_note("") == ""


@pytest.mark.parametrize(
    ("reason", "rule"),
    [
        (None, "type"),
        ("", "empty"),
        ("\u200d", "empty"),
        ("x" * (MAX_REASON_CHARACTERS + 1), "too_long"),
        ("a\x1b[2Jb", "control_characters"),
        ("a\u202eb", "control_characters"),
        ("a\ud800", "control_characters"),
    ],
)
def test_another_reason_is_refused(reason: object, rule: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_proposal_reason(reason)
    assert (caught.value.field, caught.value.rule) == ("reason", rule)


def test_a_note_has_a_limit() -> None:
    with pytest.raises(InvalidValueError):
        checked_note("x" * (MAX_NOTE_CHARACTERS + 1))


def test_a_proposal_knows_its_place_and_its_text() -> None:
    proposal = a_proposal(a_companion(), "New words")
    assert proposal.ref == ProposalRef(WORKSPACE_ID, proposal.id)
    assert proposal.scope == ScopeKey.workspace(WORKSPACE_ID)
    assert proposal.text == "New words"
    assert replace(proposal, payload={"content": "other"}).text == "other"
    assert replace(proposal, payload={"reason": "old"}).text == ""


@pytest.mark.parametrize(
    ("state", "is_undecided"),
    [
        (ProposalState.PENDING, True),
        (ProposalState.OVERTAKEN, True),
        (ProposalState.ACCEPTED, False),
        (ProposalState.REJECTED, False),
    ],
)
def test_what_was_overtaken_waits_still(state: ProposalState, *, is_undecided: bool) -> None:
    assert replace(a_proposal(a_companion()), state=state).is_undecided is is_undecided
