"""Files of the person outside the database: exports, and other programs' configuration."""
