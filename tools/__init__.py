"""What builds files that are kept in this repository."""
