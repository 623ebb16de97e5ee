"""The workspaces under one data root, and what other programs do to them."""
