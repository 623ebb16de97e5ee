"""What use cases ask of one file, in one transaction."""
