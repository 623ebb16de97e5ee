from __future__ import annotations

import re
import tomllib

from tests.architecture.contract_report import REPOSITORY


def text(name: str) -> str:
    return (REPOSITORY / name).read_text(encoding="utf-8")


NIGHTLY = text(".github/workflows/nightly.yml")


def test_nightly_is_set_up_as_the_readme_says_and_runs_what_contributing_says() -> None:
    [said] = re.findall(r"<!-- test-command -->\n```sh\n(.+)\n```", text("README.md"))
    set_up, runs, _ = said.partition(" && .venv/bin/python -m pytest")
    assert runs
    assert f"run: {set_up}\n" in NIGHTLY
    [endurance] = re.findall(r"run: (.+ -m pytest .+)\n", NIGHTLY)
    assert f"`{endurance}`" in text("CONTRIBUTING.md").replace("\n", " ")
    markers = tomllib.loads(text("pyproject.toml"))["tool"]["pytest"]["ini_options"]["markers"]
    assert endurance.rpartition(" ")[2] in {one.partition(":")[0] for one in markers}


def test_nightly_installs_the_system_packages_as_their_list_says() -> None:
    packages = text("packaging/debian-packages.txt")
    [said] = re.findall(r"#   (apt-get install .+)\n", packages)
    assert f"sudo {said}\n" in NIGHTLY
    assert "\n# [offscreen]" in packages


def test_nightly_borrows_two_actions_each_at_one_version() -> None:
    used = re.findall(r"uses: (.+)", NIGHTLY)
    assert [one.partition("@")[0] for one in used] == ["actions/checkout", "actions/setup-python"]
    assert all(re.fullmatch(r"[\w/-]+@v\d+\.\d+\.\d+", one) for one in used)
