"""What a desktop and a software centre are told of the program."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import inklings_desktop
from inklings_desktop.resource_files import DESKTOP_ID
from tests.architecture.contract_report import REPOSITORY

SHARE = REPOSITORY / "resources" / "share"
ENTRY = SHARE / "applications" / f"{DESKTOP_ID}.desktop"
METAINFO = SHARE / "metainfo" / f"{DESKTOP_ID}.metainfo.xml"
HICOLOR = SHARE / "icons" / "hicolor"
VALIDATORS = {
    "desktop-file-validate": [str(ENTRY)],
    "appstreamcli": ["validate", "--no-net", str(METAINFO)],
}


@pytest.mark.parametrize("tool", VALIDATORS)
def test_the_validators_of_desktops_have_nothing_to_object(tool: str) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    said = subprocess.run(
        [tool, *VALIDATORS[tool]],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert said.returncode == 0, said.stdout + said.stderr
    assert not re.search(r"^\s*[EW]:", said.stdout + said.stderr, re.MULTILINE)


def test_every_file_goes_by_one_name() -> None:
    metainfo = description()
    entry = ENTRY.read_text(encoding="utf-8")
    assert metainfo.findtext("id") == DESKTOP_ID
    assert metainfo.findtext("launchable") == ENTRY.name
    assert metainfo.findtext("icon") == DESKTOP_ID
    assert f"\nIcon={DESKTOP_ID}\n" in entry
    named = {path.name for path in HICOLOR.rglob("*") if path.is_file()}
    assert named == {f"{DESKTOP_ID}.png", f"{DESKTOP_ID}.svg", f"{DESKTOP_ID}-symbolic.svg"}
    assert f'"{DESKTOP_ID}"' in (REPOSITORY / "packaging" / "draw_icons.py").read_text("utf-8")


def test_the_links_of_the_program_are_given_to_it() -> None:
    entry = ENTRY.read_text(encoding="utf-8")
    assert "\nMimeType=x-scheme-handler/inklings;\n" in entry
    assert "\nExec=inklings-desktop %u\n" in entry


def test_the_icon_is_there_in_every_size_and_of_that_size() -> None:
    found = {
        path.relative_to(HICOLOR).parts[0]: struct.unpack(">2I", path.read_bytes()[16:24])
        for path in HICOLOR.rglob("*.png")
    }
    sizes = (16, 22, 24, 32, 48, 64, 128, 256, 512)
    assert found == {f"{size}x{size}": (size, size) for size in sizes}


def test_the_release_on_show_is_the_version_of_the_program() -> None:
    releases = description().findall("releases/release")
    assert releases[0].get("version") == inklings_desktop.__version__
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", releases[0].get("date", ""))


def test_every_address_is_one_home() -> None:
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    urls = settings["project"]["urls"]
    metainfo = description()
    told = {one.get("type"): one.text for one in metainfo.findall("url")}
    assert told == {
        "homepage": urls["Source"],
        "vcs-browser": urls["Source"],
        "bugtracker": urls["Issues"],
        "help": urls["Documentation"],
    }
    shown = [one.text or "" for one in metainfo.findall("screenshots/screenshot/image")]
    before = urls["Source"] + "/raw/main/"
    assert shown
    assert all(one.startswith(before) for one in shown)
    assert all(picture(one.removeprefix(before)).is_file() for one in shown)


def description() -> ET.Element:
    return ET.parse(METAINFO).getroot()  # noqa: S314 - a file of ours


def picture(name: str) -> Path:
    return REPOSITORY / name
