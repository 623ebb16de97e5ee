"""Reading the author's pages, and what memory has to do with them."""
