"""What stands in the place of the pages while the data cannot be opened."""
