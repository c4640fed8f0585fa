"""`python -m crawler` is the same as `tallyho`."""

from crawler.cli import main

if __name__ == "__main__":
    main()
