"""Pure rules about URLs and pages: no I/O, nothing remembered but caches."""
