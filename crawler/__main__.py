"""`python -m crawler` is the same as `tallyho`."""

import sys

_INTERRUPTED = 130


def main() -> None:
    """Runs the command line; Ctrl-C while it is still being imported ends it like any other."""
    try:
        from crawler.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted\n")
        sys.exit(_INTERRUPTED)
    finally:
        # Python remembers an interrupt within the `exec` of some import, also when it was caught,
        # and would end as if killed by the signal; running anything by `exec` makes it forget.
        exec("")  # noqa: S102


if __name__ == "__main__":
    main()
