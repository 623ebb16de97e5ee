"""The programs that agents come in by: rights, tokens, connections, the drill."""
