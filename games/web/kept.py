"""What this process made once and shows again: things that never change, under a key that says all they depend on."""

from collections.abc import Callable, Hashable
from threading import Lock


class Kept[Thing]:
    """So many things by their keys; the oldest go first."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._things: dict[Hashable, Thing] = {}
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """Return the thing with that key, made now unless it was before."""
        thing = self._things.get(key)
        if thing is None:
            thing = make()
            self.keep(key, thing)
        return thing

    def find(self, key: Hashable) -> Thing | None:
        """Return the thing with that key, None where it is not kept."""
        return self._things.get(key)

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._things.clear()

    def keep(self, key: Hashable, thing: Thing) -> None:
        """Keep a thing, in place of what had the key."""
        with self._lock:
            self._things[key] = thing
            while len(self._things) > self._size:
                del self._things[next(iter(self._things))]
