"""What the site shows and takes: thin views, one a page or verb."""
