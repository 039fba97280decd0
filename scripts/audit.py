"""Ask whether a vulnerability is known in what uv.lock pins; say so where the advisories can't be reached.

    python scripts/audit.py [ADDRESS]

Exit status 1: one is known. The address is that of an OSV service, for tests and mirrors.
"""

import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = "https://api.osv.dev"
WAIT = 10.0


def main(source: str = SOURCE) -> int:
    """Audit the lock; print what is known, or why nothing can be."""
    try:
        urllib.request.urlopen(source, timeout=WAIT)  # noqa: S310 - the address is ours
    except urllib.error.HTTPError:
        pass  # it answers
    except OSError:
        print(f"The advisories at {source} can't be reached: the dependencies were NOT audited.")
        return 0
    uv = shutil.which("uv") or str(ROOT / ".uv/bin/uv")
    return subprocess.run([uv, "audit", "--locked", "--service-url", source], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
