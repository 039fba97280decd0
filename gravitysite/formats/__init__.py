"""How dates and times are written where Django's own habit of a language is not ours."""
