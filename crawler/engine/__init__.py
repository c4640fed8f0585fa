"""The crawl as a state machine without I/O: live crawls, replays and tests run the same code."""
