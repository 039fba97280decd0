"""Sentences for codes and amounts, in the active language."""
