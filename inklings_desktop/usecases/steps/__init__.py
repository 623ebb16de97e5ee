"""Steps that several use cases share inside a transaction; no door calls one."""
