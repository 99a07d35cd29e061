"""What several phases share: values and their views, demands of a target, costs, names and reasons."""
