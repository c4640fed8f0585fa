"""Commands that print ratios; `make bench` runs them. No test depends on them."""
