"""Synthetic sites after Table I of paper 000, made on demand from kind, size and seed."""
