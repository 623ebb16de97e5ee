from __future__ import annotations

import sys

from PySide6.QtCore import QObject


def test_qt_calls_keep_the_reference_count_of_none() -> None:
    # PySide6 6.12.0 lost one reference per call, which ends Python 3.11 after some 5,000 calls.
    target = QObject()
    before = sys.getrefcount(None)
    for _ in range(2_000):
        target.setObjectName("counted")
    assert sys.getrefcount(None) > before - 500
