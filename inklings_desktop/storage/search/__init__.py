"""Finding: words, vectors, lists, counts, and the arrays they are answered from."""
