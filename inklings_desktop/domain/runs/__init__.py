"""How far an agent's runs have come, and what they used. Figures and words; nothing runs here."""
