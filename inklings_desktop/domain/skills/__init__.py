"""Skills: folders of instructions, templates and code that an agent may choose to work by."""
