"""`make down`: ends everything that `make up` started, also what outlived a crash."""

import sys

from complaint import exit_code
from sessions import saved_session
from up import project_settings, run_file

from crawler.errors import TallyhoError


def down() -> int:
    """Ends it, and says what there was."""
    place = run_file(project_settings())
    running = saved_session(place)
    if running is None:
        print("Nothing of `make up` is running.")
    else:
        count = running.end()
        print(f"Ended Airflow at {running.address}: {count} processes.")
    place.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(exit_code(down, TallyhoError, OSError))
