"""Checks the spelling of words with the dictionaries of this machine.

May import the ports of the use cases and the domain; nothing else may import Hunspell.
Must never know texts: which words of one are looked up, and in which language, is not decided here.
"""
