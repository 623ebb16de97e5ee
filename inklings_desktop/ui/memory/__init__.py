"""The Memory page: its list, the inspector beside it, and what a person does to memories."""
