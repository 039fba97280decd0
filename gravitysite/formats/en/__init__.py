"""English as it is written in Britain, as all our English is."""
