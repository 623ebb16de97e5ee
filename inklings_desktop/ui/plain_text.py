"""Text of memories for places where Qt would take markup for formatting."""

from __future__ import annotations

from html import escape

from inklings_desktop.domain.hidden_text import spelled_out


def plain_tool_tip(text: str) -> str:
    """The text as a tool tip that shows it letter by letter, whatever it holds.

    Characters that do not show are spelled out.

    Qt takes a tool tip that looks like markup for rich text and would load what it names.
    """
    if not text:
        return ""
    lines = escape(spelled_out(text)).replace("\n", "<br>")
    return f"<div style='white-space: pre-wrap'>{lines}</div>"
