"""``inklings mcp`` and ``inklings hook``: serving agents and connecting them."""
