"""What the protocol's own library says of a message that we send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from acp import schema

if TYPE_CHECKING:
    from pydantic import BaseModel

REQUESTS: dict[str, type[BaseModel]] = {
    "initialize": schema.InitializeRequest,
    "authenticate": schema.AuthenticateRequest,
    "session/new": schema.NewSessionRequest,
    "session/load": schema.LoadSessionRequest,
    "session/resume": schema.ResumeSessionRequest,
    "session/list": schema.ListSessionsRequest,
    "session/close": schema.CloseSessionRequest,
    "session/delete": schema.DeleteSessionRequest,
    "session/prompt": schema.PromptRequest,
    "session/cancel": schema.CancelNotification,
    "session/set_config_option": schema.SetSessionConfigOptionSelectRequest,
    "session/set_mode": schema.SetSessionModeRequest,
    "session/update": schema.SessionNotification,
    "session/request_permission": schema.RequestPermissionRequest,
}
ANSWERS: dict[str, type[BaseModel]] = {
    "initialize": schema.InitializeResponse,
    "session/new": schema.NewSessionResponse,
    "session/load": schema.LoadSessionResponse,
    "session/resume": schema.ResumeSessionResponse,
    "session/list": schema.ListSessionsResponse,
    "session/close": schema.CloseSessionResponse,
    "session/delete": schema.DeleteSessionResponse,
    "session/prompt": schema.PromptResponse,
    "session/set_config_option": schema.SetSessionConfigOptionResponse,
}
_ERROR_KEYS = {"code", "message", "data"}


def checked(message: dict[str, Any], answers: type[BaseModel] | None = None) -> dict[str, Any]:
    """The message, if the protocol allows it as it is.

    Args:
        message: A call or an answer.
        answers: The form of the result, where it is an answer.
    """
    assert message["jsonrpc"] == "2.0"
    if "method" in message:
        method, params = message["method"], message["params"]
        if method in REQUESTS:
            _exact(REQUESTS[method], params)
        else:
            assert method.startswith("_inklings/"), method
            assert isinstance(params["sessionId"], str)
    elif "error" in message:
        assert message["error"].keys() <= _ERROR_KEYS
        assert isinstance(message["error"]["code"], int)
    elif answers is not None:
        _exact(answers, message["result"])
    return message


def _exact(model: type[BaseModel], told: Any) -> None:
    """That it is valid, and that every field of it is known: it comes back as it was."""
    again = model.model_validate(told).model_dump(by_alias=True, exclude_unset=True, mode="json")
    assert again == told
