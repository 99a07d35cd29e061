"""Shared by all phases: storages, demands of a target, costs, names, reasons, and the plan with its one apply step."""
