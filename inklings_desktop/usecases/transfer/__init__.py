"""Export and import, and the sample world."""
