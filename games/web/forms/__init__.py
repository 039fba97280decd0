"""The forms of the pages, checked before any rule is asked."""
