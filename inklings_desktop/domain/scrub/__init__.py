"""What a scrub would remove, and the token that confirms exactly that."""
