"""Build static/vendor/htmx from an unpacked npm package: `npm pack htmx.org@4.0.1`, then give its directory.

One file, because an extension in a script of its own can miss htmx's start.
"""

import sys
from pathlib import Path

VERSION = "4.0.1"
PARTS = ("dist/htmx.min.js", "dist/ext/hx-ptag.min.js")
TARGET = Path(__file__).parent.parent / "static/vendor/htmx"

if __name__ == "__main__":
    package = Path(sys.argv[1])
    if f'"version": "{VERSION}"' not in (package / "package.json").read_text(encoding="utf-8"):
        sys.exit(f"{package} is not htmx.org {VERSION}")
    scripts = [(package / part).read_text(encoding="utf-8") for part in PARTS]
    lines = [line for text in scripts for line in text.splitlines() if not line.startswith("//# sourceMappingURL")]
    head = f"/* htmx.org {VERSION} with its hx-ptag extension; see LICENSE and VERSION */\n"
    TARGET.mkdir(parents=True, exist_ok=True)
    (TARGET / "htmx.js").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    (TARGET / "LICENSE").write_text((package / "LICENSE").read_text(encoding="utf-8"), encoding="utf-8")
    (TARGET / "VERSION").write_text(f"htmx.org {VERSION}: {' + '.join(PARTS)}\n", encoding="utf-8")
