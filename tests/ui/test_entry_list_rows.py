"""Named entries, drafts and proposals as rows of the list."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from inklings_desktop.domain.entries.named_entry import EntryDraft, NamedEntry
from inklings_desktop.domain.memory import Curator, Tier
from inklings_desktop.ui.entries.rows import (
    EntryHeading,
    EntryRow,
    context_shares,
    entry_list_rows,
)
from tests.support.builders import NOON, WORKSPACE_ID, a_companion, a_proposal

VOICE = NamedEntry(
    id="voice",
    tier=Tier.WORKSPACE,
    workspace_id=WORKSPACE_ID,
    name="VOICE",
    body="# How this book sounds\n\nClose third.\n",
    curator=Curator.AUTHOR,
    is_built_in=True,
    version=2,
    created_at=NOON - timedelta(days=60),
    edited_at=NOON - timedelta(hours=20),
)
TEMPLATE = replace(VOICE, id="soul", name="SOUL", tier=Tier.ACCOUNT, workspace_id=None)
TEMPLATE = replace(TEMPLATE, is_template=True, edited_at=None, curator=Curator.IMPORT)
CAST = a_companion("CAST", entry_id="cast", created_at=NOON - timedelta(days=52))


def row_of(entry: NamedEntry, *drafts: EntryDraft) -> EntryRow:
    heading, row = entry_list_rows([entry], [], drafts, NOON)
    assert isinstance(heading, EntryHeading)
    assert isinstance(row, EntryRow)
    return row


def test_an_entry_shows_name_heading_age_and_length() -> None:
    row = row_of(VOICE)
    assert (row.name, row.heading) == ("VOICE", "How this book sounds")
    assert (row.age_label, row.length_label) == ("edited 20 h ago", "37 chars")
    assert (row.is_built_in, row.state_label) == (True, "")
    assert row.accessible_description == (
        "This workspace, How this book sounds, built in, edited 20 hours ago, 37 characters"
    )


def test_a_template_asks_to_be_written_and_says_that_it_is_not_sent() -> None:
    row = row_of(TEMPLATE)
    assert row.heading == "Say who the agent is with you"
    assert (row.state_label, row.is_urgent) == ("template, not sent", False)


def test_an_emptied_entry_says_that_it_is_not_sent() -> None:
    assert row_of(replace(CAST, body=" \n")).state_label == "empty, not sent"


def test_a_draft_is_the_first_thing_to_know() -> None:
    row = row_of(VOICE, EntryDraft("voice", "typed", 2, NOON))
    assert (row.state_label, row.is_urgent) == ("draft not saved", True)


def test_an_entry_says_how_much_is_proposed_for_it() -> None:
    asked = a_proposal(VOICE, created_at=NOON - timedelta(hours=3))
    rows = entry_list_rows([VOICE, CAST], [asked], [], NOON)
    assert [row.n_proposals for row in rows if isinstance(row, EntryRow)] == [1, 0]


def test_only_what_agents_read_takes_room_in_the_context() -> None:
    shares = context_shares([VOICE, CAST, TEMPLATE])
    assert [(one.name, one.n_characters, one.is_second) for one in shares] == [
        ("VOICE", 37, False),
        ("CAST", len(CAST.body), True),
        ("SOUL", 0, False),
    ]
    assert [one.role for one in shares] == ["tierWorkspace", "tierWorkspace", "tierAccount"]
