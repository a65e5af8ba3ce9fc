"""Forces along a motion: loads, multipliers, reactions of joints and drives."""
