"""The agent's only way to memory: tools of the Model Context Protocol, called as its own client.

May import ``mcp`` and the planning of the agent; alone in calling a tool. Must never know a
database, a use case or the protocol of the conversation.
"""
