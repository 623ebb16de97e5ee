"""What tests of several packages share: builders and stand-ins."""
