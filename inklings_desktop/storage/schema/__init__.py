"""Tables, rules and triggers of both kinds of file. Knows no domain object's life."""
