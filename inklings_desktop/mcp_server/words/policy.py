"""What belongs in memory and where, in words for an agent; every session pays for each of them.

Source: the product's write triggers per tier, and its rule that nothing derivable is stored.
"""

from inklings_desktop.mcp_server.words.answers import UNTRUSTED

WRITING = (
    "Write only what you decided to keep, not out of habit: most turns write nothing. Keep nothing"
    " that the author's pages say. When something is no longer true, replace or forget it; do not"
    " add a second memory."
)
TIERS = (
    "conversation: a working idea of this exchange, forgotten at its end; channel: what was decided"
    " for one project; workspace: what the author wants throughout this world; account: the"
    " author's preferences in every world, never a world's content."
)
INSTRUCTIONS = (
    "Inklings is the author's own long-term memory of a fictional world. Begin a turn with"
    " memory_orient, or the prompt begin_turn. Start a conversation with conversation_start and end"
    " it with conversation_end."
    f" {WRITING} Where it belongs: {TIERS} Named entries such as VOICE are the author's; propose"
    f" changes. {UNTRUSTED}"
)
REMEMBER = (
    "Decide whether this has to be kept in Inklings:\n\n{what}\n\n"
    f"{WRITING}\n\nChoose one tier. {TIERS[0].upper()}{TIERS[1:]}\n\n"
    "Put it as one short statement with memory_put, in the author's language, with derived_from"
    " naming the pages it rests on. If it is known already, change or leave what is there. If it"
    " need not be kept, say so and write nothing.\n\n{known}"
)
NOTHING_KNOWN = "Nothing about it was found in memory."
KNOWN = f"What memory has about it, one JSON object per line. {UNTRUSTED}"
WRAP_UP = (
    "End {conversation} in Inklings, in this order:\n\n"
    "1. note_write under the key summary: how far the work has come and what is next.\n"
    "2. memory_put for each decision that has to outlast it and is not kept yet. {writing}"
    " {tiers}\n"
    "3. conversation_end with a summary: one line for each thing that its channel should keep, none"
    " that step 2 has kept; without such a thing, no summary."
)
