"""Documents as a whole: opened, brought to the newest version, changed, written."""
