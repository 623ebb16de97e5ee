"""What the ports promise, asked of the real adapters."""
