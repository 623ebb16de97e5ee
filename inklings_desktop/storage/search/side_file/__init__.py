"""What finding needs of a database, as arrays in a folder beside it; made from its rows alone."""
