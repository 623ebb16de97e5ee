"""The Memory group: how fast each tier fades, what other rates would change, tidying up."""
