"""A task shares the memory of the worker it was forked from, as long as nobody writes to it."""

import gc


def keep_shared() -> None:
    """Takes what was inherited out of the garbage collection, which would write to all of it.

    Of a crawl's task 68 MB were its own afterwards instead of 95.
    """
    gc.freeze()
