"""Thin views of the API: parse, one command or query, answer."""
