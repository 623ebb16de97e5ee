"""How large the house may be: bounds that only go down.

Who makes a part smaller lowers its bound in the same change; nobody raises one. A new page brings
its own lines, and then says so here.
"""

from __future__ import annotations

import pytest

from benchmarks.house import House
from tests.architecture.contract_report import REPOSITORY

PRODUCT = REPOSITORY / "inklings_desktop"
UI_LINES, UI_MODULES, UI_STATEMENTS, UI_TOKENS = 85_800, 353, 52_860, 574_500
PRODUCT_LINES = 177_500
TESTS_A_LINE = 0.70
THIN_MODULES = 26
PAINT_METHODS = 84
MODELS_AND_OTHER_AGENTS = (2_940, 14, 1_685, 21_600, 9_400)
"""Lines, modules, statements and tokens that they brought to the window, and lines in all."""
PAGES_OF_THE_WORLD = (4_040, 13, 2_310, 29_000, 16_380)
"""The same of these; three of their modules are thin."""
KNOWLEDGE = (6_600, 29, 3_710, 48_900, 14_590)
"""The same of facts, house rules and domains, and of what contradicts a page.

Four of these modules are thin. Two paint: the dots of what a fact was before, and the grid of what
roles may do.
"""
THE_TEAM = (5_590, 30, 3_070, 40_000, 17_870)
"""The same of those who are sent, scripts, skills and activities.

Three of these modules are thin. Two paint: a row of those who were sent, and the lines of the
schedule.
"""
BROUGHT = tuple(
    map(
        sum,
        zip(MODELS_AND_OTHER_AGENTS, PAGES_OF_THE_WORLD, KNOWLEDGE, THE_TEAM, strict=True),
    )
)


@pytest.fixture(scope="module")
def product() -> House:
    return House(PRODUCT)


def test_the_window_grows_no_more(product: House) -> None:
    ui = product.below(PRODUCT / "ui")
    lines, modules, statements, tokens, _ = BROUGHT
    assert sum(one.n_lines for one in ui) <= UI_LINES + lines
    assert len(ui) <= UI_MODULES + modules
    assert sum(one.n_statements for one in ui) <= UI_STATEMENTS + statements
    assert sum(one.n_tokens for one in ui) <= UI_TOKENS + tokens
    assert sum(one.n_painters for one in ui) <= PAINT_METHODS


def test_the_product_grows_no_more(product: House) -> None:
    n_lines = sum(one.n_lines for one in product.modules)
    assert n_lines <= PRODUCT_LINES + BROUGHT[-1]
    tests = House(REPOSITORY / "tests").modules
    assert sum(one.n_lines for one in tests) <= TESTS_A_LINE * n_lines


def test_few_modules_are_little_more_than_what_they_import(product: House) -> None:
    assert sum(one.is_thin for one in product.modules) <= THIN_MODULES


def test_an_override_says_nothing_that_its_name_says(product: House) -> None:
    assert product.wordy_overrides() == []


def test_every_other_public_method_says_what_it_does(product: House) -> None:
    assert product.silent_methods() == []
