"""The Agent Client Protocol, version 1, without libraries: lines, calls, words, shapes, parts.

Both sides speak through it, the window's and the agent's. It imports the standard library alone.
It never knows Qt, an event loop, a process or a database.
"""
