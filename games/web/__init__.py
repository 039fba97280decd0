"""The pages of the site: addresses in, one command or query, a template out."""
