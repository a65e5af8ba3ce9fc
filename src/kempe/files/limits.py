"""How large a model file may be: stated limits, checked before anything is built from it."""

LARGEST_FILE = 50_000_000  # bytes
DEEPEST = 64  # mappings and lists inside each other
MOST_VALUES = 5_000_000  # of one file
MOST_ALIASED = 100_000  # values that a YAML file may repeat by aliases
MOST_BODIES = 100_000
MOST_PARAMETERS = 10_000
MOST_FILES = 16  # that one file may be merged from
LONGEST_NAME = 200  # characters
