"""State of an agent's runs, by the driver alone: the one thing that its process writes itself.

May import the domain and the parts of ``storage`` that need no SQLAlchemy; nothing else here does.
"""
