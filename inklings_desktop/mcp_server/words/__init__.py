"""What the door says: answers, their shapes, and what belongs in memory."""
