"""Whether a service of Airflow is well: healthy.py URL, for the health checks of the containers.

Exits 0 when the address answers 200 and tells of no database that is away.
"""

import json
import sys
import urllib.request

SECONDS = 10


def is_healthy(url: str) -> bool:
    """Whether the service behind this address can do its work."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=SECONDS) as answer:
            body = answer.read()
    except OSError:
        return False
    try:
        database = json.loads(body)["metadatabase"]["status"]
    except (ValueError, TypeError, KeyError):
        return True
    return bool(database == "healthy")


if __name__ == "__main__":
    sys.exit(0 if is_healthy(sys.argv[1]) else 1)
