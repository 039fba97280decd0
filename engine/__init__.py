"""Rules engines of the board games on this site: pure Python, without Django, clock or hidden randomness."""

from engine.compiled import use_build

use_build()
