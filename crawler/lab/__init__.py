"""Sites to measure with, and the measuring: the demo site, replays, comparisons."""
