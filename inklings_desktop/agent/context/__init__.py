"""What a turn begins with: gathered by fixed rules, cut to budgets, sorted out, and summed up.

May import the types of planning, the domain and the planner without a model. Pure functions;
must never know what calls tools.
"""
