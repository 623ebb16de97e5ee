"""Skills go with an export, and come in switched off, as somebody else's; salvage keeps them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.skills.folder import contents_of
from inklings_desktop.domain.skills.skill import Origin, Skill
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.storage.salvage.salvage import SqliteSalvager
from tests.cli.test_published_schema import faults
from tests.storage.test_transfer_identity import SCHEMA, document
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.transfers import TransferBench, fill, transfer_bench

if TYPE_CHECKING:
    from pathlib import Path

FILES = {"SKILL.md": "---\nname: tides\n---\r\nRead.", "references/more.md": "\ufeffMore.\n\n"}
ID = "0b8f4c1e-0000-4000-8000-00000000000{}"


def plant(bench: TransferBench) -> None:
    """A skill of the workspace and one of the account."""
    for number, file in enumerate((WORKSPACE_ID, None)):
        with bench.world.store.write(file, initiator="Ada") as unit:
            of = contents_of(FILES, {"name": "tides", "description": "Reads tides."})
            unit.skills.save(
                Skill(ID.format(number), file, of, Origin.USER, 1, True, "author", NOON, NOON)
            )
            unit.commit()


def kept(bench: TransferBench, file: str | None) -> Skill:
    with bench.world.store.read(file) as view:
        (found,) = view.skills.every()
    return found


def test_a_restore_brings_them_in_switched_off_and_not_looked_at(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 3)
        plant(source)
        source.export(file)
    assert faults(document(file), json.loads(SCHEMA.read_text(encoding="utf-8"))) == []
    with transfer_bench(tmp_path / "b", workspace_ids=()) as empty:
        assert empty.preview(file).document.unknown == ()
        assert empty.bring_in(file).is_restore
        for place in (WORKSPACE_ID, None):
            found = kept(empty, place)
            assert dict(found.contents.files) == FILES
            assert (found.origin, found.enabled, found.is_waiting) == (
                Origin.COMMUNITY, False, True,
            )  # fmt: skip


def test_beside_what_is_there_they_stay_out(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        plant(source)
        source.export(file)
    with transfer_bench(tmp_path / "b") as other:
        fill(other, 5)
        assert not other.bring_in(file).is_restore
        with other.world.store.read(WORKSPACE_ID) as view:
            assert view.skills.every() == ()


@pytest.mark.parametrize(
    "damage",
    [
        {"files": [{"path": "../up.md", "text": "x"}]},
        {"files": [{"path": "SKILL.md", "text": "x"}] * 2},
        {"files": []},
        {"front_matter": {"name": "other", "description": "x"}},
        {"front_matter": 1},
        {"name": "other"},
        {"version": 0},
    ],
)
def test_a_skill_that_is_none_is_refused_with_its_file(
    tmp_path: Path, damage: dict[str, object]
) -> None:
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        plant(source)
        source.export(file)
    whole = document(file)
    whole["workspaces"][0]["skills"][0] |= damage
    file.write_text(json.dumps(whole), encoding="utf-8")
    with (
        transfer_bench(tmp_path / "b", workspace_ids=()) as empty,
        pytest.raises(ImportRefusedError),
    ):
        empty.bring_in(file)


def test_what_is_saved_from_damage_holds_them(tmp_path: Path) -> None:
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 3)
        plant(source)
        salvager = SqliteSalvager(source.world.databases, source.world.clock)
        with salvager.readable(WORKSPACE_ID) as salvage, salvage.store.read(WORKSPACE_ID) as view:
            (found,) = view.skills.every()
            assert dict(found.contents.files) == FILES
            assert view.activities.all() == ()
