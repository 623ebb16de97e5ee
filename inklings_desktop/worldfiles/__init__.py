"""Reads the files of the author's world folders, and never writes one.

Who wants a page asks ``LocalWorldFiles``; only this package knows the libraries that it needs.
"""
