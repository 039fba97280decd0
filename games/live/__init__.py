"""Streams of server-sent events: which games have changed. Served by the process ``live`` alone (decision 16)."""
