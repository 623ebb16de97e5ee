"""Facts, house rules, domains, roles, and what agents keep between their runs."""
