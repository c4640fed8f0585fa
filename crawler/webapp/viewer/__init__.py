"""A table of a file, page by page: sorted, filtered, counted and drawn on the server."""
