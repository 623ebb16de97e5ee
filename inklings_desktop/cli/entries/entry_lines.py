"""Named entries and proposals as lines for a terminal, and as documents that scripts hold on to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.output import counted, local_time, one_line, table, visible
from inklings_desktop.domain.ages import age
from inklings_desktop.domain.plain_rows import row_of
from inklings_desktop.domain.words.text_diff import RowKind, diff_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from inklings_desktop.domain.entries.named_entry import EntryRevision, NamedEntry, RevisionHead
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.words.text_diff import DiffRow


def entry_document(entry: NamedEntry) -> dict[str, Any]:
    """A named entry with its body exactly as written."""
    return row_of(
        entry,
        "id tier workspace_id name heading body characters=n_characters curator"
        " built_in=is_built_in template=is_template version created_at edited_at deleted_at",
    )


def head_document(head: RevisionHead) -> dict[str, Any]:
    """A revision without its body."""
    return row_of(head, "number saved_at saved_by door curator action characters=n_characters")


def revision_document(revision: EntryRevision) -> dict[str, Any]:
    """A revision with its body."""
    return head_document(revision.head) | {"body": revision.body}


def proposal_document(proposal: Proposal) -> dict[str, Any]:
    """A proposal with everything it asks for."""
    return {
        **row_of(proposal, "id kind tier workspace_id scope_key"),
        "target_id": proposal.target_id or None,
        "target_name": proposal.target_name or None,
        **row_of(
            proposal,
            "base_version payload reason looks_like=secrets client state note created_at"
            " decided_at",
        ),
    }


CONTEXT_LINES = 3
_SIGNS = {RowKind.SAME: " ", RowKind.REMOVED: "-", RowKind.ADDED: "+"}
_MARKS = {RowKind.REMOVED: ("[-", "-]"), RowKind.ADDED: ("{+", "+}")}
_ENDS = {"": "no line end", "\n": "LF", "\r\n": "CR LF", "\r": "CR"}


def entry_lines(entries: Sequence[NamedEntry], now: datetime) -> list[str]:
    """One line per named entry."""
    rows = [
        [
            entry.name,
            entry.tier.value,
            _kind(entry),
            counted(entry.n_characters, "character"),
            f"edited {age(entry.edited_at, now)}" if entry.edited_at else "never edited",
            one_line(entry.heading, 50),
        ]
        for entry in entries
    ]
    return table(rows)


def revision_lines(revisions: Sequence[RevisionHead]) -> list[str]:
    """One line per revision."""
    rows = [
        [
            str(head.number),
            local_time(head.saved_at),
            head.action.value,
            f"by {head.saved_by} ({head.door})",
            counted(head.n_characters, "character"),
        ]
        for head in revisions
    ]
    return table(rows)


def body_lines(body: str) -> list[str]:
    """The body as far as a terminal can show it; nothing in it acts on the terminal."""
    return visible(body.replace("\r\n", "\n")).removesuffix("\n").split("\n")


def change_lines(older: str, newer: str) -> list[str]:
    """What changed: lines with ``-`` and ``+``, their changed words in ``[-…-]`` and ``{+…+}``."""
    diff = diff_lines(older, newer)
    rows, shown = diff.rows, diff.near_changes(CONTEXT_LINES)
    lines: list[str] = []
    last = -1
    for number in shown:
        if number != last + 1:
            lines.append("...")
        lines.append(_row_line(rows[number]))
        last = number
    if shown and last != len(rows) - 1:
        lines.append("...")
    return lines


def _kind(entry: NamedEntry) -> str:
    if entry.is_template:
        return "template"
    return "built in" if entry.is_built_in else "companion"


def _row_line(row: DiffRow) -> str:
    number = row.old_number if row.new_number is None else row.new_number
    line = f"{number:>5} {_SIGNS[row.kind]} {visible(''.join(_marked(row)))}"
    return f"{line}  ({_ENDS.get(row.end, 'line end')})" if row.end_changed else line


def _marked(row: DiffRow) -> Iterator[str]:
    """The text of a row with marks around the words that changed."""
    opening, closing = _MARKS.get(row.kind, ("", ""))
    at = 0
    for start, length in row.changed:
        yield row.text[at:start]
        yield f"{opening}{row.text[start : start + length]}{closing}"
        at = start + length
    yield row.text[at:]
