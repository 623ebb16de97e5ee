"""Skills: keeping, bringing in, choosing, and what came of them."""
