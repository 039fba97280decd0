"""The hash chain over a record: it reveals any changed, missing or reordered entry of the move log."""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final

from engine.contract import Json

_NOT_IN_SETUP: Final = frozenset({"log", "chain"})


def canonical(value: Json) -> str:
    """Return the canonical JSON text of a value: keys sorted, no blanks, nothing escaped needlessly."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def setup_digest(record: Mapping[str, Json]) -> str:
    """Return the first digest (hexadecimal SHA-256): that of the record without its log and chain."""
    setup = {key: value for key, value in record.items() if key not in _NOT_IN_SETUP}
    return _sha256(canonical(setup))


def next_digest(previous: str, entry: Mapping[str, Json]) -> str:
    """Return the digest of the entry after the one with digest ``previous``; every key of the entry counts."""
    return _sha256(previous + canonical(entry))


def chain_of(record: Mapping[str, Json], log: Sequence[Mapping[str, Json]]) -> Iterator[str]:
    """Yield the digest of the set-up, then one for each entry of ``log``."""
    digest = setup_digest(record)
    yield digest
    for entry in log:
        digest = next_digest(digest, entry)
        yield digest


def _sha256(text: str) -> str:
    return sha256(text.encode()).hexdigest()
