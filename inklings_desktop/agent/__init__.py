"""The World Agent: plans a turn, works through memory tools, and writes memory only on purpose.

May import the standard library, the domain, resource files and the words of the wire; its doors
also the protocol's libraries. Must never know a database, a use case, the window or who hosts it.
"""
