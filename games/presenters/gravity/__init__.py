"""What the site adds to the rules of Gravity Superstar: the drawing of the board, its words, the compose panel."""
