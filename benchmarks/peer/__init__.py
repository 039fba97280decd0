"""boardgame.io with PostgreSQL, measured beside the site; the folder knows nothing of Gravity."""
