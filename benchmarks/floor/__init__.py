"""The least that a turn can cost: a bare view on the site's own servers, to measure the site against."""
