"""Files to be imported: an export of ours, or files of other programs and of one's own hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.transfer.document import MAX_FILE_BYTES, ImportRefusedError
from inklings_desktop.domain.transfer.foreign.formats import (
    FOLDER_SUFFIXES,
    FormatId,
    Wishes,
)
from inklings_desktop.domain.transfer.foreign.found import LeftOut
from inklings_desktop.domain.transfer.foreign.making import Destination, Reading
from inklings_desktop.domain.transfer.transfer_reading import is_ours, read_document
from inklings_desktop.usecases.transfer.importing import ROWS_BETWEEN_LOOKS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from inklings_desktop.domain.transfer.document import TransferDocument
    from inklings_desktop.usecases.parts import Parts
    from inklings_desktop.usecases.ports.progress import Progress


def document_of(
    parts: Parts,
    paths: Sequence[Path],
    into: str | None,
    place: ScopeKey | None,
    wishes: Wishes,
    progress: Progress,
) -> TransferDocument:
    """What stands in the files, as one document."""
    files = parts.adapters().export_files
    found, others = files.found(paths, FOLDER_SUFFIXES)

    def on_row(done: int, total: int) -> None:
        if done % ROWS_BETWEEN_LOOKS == 0:
            progress.require_wanted()
            progress.report("read", done, total)

    reading = Reading(lambda n: on_row(n, n), wishes)
    for name in others:
        reading.finds.leave(LeftOut.OTHER_FILE, name)
    left = MAX_FILE_BYTES
    is_ours_wanted = wishes.format is FormatId.INKLINGS
    for file in found:
        progress.require_wanted()
        data = files.read(file.path, left)
        left -= len(data)
        if file.is_inside:
            reading.read_inside(file.name, data)
        elif is_ours_wanted or (wishes.format is None and is_ours(data)):
            if len(found) > 1:
                raise ImportRefusedError("several", file.name)
            return read_document(data, on_row)
        else:
            reading.read(file.name, data)
    destination = destination_of(parts, into, place)
    return reading.document(destination, parts.clock(), parts.new_id)


def destination_of(parts: Parts, into: str | None, place: ScopeKey | None) -> Destination:
    """Where the memories of a file that names no place go.

    Raises:
        ImportRefusedError: Nobody said so, and there is not one workspace alone.
        NotFoundError: The workspace or channel is not there.
    """
    directory = parts.directory
    if into is not None:
        return Destination(directory.get(into))
    if place is None:
        known = directory.workspaces()
        if len(known) != 1:
            raise ImportRefusedError("nowhere")
        return Destination(known[0])
    if place.workspace_id is None:
        return Destination(None)
    workspace = directory.get(place.workspace_id)
    if place.tier is not Tier.CHANNEL:
        return Destination(workspace)
    with parts.store.read(workspace.id) as view:
        return Destination(workspace, view.conversations.get_channel(place.key))
