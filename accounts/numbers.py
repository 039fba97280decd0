"""Numbers of rows in addresses."""


class NumberConverter:
    """A number that a row may have: one with more digits than the database can look for is no address at all."""

    regex = "[0-9]{1,18}"

    def to_python(self, value: str) -> int:
        """Return the number."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Return its digits."""
        return str(value)
