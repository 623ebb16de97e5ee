"""What a package index shows and says of the program."""

from __future__ import annotations

import re
import tomllib

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from readme_renderer.markdown import render

from tests.architecture.contract_report import REPOSITORY

SETTINGS = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
SOURCE = SETTINGS["project"]["urls"]["Source"]


@pytest.fixture(scope="module")
def page() -> str:
    """The README as the package carries it."""
    metadata = ProjectMetadata(str(REPOSITORY), PluginManager())
    assert metadata.core.readme_content_type == "text/markdown"
    return str(metadata.core.readme)


def test_the_page_is_shown_as_it_is_written(page: str) -> None:
    shown = render(page)
    assert shown is not None
    assert re.search(r"<h1[^>]*>Inklings Desktop<", shown)
    assert "<table>" in shown


def test_no_link_of_the_page_needs_a_file_beside_it(page: str) -> None:
    shown = render(page)
    assert shown is not None
    targets = re.findall(r'(?:href|src)="([^"]+)"', shown)
    ours = [one for one in targets if one.startswith(SOURCE)]
    assert len(ours) > 5
    assert [one for one in targets if not re.match(r"https://|#", one)] == []
    for one in ours:
        kind, branch, name = one.removeprefix(f"{SOURCE}/").split("/", 2)
        assert (kind in {"raw", "blob"}, branch) == (True, "main")
        assert (REPOSITORY / name).exists(), one


def test_pythons_and_systems_are_those_that_the_program_is_tried_on() -> None:
    project = SETTINGS["project"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    lowest, too_high = re.findall(r"3\.(\d+)", project["requires-python"])
    assert named == [f"3.{minor}" for minor in range(int(lowest), int(too_high))]
    assert "Operating System :: POSIX :: Linux" in project["classifiers"]


def test_who_only_uses_the_program_gets_no_tools_of_its_developers() -> None:
    assert SETTINGS["tool"]["uv"]["default-groups"] == []
