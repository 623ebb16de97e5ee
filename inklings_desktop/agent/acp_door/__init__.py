"""The agent's side of the Agent Client Protocol, over standard input and output.

May import the protocol's library, the graph and the memory door. Must never know which window or
editor hosts it.
"""
