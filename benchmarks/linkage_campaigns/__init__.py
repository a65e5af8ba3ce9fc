"""Campaigns: many random mechanisms against closed forms that share nothing with the solver."""
