"""Exit with 0 if the web server in this container answers, else with 1."""

import os
import sys
import urllib.error
import urllib.request

try:
    urllib.request.urlopen(f"http://127.0.0.1:{os.environ.get('PORT', '8000')}/healthz", timeout=4)
except (urllib.error.URLError, TimeoutError) as error:
    sys.exit(str(error))
