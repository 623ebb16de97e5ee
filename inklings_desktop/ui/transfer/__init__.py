"""Export and import: files, the preview, what was done, and the way back."""
