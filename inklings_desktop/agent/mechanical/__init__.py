"""The planner without a model: what a message wants, found by patterns, and answers made of quotes.

May import the types of planning, the domain and the pattern files; everything here is a pure
function. Must never know what calls tools, or assert anything outside a quote.
"""
