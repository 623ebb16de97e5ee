"""What went wrong at a provider, in the words of the protocol."""

from __future__ import annotations

import re
from typing import Any, Final

from inklings_desktop.acp_wire import words
from inklings_desktop.domain.errors import AgentError

_BY_KIND: Final = {
    "insufficient_quota": words.NO_CREDIT,
    "billing_error": words.NO_CREDIT,
    "authentication_error": words.KEY_REFUSED,
    "permission_error": words.KEY_REFUSED,
    "not_found_error": words.MODEL_UNKNOWN,
    "context_length_exceeded": words.CONTEXT_TOO_SMALL,
    "request_too_large": words.CONTEXT_TOO_SMALL,
    "rate_limit_error": words.PROVIDER_BUSY,
    "overloaded_error": words.PROVIDER_BUSY,
}
"""By the provider's own word, which says more than a status."""
_BY_STATUS: Final = {
    401: words.KEY_REFUSED,
    402: words.NO_CREDIT,
    403: words.KEY_REFUSED,
    404: words.MODEL_UNKNOWN,
    413: words.CONTEXT_TOO_SMALL,
    429: words.PROVIDER_BUSY,
    504: words.PROVIDER_UNREACHABLE,
    529: words.PROVIDER_BUSY,
}
_SAYS: Final = {
    r"context (?:length|window|size)|prompt is too long": words.CONTEXT_TOO_SMALL,
    r"credit balance": words.NO_CREDIT,
    r"support\w* .{0,40}\b(?:tool|function|json_schema|response_format)": words.MODEL_CANNOT,
}
"""What several providers say only in a sentence."""
_PASSING: Final = {words.PROVIDER_UNREACHABLE, words.PROVIDER_BUSY, words.PROVIDER_FAILED}
_NO_ANSWER: Final = 300


def problem(word: str, provider: str, status: int = 0) -> AgentError:
    """An error whose detail names the provider, and the status that it answered with."""
    detail = f"{provider} {status}" if status else provider
    return AgentError(word, retry=word in _PASSING, detail=detail)


def answered(provider: str, status: int, body: Any, *, has_key: bool = True) -> AgentError:
    """What a provider's refusal means.

    Args:
        status: Of the answer; one below 300 where the refusal came in the middle of a stream.
        body: The provider's, as it came; nothing of it is told.
    """
    inner = body.get("error", body) if isinstance(body, dict) else body
    said = inner if isinstance(inner, dict) else {"message": inner}
    if status < _NO_ANSWER and isinstance(said.get("code"), int):
        status = said["code"]
    sentence = str(said.get("message")).lower()
    word = (
        _BY_KIND.get(str(said.get("code")))
        or _BY_KIND.get(str(said.get("type")))
        or next((word for part, word in _SAYS.items() if re.search(part, sentence)), "")
        or _BY_STATUS.get(status, words.PROVIDER_FAILED)
    )
    if word == words.KEY_REFUSED and not has_key:
        word = words.NO_KEY
    return problem(word, provider, status if status >= _NO_ANSWER else 0)
