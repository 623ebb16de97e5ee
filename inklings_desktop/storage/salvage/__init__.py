"""What is damaged: looked over, read as far as it can be, made again."""
