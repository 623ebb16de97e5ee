"""Figures and sentences about named entries."""

from __future__ import annotations

from datetime import timedelta

import pytest

from inklings_desktop.domain.entries.named_entry import EntryAction, RevisionHead
from inklings_desktop.domain.errors import (
    ConflictError,
    DatabaseFullError,
    InklingsError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.memory import Curator
from inklings_desktop.ui.entries.opened import figures_of
from inklings_desktop.ui.kit.look.translation import grouped
from inklings_desktop.ui.kit.words.entry_facts import (
    characters_label,
    edited_label,
    entry_message,
    revision_title,
)
from tests.support.builders import NOON, a_companion


def a_head(
    action: EntryAction = EntryAction.SAVED,
    *,
    n_characters: int = 10,
    door: str = "window",
    curator: Curator = Curator.AUTHOR,
) -> RevisionHead:
    return RevisionHead("e1", 2, NOON, "Ada", door, curator, action, n_characters)


def test_words_are_what_holds_a_letter_or_a_figure() -> None:
    figures = figures_of("# How it *sounds*\n\n- 1. \u201cnever\u201d \u2014 metres\n> \u6f6e\n")
    assert (figures.n_words, figures.n_characters, figures.n_tokens) == (7, 45, 12)


@pytest.mark.parametrize(
    ("n", "text"), [(0, "0 chars"), (1, "1 char"), (590, "590 chars"), (61395, "61,395 chars")]
)
def test_lengths_are_counted_and_grouped(n: int, text: str) -> None:
    assert characters_label(n) == text


def test_thousands_are_set_apart_in_every_locale() -> None:
    assert grouped(6000) == "6,000"


@pytest.mark.parametrize(
    ("head", "text"),
    [
        (a_head(), "edited 20 hours ago by you"),
        (a_head(door="cli"), "edited 20 hours ago by you, on the command line"),
        (a_head(EntryAction.ACCEPTED), "edited 20 hours ago by you, from a proposal"),
        (a_head(curator=Curator.IMPORT), "imported 20 hours ago"),
    ],
)
def test_the_last_edit_says_by_whom_and_through_which_door(head: RevisionHead, text: str) -> None:
    entry = a_companion(edited_at=NOON)
    assert edited_label(entry, head, NOON + timedelta(hours=20)) == text


def test_a_revision_says_how_much_longer_it_is() -> None:
    before = a_head(n_characters=8)
    assert revision_title(a_head(), before) == "Saved, 2 characters longer"
    assert revision_title(before, a_head()) == "Saved, 2 characters shorter"
    assert revision_title(a_head(EntryAction.RESTORED), a_head()) == "Earlier revision restored"
    assert revision_title(a_head(EntryAction.CREATED), None) == "Created"


@pytest.mark.parametrize(
    ("error", "title"),
    [
        (ConflictError("named_entry", "VOICE"), "There is already a VOICE in this tier."),
        (ConflictError("named_entry", "e1", 1, 2), "This entry was changed since."),
        (ConflictError("memory", "m1", 1, 2), "This memory was changed since."),
        (NotFoundError("named_entry", "e1"), "This entry is gone."),
        (NotFoundError("memory", "m1"), "The memory is gone."),
        (
            InvalidValueError("name", "look_alike"),
            "This name could be taken for another entry\u2019s.",
        ),
        (DatabaseFullError(), "Not saved: the disk is full."),
    ],
)
def test_what_went_wrong_is_said_in_the_words_of_the_page(error: InklingsError, title: str) -> None:
    assert entry_message(error).title == title
