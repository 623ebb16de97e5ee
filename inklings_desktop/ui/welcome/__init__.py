"""The first start: three doors, how the new world sounds, and who thinks with its author."""
