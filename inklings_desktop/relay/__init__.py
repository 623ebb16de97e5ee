"""A client's own process: lines of its protocol to the host of a data root, and answers back.

May import the standard library alone, and of it only what is quick to import: a client waits.
Must never know the protocol beyond who asked what, nor anything that is stored.
"""
