"""Acorns, a small game of hidden nuts, as `engine.contract.Rules`: there to show that a second game is a folder.

Squirrels prepare for winter. On a turn a squirrel eats a nut from its hand, hides one in its nest, digs one up unseen
or robs the top of a rival's hoard unseen; then it may throw a nut away. Its hand is filled up to three. The nuts eaten
count at once, those in nest and hoard when winter comes: a nut in a nest one more than its number, and of each hoard
the smallest is lost in a hard winter.
"""

from tests.another_game.engine.game import Acorns

__all__ = ["Acorns"]
