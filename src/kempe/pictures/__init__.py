"""Mechanisms and motions as scenes and drawings."""
