"""What an agent asks the author to accept, and the decision."""
