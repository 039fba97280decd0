"""The command line of the engines: ``python -m engine``."""

import sys

from engine.gravity.cli import main

sys.exit(main(sys.argv[1:]))
