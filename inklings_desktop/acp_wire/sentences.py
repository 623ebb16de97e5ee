"""What went wrong, as sentences: the ``message`` of an error, and what the terminal prints."""

from typing import Final

from inklings_desktop.acp_wire import words

KEPT: Final = "Your message is kept."
_CONTINUE = "Say /continue to resume it."
SENTENCES: Final = {
    words.AGENT_FAILED_TO_START: "The agent could not be started.",
    words.AGENT_GONE: f"The agent ended unexpectedly. {KEPT} {_CONTINUE}",
    words.AGENT_TOO_LOUD: "The agent sent more than anybody can read, so it was stopped.",
    words.AGENT_FAILED: f"The agent could not do this. {KEPT}",
    words.MEMORY_UNREACHABLE: "Your memory could not be opened for the agent.",
    words.NOT_GRANTED: "The agent may not read here.",
    words.UNKNOWN_SESSION: "The agent takes part in no such conversation.",
    words.NO_KEY: "The provider of the model asks for a key, and none is set.",
    words.KEY_REFUSED: "The provider refused the key.",
    words.NO_CREDIT: "The credit at the provider is used up.",
    words.PROVIDER_UNREACHABLE: f"The provider could not be reached. {KEPT}",
    words.PROVIDER_BUSY: f"The provider is busy. {KEPT}",
    words.PROVIDER_FAILED: f"The provider could not answer. {KEPT}",
    words.ADDRESS_REFUSED: (
        "The address of a provider must begin with https://, or be on this computer."
    ),
    words.SIGN_IN_FAILED: "You are not signed in. Try again.",
    words.MODEL_UNKNOWN: "The provider does not have this model. Choose another.",
    words.MODEL_CANNOT: "This model cannot use tools. Choose another.",
    words.WRONG_ANSWER: "The answer of the model could not be used.",
    words.BUSY: "The agent is answering in this conversation already.",
    words.BUSY_ELSEWHERE: "The agent is answering in this conversation in another program.",
    words.LIMIT_REACHED: f"The agent stopped at the limit of one turn. {_CONTINUE}",
    words.BUDGET_SPENT: "The agent stopped before it would have spent more than you allow.",
    words.ANSWER_CUT: f"The answer was cut off. {_CONTINUE}",
    words.REFUSED_BY_MODEL: "The model refused to answer this.",
    words.CONTEXT_TOO_SMALL: "The message is too long for this model.",
    words.TOOL_REFUSED: "The agent may not do this.",
    words.SCRIPTS_NOT_INSTALLED: (
        'Scripts cannot run: their interpreter is missing. pip install "inklings-desktop[agent]"'
        " brings it."
    ),
    words.RUN_UNKNOWN_VERSION: (
        "The unfinished turn belongs to another version and cannot continue. All messages are kept."
    ),
    words.RUN_DAMAGED: "The unfinished turn cannot continue. All messages are kept.",
    words.CHANGED_SINCE: "It was changed since, so it was not undone.",
    words.CONVERSATION_ARCHIVED: "This conversation is archived. Start a new one.",
    words.NOTHING_TO_CONTINUE: "Nothing is waiting to be continued.",
    words.NOTHING_TO_UNDO: "There is nothing to undo.",
    words.UNKNOWN_OPTION: "There is no such option.",
    words.INVALID_VALUE: "This cannot be stored, and nothing was changed.",
    words.MESSAGE_TOO_LONG: "A message can have at most 256 KiB. This one was not sent.",
}
"""By the word of a problem."""
