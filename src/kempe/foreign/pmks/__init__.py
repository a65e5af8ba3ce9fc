"""Linkages of PMKS+, read from the address that holds one."""
