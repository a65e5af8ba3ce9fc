"""The studio: a browser application on a server of one's own machine.

The server keeps the document and its history, and computes nothing itself: worker processes do,
and can be ended. Nothing is imported here, so that whoever needs one part pays for that one alone.
"""
