from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.scrub.manifest import TOKEN_SECONDS, ScrubMode, ScrubReceipt
from inklings_desktop.domain.scrub.scrub_token import TokenScope, is_of_digest, receipt_hash
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID

KEY = bytes(range(32))
DIGEST = "7f3ac21e" * 8
BOUND = TokenScope(ScopeKey.workspace(WORKSPACE_ID), ScrubMode.KEEP_NAMED, "Ada")


def test_a_token_confirms_its_digest_until_it_expires() -> None:
    token, expires_at = BOUND.token(KEY, DIGEST, NOON)

    assert expires_at == NOON + timedelta(seconds=TOKEN_SECONDS)
    assert token.isalnum()
    for at in (NOON, expires_at - timedelta(milliseconds=1)):
        assert is_of_digest(BOUND.confirmed(KEY, f" {token.upper()}\n", at), DIGEST)
    assert not is_of_digest(BOUND.confirmed(KEY, token, NOON), "0" + DIGEST[1:])


@pytest.mark.parametrize(
    "later", [timedelta(seconds=TOKEN_SECONDS), timedelta(days=1), timedelta(seconds=-1)]
)
def test_an_expired_token_is_refused_and_so_is_one_from_the_future(later: timedelta) -> None:
    token, _ = BOUND.token(KEY, DIGEST, NOON)

    with pytest.raises(InvalidValueError) as refused:
        BOUND.confirmed(KEY, token, NOON + later)

    assert (refused.value.field, refused.value.rule) == ("token", "expired")


@pytest.mark.parametrize(
    "other",
    [
        replace(BOUND, scope=ScopeKey.workspace(OTHER_WORKSPACE_ID)),
        replace(BOUND, scope=ScopeKey.account()),
        replace(BOUND, scope=ScopeKey.channel(WORKSPACE_ID, WORKSPACE_ID)),
        replace(BOUND, mode=ScrubMode.FULL),
        replace(BOUND, caller="Bob"),
    ],
)
def test_a_token_is_good_for_its_scope_mode_and_caller_alone(other: TokenScope) -> None:
    token, _ = BOUND.token(KEY, DIGEST, NOON)

    with pytest.raises(InvalidValueError) as refused:
        other.confirmed(KEY, token, NOON)

    assert refused.value.rule == "unknown"


def test_a_token_of_another_installation_is_refused() -> None:
    token, _ = BOUND.token(KEY, DIGEST, NOON)

    with pytest.raises(InvalidValueError):
        BOUND.confirmed(KEY[::-1], token, NOON)


@given(text=st.text(max_size=80))
def test_no_made_up_token_is_good(text: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        BOUND.confirmed(KEY, text, NOON)

    assert refused.value.rule == "unknown"


@given(place=st.integers(0, 63), letter=st.sampled_from("abcdefghijklmnopqrstuvwxyz234567"))
def test_no_letter_of_a_token_can_be_changed(place: int, letter: str) -> None:
    token, _ = BOUND.token(KEY, DIGEST, NOON)
    forged = f"{token[:place]}{letter}{token[place + 1 :]}"

    if forged == token:
        assert is_of_digest(BOUND.confirmed(KEY, forged, NOON), DIGEST)
    else:
        with pytest.raises(InvalidValueError):
            BOUND.confirmed(KEY, forged, NOON)


def test_a_receipt_shows_tampering() -> None:
    receipt = ScrubReceipt(12, 4_096, 7, 0, (), ("a.db",), (), "")
    said = receipt_hash(KEY, 3, receipt)

    assert receipt_hash(KEY, 3, receipt) == said
    others = {
        receipt_hash(KEY, 4, receipt),
        receipt_hash(KEY[::-1], 3, receipt),
        receipt_hash(KEY, 3, replace(receipt, hits=1)),
        receipt_hash(KEY, 3, replace(receipt, n_files=11)),
        receipt_hash(KEY, 3, replace(receipt, rewritten=(), deleted=("a.db",))),
    }
    assert said not in others
    assert len(others) == 5
