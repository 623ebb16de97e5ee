"""What is packed for systems without Python is packed from one bundle and one set of files."""

from __future__ import annotations

import re
import tomllib

import yaml

from inklings_desktop.resource_files import DESKTOP_ID
from tests.architecture.contract_report import REPOSITORY

PACKAGING = REPOSITORY / "packaging"
MANIFEST = PACKAGING / f"{DESKTOP_ID}.yaml"


def test_the_flatpak_goes_by_the_name_of_the_menu_entry_and_has_no_network() -> None:
    manifest = yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))
    assert manifest["id"] == DESKTOP_ID
    assert manifest["command"] == "inklings-desktop"
    assert not [one for one in manifest["finish-args"] if "network" in one or "filesystem" in one]


def test_the_flatpak_holds_the_bundle_and_the_desktop_files() -> None:
    [module] = yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))["modules"]
    sources = {one["dest"]: (PACKAGING / one["path"]).resolve() for one in module["sources"]}
    assert sources == {
        "bundle": REPOSITORY / "dist" / "inklings-desktop",
        "share": REPOSITORY / "resources" / "share",
    }
    assert all(any(dest in one for one in module["build-commands"]) for dest in sources)


def test_every_program_can_be_called_by_its_name() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    programs = {*project["scripts"], *project["gui-scripts"]}
    script = (PACKAGING / "build_deb.sh").read_text(encoding="utf-8")
    linked = re.findall(r"^for program in (.+); do$", script, re.MULTILINE)
    assert [set(names.split()) for names in linked] == [programs, programs]
    flatpak = MANIFEST.read_text(encoding="utf-8")
    assert set(re.findall(r"ln -s \S+ /app/bin/(\S+)", flatpak)) == programs


def test_the_debian_package_needs_what_the_package_list_names() -> None:
    script = (PACKAGING / "build_deb.sh").read_text(encoding="utf-8")
    [parts] = re.findall(r"for part in (.+); do\n  depends", script)
    listed = (PACKAGING / "debian-packages.txt").read_text(encoding="utf-8")
    assert parts.split() == ["offscreen", "window"]
    assert all(f"\n# [{part}] " in listed for part in parts.split())


def test_every_script_for_packing_stops_at_the_first_mistake() -> None:
    scripts = sorted(PACKAGING.glob("*.sh"))
    assert len(scripts) > 1
    for script in scripts:
        assert "\nset -euo pipefail\n" in script.read_text(encoding="utf-8"), script
