"""Commands about what is settled: facts, house rules, domains, roles, what agents keep."""
