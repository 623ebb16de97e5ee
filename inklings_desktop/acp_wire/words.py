"""The words of the protocol: methods, updates, our own fields and the words of problems.

What stands here is sent and compared, never shown. Source: design of the World Agent, 4 and 16.
"""

from typing import Final

PROTOCOL_VERSION: Final = 1
WORLD_AGENT: Final = "world-agent"
MEMORY_SERVER: Final = "inklings"

# What the client asks of the agent.
INITIALIZE: Final = "initialize"
NEW: Final = "session/new"
LOAD: Final = "session/load"
RESUME: Final = "session/resume"
LIST: Final = "session/list"
CLOSE: Final = "session/close"
DELETE: Final = "session/delete"
SET_CONFIG_OPTION: Final = "session/set_config_option"
SET_MODE: Final = "session/set_mode"
PROMPT: Final = "session/prompt"
CANCEL: Final = "session/cancel"
# Our own requests; who does not know them loses nothing.
END: Final = "_inklings/conversation/end"
UNDO: Final = "_inklings/turn/undo"
TRACE: Final = "_inklings/turn/trace"
HEALTH: Final = "_inklings/health"
PROVIDER_LIST: Final = "_inklings/provider/list"
PROVIDER_SET: Final = "_inklings/provider/set"
PROVIDER_FORGET: Final = "_inklings/provider/forget"
PROVIDER_TEST: Final = "_inklings/provider/test"
PROVIDER_MODELS: Final = "_inklings/provider/models"
PROVIDER_SIGN_IN: Final = "_inklings/provider/sign_in"
SIGN_IN_SECONDS: Final = 320.0
"""Wait so long for a sign-in to end: the agent itself gives the browser five minutes."""
ROUTE_LIST: Final = "_inklings/route/list"

# What the agent asks of the client.
UPDATE: Final = "session/update"
REQUEST_PERMISSION: Final = "session/request_permission"

# Kinds of updates.
USER_CHUNK: Final = "user_message_chunk"
AGENT_CHUNK: Final = "agent_message_chunk"
THOUGHT_CHUNK: Final = "agent_thought_chunk"
TOOL_CALL: Final = "tool_call"
TOOL_CALL_UPDATE: Final = "tool_call_update"
PLAN: Final = "plan"
COMMANDS: Final = "available_commands_update"
CONFIG_OPTIONS: Final = "config_option_update"
CURRENT_MODE: Final = "current_mode_update"
SESSION_INFO: Final = "session_info_update"
USAGE: Final = "usage_update"

# Slash commands of the World Agent, without the slash.
CONTINUE: Final = "continue"
RETRY: Final = "retry"
COMMAND_END: Final = "end"
COMMAND_END_TOOL: Final = "conversation_end"
SPEND_TOOL: Final = "spend"
"""What a question about money names in the place of a tool."""
COMMAND_UNDO: Final = "undo"
COMMAND_WHY: Final = "why"
COMMAND_HELP: Final = "help"
COMMAND_MODEL: Final = "model"

# `_meta` holds one object under this key; these are its fields.
OWN: Final = "inklings"
TURN: Final = "turn"
SEQ: Final = "seq"
AT: Final = "at"
TOUCHED: Final = "touched"
PROCESS: Final = "process"
PARENT: Final = "parent"
TOOL: Final = "tool"
STATUS: Final = "status"
OUTCOME: Final = "outcome"
MS: Final = "ms"
PRODUCED_BY: Final = "produced_by"
QUOTES: Final = "quotes"
STATE: Final = "state"
COMPACTED: Final = "compacted"
CHANNEL: Final = "channel"
CONVERSATION: Final = "conversation"
REF_CODE: Final = "ref_code"
WORKSPACE: Final = "workspace"
UNFINISHED: Final = "unfinished"
NODE: Final = "node"
UNUSED_SERVERS: Final = "unused_servers"
SUMMARY: Final = "summary"
VERSION: Final = "version"
RECORDS: Final = "records"
MODEL: Final = "model"
MECHANICAL: Final = "mechanical"
WHY: Final = "why"
EFFECT: Final = "effect"
BEFORE: Final = "before"
AFTER: Final = "after"
CHOICES: Final = "choices"
"""The calls that one question is about; the client may answer with those that it allows."""
CHOSEN: Final = "chosen"
TIER: Final = "tier"
PERMISSION: Final = "permission"
SPEAKER: Final = "speaker"
ROLE: Final = "role"
TITLE: Final = "title"
WHOLE: Final = "whole"
# What a replay tells that the protocol has no update for, on `session_info_update`.
ENDED: Final = "ended"
PROBLEM: Final = "problem"
NOTICE: Final = "notice"
STOPPED: Final = "stopped"
PART: Final = "part"

# Words of notices.
UNDONE: Final = "undone"
SCRUBBED: Final = "scrubbed"

# How a turn ends.
END_TURN: Final = "end_turn"
MAX_TOKENS: Final = "max_tokens"
MAX_TURN_REQUESTS: Final = "max_turn_requests"
REFUSAL: Final = "refusal"
CANCELLED: Final = "cancelled"

# Options of a permission: kinds of the protocol, and the ids that the World Agent gives them.
ALLOW_ONCE: Final = "allow_once"
ALLOW_ALWAYS: Final = "allow_always"
REJECT_ONCE: Final = "reject_once"
REJECT_ALWAYS: Final = "reject_always"
OPTION_ONCE: Final = "once"
OPTION_ALWAYS: Final = "always"
OPTION_DENY: Final = "deny"
OPTION_LATER: Final = "later"

# Codes of JSON-RPC, and our own.
PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
AUTH_REQUIRED: Final = -32000
AGENT_PROBLEM: Final = -32001

# Words of problems: `data.word` of an error, and of a part of kind `problem`.
AGENT_NOT_INSTALLED: Final = "agent_not_installed"
AGENT_FAILED_TO_START: Final = "agent_failed_to_start"
AGENT_GONE: Final = "agent_gone"
AGENT_SPEAKS_OTHERWISE: Final = "agent_speaks_otherwise"
AGENT_TOO_LOUD: Final = "agent_too_loud"
AGENT_FAILED: Final = "agent_failed"
MEMORY_UNREACHABLE: Final = "memory_unreachable"
NOT_GRANTED: Final = "not_granted"
UNKNOWN_SESSION: Final = "unknown_session"
NO_KEY: Final = "no_key"
KEY_REFUSED: Final = "key_refused"
NO_CREDIT: Final = "no_credit"
PROVIDER_UNREACHABLE: Final = "provider_unreachable"
PROVIDER_BUSY: Final = "provider_busy"
PROVIDER_FAILED: Final = "provider_failed"
ADDRESS_REFUSED: Final = "address_refused"
SIGN_IN_FAILED: Final = "sign_in_failed"
MODEL_UNKNOWN: Final = "model_unknown"
MODEL_CANNOT: Final = "model_cannot"
WRONG_ANSWER: Final = "wrong_answer"
BUSY: Final = "busy"
BUSY_ELSEWHERE: Final = "busy_elsewhere"
CONTEXT_TOO_SMALL: Final = "context_too_small"
ANSWER_CUT: Final = "answer_cut"
REFUSED_BY_MODEL: Final = "refused_by_model"
LIMIT_REACHED: Final = "limit_reached"
BUDGET_SPENT: Final = "budget_spent"
TOOL_REFUSED: Final = "tool_refused"
RUN_UNKNOWN_VERSION: Final = "run_unknown_version"
RUN_DAMAGED: Final = "run_damaged"
CHANGED_SINCE: Final = "changed_since"
NOTHING_TO_CONTINUE: Final = "nothing_to_continue"
UNKNOWN_OPTION: Final = "unknown_option"
NOTHING_TO_UNDO: Final = "nothing_to_undo"
INVALID_VALUE: Final = "invalid_value"
MESSAGE_TOO_LONG: Final = "message_too_long"
CONVERSATION_ARCHIVED: Final = "conversation_archived"
