"""Every request that is answered, with the form of its parameters; a table of our own.

The library's router has no place for some of them, and hides others.
"""

from __future__ import annotations

import logging
import uuid
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from acp.exceptions import RequestError
from acp.schema import (
    CancelNotification,
    CloseSessionRequest,
    DeleteSessionRequest,
    InitializeRequest,
    ListSessionsRequest,
    LoadSessionRequest,
    NewSessionRequest,
    PromptRequest,
    ResumeSessionRequest,
    SetSessionConfigOptionSelectRequest,
)
from pydantic import ValidationError

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.sentences import SENTENCES
from inklings_desktop.agent.memory_door.call import agent_error
from inklings_desktop.domain.errors import AgentError, InklingsError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pydantic import BaseModel

    from inklings_desktop.agent.acp_door.world_agent import WorldAgent

Handler: TypeAlias = "Callable[[Any], Awaitable[Any]]"
Route: TypeAlias = "tuple[type[BaseModel] | None, Handler]"
_log = logging.getLogger("inklings.agent")


class Routes:
    """Hands a request to what answers it, and puts what went wrong into the protocol's form."""

    def __init__(self, agent: WorldAgent) -> None:
        self._requests: dict[str, Route] = {
            words.INITIALIZE: (InitializeRequest, agent.initialize),
            words.NEW: (NewSessionRequest, agent.new_session),
            words.LOAD: (LoadSessionRequest, agent.load_session),
            words.RESUME: (ResumeSessionRequest, agent.resume_session),
            words.LIST: (ListSessionsRequest, agent.list_sessions),
            words.CLOSE: (CloseSessionRequest, agent.close_session),
            words.DELETE: (DeleteSessionRequest, agent.delete_session),
            words.SET_CONFIG_OPTION: (
                SetSessionConfigOptionSelectRequest,
                agent.set_config_option,
            ),
            words.PROMPT: (PromptRequest, agent.prompt),
            words.END: (None, agent.extensions.end),
            words.UNDO: (None, agent.extensions.undo),
            words.TRACE: (None, agent.extensions.trace),
            words.STOP_RUN: (None, agent.extensions.stop_run),
            words.HEALTH: (None, agent.extensions.health),
            words.PROVIDER_LIST: (None, agent.providers.list),
            words.PROVIDER_SET: (None, agent.providers.set),
            words.PROVIDER_FORGET: (None, agent.providers.forget),
            words.PROVIDER_TEST: (None, agent.providers.test),
            words.PROVIDER_MODELS: (None, agent.providers.list_models),
            words.PROVIDER_SIGN_IN: (None, agent.providers.sign_in),
            words.ROUTE_LIST: (None, agent.providers.routes),
        }
        self._notifications: dict[str, Route] = {
            words.CANCEL: (CancelNotification, agent.cancel),
        }

    async def __call__(self, method: str, params: Any, is_notification: bool) -> Any:  # noqa: FBT001 - the library calls it so
        """The answer to a request.

        Raises:
            RequestError: There is none.
        """
        if is_notification:
            with suppress(RequestError):  # what nobody waits for is answered by nothing
                await self._answer(self._notifications, method, params)
            return None
        return await self._answer(self._requests, method, params)

    async def _answer(self, table: Mapping[str, Route], method: str, params: Any) -> Any:
        if method not in table:
            raise RequestError.method_not_found(method)
        model, handler = table[method]
        try:
            asked = _params(params) if model is None else model.model_validate(params)
        except ValidationError as error:
            wrong = [".".join(str(at) for at in one["loc"]) for one in error.errors()]
            raise RequestError.invalid_params({"fields": wrong}) from None
        try:
            return await handler(asked)
        except InklingsError as error:
            raise problem(agent_error(error)) from None
        except (RequestError, ConnectionError):
            raise
        except Exception as error:
            number = uuid.uuid4().hex[:8]
            _log.exception("%s failed, number %s", method, number)
            raise problem(AgentError(words.AGENT_FAILED, detail=number)) from error


def problem(error: AgentError) -> RequestError:
    """What went wrong, as the protocol says it: a sentence and its word, never anybody's text."""
    data = {"word": error.word, "retry": error.retry, "detail": error.detail}
    said = error.said or SENTENCES.get(error.word) or SENTENCES[words.AGENT_FAILED]
    return RequestError(words.AGENT_PROBLEM, said, data)


def _params(params: Any) -> dict[str, Any]:
    if not isinstance(params, dict):
        raise RequestError.invalid_params({"fields": ["params"]})
    return params
