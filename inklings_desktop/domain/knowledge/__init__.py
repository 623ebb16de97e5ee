"""What a workspace holds for settled, and who may know of it: facts, rules, domains, roles."""
