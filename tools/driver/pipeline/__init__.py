"""The passes of a run, its target, its plan, and what it leaves when a pass fails."""
