"""How files of earlier schema versions become files of the current one, step by step.

It may import the rules of the schema; whoever opens a file or takes a backup in runs it.
It must never know what the steps are for, or which door asked.
"""
