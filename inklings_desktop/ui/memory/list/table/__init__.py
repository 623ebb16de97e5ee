"""The rows of the memory list: model, painting, header and cursor."""
