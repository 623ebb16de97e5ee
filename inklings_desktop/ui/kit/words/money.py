"""What something costs, as a person reads it."""

from __future__ import annotations

from inklings_desktop.ui.kit.look.translation import decimal

_MICRO = 1_000_000
_SMALLEST = 0.01


def money(micro: int, currency: str = "") -> str:
    """An amount with its currency; what costs less than a hundredth is said to cost that.

    Args:
        micro: Millionths of the currency.
        currency: Its code; dollars where it is empty.
    """
    amount = decimal(max(micro / _MICRO, _SMALLEST), 2)
    return f"${amount}" if currency in {"", "USD"} else f"{amount} {currency}"
