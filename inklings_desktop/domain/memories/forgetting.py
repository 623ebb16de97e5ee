"""Why a memory is inactive, where the program says so itself and no person does."""

CAP_REASON = "cap"
CLOSED_REASON = "conversation_closed"
UNDONE_REASON = "undone"
