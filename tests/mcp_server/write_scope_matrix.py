"""Write the scope matrix into the documents: ``python -m tests.mcp_server.write_scope_matrix``.

The page is the table that ``test_scope_matrix`` holds the program to; a test compares the two.
"""

from __future__ import annotations

from pathlib import Path

from tests.mcp_server.scope_table import COLUMNS, ROWS, Cell, expected

DOCUMENT = Path(__file__).parents[2] / "docs" / "scope_matrix.md"

_HEAD = """\
# What a client may do at the agent's door

Every request that an agent can make ({n_rows}) before every set of grants ({n_columns}),
{n_cells} cells. The test `scope_matrix` asks all of them at a real server and compares what comes
back with this table; it also checks that nothing is shown of a scope that is closed, that what is
closed and what is not there answer byte for byte the same, and that every refusal leaves one event.

- **yes**: done. **held**: nothing is changed; it waits for the author, as a proposal or, for a
  scrub, as a request in the window.
- **no**: the tool is listed, this request is refused.
- **\u2014**: the tool is not even listed, and refused when it is called all the same.

*Own* rooms are those that the client takes part in, *foreign* ones are there without it, *left*
ones are channels whose only conversation with it was put away, *unknown* ones are nowhere. A client
that was never seen before is shown the tools of an external client, and waits to be let in.

"""
_TITLES = (
    ("Usual clients", slice(0, 4)),
    ("One right in the conversation tier", slice(4, 10)),
    ("One right in the channel tier", slice(10, 16)),
    ("One right in the workspace tier", slice(16, 24)),
    ("One right in the account tier", slice(24, 30)),
    ("Elsewhere, one channel, everything", slice(30, None)),
)


def rendered() -> str:
    """The page."""
    n_cells = len(ROWS) * len(COLUMNS)
    parts = [_HEAD.format(n_rows=len(ROWS), n_columns=len(COLUMNS), n_cells=f"{n_cells:,}")]
    for title, chosen in _TITLES:
        columns = COLUMNS[chosen]
        parts.append(f"## {title}\n\n")
        parts.append(_line("request", *(column.name for column in columns)))
        parts.append(_line("---", *(":-:" for _ in columns)))
        parts += [_line(row.name, *(_shown(expected(row, one)) for one in columns)) for row in ROWS]
        parts.append("\n")
    return "".join(parts).rstrip("\n") + "\n"


def _shown(cell: Cell) -> str:
    return f"**{cell.value}**" if cell in {Cell.YES, Cell.HELD} else cell.value


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    DOCUMENT.write_text(rendered(), encoding="utf-8")
