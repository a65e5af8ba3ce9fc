"""Checked data to a model: units, parameters, formulas, bodies, members, libraries."""
