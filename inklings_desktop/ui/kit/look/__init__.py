"""How things look and move: theme, faces, marks that are painted, layouts."""
