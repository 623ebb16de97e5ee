"""Lost writes in words for a terminal: how many, since when, and where they may still be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.cli.output import counted, local_time

if TYPE_CHECKING:
    from inklings_desktop.domain.log.events import LostWrites

KEEP_ON_RECORD = "Once you know what is missing, accept the loss with: inklings log --anchor"


def lost_words(lost: LostWrites) -> str:
    """One loss, without a full stop at the end."""
    said = (
        f"The file has lost {counted(lost.n_writes, 'write')} that it held, made between "
        f"{local_time(lost.since)} and {local_time(lost.until)}; perhaps an older copy of it was "
        "put back. "
    )
    if lost.backup is None:
        said += "No backup has any of them"
    else:
        said += f"The backup {lost.backup} has {lost.n_in_backup:,} of them"
    if lost.n_scrubs:
        said += (
            f". {counted(lost.n_scrubs, 'scrub')} came after this copy: what was scrubbed then may "
            "be back, and has to be scrubbed again"
        )
    return said
