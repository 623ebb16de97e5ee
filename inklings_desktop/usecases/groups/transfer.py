"""Memory out of the data root and into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.groups.background import backfill_of
from inklings_desktop.usecases.groups.consolidation import golden_watch_of
from inklings_desktop.usecases.transfer import (
    exporting,
    importing,
    markdown_export,
    previewing,
    sample_world,
    withdraw_import,
)

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Transfer:
    """Exports and imports."""

    def __init__(self, parts: Parts, by: By) -> None:
        own, settings = parts.adapters(), parts.settings
        store, directory, clock, new_id = parts.store, parts.directory, parts.clock, parts.new_id
        planner = importing.Planner(store, directory, parts.embedder)
        golden = golden_watch_of(parts)
        self.export = by(export_of(parts))
        self.export_markdown = by(
            markdown_export.ExportMarkdown(store, directory, own.export_files, clock)
        )
        self.list_exports = by(exporting.ListExports(store))
        self.preview_import = by(
            previewing.PreviewImport(planner, own.export_files, settings, clock, new_id)
        )
        self.apply_import = by(
            importing.ApplyImport(planner, own.keeper, clock, new_id, settings, golden)
        )
        self.withdraw_import = by(withdraw_import.WithdrawImport(store, directory, clock, golden))
        self.list_imports = by(withdraw_import.ListImports(store))
        self.load_sample_world = by(
            sample_world.LoadSampleWorld(store, directory, clock, new_id, backfill_of(parts))
        )


def export_of(parts: Parts) -> exporting.ExportMemory:
    """The export that others build on."""
    own = parts.adapters()
    return exporting.ExportMemory(
        parts.store, parts.directory, own.export_files, parts.clock, parts.settings, own.version
    )
