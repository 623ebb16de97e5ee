"""What the use cases need from outside, written from the caller's side."""
