"""`python -m kempe` is the command `kempe`, where the folder of scripts is not on the path."""

import sys

from kempe.cli import main

if __name__ == "__main__":
    sys.exit(main())
