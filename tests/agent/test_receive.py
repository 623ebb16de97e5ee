"""What a conversation is called after its first message."""

from __future__ import annotations

import pytest

from inklings_desktop.agent.graph.nodes.receive import title_of


@pytest.mark.parametrize(
    ("said", "title"),
    [
        (
            "Remember that the ferry does not run after the third bell.",
            "The ferry does not run after the third bell",
        ),
        ("remember: the abbey bell is cracked", "The abbey bell is cracked"),
        ("What do you know about Tamsin?", "What do you know about Tamsin?"),
        (
            "Who keeps the toll at Wend Gate, and since when has nobody paid it there?",
            "Who keeps the toll at Wend Gate, and since when\u2026",
        ),
        ("x" * 100, "X" + "x" * 46 + "\u2026"),
        ("", ""),
    ],
)
def test_a_conversation_is_called_after_what_is_said_in_whole_words(said: str, title: str) -> None:
    assert title_of(said) == title
