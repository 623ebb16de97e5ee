"""How what is found is ranked, and the operators of a query."""
