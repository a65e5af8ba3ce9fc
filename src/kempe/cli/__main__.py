"""`python -m kempe.cli`."""

import sys

from kempe.cli.main import main

sys.exit(main())
