"""Chances to win, as people read them."""


def in_percent(share: float) -> int:
    """Return a chance, 0 to 1, in whole percent: 0 and 100 are said of what is certain alone."""
    percent = round(100 * share)
    return percent if share in {0.0, 1.0} else min(99, max(1, percent))
