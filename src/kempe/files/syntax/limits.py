"""How large a model file may be: stated limits, checked before anything is built from it.

They hold for a document as a whole, with everything it brings in. Whatever goes beyond is refused
within a second or two and 300 MB.
"""

LARGEST_FILE = 25_000_000  # bytes, of a file with all it is merged from
LARGEST_YAML = 1_000_000  # bytes, likewise; YAML is read a hundred times slower than JSON
DEEPEST = 64  # mappings and lists inside each other
MOST_VALUES = 800_000  # of a file with all it is merged from
MOST_YAML_VALUES = 50_000
MOST_ALIASED = 100_000  # values that a YAML file may repeat by aliases
MOST_BODIES = 10_000  # 0.1 ms each, in time for a mistake that comes after all of them
MOST_ENTRIES = 100_000  # of one mapping or list
MOST_PARAMETERS = 2_000
MOST_FORMULAS = 200_000  # characters of all formulas of parameters
MOST_FILES = 16  # that one file may be merged from, each counted as often as it is read
MOST_MEMBERS = 100  # mechanisms that are used or merged, in all
MOST_USED = 1_000  # links, loops, teeth and the like that dimensions ask for, in all
LONGEST_NAME = 200  # characters
LONGEST_KEY = 10_000  # characters of a word before a colon, name or not
