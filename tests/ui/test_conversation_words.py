"""What stands around the turns, in words, without a window."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client.problems import Problem
from inklings_desktop.agent_client.rows import ProblemBlock
from inklings_desktop.domain.rooms.conversation import (
    MAX_NAME_CHARACTERS,
    Conversation,
    ConversationState,
    checked_title,
)
from inklings_desktop.ui.conversation.facts import ConversationContent
from inklings_desktop.ui.conversation.page_words import notice_of
from inklings_desktop.ui.conversation.words import (
    BEGIN_FROM,
    ProblemWords,
    problem_words,
    title_again,
)

NOW = datetime(2026, 3, 14, 12, tzinfo=UTC)
ARCHIVED = ConversationContent(
    Conversation("c", "R8VX4ip1wNx", "room", "The toll", ConversationState.ARCHIVED, NOW)
)


def noticed(
    content: ConversationContent | None = None,
    problem: Problem | None = None,
    *,
    last_line: str = "",
    is_only_look: bool = False,
) -> ProblemWords | None:
    return notice_of(
        content,
        problem,
        None,
        last_line=last_line,
        is_installed=True,
        is_only_look=is_only_look,
    )


def test_a_new_one_begins_from_an_archived_one_only_where_something_can_be_stored() -> None:
    found, looked_at = noticed(ARCHIVED), noticed(ARCHIVED, is_only_look=True)
    assert found is not None
    assert looked_at is not None
    assert found.acts == (BEGIN_FROM,)
    assert looked_at.acts == ()
    assert looked_at.title == found.title


def test_an_agent_that_could_not_be_started_is_quoted_with_its_last_words() -> None:
    problem = Problem(wire.AGENT_FAILED_TO_START, "1")
    found, silent = noticed(None, problem, last_line="No module named x"), noticed(None, problem)
    assert found is not None
    assert silent is not None
    assert "No module named x" in found.text
    assert "said last" not in silent.text


@pytest.mark.parametrize(
    ("detail", "begins"),
    [("agent", "The agent is the older"), ("window", "Inklings is the older"), ("", "Update the")],
)
def test_which_of_two_versions_is_the_older_is_named(detail: str, begins: str) -> None:
    assert problem_words(ProblemBlock(wire.AGENT_SPEAKS_OTHERWISE, detail)).text.startswith(begins)


@pytest.mark.parametrize(("detail", "is_named"), [("1", True), ("-9", True), ("", False)])
def test_the_code_that_an_agent_ended_with_is_named(detail: str, *, is_named: bool) -> None:
    text = problem_words(ProblemBlock(wire.AGENT_GONE, detail)).text
    assert text.startswith(f"Code {detail}. ") is is_named
    assert text.endswith("what it wrote stays.")


def test_a_branch_of_a_long_name_can_be_named() -> None:
    assert title_again("The toll") == "The toll, again"
    assert title_again("") == ""
    assert len(checked_title(title_again("x" * MAX_NAME_CHARACTERS))) <= MAX_NAME_CHARACTERS
