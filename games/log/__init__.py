"""A game's move log and what follows from it: who sits, who moves, positions, records, proof, backups."""
