"""Words of the site's own for templates."""
