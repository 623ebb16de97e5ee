"""The documents of the benchmarks as one Markdown section, and where it goes in a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.languages import table as languages_table
from benchmarks.measuring import table_of
from benchmarks.retrieval_quality import table as quality_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BEGIN = "<!-- benchmarks: begin, made by python -m benchmarks -->"
END = "<!-- benchmarks: end -->"


def tables_of(documents: Sequence[Mapping[str, Any]]) -> str:
    """Speed beside the bare operation, then quality per set."""
    rows = [row for document in documents for row in document.get("rows", ())]
    lines: list[str] = []
    if rows:
        machines = dict.fromkeys(one["machine"] for one in documents if "machine" in one)
        lines += [f"Measured on {'; '.join(machines)}. Medians; a ratio counts, not a time.", ""]
        lines += table_of(rows)
    for document in documents:
        if "sets" in document:
            lines += ["", "Public questions with known answers, recall@10 / nDCG@10:", ""]
            lines += quality_table(document)
        if "languages" in document:
            said = (
                f"Memories and questions in other languages, hit@10 / nDCG@10, {document['model']}:"
            )
            lines += ["", said, "", *languages_table(document)]
    return "\n".join(lines).strip()


def inserted(page: str, text: str) -> str:
    """The page with this text between its markers.

    Raises:
        ValueError: The page does not have both markers, in order.
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page needs the lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"
