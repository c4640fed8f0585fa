"""Coverage-guided fuzzing of what reads bytes from strangers; see `python -m fuzzing --help`."""
