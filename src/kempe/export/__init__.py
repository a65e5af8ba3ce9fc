"""Results as files, tables and words."""
