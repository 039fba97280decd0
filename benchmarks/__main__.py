"""Measure what needs no server: ``make bench``. The other measurements are modules of their own."""

import sys

from benchmarks.engine import main

sys.exit(main())
