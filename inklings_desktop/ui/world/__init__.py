"""The World page: the author's own pages, where they are, and what memory says of them."""
