"""The planner: how to divide units over targets, without a map."""
