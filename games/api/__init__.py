"""A small JSON API over the same commands and queries as the pages."""
