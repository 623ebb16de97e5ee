"""Models that talk: one port, and what fulfils it for each provider's wire."""
