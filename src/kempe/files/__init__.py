"""Model files: YAML as people write it, JSON as programs do, one versioned schema for both.

`document` reads, `writer` writes, `schema` says what may stand in a file. Nothing is imported
here, so that whoever needs one of them pays for that one alone.
"""
