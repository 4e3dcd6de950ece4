"""What stands under the cockpit: goals, certainty, costs, groups, and the decision to take away."""
