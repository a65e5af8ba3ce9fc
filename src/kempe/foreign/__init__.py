"""Mechanisms in the files of other programs: read into a model, with a report of what was left out.

`opening` knows the endings, `imported` is what reading gives. Nothing is imported here, so that
whoever reads one format pays for that one alone.
"""
