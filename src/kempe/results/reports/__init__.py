"""What a check of a mechanism answers: freedoms, redundant rows, idle drives, counts."""
