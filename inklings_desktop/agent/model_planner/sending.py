"""What one call of a model was sent and used, for the accounts and for the person to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.agent.planning import Sent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.providers.port import ChatModel, Usage


def sent_of(prompt: str, model: ChatModel, slices: Mapping[str, str], used: Usage, ms: int) -> Sent:
    """Both together.

    Args:
        prompt: Name and version of the rules that were sent.
        slices: Everything that was sent, by name.
        ms: How long it took.
    """
    return Sent(
        prompt,
        model.provider,
        model.model,
        slices,
        used.input_tokens,
        used.output_tokens,
        used.cached_tokens,
        used.cost_micro,
        used.currency,
        used.is_estimated,
        ms,
        model.window,
        model.is_local,
    )
