"""The agent's door: tools and resources of the Model Context Protocol over the use cases.

Nothing but the protocol goes to standard output. No tool, name, description or error holds the
text of a memory. ``server`` is what one client meets, ``session`` who it is; ``tools`` are what it
calls, ``words`` what it hears; ``hosting`` runs it, ``trials`` play it.
"""
