from __future__ import annotations

from tests.architecture.contract_report import REPOSITORY, check_contracts


def test_no_import_breaks_a_contract() -> None:
    broken, printed = check_contracts(REPOSITORY)
    assert broken == {}, printed
