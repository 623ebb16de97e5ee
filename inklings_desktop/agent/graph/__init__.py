"""The turn as a graph whose state outlasts the process: orient, plan, decide, act, persist.

May import LangGraph, the planners, policy and the memory door. Must never know the protocol's
library, or how a run's state is stored.
"""
