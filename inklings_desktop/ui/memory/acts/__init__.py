"""What a person does to memories, one or many, and how it is taken back."""
