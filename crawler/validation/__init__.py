"""Whether a file is what it claims to be: facts, expectations, verdicts."""
