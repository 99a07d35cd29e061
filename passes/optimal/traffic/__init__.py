"""The layouts with which the fewest bytes travel: `cost=traffic`."""
