"""Speed, in figures: ``python -m benchmarks``."""
