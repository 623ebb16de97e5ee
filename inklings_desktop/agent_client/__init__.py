"""The hosting side of an agent: its process's words in, rows of a conversation out.

It imports the standard library, `acp_wire` and `domain`. It never knows Qt, an event loop or a use
case: who drives it hands it bytes and takes bytes from it.
"""
