"""Every state of the window, and how it comes to be shown: what the oracle and the sheets draw."""
