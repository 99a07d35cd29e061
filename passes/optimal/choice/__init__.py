"""The modes of a solution as a choice, and the plan that realises it."""
