"""The page *What the agent will see*: the document of the next turn."""
