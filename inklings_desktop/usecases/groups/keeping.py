"""Backups, and the state of the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.groups.transfer import export_of
from inklings_desktop.usecases.keeping import (
    backing_up,
    comparing,
    damage,
    health,
    setting_back,
)

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Keeping:
    """Backups, checks and repairs."""

    def __init__(self, parts: Parts, by: By) -> None:
        clock, own = parts.clock, parts.adapters()
        inspector, watch, keeper = own.inspector, own.file_watch, own.keeper
        self.measure_disk = by(health.MeasureDisk(own.disk))
        self.create_backup = by(health.CreateBackup(keeper))
        self.list_backups = by(health.ListBackups(keeper))
        self.pin_backup = by(backing_up.PinBackup(keeper))
        self.adopt_backup = by(backing_up.AdoptBackup(keeper))
        self.delete_backup = by(backing_up.DeleteBackup(keeper))
        self.back_up_changes = by(
            backing_up.BackUpChanges(
                parts.store, keeper, own.disk, clock, parts.new_id, parts.settings
            )
        )
        self.compare_backup = by(comparing.CompareBackup(parts.store, keeper))
        self.set_back = by(setting_back.SetBack(parts.store, keeper, clock, parts.settings))
        self.restore_backup = by(health.RestoreBackup(keeper, clock))
        self.find_open = by(health.FindOpen(inspector))
        self.check_data = by(health.CheckData(inspector, clock))
        self.examine_place = by(damage.ExaminePlace(inspector, watch, keeper, parts.directory))
        self.stamp_place = by(damage.StampPlace(watch))
        self.repair_place = by(damage.RepairPlace(inspector, keeper, clock))
        self.export_readable = by(damage.ExportReadable(own.salvager, export_of(parts)))
