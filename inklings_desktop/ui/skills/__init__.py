"""The page of skills: what agents may work by, tried dry, and what came of it."""
