"""Tests of the embeddings package, over the model that ships with the program."""
