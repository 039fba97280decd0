"""What Lighthouse says of the pages that newcomers and players see first."""
