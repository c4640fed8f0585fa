"""I/O: where the files go, each under the SHA-256 of its bytes."""
