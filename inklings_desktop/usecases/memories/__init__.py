"""Write memories, change them, forget and restore them."""
