"""What joins the pages of one opened data root to each other."""
