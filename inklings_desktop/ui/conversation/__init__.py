"""The Conversation page: what is said with an agent, and what each turn touched.

It speaks with the agent's process through ``agent_client`` and reads through use cases; it never
imports a page beside it, and knows nothing of how the agent works.
"""
